-- Gives tags ids, in one transaction that locks them.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE tags, uses IN ACCESS EXCLUSIVE MODE;

ALTER TABLE uses DROP CONSTRAINT uses_tag_name_fkey;
ALTER TABLE tags DROP CONSTRAINT tags_pkey;
ALTER TABLE tags ADD id gid(t) PRIMARY KEY DEFAULT gid_new('t'), ADD UNIQUE (name);

ALTER TABLE uses ADD tag_id gid(t);
UPDATE uses SET tag_id = tags.id FROM tags WHERE tags.name = uses.tag_name;
ALTER TABLE uses ALTER tag_id SET NOT NULL, ADD FOREIGN KEY (tag_id) REFERENCES tags, DROP tag_name;
CREATE INDEX uses_tag_id_idx ON uses (tag_id);
COMMIT;

VACUUM ANALYZE tags, uses;
