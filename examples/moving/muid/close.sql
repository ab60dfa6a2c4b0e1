-- Gives up the way back of edits.

\set ON_ERROR_STOP on
ALTER TABLE edits ALTER id SET DEFAULT gid_new('h');
