-- How many rows a range of time has is estimated within a factor of two, for
-- ranges of 1, 10 and 50 % of 100,000 rows, wherever they lie.
CREATE TABLE event (id gid(e) PRIMARY KEY);

-- What the planner expects of a condition, as a ratio of what there is.
CREATE FUNCTION ratio_of(condition text) RETURNS float LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	rows bigint;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) SELECT FROM event WHERE ' || condition INTO plan;
	EXECUTE 'SELECT count(*) FROM event WHERE ' || condition INTO rows;
	RETURN (plan #>> '{0,Plan,Plan Rows}')::float / rows;
END $$;

-- Ranges of a share of the rows, at 5 places from the oldest to the newest,
-- by a time on either side or on one; with constants and with expressions
-- that only the running query knows.
CREATE FUNCTION ratios(OUT share numeric, OUT ranges bigint, OUT within_two boolean)
RETURNS SETOF record LANGUAGE sql AS $$
	WITH sorted AS MATERIALIZED (SELECT gid_timestamp(id) AS at, row_number() OVER (ORDER BY id) - 1 AS n FROM event),
	range AS (
		SELECT share, place, low.at AS from_time, high.at AS to_time
		FROM unnest('{0.01,0.1,0.5}'::numeric[]) share CROSS JOIN generate_series(0, 4) place
		JOIN sorted low ON low.n = (place / 4.0 * (1 - share) * 99999)::int
		JOIN sorted high ON high.n = least(low.n + (share * 100000)::int, 99999)
	),
	condition AS (
		SELECT share, format('id >= timestamptz %L AND id < timestamptz %L', from_time, to_time) AS condition FROM range
		UNION ALL
		SELECT share, format('id > now() - interval %L AND id <= now() - interval %L', now() - from_time, now() - to_time) FROM range
		UNION ALL
		SELECT share, format('id >= timestamptz %L', from_time) FROM range WHERE place = 4
		UNION ALL
		SELECT share, format('id < timestamptz %L', to_time) FROM range WHERE place = 0
	)
	SELECT share, count(*), bool_and(ratio BETWEEN 0.5 AND 2)
	FROM condition, ratio_of(condition) ratio GROUP BY share ORDER BY share
$$;

-- Evenly in time.
INSERT INTO event SELECT gid_random('e', '2026-01-01'::timestamptz + n * interval '1 second') FROM generate_series(1, 100000) n;
ANALYZE event;
SELECT * FROM ratios();

-- In bursts, which become more frequent.
TRUNCATE event;
INSERT INTO event SELECT gid_random('e', '2026-01-01'::timestamptz + sqrt(n) * interval '1 hour' + n % 7 * interval '1 minute')
FROM generate_series(1, 100000) n ON CONFLICT DO NOTHING;
ANALYZE event;
SELECT * FROM ratios();

-- A unique column has the finer histogram, with as many bounds as that takes; any
-- other has PostgreSQL's.
SELECT array_length(histogram_bounds, 1) FROM pg_stats WHERE tablename = 'event';
ALTER TABLE event ALTER id SET STATISTICS 10;
ANALYZE event;
SELECT array_length(histogram_bounds, 1) FROM pg_stats WHERE tablename = 'event';
ALTER TABLE event ALTER id SET STATISTICS 10000;
CREATE TABLE reference AS SELECT id FROM event, generate_series(1, 5) WHERE id < timestamptz '2026-01-03' LIMIT 20000;
ANALYZE reference;
SELECT array_length(most_common_vals, 1) <= 100 AS common, array_length(histogram_bounds, 1) <= 101 AS bounds
FROM pg_stats WHERE tablename = 'reference';
-- It does not have more common values than PostgreSQL would keep, where a
-- target four times as large had taken them all.
CREATE TABLE few AS SELECT id FROM (SELECT id FROM event LIMIT 300) e, generate_series(1, 101);
ANALYZE few;
SELECT n_distinct, array_length(most_common_vals, 1) AS common, array_length(histogram_bounds, 1) AS bounds
FROM pg_stats WHERE tablename = 'few';
-- A unique column with NULLs has it too.
CREATE TABLE sparse AS SELECT id FROM (SELECT id FROM event LIMIT 1000) e UNION ALL SELECT NULL FROM generate_series(1, 1000);
ANALYZE sparse;
SELECT n_distinct, array_length(histogram_bounds, 1) AS bounds FROM pg_stats WHERE tablename = 'sparse';
-- pglz does not compress the bounds of ids with similar payloads.  They keep their order,
-- and all but the outermost are random.  Ids of one transaction have PostgreSQL's bounds.
SET default_toast_compression = 'pglz';
CREATE TABLE similar_ids AS SELECT gid_make('e', '2026-01-01'::timestamptz + n * interval '1 minute', n % 100) AS id FROM generate_series(1, 10000) n;
CREATE TABLE loaded AS SELECT gid_new('e') AS id FROM generate_series(1, 10000);
ANALYZE similar_ids, loaded;
SELECT tablename, count(*) AS bounds, bool_and(sorted) AS sorted, count(*) FILTER (WHERE id IN (TABLE similar_ids UNION ALL TABLE loaded)) AS stored,
	   (SELECT pg_column_size(stavalues1) FROM pg_statistic WHERE starelid = tablename::regclass) > count(*) * 16 AS not_compressed
FROM (SELECT tablename, id, id > coalesce(lag(id) OVER (PARTITION BY tablename ORDER BY n), gid_lower_bound('e', '-infinity')) AS sorted
	  FROM pg_stats, unnest(histogram_bounds::text::gid[]) WITH ORDINALITY bound (id, n) WHERE tablename IN ('similar_ids', 'loaded')) b
GROUP BY tablename ORDER BY tablename;
DROP TABLE similar_ids, loaded;
RESET default_toast_compression;
-- Empty tables, equal values and NULLs alone are analyzed as by PostgreSQL.
TRUNCATE reference;
ANALYZE reference;
INSERT INTO reference SELECT gid_lower_bound('e', '2026-01-01') FROM generate_series(1, 1000);
ANALYZE reference;
SELECT n_distinct, most_common_freqs, histogram_bounds FROM pg_stats WHERE tablename = 'reference';
UPDATE reference SET id = NULL;
ANALYZE reference;
SELECT null_frac FROM pg_stats WHERE tablename = 'reference';

-- A plan that depends on it: the newest thousandth of the events, and what
-- belongs to them.
TRUNCATE event;
INSERT INTO event SELECT gid_random('e', '2026-01-01'::timestamptz + n * interval '1 second') FROM generate_series(1, 100000) n;
CREATE TABLE detail (event gid(e), what text);
INSERT INTO detail SELECT id, 'x' FROM event;
CREATE INDEX ON detail (event);
ALTER TABLE event ALTER id SET STATISTICS -1;
VACUUM ANALYZE event, detail;
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT count(what) FROM event JOIN detail ON id = event WHERE id >= timestamptz '2026-01-02 03:45:01';
-- With the hundred bins that PostgreSQL would have.
ALTER TABLE event ALTER id SET STATISTICS 25;
ANALYZE event;
EXPLAIN (COSTS OFF) SELECT count(what) FROM event JOIN detail ON id = event WHERE id >= timestamptz '2026-01-02 03:45:01';
RESET max_parallel_workers_per_gather;

DROP FUNCTION ratios, ratio_of;
DROP TABLE detail, event, reference, few, sparse;

-- Statistics on columns, and extended ones.
CREATE TABLE item (id gid(segment) PRIMARY KEY, n int);
INSERT INTO item
SELECT gid_random('segment', '2026-01-01 00:00:00+00'::timestamptz + n * interval '1 second'), n
FROM generate_series(0, 99999) n;
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
DROP TABLE mixed, item;
