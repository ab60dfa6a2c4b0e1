-- Moves tickets from ULID, in one transaction that locks them.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE tickets, comments IN ACCESS EXCLUSIVE MODE;

ALTER TABLE comments DROP CONSTRAINT comments_ticket_id_fkey;
ALTER TABLE tickets DROP CONSTRAINT tickets_pkey;

ALTER TABLE tickets RENAME id TO old_id;
ALTER TABLE tickets ADD id gid(t);
UPDATE tickets SET id = gid_of_ulid('t', old_id);
ALTER TABLE tickets ADD PRIMARY KEY (id), ALTER id SET DEFAULT gid_new('t');
CREATE UNIQUE INDEX tickets_old_id ON tickets (old_id);

ALTER TABLE comments RENAME ticket_id TO old_ticket_id;
ALTER TABLE comments ADD ticket_id gid(t);
UPDATE comments SET ticket_id = gid_of_ulid('t', old_ticket_id);
ALTER TABLE comments ALTER ticket_id SET NOT NULL, ADD FOREIGN KEY (ticket_id) REFERENCES tickets;
ALTER INDEX comments_ticket_id_idx RENAME TO comments_old_ticket_id_idx;
CREATE INDEX comments_ticket_id_idx ON comments (ticket_id);

CREATE FUNCTION comments_old_ticket_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.old_ticket_id := (SELECT old_id FROM tickets WHERE id = NEW.ticket_id);
    RETURN NEW;
END $$;
CREATE TRIGGER old_ticket_id BEFORE INSERT OR UPDATE ON comments
FOR EACH ROW EXECUTE FUNCTION comments_old_ticket_id();
COMMIT;

VACUUM ANALYZE tickets, comments;
