-- A transaction that has its time at its beginning, and creates the chunk of that time at its end.
\set open random(0, 300)
BEGIN;
SELECT gid_new('e');
\sleep :open ms
INSERT INTO live (n) VALUES (1), (2);
COMMIT;
