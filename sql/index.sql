-- Indexes: btree, hash, BRIN, GIN over arrays.
CREATE TABLE item (id gid(segment) PRIMARY KEY, n int, tags gid[]);
INSERT INTO item
SELECT gid_new('segment', '2026-01-01 00:00:00+00'::timestamptz + n * interval '1 second'), n
FROM generate_series(0, 99999) n;
VACUUM ANALYZE item;

-- An index-only scan over an hour of creation time.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM item
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
SELECT count(*) FROM item
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
SELECT count(*), min(n), max(n) FROM item
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
EXPLAIN (COSTS OFF) SELECT id FROM item ORDER BY id DESC LIMIT 1;
SELECT gid_timestamp(id) = '2026-01-02 03:46:39+00' AS newest FROM item ORDER BY id DESC LIMIT 1;

-- By value, by several values, and with a parameter.
SELECT id AS some_id FROM item WHERE n = 4711 \gset
EXPLAIN (COSTS OFF) SELECT n FROM item WHERE id = '8H24TMQEGM-21Kj8kUFQLRhg';
SELECT n FROM item WHERE id = :'some_id';
SELECT n FROM item WHERE id IN (:'some_id', '8H24TMQEGM-21Kj8kUFQLRhg');
PREPARE by_id(gid) AS SELECT n FROM item WHERE id = $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE by_id(:'some_id');
EXECUTE by_id(:'some_id');
RESET plan_cache_mode;

-- A key stays unique.
SELECT state, message FROM error_of(format('INSERT INTO item VALUES (%L, 0)', :'some_id'));
INSERT INTO item VALUES (:'some_id', 0) ON CONFLICT (id) DO UPDATE SET n = -excluded.n - 1 RETURNING n;
INSERT INTO item VALUES (:'some_id', 0) ON CONFLICT DO NOTHING RETURNING n;
UPDATE item SET n = 4711 WHERE id = :'some_id';

-- Duplicates are stored once: equal gids are the same bytes.
CREATE TABLE reference (item gid(segment));
INSERT INTO reference SELECT id FROM item, generate_series(1, 10) WHERE n < 10000;
CREATE INDEX reference_item ON reference (item);
CREATE INDEX reference_plain ON reference (item) WITH (deduplicate_items = off);
SELECT pg_relation_size('reference_item') < 0.5 * pg_relation_size('reference_plain') AS deduplicated;
DROP TABLE reference;
RESET enable_bitmapscan;

-- An index by (gid, n) asked for n: from 18 on it skips from gid to gid, and
-- everywhere it finds what a scan of the table does, up to both ends.
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

-- A hash index.
CREATE TABLE hashed AS SELECT id, n FROM item;
CREATE INDEX hashed_id ON hashed USING hash (id);
EXPLAIN (COSTS OFF) SELECT n FROM hashed WHERE id = '8H24TMQEGM-21Kj8kUFQLRhg';
SELECT count(*) FROM item JOIN LATERAL (SELECT FROM hashed WHERE hashed.id = item.id) h ON true WHERE n < 1000;
DROP TABLE hashed;

-- BRIN, its three classes: each finds what is there, and reads few blocks.
CREATE TABLE logged AS SELECT id, n FROM item ORDER BY n;
-- Before 18 the blocks that a parallel worker reads are not shown.
CREATE FUNCTION share_read(query text) RETURNS numeric LANGUAGE plpgsql
SET max_parallel_workers_per_gather = 0 AS $$
DECLARE plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT json, TIMING off, SUMMARY off) ' || query INTO plan;
	RETURN round((plan #>> '{0,Plan,Lossy Heap Blocks}')::numeric / (pg_relation_size('logged') / 8192), 2);
END $$;
CREATE INDEX logged_minmax ON logged USING brin (id) WITH (pages_per_range = 4);
EXPLAIN (COSTS OFF) SELECT count(*) FROM logged
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
SELECT count(*), min(n), max(n) FROM logged
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
SELECT n FROM logged WHERE id = :'some_id';
SELECT share_read($$SELECT n FROM logged
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00')$$) < 0.06 AS few;
DROP INDEX logged_minmax;
-- An outlier in each range spoils minmax; minmax-multi keeps it apart.
CREATE TABLE spoilt AS
SELECT CASE WHEN n % 400 = 0 THEN gid_new('segment', '2030-01-01') ELSE id END AS id, n FROM logged ORDER BY n;
DROP TABLE logged;
ALTER TABLE spoilt RENAME TO logged;
CREATE INDEX logged_minmax ON logged USING brin (id) WITH (pages_per_range = 4);
SELECT share_read($$SELECT n FROM logged
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00')$$) > 0.3 AS many;
DROP INDEX logged_minmax;
CREATE INDEX logged_multi ON logged USING brin (id gid_minmax_multi_ops) WITH (pages_per_range = 4);
EXPLAIN (COSTS OFF) SELECT count(*) FROM logged
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
SELECT count(*), min(n), max(n) FROM logged
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
SELECT n FROM logged WHERE id = :'some_id';
SELECT share_read($$SELECT n FROM logged
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00')$$) < 0.06 AS few;
DROP INDEX logged_multi;
CREATE INDEX logged_bloom ON logged USING brin (id gid_bloom_ops (n_distinct_per_range = 1000)) WITH (pages_per_range = 4);
EXPLAIN (COSTS OFF) SELECT n FROM logged WHERE id = '8H24TMQEGM-21Kj8kUFQLRhg';
SELECT n FROM logged WHERE id = :'some_id';
SELECT n FROM logged WHERE id = '8H24TMQEGM-21Kj8kUFQLRhg';
SELECT share_read(format('SELECT n FROM logged WHERE id = %L', :'some_id')) < 0.2 AS few;
DROP TABLE logged;
DROP FUNCTION share_read;

-- Over a domain, minmax wants the base type, and says so; bloom does not mind.
CREATE DOMAIN segment_id AS gid(segment);
CREATE TABLE logged AS SELECT id::segment_id, n FROM item ORDER BY n;
SELECT e.* FROM error_of('CREATE INDEX ON logged USING brin (id)') e;
SELECT e.* FROM error_of('CREATE INDEX ON logged USING brin (id gid_minmax_multi_ops)') e;
CREATE INDEX ON logged USING brin (id gid_bloom_ops);
CREATE INDEX logged_base ON logged USING brin ((id::gid));
ANALYZE logged;
SELECT line FROM plan_of($$SELECT n FROM logged WHERE id >= gid_lower_bound('segment', '2026-01-02 03:00+00')$$) line WHERE line ~ 'Scan';
SELECT count(*), min(n) FROM logged WHERE id >= gid_lower_bound('segment', '2026-01-02 03:00+00');
DROP TABLE logged;
DROP DOMAIN segment_id;

-- The distance that minmax-multi asks for, in units of the 128-bit number.
SELECT gid_brin_distance(a::gid, b::gid) AS distance
FROM (VALUES ('8H24TMQEGM-1111111111112', '8H24TMQEGM-1111111111112'),
			 ('8H24TMQEGM-1111111111112', '8H24TMQEGM-1111111111114'),
			 ('8H24TMQEGM-21Kj8kUFQLRhg', '8H24TMQEGM-21Kj8kUFQLRhh'),
			 ('5rLWQQkJdm-1111111111111', 'Ahg1opVcGW-4FzkJ37568tQv')) v (a, b);

-- GIN over arrays of gids.
UPDATE item SET tags = ARRAY[id, gid_lower_bound('o', '2026-01-01'), gid_lower_bound('log', '2026-01-01')] WHERE n % 1000 = 0;
CREATE INDEX item_tags ON item USING gin (tags);
SELECT id AS tagged FROM item WHERE n = 5000 \gset
EXPLAIN (COSTS OFF) SELECT n FROM item WHERE tags @> ARRAY['8H24TMQEGM-21Kj8kUFQLRhg'::gid];
SELECT n FROM item WHERE tags @> ARRAY[:'tagged'::gid];
SELECT count(*) FROM item WHERE tags && ARRAY[gid_lower_bound('o', '2026-01-01')];
SELECT count(*) FROM item WHERE gid_lower_bound('log', '2026-01-01') = ANY (tags);
RESET enable_seqscan;

-- Statistics: on columns, extended, and the planner uses them.
CREATE TABLE mixed AS
SELECT id, CASE WHEN n % 10 = 0 THEN gid_lower_bound('o', '2026-01-01') ELSE id END AS other, n % 10 = 0 AS special FROM item;
CREATE STATISTICS mixed_stats (ndistinct, dependencies, mcv) ON other, special FROM mixed;
ANALYZE mixed;
SELECT n_distinct, correlation > 0.99 AS correlated, array_length(histogram_bounds, 1) FROM pg_stats
WHERE tablename = 'mixed' AND attname = 'id';
SELECT most_common_vals::text = format('{%s}', gid_lower_bound('o', '2026-01-01')) AS common, most_common_freqs[1] BETWEEN 0.09 AND 0.11 AS freq
FROM pg_stats WHERE tablename = 'mixed' AND attname = 'other';
SELECT stxdndistinct IS NOT NULL AS ndistinct, stxddependencies IS NOT NULL AS dependencies, stxdmcv IS NOT NULL AS mcv
FROM pg_statistic_ext_data JOIN pg_statistic_ext ON oid = stxoid WHERE stxname = 'mixed_stats';
DROP TABLE mixed;
