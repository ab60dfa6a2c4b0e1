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

-- The statistics are PostgreSQL's, with as many bounds as for any type.
SELECT array_length(histogram_bounds, 1) FROM pg_stats WHERE tablename = 'event';

-- A plan that depends on it: the newest thousandth of the events, and what
-- belongs to them.
TRUNCATE event;
INSERT INTO event SELECT gid_random('e', '2026-01-01'::timestamptz + n * interval '1 second') FROM generate_series(1, 100000) n;
CREATE TABLE detail (event gid(e), what text);
INSERT INTO detail SELECT id, 'x' FROM event;
CREATE INDEX ON detail (event);
VACUUM ANALYZE event, detail;
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT count(what) FROM event JOIN detail ON id = event WHERE id >= timestamptz '2026-01-02 03:45:01';
-- A range inside one bin.  Estimated as 1 row, it would be the outer table of a nested loop.
CREATE TABLE other AS SELECT id, (random() * 1e6)::int AS n FROM event;
CREATE TABLE another AS TABLE other;
ANALYZE other, another;
EXPLAIN (COSTS OFF) SELECT count(*) FROM other a JOIN another b USING (n)
WHERE a.id >= timestamptz '2026-01-02 03:00' AND a.id < timestamptz '2026-01-02 03:10'
  AND b.id >= timestamptz '2026-01-02 03:00' AND b.id < timestamptz '2026-01-02 03:04';
RESET max_parallel_workers_per_gather;

DROP FUNCTION ratios, ratio_of;

-- Anyone can use the estimator for other operators.  It looks at values only if a function
-- of gid implements the operator.  Without statistics, with NULL or a domain, it is as
-- PostgreSQL's.
CREATE FUNCTION estimated(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN plan #>> '{0,Plan,Plan Rows}';
END $$;
CREATE FUNCTION above(gid, gid) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1 > $2; END $$;
CREATE OPERATOR <<< (FUNCTION = int4lt, LEFTARG = int, RIGHTARG = int, RESTRICT = gid_inequality_sel);
CREATE OPERATOR <<< (FUNCTION = textlike, LEFTARG = text, RIGHTARG = text, RESTRICT = gid_inequality_sel);
CREATE OPERATOR <<< (FUNCTION = bytealt, LEFTARG = bytea, RIGHTARG = bytea, RESTRICT = gid_inequality_sel);
CREATE OPERATOR <<< (FUNCTION = array_lt, LEFTARG = anyarray, RIGHTARG = anyarray, RESTRICT = gid_inequality_sel);
CREATE OPERATOR <<< (FUNCTION = bool, RIGHTARG = int, RESTRICT = gid_inequality_sel);
CREATE OPERATOR <<< (FUNCTION = above, LEFTARG = gid, RIGHTARG = gid, RESTRICT = gid_inequality_sel);
CREATE OPERATOR >>> (FUNCTION = gid_gt, LEFTARG = gid, RIGHTARG = gid, RESTRICT = gid_inequality_sel);
CREATE FUNCTION above(int, gid) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1 > 0 AND $2 IS NOT NULL; END $$;
CREATE OPERATOR <<< (FUNCTION = above, LEFTARG = int, RIGHTARG = gid, COMMUTATOR = >>>, RESTRICT = gid_inequality_sel);
CREATE DOMAIN event_id AS gid(e);
CREATE TABLE foreign_types AS SELECT n, n::text AS t, gid_timestamp(id) AS at, id::event_id AS d, id, ARRAY[id] AS ids, id::bytea AS b FROM other LIMIT 10000;
CREATE TABLE unknown (id gid(e));
ANALYZE foreign_types;
SELECT condition, estimated('SELECT FROM foreign_types WHERE ' || condition) FROM unnest(ARRAY[
	'n <<< 5', $$t <<< 'x'$$, $$b <<< '\x00'$$, $$ids <<< ARRAY[gid_lower_bound('e', '2027-01-01')]$$, '<<< n',
	$$1 <<< id AND id < gid_lower_bound('e', '2025-01-01')$$, $$d <<< gid_lower_bound('e', '2027-01-01')$$, $$id <<< gid_lower_bound('e', '2027-01-01')$$, $$id >>> gid_lower_bound('e', '2027-01-01')$$,
	$$gid_lower_bound('e', '2027-01-01') >>> id$$, $$id < NULL$$, $$id < NULL::timestamptz$$, 'gid_within(id, NULL)', $$gid_within(id, 'empty')$$,
	$$d < gid_lower_bound('e', '2025-01-01')$$, $$d < timestamptz '2025-01-01'$$, $$d >= timestamptz '2025-01-01'$$,
	$$ids < ARRAY[gid_lower_bound('e', '2025-01-01')]$$, $$ids[1] < gid_lower_bound('e', '2025-01-01')$$,
	$$at < gid_lower_bound('e', '2025-01-01')$$, $$gid_lower_bound('e', '2025-01-01') < at AND at <= gid_lower_bound('e', '2027-01-01')$$,
	$$id < timestamptz 'infinity' AND id >= timestamptz '-infinity'$$, $$id < gid_lower_bound('e', '2025-01-01') AND id < id$$]) condition;
SELECT estimated($$SELECT FROM unknown WHERE id < timestamptz '2027-01-01' AND id >= timestamptz '2026-01-01'$$);
-- A thousand ranges, each of one minute.
SELECT estimated('SELECT FROM event WHERE ' || string_agg(format('id >= %L::timestamptz AND id < %L::timestamptz', t, t + interval '1 minute'), ' OR '))
	   BETWEEN 40000 AND 50000 AS is_estimated
FROM generate_series(timestamptz '2026-01-01', '2026-01-02', '90 s') t;
-- A hundred bounds in one list of AND: the values are evaluated about as often as for a time.
CREATE SEQUENCE evaluation;
CREATE FUNCTION counted(anyelement) RETURNS anyelement STABLE LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('evaluation'); RETURN $1; END $$;
CREATE FUNCTION evaluations(value text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	PERFORM setval('evaluation', 1);
	PERFORM estimated('SELECT FROM foreign_types WHERE ' || string_agg(replace(value, '2026-01-02', (date '2026-01-01' + n)::text), ' AND ')) FROM generate_series(1, 100) n;
	RETURN currval('evaluation');
END $$;
SELECT evaluations($$id > counted(gid_lower_bound('e', '2026-01-02'))$$) <= 1.5 * evaluations($$at > counted(timestamptz '2026-01-02')$$) AS is_bounded;
-- The newest hour of each kind in a column with several, and of all: 60 and 180 rows.  The range can end later.
CREATE TABLE several AS
SELECT gid_random(kind, '2026-01-01'::timestamptz + n * interval '1 minute') AS id FROM unnest('{a,b,c}'::text[]) kind, generate_series(1, 10000) n;
ANALYZE several;
SELECT kind, estimated(format('SELECT FROM several WHERE id >= gid_lower_bound(%1$L, %2$L) AND id < gid_lower_bound(%1$L, %3$L)',
		kind, newest - interval '1 hour', newest)) BETWEEN 40 AND 90 AS is_estimated
FROM (SELECT gid_kind(id) AS kind, max(gid_timestamp(id)) AS newest FROM several GROUP BY kind) s ORDER BY kind;
SELECT kind, estimated(format('SELECT FROM several WHERE id >= gid_lower_bound(%1$L, %2$L) AND id < gid_lower_bound(%1$L, %3$L)',
		kind, newest - interval '1 hour', newest + interval '1 day')) BETWEEN 40 AND 90 AS is_estimated
FROM (SELECT gid_kind(id) AS kind, max(gid_timestamp(id)) AS newest FROM several GROUP BY kind) s ORDER BY kind;
SELECT estimated(format('SELECT FROM several WHERE id >= timestamptz %L AND id < timestamptz %L', newest - interval '1 hour', newest))
	   BETWEEN 120 AND 270 AS is_estimated
FROM (SELECT max(gid_timestamp(id)) AS newest FROM several) s;
-- Ten milliseconds with 333 rows: a bin is shorter than the 256 ms in the first six bytes.
CREATE TABLE dense AS
SELECT gid_random('e', '2026-01-01'::timestamptz + n * interval '30 microseconds')::gid(e) AS id FROM generate_series(1, 100000) n;
ANALYZE dense;
SELECT bool_and(estimated(format('SELECT FROM dense WHERE id >= timestamptz %L AND id < timestamptz %L', t, t + interval '10 ms')) BETWEEN 166 AND 666) AS is_estimated
FROM generate_series(timestamptz '2026-01-01 00:00:00.1', '2026-01-01 00:00:02.8', '0.1 s') t;
DROP OPERATOR <<< (NONE, int), <<< (int, gid), >>> (gid, int), <<< (bytea, bytea), <<< (anyarray, anyarray), <<< (int, int), <<< (text, text), <<< (gid, gid), >>> (gid, gid);
DROP FUNCTION above(gid, gid), above(int, gid), evaluations, counted, estimated;
DROP SEQUENCE evaluation;
DROP TABLE detail, event, other, another, foreign_types, unknown, several, dense;
DROP DOMAIN event_id;

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
