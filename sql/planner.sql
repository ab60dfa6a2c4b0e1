-- What the planner changes: it removes casts to a kind, and replaces comparisons
-- with a time by comparisons with a bound.  (Results of comparisons are in time.sql;
-- EXISTS is in exists.sql.)
SET timezone = 'UTC';
SET datestyle = 'ISO';

-- A cast to gid(kind) is dropped where that kind is declared already.
-- PostgreSQL counts the calls.
SET track_functions = 'all';
CREATE FUNCTION checks_made(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	enforcer CONSTANT oid := 'gid(gid, integer, boolean)'::regprocedure;
	before bigint := coalesce(pg_stat_get_xact_function_calls(enforcer), 0);
BEGIN
	EXECUTE statement;
	RETURN coalesce(pg_stat_get_xact_function_calls(enforcer), 0) - before;
END $$;
CREATE TABLE target (id gid(o) DEFAULT gid_new('o'), n int);
CREATE TABLE other (any_kind gid, o gid(o), p gid(p));
INSERT INTO other SELECT gid_new('o'), gid_new('o'), gid_new('p') FROM generate_series(1, 10);
CREATE DOMAIN order_id AS gid(o);
CREATE DOMAIN recent_id AS gid(o) CHECK (VALUE > timestamptz '2026-01-01');

SELECT checks_made(statement), statement
FROM (VALUES
	-- a minting function with a constant kind
	('INSERT INTO target (n) SELECT n FROM generate_series(1, 10) n'),
	('INSERT INTO target (id) VALUES (gid_new(''o'')), (gid_new(''O''::text)), (gid_new(''239''))'),
	('INSERT INTO target (id) VALUES (gid_random(''o'', now())), (gid_random(''239'', now())), (gid_random(''o'')), (gid_random(''239''))'),
	('SELECT gid_new(''o'')::gid(o) FROM generate_series(1, 10)'),
	('SELECT gid_new(''o'')::order_id FROM generate_series(1, 10)'),
	-- a column
	('INSERT INTO target (id) SELECT o FROM other'),
	('INSERT INTO target (id) SELECT DISTINCT o FROM (SELECT o FROM other OFFSET 0) o'),
	('INSERT INTO target (id) SELECT coalesce(o, o) FROM other'),
	('INSERT INTO target (id) SELECT o FROM other UNION ALL SELECT o FROM other'),
	('SELECT o::gid(o)::gid FROM other'),
	('SELECT p::gid FROM other'),
	-- nothing is declared, so each row is checked
	('INSERT INTO target (id) SELECT any_kind FROM other'),
	('INSERT INTO target (id) SELECT o::gid FROM other'),
	('INSERT INTO target (id) SELECT gid_new(kind) FROM (VALUES (''o''), (''O'')) v (kind)'),
	('INSERT INTO target (id) SELECT gid_lower_bound(''o'', now()) FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT coalesce(any_kind, o) FROM other'),
	('INSERT INTO target (id) SELECT gid_new(''o'') UNION ALL SELECT any_kind FROM other'),
	-- nor is anything declared of an id that a subquery minted
	('INSERT INTO target (id) SELECT gid_new(''o'') FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT id FROM (SELECT gid_new(''o'') AS id, any_kind FROM other) o OFFSET 0'),
	('WITH o AS MATERIALIZED (SELECT gid_new(''o'') AS id) INSERT INTO target (id) SELECT id FROM o'),
	-- a domain's value is checked as it becomes the domain's, and once more as
	-- it becomes the column's
	('INSERT INTO target (id) SELECT any_kind::order_id FROM other'),
	('INSERT INTO target (id) SELECT any_kind::recent_id FROM other')
) v (statement);

-- Another kind is an error for each row, and none without rows.
SELECT statement, state, message
FROM (VALUES ('INSERT INTO target (id) SELECT gid_new(''p'')'),
			 ('INSERT INTO target (id) SELECT gid_new(''200'')'),
			 ('INSERT INTO target (id) SELECT gid_new(''o'') UNION ALL SELECT gid_new(''p'')'),
			 ('INSERT INTO target (id) SELECT gid_new(''p'') UNION ALL SELECT gid_new(''o'')'),
			 ('INSERT INTO target (n, id) SELECT gid_prefix(gid_new(''o'')), gid_new(''p'') FROM other'),
			 ('INSERT INTO target (id) SELECT p FROM other'),
			 ('INSERT INTO target (id) SELECT p FROM other WHERE false'),
			 ('INSERT INTO target (id) SELECT gid_new(''blob'')'),
			 ('INSERT INTO target (id) SELECT gid_new(''1'')'),
			 ('INSERT INTO target (id) SELECT gid_new(NULL::text)'),
			 ('SELECT gid(gid_new(''o''), NULL, false)')) v (statement),
	 error_of(statement);

-- Another function with the same name is not rewritten, and gid's own is known under
-- another name.
CREATE SCHEMA shadow;
CREATE FUNCTION shadow.gid_new(text) RETURNS gid LANGUAGE sql VOLATILE AS $$ SELECT pg_catalog.gid_new('p') $$;
SELECT state, message FROM error_of($$INSERT INTO target (id) VALUES (shadow.gid_new('o'))$$);
ALTER FUNCTION gid_random(text) RENAME TO gid_by_chance;
SELECT checks_made('INSERT INTO target (id) VALUES (gid_by_chance(''o''))');
ALTER FUNCTION gid_by_chance(text) RENAME TO gid_random;

-- A minting function as a table.
SELECT gid_kind(id) FROM gid_new('o') id;
SELECT gid_kind(id), ordinality FROM gid_new('o') WITH ORDINALITY AS f (id, ordinality);
SELECT gid_kind(a), gid_kind(b), c FROM ROWS FROM (gid_new('o'), gid_random('p'), generate_series(1, 2)) AS f (a, b, c);
SELECT gid_kind(id) FROM other, LATERAL gid_random('o') id WHERE id > timestamptz '2026-01-01' LIMIT 1;

-- A plan shows a call where the cast was not dropped.
EXPLAIN (COSTS OFF, VERBOSE) INSERT INTO target (n) VALUES (1);
EXPLAIN (COSTS OFF, VERBOSE) SELECT any_kind::gid(o) FROM other;

DROP SCHEMA shadow CASCADE;
DROP TABLE target, other;
DROP FUNCTION checks_made;
DROP DOMAIN order_id, recent_id;

-- Comparisons with times.  The table has an event a minute for three days; other
-- tables below are made of it.
CREATE TABLE event (id gid(e) PRIMARY KEY, n int);
INSERT INTO event SELECT gid_random('e', '2026-01-01'::timestamptz + n * interval '1 minute'), n FROM generate_series(0, 4319) n;
VACUUM ANALYZE event;
SET enable_seqscan = off;
SET enable_bitmapscan = off;

-- Constants: every operator, on either side, and BETWEEN.
CREATE FUNCTION condition_of(query text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT btrim(line) FROM plan_of(query) line WHERE line ~ 'Cond|Filter|Scan|Removed' AND line !~ 'Replaces' $$;
GRANT EXECUTE ON FUNCTION condition_of TO PUBLIC;
CREATE FUNCTION explain_analyze(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN RETURN QUERY EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query; END $$;
SELECT condition, condition_of('SELECT n FROM event WHERE ' || condition)
FROM (VALUES ($$id < timestamptz '2026-01-02'$$), ($$id <= timestamptz '2026-01-02'$$),
			 ($$id >= timestamptz '2026-01-02'$$), ($$id > timestamptz '2026-01-02'$$),
			 ($$timestamptz '2026-01-02' > id$$), ($$timestamptz '2026-01-02' >= id$$),
			 ($$timestamptz '2026-01-02' <= id$$), ($$timestamptz '2026-01-02' < id$$),
			 ($$id BETWEEN timestamptz '2026-01-02' AND timestamptz '2026-01-02 12:00'$$),
			 ($$NOT id < timestamptz '2026-01-02'$$)) v (condition);
SELECT count(*) FILTER (WHERE id < timestamptz '2026-01-02') AS lt, count(*) FILTER (WHERE id <= timestamptz '2026-01-02') AS le,
	   count(*) FILTER (WHERE id BETWEEN timestamptz '2026-01-02' AND timestamptz '2026-01-02 12:00') AS between FROM event;
SELECT (SELECT count(*) FROM event WHERE id < timestamptz '2026-01-02') AS lt,
	   (SELECT count(*) FROM event WHERE id <= timestamptz '2026-01-02') AS le,
	   (SELECT count(*) FROM event WHERE id BETWEEN timestamptz '2026-01-02' AND timestamptz '2026-01-02 12:00') AS between;

-- Stable and volatile expressions, date, timestamp, NULL and the infinities.
SELECT condition, condition_of('SELECT n FROM event WHERE ' || condition)
FROM (VALUES ($$id >= now() - interval '1 hour'$$), ($$id >= current_date$$), ($$id < localtimestamp$$),
			 ($$id >= date '2026-01-02'$$), ($$id >= timestamp '2026-01-02'$$), ($$id >= clock_timestamp()$$),
			 ($$id >= timestamptz 'infinity'$$), ($$id <= timestamptz '-infinity'$$), ($$id >= NULL::timestamptz$$)) v (condition);

-- Parameters, in custom and in generic plans.
PREPARE since(timestamptz) AS SELECT count(*), min(n) FROM event WHERE id >= $1 AND id < $1 + interval '1 hour';
SET plan_cache_mode = force_custom_plan;
SELECT condition_of($$EXECUTE since('2026-01-02 06:00')$$);
EXECUTE since('2026-01-02 06:00');
SET plan_cache_mode = force_generic_plan;
SELECT condition_of($$EXECUTE since('2026-01-02 06:00')$$);
EXECUTE since('2026-01-02 06:00');
EXECUTE since(NULL);
RESET plan_cache_mode;
CREATE FUNCTION events_since(since timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN RETURN (SELECT count(*) FROM event WHERE id >= since); END $$;
SELECT events_since('2026-01-03'), events_since('2026-01-03 23:00'), events_since(NULL);

-- A join: an index scan inside a nested loop, once for each outer row.
CREATE TABLE period (name text, starts timestamptz, ends timestamptz);
INSERT INTO period VALUES ('night', '2026-01-02 00:00', '2026-01-02 06:00'), ('noon', '2026-01-02 11:30', '2026-01-02 12:30'),
	('never', NULL, NULL);
SET enable_material = off;
SELECT condition_of('SELECT name, count(*) FROM period JOIN event ON id >= starts AND ends > id GROUP BY name');
SELECT name, count(*), min(n), max(n) FROM period JOIN event ON id >= starts AND ends > id GROUP BY name ORDER BY name;
SELECT name, (SELECT count(*) FROM event WHERE id >= starts AND id < ends) FROM period ORDER BY name;
RESET enable_material;

-- Index-only, in order, with a limit; UPDATE and DELETE.
SELECT condition_of($$SELECT count(*) FROM event WHERE id >= timestamptz '2026-01-03'$$);
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id >= timestamptz '2026-01-02' ORDER BY id LIMIT 3;
SELECT n FROM event WHERE id >= timestamptz '2026-01-02' ORDER BY id LIMIT 3;
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id < timestamptz '2026-01-02' ORDER BY id DESC LIMIT 3;
SELECT n FROM event WHERE id < timestamptz '2026-01-02' ORDER BY id DESC LIMIT 3;
EXPLAIN (COSTS OFF) UPDATE event SET n = n WHERE id > timestamptz '2026-01-03 23:00';
EXPLAIN (COSTS OFF) DELETE FROM event WHERE timestamptz '2026-01-01 01:00' > id;

-- Views, subqueries, CTEs, both arms of a UNION ALL.
CREATE VIEW recent AS SELECT id AS event_id, n FROM event WHERE id >= timestamptz '2026-01-02';
SELECT condition_of($$SELECT * FROM recent WHERE event_id < timestamptz '2026-01-03'$$);
SELECT pg_get_viewdef('recent') ~ 'id >= .2026-01-02 00:00:00\+00.::timestamp with time zone' AS as_written;
SELECT condition_of($$SELECT * FROM (SELECT id, n FROM event ORDER BY n LIMIT 10) e WHERE id < timestamptz '2026-01-03'$$);
SELECT condition_of($$SELECT * FROM (SELECT id, row_number() OVER (PARTITION BY id) FROM event) e WHERE id < timestamptz '2026-01-03'$$);
SELECT condition_of($$SELECT * FROM (SELECT id, count(*) FROM event GROUP BY id) e WHERE id < timestamptz '2026-01-03'$$);
SELECT condition_of($$SELECT id FROM event GROUP BY id HAVING id < timestamptz '2026-01-03'$$);
SELECT condition_of($$WITH e AS (SELECT * FROM event) SELECT * FROM e WHERE id < timestamptz '2026-01-03'$$);
SELECT condition_of($$SELECT * FROM (SELECT id FROM event UNION ALL SELECT event_id FROM recent) u WHERE id > timestamptz '2026-01-03'$$);
SELECT condition_of($$SELECT (SELECT count(*) FROM event inner_event WHERE inner_event.id < gid_timestamp(event.id)) FROM event$$);
DROP VIEW recent;

-- Partial indexes: their predicate is rewritten as the query is.
CREATE INDEX event_new ON event (n) WHERE id >= timestamptz '2026-01-03';
SELECT condition_of($$SELECT n FROM event WHERE n > 10 AND id >= timestamptz '2026-01-03 06:00'$$);
SELECT condition_of($$SELECT n FROM event WHERE n > 10 AND id >= timestamptz '2026-01-02 06:00'$$);
DROP INDEX event_new;
-- CHECK constraints too, where they exclude.
ALTER TABLE event ADD CONSTRAINT this_year CHECK (id >= timestamptz '2026-01-01');
SET constraint_exclusion = on;
SELECT condition_of($$SELECT * FROM event WHERE id < timestamptz '2025-12-31'$$);
RESET constraint_exclusion;
SELECT state, message FROM error_of($$INSERT INTO event VALUES (gid_random('e', '2025-12-31'))$$);

-- Row-level security: a comparison in the policy and one in the query, by index.
CREATE ROLE regress_gid_reader;
GRANT SELECT ON event TO regress_gid_reader;
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
CREATE POLICY from_the_second ON event USING (id >= timestamptz '2026-01-02');
SET ROLE regress_gid_reader;
SELECT condition_of($$SELECT * FROM event WHERE id < timestamptz '2026-01-02 00:03'$$);
SELECT n FROM event WHERE id < timestamptz '2026-01-02 00:03' ORDER BY n;
SELECT condition_of($$SELECT * FROM event WHERE id < now()$$);
-- With a time of another table too: the bound is leakproof.  One that is written
-- is not, because the name of a kind can be unknown.
SELECT condition_of($$SELECT * FROM event, generate_series('2026-01-02', '2026-01-03', interval '1 hour') at WHERE id < at$$);
SELECT condition_of($$SELECT * FROM event, generate_series('2026-01-02', '2026-01-03', interval '1 hour') at WHERE id < gid_lower_bound('e', at)$$);
SELECT condition_of($$SELECT (SELECT count(*) FROM event WHERE id < at) FROM generate_series('2026-01-02', '2026-01-03', interval '1 hour') at$$);
SELECT regexp_replace(line, '(text, ).*', '\1...') AS line FROM condition_of(
	$$SELECT count(*) FROM event WHERE id < (SELECT max(at) FROM generate_series('2026-01-02', '2026-01-03', interval '1 hour') at)$$) line
WHERE line ~ 'Index Cond';
RESET ROLE;
DROP POLICY from_the_second ON event;
ALTER TABLE event DISABLE ROW LEVEL SECURITY;
REVOKE ALL ON event FROM regress_gid_reader;
DROP ROLE regress_gid_reader;

-- Domains, also over domains; casts; columns of composite types.
CREATE DOMAIN event_id AS gid(e);
CREATE DOMAIN checked_event_id AS event_id CHECK (VALUE > timestamptz '2000-01-01');
CREATE TABLE by_domain (id event_id PRIMARY KEY, checked checked_event_id);
INSERT INTO by_domain SELECT id, id FROM event;
CREATE INDEX ON by_domain (checked);
ANALYZE by_domain;
SELECT condition_of($$SELECT * FROM by_domain WHERE id >= timestamptz '2026-01-03' AND now() > id$$);
SELECT condition_of($$SELECT * FROM by_domain WHERE checked < timestamptz '2026-01-01 01:00'$$);
SELECT count(*) FROM by_domain WHERE checked < timestamptz '2026-01-01 01:00';
SELECT state, message FROM error_of($$INSERT INTO by_domain VALUES (gid_new('e'), gid_random('e', '1999-12-31'))$$);
DROP TABLE by_domain;
DROP DOMAIN event_id, checked_event_id;

-- BRIN.
CREATE TABLE logged AS SELECT * FROM event;
CREATE INDEX ON logged USING brin (id) WITH (pages_per_range = 1);
ANALYZE logged;
SET enable_bitmapscan = on;
SELECT condition_of($$SELECT count(*) FROM logged WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-02 01:00'$$);
SELECT count(*) FROM logged WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-02 01:00';
DROP TABLE logged;

-- Partitions, pruned when planned, and when run.
CREATE TABLE parted (id gid(e), n int) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE parted_%s PARTITION OF parted FOR VALUES FROM (gid_lower_bound(''e'', %L)) TO (gid_lower_bound(''e'', %L))',
	n, timestamptz '2026-01-01' + n * interval '1 day', timestamptz '2026-01-02' + n * interval '1 day')
FROM generate_series(0, 2) n \gexec
INSERT INTO parted SELECT * FROM event;
ANALYZE parted;
SET enable_seqscan = on;
SELECT condition_of($$SELECT * FROM parted WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-03'$$);
SELECT condition_of($$SELECT * FROM parted WHERE id BETWEEN timestamptz '2026-01-02' AND timestamptz '2026-01-03'$$);
SELECT condition_of($$SELECT * FROM parted WHERE id > timestamptz '2026-01-02 23:59:59.999'$$);
SELECT condition_of($$SELECT * FROM parted WHERE id > timestamptz '2026-01-02 23:59:59.998999'$$);
SELECT condition_of($$SELECT * FROM parted WHERE id >= timestamptz '2026-01-03' + (now() - now())$$);
PREPARE of_day(timestamptz) AS SELECT count(*) FROM parted WHERE id >= $1 AND id < $1 + interval '1 day';
SET plan_cache_mode = force_generic_plan;
SELECT condition_of($$EXECUTE of_day('2026-01-03')$$);
EXECUTE of_day('2026-01-03');
RESET plan_cache_mode;
-- In a nested loop, for each outer row.
CREATE INDEX ON parted (id);
SET enable_seqscan = off;
SELECT count(*) AS never_executed FROM explain_analyze(
	$$SELECT FROM period JOIN parted ON id >= starts AND id < ends WHERE name = 'noon'$$) line WHERE line ~ 'never executed';
SELECT name, count(*) FROM period LEFT JOIN parted ON id >= starts AND id < ends GROUP BY name ORDER BY name;
DROP TABLE parted, period;

-- Without a kind the comparison is a filter, with the same result.
CREATE TABLE any_kind (id gid PRIMARY KEY);
INSERT INTO any_kind SELECT gid_random(k, '2026-01-01'::timestamptz + n * interval '1 hour')
FROM generate_series(0, 71) n, unnest('{log,e,z}'::text[]) k;
ANALYZE any_kind;
SET enable_seqscan = on;
SELECT condition_of($$SELECT * FROM any_kind WHERE id >= timestamptz '2026-01-03'$$);
SELECT gid_kind(id), count(*), min(gid_timestamp(id)) FROM any_kind WHERE id >= timestamptz '2026-01-03' GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM any_kind WHERE id < timestamptz '2026-01-03';
-- A cast declares the kind, and checks it.
SELECT condition_of($$SELECT * FROM any_kind WHERE id::gid(e) >= timestamptz '2026-01-03'$$);
SELECT state, message FROM error_of($$SELECT * FROM any_kind WHERE id::gid(e) >= timestamptz '2026-01-03'$$);
-- A constraint of one table says nothing of the kinds in another.
CREATE TABLE checked (id gid CHECK (id > timestamptz '2026-01-01'), also gid(p) CHECK (also > timestamptz '2026-01-01'));
INSERT INTO checked VALUES (gid_random('130', '2030-01-01'), gid_new('p'));
SET constraint_exclusion = on;
SELECT count(*) FROM (SELECT gid_new('log') AS id OFFSET 0) log, checked WHERE checked.id < gid_lower_bound('140', '2026-01-01');
RESET constraint_exclusion;
DROP TABLE any_kind, checked;
SET enable_seqscan = off;

-- The kind is certain for columns of tables, casts, and what relabels them.
CREATE TYPE item AS (id gid(o));
CREATE TABLE several (a gid(o), b gid(o), any_kind gid, ids gid(o)[], k item);
SELECT expression, line ~ 'A4KeSQPokB' AS by_id
FROM unnest(ARRAY['a', 'a::gid', 'any_kind::gid(o)', '(SELECT a)', 'coalesce(a, b)', 'greatest(a, b)', 'CASE WHEN a = b THEN a ELSE b END',
	'nullif(a, b)', 'ids[1]', '(k).id', '(ARRAY[a, b])[1]', 'gid_transaction(a)']) expression,
	condition_of(format('SELECT FROM several WHERE %s < timestamptz %L', expression, '2026-01-03')) line WHERE line ~ 'Filter';
-- In a join, the columns of UNION ALL are those of its branches.
CREATE TABLE event_old (LIKE event INCLUDING ALL);
CREATE TABLE period (starts timestamptz, ends timestamptz);
CREATE VIEW events AS SELECT id, n FROM event UNION ALL SELECT id, n FROM event_old;
SELECT condition_of('SELECT FROM period JOIN events ON id >= starts AND ends > id');
SELECT condition_of('SELECT FROM period, LATERAL (SELECT DISTINCT id FROM events WHERE id >= starts) e');
-- CHECK constraints exclude a child, whatever is first in FROM.
CREATE TABLE event_new (CHECK (id >= timestamptz '2027-01-01')) INHERITS (event);
CREATE VIEW event_view AS SELECT n, id FROM event;
SELECT item, count(*) FILTER (WHERE line ~ 'event_new e_') AS not_excluded
FROM unnest(ARRAY['period', 'generate_series(1, 2) g', '(VALUES (1), (2)) v', 'unnest(ARRAY[now(), now()]) u', 'event_view v',
	'(SELECT starts, count(*) FROM period GROUP BY starts) s', '(SELECT id FROM event_old OFFSET 0) s',
	'(SELECT id, count(*) FROM event_old GROUP BY id) s', '(SELECT gid_new(''p'')::gid(p) AS id OFFSET 0) s',
	'(SELECT n FROM event_old UNION ALL SELECT 1) s', 'm', 'm m1 JOIN m m2 USING (starts)',
	'XMLTABLE(''/r'' PASSING ''<r/>'' COLUMNS n int) x', 'json_to_recordset(''[{"n": 1}]'') AS j (n int)']) item,
	plan_of(format('WITH m AS MATERIALIZED (SELECT starts FROM period) SELECT FROM %s, event e WHERE e.id < timestamptz ''2026-01-03''', item)) line
GROUP BY item ORDER BY item COLLATE "C";
DROP VIEW event_view;
DROP VIEW events;
DROP TABLE several, event_old, event_new, period;
DROP TYPE item;

-- Grouping by time reads the index only.
SELECT condition_of($$SELECT date_trunc('day', gid_timestamp(id)), count(*) FROM event GROUP BY 1$$);
SELECT date_trunc('day', gid_timestamp(id)) AS day, count(*) FROM event GROUP BY 1 ORDER BY 1;
SELECT date_bin('12 hours', gid_timestamp(id), '2026-01-01') AS half, count(*) FROM event
WHERE id >= timestamptz '2026-01-03' GROUP BY 1 ORDER BY 1;

-- If _gid_lower_bound() was renamed, the comparison is a filter.  A function of that
-- name in another schema is not used.
ALTER FUNCTION _gid_lower_bound(text, timestamptz) RENAME TO gid_ground;
SELECT condition_of($$SELECT n FROM event WHERE id >= timestamptz '2026-01-03'$$);
CREATE FUNCTION public._gid_lower_bound(text, timestamptz) RETURNS gid LANGUAGE sql IMMUTABLE AS $$ SELECT gid_lower_bound('z', $2) $$;
SET search_path = public, pg_catalog;
SELECT condition_of($$SELECT n FROM event WHERE id >= timestamptz '2026-01-03'$$);
ALTER FUNCTION gid_ground(text, timestamptz) RENAME TO _gid_lower_bound;
SELECT condition_of($$SELECT n FROM event WHERE id >= timestamptz '2026-01-03'$$);
RESET search_path;
DROP FUNCTION public._gid_lower_bound(text, timestamptz);
SELECT condition_of($$SELECT n FROM event WHERE id >= timestamptz '2026-01-03'$$);
-- "<" stays "<" if its function moved to another schema.
PREPARE below(gid) AS SELECT count(*) FROM event WHERE id < $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE below('9gLqjc8eDD-1111111111111');
ALTER FUNCTION gid_lt(gid, gid) SET SCHEMA public;
EXECUTE below('9gLqjc8eDD-1111111111111');
ALTER FUNCTION public.gid_lt(gid, gid) SET SCHEMA pg_catalog;
RESET plan_cache_mode;

-- It is not used either where PUBLIC may not execute it: a plan that was made for
-- one role can be run by another.
PREPARE as_anybody AS SELECT count(*) FROM event WHERE id >= timestamptz '2026-01-03' + (now() - now());
SET plan_cache_mode = force_generic_plan;
CREATE ROLE regress_gid_reader;
GRANT SELECT ON event TO regress_gid_reader;
REVOKE EXECUTE ON FUNCTION _gid_lower_bound(text, timestamptz) FROM PUBLIC;
SET ROLE regress_gid_reader;
SELECT condition_of($$SELECT n FROM event WHERE id >= timestamptz '2026-01-03'$$);
SELECT count(*) FROM event WHERE id >= timestamptz '2026-01-03';
RESET ROLE;
EXECUTE as_anybody;
SET ROLE regress_gid_reader;
EXECUTE as_anybody;
RESET ROLE;
RESET plan_cache_mode;
GRANT EXECUTE ON FUNCTION _gid_lower_bound(text, timestamptz) TO PUBLIC;
-- Likewise for the operator that compares with the bound.
REVOKE EXECUTE ON FUNCTION gid_ge(gid, gid) FROM PUBLIC;
SET ROLE regress_gid_reader;
SELECT condition_of($$SELECT n FROM event WHERE id >= timestamptz '2026-01-03'$$);
SELECT count(*) FROM event WHERE id >= timestamptz '2026-01-03';
RESET ROLE;
GRANT EXECUTE ON FUNCTION gid_ge(gid, gid) TO PUBLIC;
-- The query still requires the privilege for the operator that it contains.
REVOKE EXECUTE ON FUNCTION gid_ge_timestamptz(gid, timestamptz) FROM PUBLIC;
SET ROLE regress_gid_reader;
SELECT state, message FROM error_of($$SELECT count(*) FROM event WHERE id >= timestamptz '2026-01-03'$$);
RESET ROLE;
GRANT EXECUTE ON FUNCTION gid_ge_timestamptz(gid, timestamptz) TO PUBLIC;
REVOKE ALL ON event FROM regress_gid_reader;
DROP ROLE regress_gid_reader;

RESET enable_seqscan;
RESET enable_bitmapscan;
DEALLOCATE ALL;
DROP FUNCTION condition_of, explain_analyze, events_since;

-- Planning loads no procedural language.  (The function is not in the plan,
-- because its execution would load the language.)
CREATE FUNCTION id_of(kind text) RETURNS gid LANGUAGE plpgsql AS 'BEGIN RETURN gid_new(kind); END';
\c -
SELECT count(*) FROM event WHERE id = id_of('segment') AND false;
SELECT count(*) FROM pg_settings WHERE name LIKE 'plpgsql.%';
DROP FUNCTION id_of;
DROP TABLE event;
