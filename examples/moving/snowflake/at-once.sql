-- Moves messages from Snowflake, in one transaction that locks them.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE messages, reactions IN ACCESS EXCLUSIVE MODE;

ALTER TABLE reactions DROP CONSTRAINT reactions_message_id_fkey;
ALTER TABLE messages ALTER id DROP DEFAULT;
ALTER TABLE messages ALTER id TYPE gid(m) USING gid_of_snowflake('m', id, 1288834974657);
ALTER TABLE messages ALTER id SET DEFAULT gid_of_snowflake('m', snowflake(), 1288834974657);
ALTER TABLE reactions ALTER message_id TYPE gid(m) USING gid_of_snowflake('m', message_id, 1288834974657);
ALTER TABLE reactions ADD FOREIGN KEY (message_id) REFERENCES messages;
COMMIT;

ANALYZE messages, reactions;
