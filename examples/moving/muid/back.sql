-- Makes muids the keys of edits again.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE edits, effects IN ACCESS EXCLUSIVE MODE;

ALTER TABLE effects DROP CONSTRAINT effects_edit_id_fkey;
ALTER TABLE edits ALTER id DROP DEFAULT;
ALTER TABLE edits ALTER id TYPE text COLLATE "C" USING muid_of(id);
ALTER TABLE edits ALTER id SET DEFAULT muid();
ALTER TABLE effects ALTER edit_id TYPE text COLLATE "C" USING muid_of(edit_id);
ALTER TABLE effects ADD FOREIGN KEY (edit_id) REFERENCES edits;
COMMIT;

ANALYZE edits, effects;
