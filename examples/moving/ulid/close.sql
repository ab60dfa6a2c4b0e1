-- Gives up the way back of tickets; their old keys stay, to be looked up.

\set ON_ERROR_STOP on
SET lock_timeout = '2s';
DROP FUNCTION comments_old_ticket_id CASCADE;
ALTER TABLE comments DROP old_ticket_id;
ALTER TABLE tickets ALTER old_id DROP NOT NULL, ALTER old_id DROP DEFAULT;
