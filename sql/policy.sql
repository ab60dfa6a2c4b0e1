-- Conditions on gids do not show rows that a policy hides, and still use an index.

-- Of 20,000 rows, one for each second, every thousandth belongs to the reader.
CREATE ROLE regress_gid_owner;
CREATE ROLE regress_gid_reader;
CREATE SCHEMA notes AUTHORIZATION regress_gid_owner;
GRANT USAGE ON SCHEMA notes TO regress_gid_reader;
SET search_path = notes, public;
SET timezone = 'UTC';
SET ROLE regress_gid_owner;
CREATE TABLE note (id gid(o) PRIMARY KEY, reader name, any_id gid, due timestamptz);
INSERT INTO note
SELECT gid_lower_bound('o', second), CASE WHEN n % 1000 = 0 THEN 'regress_gid_reader' ELSE 'nobody' END,
	   CASE WHEN n % 1000 = 0 THEN gid_lower_bound('c', second) ELSE gid_lower_bound('o', 'infinity') END, second
FROM generate_series(1, 20000) n, LATERAL (SELECT '2026-11-21 00:00+00'::timestamptz + n * interval '1 second') s (second);
CREATE INDEX note_any_id ON note (any_id);
ANALYZE note;
ALTER TABLE note ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON note USING (reader = current_user);
CREATE TABLE moment AS SELECT timestamptz '2026-11-21 01:00+00' AS at;
CREATE VIEW guarded WITH (security_barrier) AS SELECT * FROM note WHERE reader = 'regress_gid_reader';
GRANT SELECT, INSERT ON note TO regress_gid_reader;
GRANT SELECT ON guarded, moment TO regress_gid_reader;
RESET ROLE;

-- spy() has almost no cost, so that the planner evaluates it before all conditions that it is allowed to.
CREATE TEMP TABLE seen (id gid);
GRANT ALL ON seen TO regress_gid_reader;
CREATE FUNCTION spy(gid) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN INSERT INTO seen VALUES ($1); RETURN true; END $$;
CREATE FUNCTION pg_temp.spied(relation text, condition text, OUT visible bigint, OUT hidden bigint, OUT by_index boolean) LANGUAGE plpgsql AS $$
DECLARE
	query text := format('SELECT count(*) FROM %s WHERE spy(id) AND %s', relation, condition);
BEGIN
	DELETE FROM seen;
	EXECUTE query INTO visible;
	SELECT count(*) INTO hidden FROM seen s WHERE NOT EXISTS (SELECT FROM note n WHERE n.id = s.id);
	by_index := EXISTS (SELECT FROM plan_of(query) line WHERE line ~ 'Index Cond: \(.*\mid [=<>]');
END $$;
GRANT EXECUTE ON FUNCTION spy, pg_temp.spied, plan_of TO regress_gid_reader;
SET enable_seqscan = off;
SET ROLE regress_gid_reader;
SELECT count(*) FROM note;
SELECT condition, relation, s.*
FROM (VALUES (1, $$id = gid_lower_bound('o', '2026-11-21 00:16:40+00')$$), (2, $$id = gid_lower_bound('o', '2026-11-21 00:16:41+00')$$),
		(3, $$id BETWEEN gid_lower_bound('o', '2026-11-21 01:00+00') AND gid_lower_bound('o', '2026-11-21 02:00+00')$$),
		(4, $$id = ANY (ARRAY[gid_lower_bound('o', '2026-11-21 00:16:40+00'), gid_lower_bound('o', '2026-11-21 00:16:41+00')])$$),
		(5, $$id >= '2026-11-21 01:00+00'::timestamptz AND id < '2026-11-21 02:00+00'::timestamptz$$),
		(6, $$id >= (SELECT at FROM moment) AND '2026-11-21 02:00+00'::timestamptz >= id$$),
		(7, $$any_id > '2026-11-21 02:00+00'::timestamptz AND any_id IS NOT NULL$$), (8, $$id >= due$$)) v (n, condition),
	 unnest('{note,guarded}'::text[]) relation, pg_temp.spied(relation, condition) s ORDER BY n, relation DESC;
SELECT * FROM pg_temp.spied('note, moment', 'id >= at');
SET plan_cache_mode = force_generic_plan;
PREPARE since (timestamptz) AS SELECT count(*) FROM note WHERE spy(id) AND id >= $1;
EXPLAIN (COSTS OFF) EXECUTE since ('2026-11-21 05:00+00');
DEALLOCATE since;

-- The operators are leakproof, so that the planner uses statistics for this role, too.
SET enable_indexscan = off;
CREATE FUNCTION pg_temp.estimate(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN substring(plan::text FROM '"Bitmap Index Scan".*"Plan Rows": (\d+)');
END $$;
SELECT pg_temp.estimate('SELECT FROM note WHERE id >= ''2026-11-21 01:00+00''::timestamptz AND id < ''2026-11-21 01:10+00''::timestamptz')
	BETWEEN 500 AND 700 AS uses_statistics;

-- Errors come only from visible rows: in hidden rows any_id has another kind.
SELECT count(*) FROM note WHERE any_id::gid(c) IS NOT NULL;
SELECT count(*) FROM guarded WHERE any_id::gid(c) IS NOT NULL;
INSERT INTO note (id, reader) VALUES (gid_lower_bound('o', '2026-11-21 00:16:41+00'), current_user);
RESET ROLE;
SELECT count(*) FROM note WHERE any_id::gid(c) IS NOT NULL;
RESET search_path;
DROP FUNCTION notes.spy;
DROP OWNED BY regress_gid_owner, regress_gid_reader;
DROP ROLE regress_gid_owner, regress_gid_reader;
