-- Makes Snowflakes the keys of messages again.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE messages, reactions IN ACCESS EXCLUSIVE MODE;

ALTER TABLE reactions DROP CONSTRAINT reactions_message_id_fkey;
ALTER TABLE messages ALTER id DROP DEFAULT;
ALTER TABLE messages ALTER id TYPE bigint USING snowflake_of(id, 1288834974657);
ALTER TABLE messages ALTER id SET DEFAULT snowflake();
ALTER TABLE reactions ALTER message_id TYPE bigint USING snowflake_of(message_id, 1288834974657);
ALTER TABLE reactions ADD FOREIGN KEY (message_id) REFERENCES messages;
COMMIT;

ANALYZE messages, reactions;
