-- Makes snos the keys of events again.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE events, notes IN ACCESS EXCLUSIVE MODE;

ALTER TABLE notes DROP CONSTRAINT notes_event_id_fkey;
ALTER TABLE events ALTER id DROP DEFAULT;
ALTER TABLE events ALTER id TYPE text COLLATE "C" USING sno_of(id);
ALTER TABLE events ALTER id SET DEFAULT sno();
ALTER TABLE notes ALTER event_id TYPE text COLLATE "C" USING sno_of(event_id);
ALTER TABLE notes ADD FOREIGN KEY (event_id) REFERENCES events;
COMMIT;

ANALYZE events, notes;
