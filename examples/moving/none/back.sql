-- Makes the name the key of tags again.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE tags, uses IN ACCESS EXCLUSIVE MODE;

ALTER TABLE uses ADD tag_name text;
UPDATE uses SET tag_name = tags.name FROM tags WHERE tags.id = uses.tag_id;
ALTER TABLE uses ALTER tag_name SET NOT NULL, DROP tag_id;

ALTER TABLE tags DROP id, DROP CONSTRAINT tags_name_key;
ALTER TABLE tags ADD PRIMARY KEY (name);
ALTER TABLE uses ADD FOREIGN KEY (tag_name) REFERENCES tags;
CREATE INDEX uses_tag_name_idx ON uses (tag_name);
COMMIT;

VACUUM ANALYZE tags, uses;
