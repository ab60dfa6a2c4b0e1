-- Skip scans: from 18 on a scan of an index by (gid, n) for an n skips from gid
-- to gid.  On every version it finds what a scan of the table finds.
CREATE TABLE skipped AS
SELECT id, n FROM generate_series(1, 500) n, unnest(ARRAY[NULL, '\x80000000000000000000000000000000'::bytea::gid,
	'\x80000000000000000000000000000001'::bytea::gid, '\xc0000000000000ffffffffffffffffff'::bytea::gid,
	'\xc0000000000001000000000000000000'::bytea::gid, '\xffffffffffffffffffffffffffffffff'::bytea::gid]::gid[]) id;
CREATE FUNCTION found() RETURNS TABLE (condition text, found bigint) LANGUAGE plpgsql AS $$
DECLARE low gid; high gid;
BEGIN
	FOR low IN SELECT DISTINCT id FROM skipped LOOP
		FOR high IN SELECT DISTINCT id FROM skipped WHERE id > low LOOP
			RETURN QUERY EXECUTE format('SELECT ''(%1$s, %2$s)'', count(*) FROM skipped WHERE n = 77 AND id > %1$L AND id < %2$L', low, high);
			RETURN QUERY EXECUTE format('SELECT ''[%1$s, %2$s]'', count(*) FROM skipped WHERE n = 77 AND id >= %1$L AND id <= %2$L', low, high);
		END LOOP;
	END LOOP;
	RETURN QUERY SELECT 'n = 77', count(*) FROM skipped WHERE n = 77;
	RETURN QUERY SELECT 'n in 6, 77', count(*) FROM skipped WHERE n IN (6, 77) AND id > '5rLWQQkJdm-1111111111111';
END $$;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = off;
RESET enable_seqscan;
CREATE TABLE by_table AS SELECT * FROM found();
RESET enable_indexscan;
RESET enable_indexonlyscan;
SET enable_seqscan = off;
CREATE INDEX skipped_up ON skipped (id, n);
VACUUM ANALYZE skipped;
SELECT line FROM plan_of('SELECT count(*) FROM skipped WHERE n = 77') line WHERE line ~ 'Scan';
SELECT count(*), sum(found) FROM by_table t JOIN found() i USING (condition, found);
DROP INDEX skipped_up;
CREATE INDEX skipped_down ON skipped (id DESC, n);
SELECT count(*), sum(found) FROM by_table JOIN found() i USING (condition, found);
DROP FUNCTION found;
DROP TABLE skipped, by_table;
RESET enable_bitmapscan;
