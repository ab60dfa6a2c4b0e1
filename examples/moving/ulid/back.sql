-- Makes ULID the key of tickets again, as it was.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE tickets, comments IN ACCESS EXCLUSIVE MODE;

DROP FUNCTION comments_old_ticket_id CASCADE;

ALTER TABLE comments DROP ticket_id;
ALTER TABLE comments RENAME old_ticket_id TO ticket_id;
ALTER INDEX comments_old_ticket_id_idx RENAME TO comments_ticket_id_idx;

ALTER TABLE tickets DROP id;
ALTER TABLE tickets RENAME old_id TO id;
ALTER TABLE tickets ADD CONSTRAINT tickets_pkey PRIMARY KEY USING INDEX tickets_old_id;
ALTER TABLE comments ADD CONSTRAINT comments_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets NOT VALID;
COMMIT;

ALTER TABLE comments VALIDATE CONSTRAINT comments_ticket_id_fkey;
