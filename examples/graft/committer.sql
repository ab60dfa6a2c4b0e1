-- One of several who commit to the same volume, for pgbench: it tries again
-- when it is told that somebody else was faster.  The first client does all the
-- work and rolls back.
SELECT max(id) AS volume FROM volumes \gset
INSERT INTO segments DEFAULT VALUES RETURNING id AS segment \gset
SELECT coalesce(max(lsn), 0) AS base FROM snapshot(':volume') \gset
\sleep 1 ms
BEGIN;
SELECT commit(':volume', :base, 100, ARRAY[':segment']::segment_id[], '{"{[1,101)}"}');
\if :client_id = 0
ROLLBACK;
\else
COMMIT;
\endif
