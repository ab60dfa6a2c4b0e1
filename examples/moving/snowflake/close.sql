-- Gives up the way back of messages.

\set ON_ERROR_STOP on
ALTER TABLE messages ALTER id SET DEFAULT gid_new('m');
