-- Ranges of time: gid_within, and window frames.
SET timezone = 'UTC';
SET datestyle = 'ISO';

-- The same as the operator of the range, for each kind of bound and the corners.
CREATE TABLE span (range tstzrange);
INSERT INTO span
SELECT tstzrange(a, b, bounds)
FROM unnest('{-infinity,1969-12-31,1970-01-01 00:00+00,1970-01-01 00:00:00.0005+00,2025-11-29 19:02:20.07+00,2025-11-29 19:02:20.070001+00,
	10889-08-02 05:31:50.655+00,10889-08-02 05:31:50.656+00,infinity,NULL}'::timestamptz[]) a,
	 unnest('{-infinity,1970-01-01 00:00+00,2025-11-29 19:02:20.07+00,2025-11-29 19:02:20.070001+00,10889-08-02 05:31:50.655+00,infinity,NULL}'::timestamptz[]) b,
	 unnest('{[],[),(],()}'::text[]) bounds
WHERE a <= b OR a IS NULL OR b IS NULL;
INSERT INTO span VALUES ('empty');
SELECT count(*), count(*) FILTER (WHERE gid_within(id::gid, range)) AS within,
	   count(*) FILTER (WHERE gid_within(id::gid, range) <> (gid_timestamp(id::gid) <@ range)) AS differ
FROM vector, span;
SELECT gid_within(NULL, 'empty') IS NULL AS id, gid_within('8H24TMQEGM-21Kj8kUFQLRhg', NULL) IS NULL AS range;
-- With a declared kind, as a condition on an index and without one.
CREATE TABLE event (id gid(segment), n int);
INSERT INTO event SELECT id::gid FROM vector WHERE kind = 'segment';
INSERT INTO event SELECT gid_random('segment', '2025-11-29 19:02:20+00'::timestamptz + n * interval '10 ms'), n FROM generate_series(0, 99) n;
INSERT INTO event VALUES (gid_lower_bound('segment', '1970-01-01 00:00+00'), 0);
CREATE INDEX ON event (id);
ANALYZE event;
SET enable_seqscan = off;
SELECT count(*) FILTER (WHERE line LIKE '%Index Cond: ((id >= _gid_lower_bound(%, span.range)) AND (id < _gid_upper_bound(%, span.range)))') AS index_conditions
FROM plan_of('SELECT count(*) FROM span JOIN event ON gid_within(id, range)') line;
SELECT count(*) FROM span JOIN event ON gid_within(id, range);
SELECT count(*) FROM span JOIN event ON gid_timestamp(id) <@ range;
RESET enable_seqscan;

CREATE FUNCTION condition_of(query text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT trim(line) FROM plan_of(query) line WHERE line ~ 'Cond|Filter' $$;
SET enable_seqscan = off;
SELECT condition, condition_of('SELECT FROM event WHERE ' || condition)
FROM (VALUES ($$gid_within(id, '[2026-01-01,2026-02-01)')$$), ($$gid_within(id, '(2026-01-01,2026-02-01]')$$),
	($$gid_within(id, '[2026-01-01,)')$$), ($$gid_within(id, '(,2026-01-01)')$$), ($$gid_within(id, '(,)')$$), ($$gid_within(id, 'empty')$$),
	($$gid_within(id, '[-infinity,infinity]')$$), ($$gid_within(id, NULL)$$), ($$NOT gid_within(id, '[2026-01-01,2026-02-01)')$$),
	($$gid_within(id, tstzrange(now() - interval '1 hour', now()))$$),
	($$gid_within(id::gid, '[2026-01-01,2026-02-01)')$$)) v (condition);
-- The planner asks again after it pulled up a sub-select: a bound of a range has a kind.
SELECT condition_of($$SELECT FROM event WHERE EXISTS (SELECT FROM span WHERE gid_within(event.id, tstzrange(now(), NULL)))$$);
-- A volatile function is not evaluated twice, and neither is a sub-select.
SELECT condition, count(*) FILTER (WHERE line LIKE '% Filter: gid_within(%') AS filters
FROM (VALUES ($$gid_within(id, tstzrange(clock_timestamp(), NULL))$$), ($$gid_within(id, (SELECT '[2026-01-01,2026-02-01)'::tstzrange))$$),
	($$gid_within(id, (SELECT tstzrange(NULL, gid_timestamp(id))))$$), ($$gid_within((SELECT id), '[2026-01-01,)')$$),
	($$EXISTS (SELECT FROM span WHERE gid_within(event.id, (SELECT range)))$$)) v (condition),
	 plan_of('SELECT FROM event WHERE ' || condition) line
GROUP BY condition ORDER BY condition COLLATE "C";
CREATE SEQUENCE evaluated;
CREATE FUNCTION evaluate(range tstzrange) RETURNS tstzrange LANGUAGE plpgsql STABLE AS $$ BEGIN PERFORM nextval('evaluated'); RETURN range; END $$;
CREATE FUNCTION evaluations(condition text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	PERFORM setval('evaluated', 1, false);
	EXECUTE 'SELECT count(*) FROM event WHERE ' || condition;
	RETURN nextval('evaluated') - 1;
END $$;
SELECT condition, evaluations(format('gid_within(id, (%s))', condition))
FROM (VALUES ('SELECT evaluate(range) FROM span LIMIT 1'), ('SELECT evaluate(range) FROM span LIMIT 1 FOR UPDATE SKIP LOCKED'),
	('SELECT evaluate(range) FROM span TABLESAMPLE system (100) LIMIT 1')) v (condition);
DROP FUNCTION evaluations, evaluate;
DROP SEQUENCE evaluated;
-- A set is expanded once.
SELECT within, count(*) FROM (
	SELECT gid_within(unnest(ids)::gid(segment), '[2025-11-29 19:02:20.1+00,2025-11-29 19:02:20.2+00)') AS within
	FROM (SELECT array_agg(id) AS ids FROM event) e) w GROUP BY within ORDER BY within;
-- A policy does not keep it from the index, for a constant range or that of another table.
CREATE ROLE regress_gid_reader;
GRANT SELECT ON event, span TO regress_gid_reader;
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON event USING (length(id::text) > 0);
SET ROLE regress_gid_reader;
SELECT query, (SELECT count(*) FROM plan_of(query) line WHERE line LIKE '% Index Cond: ((id >= %' AND line LIKE '% AND (id < %') AS index_conditions
FROM (VALUES ($$SELECT FROM event WHERE gid_within(id, '[2026-01-01,2026-02-01)')$$),
	($$SELECT FROM span, LATERAL (SELECT FROM event WHERE gid_within(id, range) OFFSET 0) e$$)) v (query);
RESET ROLE;
DROP POLICY reads ON event;
ALTER TABLE event DISABLE ROW LEVEL SECURITY;
DROP OWNED BY regress_gid_reader;
DROP ROLE regress_gid_reader;
SET plan_cache_mode = force_generic_plan;
PREPARE within(tstzrange) AS SELECT count(*) FROM event WHERE gid_within(id, $1);
SELECT condition_of('EXECUTE within(NULL)');
EXECUTE within('[2025-11-29 19:02:20.1+00,2025-11-29 19:02:20.2+00)');
EXECUTE within('[2025-11-29 19:02:20.1+00,2025-11-29 19:02:20.2+00]');
EXECUTE within('(2025-11-29 19:02:20.1+00,2025-11-29 19:02:20.2+00)');
EXECUTE within('empty');
EXECUTE within(NULL);
RESET plan_cache_mode;
RESET enable_seqscan;
SELECT state, message FROM error_of($$SELECT gid_within(gid_new('o'), '[2025-01-01')$$);
SELECT state, message FROM error_of($$SELECT gid_within(gid_new('o'), tstzrange('2026-02-01', '2026-01-01'))$$);
-- Estimates and partitions.
CREATE TABLE log (id gid(log)) PARTITION BY RANGE (id);
CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM (gid_lower_bound('log', '2026-01-01')) TO (gid_lower_bound('log', '2026-02-01'));
CREATE TABLE log_2 PARTITION OF log FOR VALUES FROM (gid_lower_bound('log', '2026-02-01')) TO (gid_lower_bound('log', '2026-03-01'));
SELECT * FROM plan_of($$SELECT FROM log WHERE gid_within(id, '[2026-02-03,2026-02-04)')$$);
DROP TABLE log;
-- Queries of ranges that mention no gid mean what they meant.
SELECT tstzrange('2025-02-01', '2025-04-01') @> '[2025-02-01,2025-03-01)' AS contains, '[2025-02-01,2025-03-01)' <@ tstzrange('2025-02-01', NULL) AS contained,
	   tstzrange('2025-02-01', '2025-04-01') @> timestamptz '2025-03-01' AS element;
PREPARE contains AS SELECT tstzrange('2025-02-01', '2025-04-01') @> $1, $2 <@ tstzrange('2025-02-01', '2025-04-01');
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'contains';
DEALLOCATE ALL;

-- Window frames.
CREATE TABLE visit (id gid, n int);
INSERT INTO visit SELECT gid_make(kind, '2026-01-01 00:00+00'::timestamptz + n * interval '20 min', n), n
FROM unnest('{a,b}'::text[]) kind, generate_series(1, 4) n;
SELECT gid_kind(id) AS kind, n, count(*) OVER hour AS hour, array_agg(n) OVER hour AS rows,
	   count(*) OVER (ORDER BY id RANGE BETWEEN interval '20 min' PRECEDING AND interval '20 min' FOLLOWING) AS around,
	   count(*) OVER (ORDER BY id RANGE BETWEEN interval '1 min' FOLLOWING AND interval '1 hour' FOLLOWING) AS later,
	   count(*) OVER (ORDER BY id DESC RANGE BETWEEN interval '20 min' PRECEDING AND CURRENT ROW) AS downwards,
	   count(*) OVER (ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND interval '0' FOLLOWING) AS unbounded,
	   count(*) OVER (ORDER BY id RANGE BETWEEN interval '1000 years' PRECEDING AND interval '9000 years' FOLLOWING) AS kind_only
FROM visit WINDOW hour AS (ORDER BY id RANGE BETWEEN interval '20 min' PRECEDING AND CURRENT ROW) ORDER BY id;
SELECT state, message FROM (VALUES ('-1 s'), ('1000000 years')) v (step),
	 error_of(format('SELECT count(*) OVER (ORDER BY id RANGE BETWEEN %L PRECEDING AND CURRENT ROW) FROM visit', step));
-- NULL is a peer of NULL only.
INSERT INTO visit VALUES (NULL, 5), (NULL, 6);
SELECT n, count(*) OVER (ORDER BY id RANGE BETWEEN interval '1 day' PRECEDING AND interval '1 day' FOLLOWING) FROM visit ORDER BY id, n;
-- A day of the session's time zone.
SET timezone = 'Europe/Rome';
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN interval '1 day' PRECEDING AND CURRENT ROW) AS day,
	   count(*) OVER (ORDER BY id RANGE BETWEEN interval '24 hours' PRECEDING AND CURRENT ROW) AS hours
FROM (SELECT gid_make('o', at, 0) AS id FROM unnest('{2026-03-28 11:30+01,2026-03-29 12:00+02}'::timestamptz[]) at) s;
RESET timezone;
DROP TABLE visit, event, span;
DROP FUNCTION condition_of;
