-- Moves events from sno, in one transaction that locks them.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE events, notes IN ACCESS EXCLUSIVE MODE;

ALTER TABLE notes DROP CONSTRAINT notes_event_id_fkey;
ALTER TABLE events ALTER id DROP DEFAULT;
ALTER TABLE events ALTER id TYPE gid(e) USING gid_of_sno('e', id);
ALTER TABLE events ALTER id SET DEFAULT gid_of_sno('e', sno());
ALTER TABLE notes ALTER event_id TYPE gid(e) USING gid_of_sno('e', event_id);
ALTER TABLE notes ADD FOREIGN KEY (event_id) REFERENCES events;
COMMIT;

ANALYZE events, notes;
