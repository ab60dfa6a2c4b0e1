-- Moves tickets from ULID, while they are read and written.

\set ON_ERROR_STOP on
SELECT count(*) AS wrong FROM (
    SELECT new_id <= lag(new_id) OVER (ORDER BY id COLLATE "C") AS wrong
    FROM tickets, gid_of_ulid('t', id) AS new_id) AS checked
WHERE wrong;

SET lock_timeout = '2s';
ALTER TABLE tickets ADD new_id gid(t);
ALTER TABLE comments ADD new_ticket_id gid(t);

CREATE FUNCTION tickets_new_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.new_id := gid_of_ulid('t', NEW.id);
    RETURN NEW;
END $$;
CREATE TRIGGER new_id BEFORE INSERT OR UPDATE ON tickets
FOR EACH ROW WHEN (NEW.new_id IS NULL) EXECUTE FUNCTION tickets_new_id();

CREATE FUNCTION comments_new_ticket_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.new_ticket_id := gid_of_ulid('t', NEW.ticket_id);
    RETURN NEW;
END $$;
CREATE TRIGGER new_ticket_id BEFORE INSERT OR UPDATE ON comments
FOR EACH ROW EXECUTE FUNCTION comments_new_ticket_id();

CALL backfill('tickets', 'id', 'new_id');
VACUUM ANALYZE tickets;
CALL backfill('comments', 'ticket_id', 'new_ticket_id');
VACUUM ANALYZE comments;

CREATE UNIQUE INDEX CONCURRENTLY tickets_new_id ON tickets (new_id);
CREATE UNIQUE INDEX CONCURRENTLY tickets_old_id ON tickets (id);
CREATE INDEX CONCURRENTLY comments_new_ticket_id_idx ON comments (new_ticket_id);

SET lock_timeout = '2s';
ALTER TABLE tickets ADD CONSTRAINT new_id CHECK (new_id IS NOT NULL) NOT VALID;
ALTER TABLE tickets VALIDATE CONSTRAINT new_id;
ALTER TABLE tickets ALTER new_id SET NOT NULL;
ALTER TABLE comments ADD CONSTRAINT new_ticket_id CHECK (new_ticket_id IS NOT NULL) NOT VALID;
ALTER TABLE comments VALIDATE CONSTRAINT new_ticket_id;
ALTER TABLE comments ALTER new_ticket_id SET NOT NULL;

BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE tickets, comments IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE comments ADD CONSTRAINT comments_new_ticket_id_fkey
FOREIGN KEY (new_ticket_id) REFERENCES tickets (new_id) NOT VALID;
COMMIT;
ALTER TABLE comments VALIDATE CONSTRAINT comments_new_ticket_id_fkey;

BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE tickets, comments IN ACCESS EXCLUSIVE MODE;

DROP FUNCTION tickets_new_id, comments_new_ticket_id CASCADE;

ALTER TABLE comments DROP CONSTRAINT comments_ticket_id_fkey, DROP CONSTRAINT new_ticket_id;
ALTER TABLE comments RENAME CONSTRAINT comments_new_ticket_id_fkey TO comments_ticket_id_fkey;
ALTER TABLE comments RENAME ticket_id TO old_ticket_id;
ALTER TABLE comments RENAME new_ticket_id TO ticket_id;
ALTER INDEX comments_ticket_id_idx RENAME TO comments_old_ticket_id_idx;
ALTER INDEX comments_new_ticket_id_idx RENAME TO comments_ticket_id_idx;

ALTER TABLE tickets DROP CONSTRAINT tickets_pkey, DROP CONSTRAINT new_id;
ALTER TABLE tickets RENAME id TO old_id;
ALTER TABLE tickets RENAME new_id TO id;
ALTER TABLE tickets ADD CONSTRAINT tickets_pkey PRIMARY KEY USING INDEX tickets_new_id,
                   ALTER id SET DEFAULT gid_new('t');

CREATE FUNCTION comments_old_ticket_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.old_ticket_id := (SELECT old_id FROM tickets WHERE id = NEW.ticket_id);
    RETURN NEW;
END $$;
CREATE TRIGGER old_ticket_id BEFORE INSERT OR UPDATE ON comments
FOR EACH ROW EXECUTE FUNCTION comments_old_ticket_id();
COMMIT;
