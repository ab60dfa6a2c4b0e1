-- Moves edits from muid, in one transaction that locks them.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE edits, effects IN ACCESS EXCLUSIVE MODE;

INSERT INTO medallions (medallion) SELECT DISTINCT substr(id, 15, 11) FROM edits ORDER BY 1 ON CONFLICT DO NOTHING;

ALTER TABLE effects DROP CONSTRAINT effects_edit_id_fkey;
ALTER TABLE edits ALTER id DROP DEFAULT;
ALTER TABLE edits ALTER id TYPE gid(h) USING gid_of_muid('h', id);
ALTER TABLE edits ALTER id SET DEFAULT gid_of_muid('h', muid());
ALTER TABLE effects ALTER edit_id TYPE gid(h) USING gid_of_muid('h', edit_id);
ALTER TABLE effects ADD FOREIGN KEY (edit_id) REFERENCES edits;
COMMIT;

ANALYZE edits, effects;
