-- BRIN, by its three operator classes: each finds what is there, and reads few
-- blocks.
CREATE TABLE item (id gid(segment) PRIMARY KEY, n int);
INSERT INTO item
SELECT gid_random('segment', '2026-01-01 00:00:00+00'::timestamptz + n * interval '1 second'), n
FROM generate_series(0, 99999) n;
SELECT id AS some_id FROM item WHERE n = 4711 \gset
SET enable_seqscan = off;
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
-- An outlier in each range makes minmax useless; minmax-multi stores it separately.
CREATE TABLE corrupt AS
SELECT CASE WHEN n % 400 = 0 THEN gid_random('segment', '2030-01-01') ELSE id END AS id, n FROM logged ORDER BY n;
DROP TABLE logged;
ALTER TABLE corrupt RENAME TO logged;
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
-- Of each 4,000 ids one has its bits so close together that it is not enough.
SELECT min(share_read(format('SELECT n FROM logged WHERE id = %L', id))) < 0.2 AS few FROM logged WHERE n IN (4711, 4712);
DROP TABLE logged;
DROP FUNCTION share_read;

-- Over a domain, minmax raises an error with a hint; bloom works.
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

DROP TABLE item;
