-- A transaction that usually writes to both workers.
\set first random(1, 1000)
\set second random(1, 1000)
BEGIN;
INSERT INTO notes (tenant) VALUES (:first);
\sleep 5 ms
INSERT INTO notes (tenant) VALUES (:second);
COMMIT;
