-- Gives up the way back of events.

\set ON_ERROR_STOP on
ALTER TABLE events ALTER id SET DEFAULT gid_new('e');
