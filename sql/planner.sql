-- A cast to gid(kind) that is sure to hold is not made at all.  Calls are
-- counted by PostgreSQL itself.
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
	-- sure to hold
	('INSERT INTO target (n) SELECT n FROM generate_series(1, 10) n'),
	('INSERT INTO target (id) SELECT gid_new(''o'') FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT gid_new(''O''::text) FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT gid_new(''239'') FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT gid_new(239) FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT gid_new(''o'', now()) FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT gid_new(239, now()) FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT gid_random(''o'') FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT gid_random(239) FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT gid_reserve(''o'', 3) FROM generate_series(1, 10)'),
	('INSERT INTO target (id) VALUES (gid_new(''o'')), (gid_new(''o'')), (gid_new(''o''))'),
	('INSERT INTO target (id) SELECT o FROM other'),
	('INSERT INTO target (id) SELECT DISTINCT gid_new(''o'') FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT id FROM (SELECT gid_new(''o'') AS id, any_kind FROM other) o OFFSET 0'),
	('SELECT gid_new(''o'')::gid(o) FROM generate_series(1, 10)'),
	('SELECT gid_new(''o'')::order_id FROM generate_series(1, 10)'),
	('SELECT o::gid(o)::gid FROM other'),
	('SELECT p::gid FROM other'),
	-- once, not twice
	('INSERT INTO target (id) SELECT any_kind::order_id FROM other'),
	('INSERT INTO target (id) SELECT any_kind::recent_id FROM other'),
	-- to be looked at, row by row
	('INSERT INTO target (id) SELECT any_kind FROM other'),
	('INSERT INTO target (id) SELECT gid_new(kind) FROM (VALUES (''o''), (''O'')) v (kind)'),
	('INSERT INTO target (id) SELECT gid_floor(''o'', now()) FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT coalesce(any_kind, o) FROM other'),
	('INSERT INTO target (id) SELECT gid_new(''o'') UNION ALL SELECT any_kind FROM other'),
	('WITH o AS MATERIALIZED (SELECT gid_new(''o'') AS id) INSERT INTO target (id) SELECT id FROM o')
) v (statement);

-- And what is sure to fail still fails, for the first row that comes, and
-- only then.
SELECT statement, state, message
FROM (VALUES ('INSERT INTO target (id) SELECT gid_new(''p'')'),
			 ('INSERT INTO target (id) SELECT gid_new(200)'),
			 ('INSERT INTO target (id) SELECT gid_new(''o'') UNION ALL SELECT gid_new(''p'')'),
			 ('INSERT INTO target (id) SELECT gid_new(''p'') UNION ALL SELECT gid_new(''o'')'),
			 ('INSERT INTO target (n, id) SELECT gid_prefix(gid_new(''o'')), gid_new(''p'') FROM other'),
			 ('INSERT INTO target (id) SELECT p FROM other'),
			 ('INSERT INTO target (id) SELECT p FROM other WHERE false'),
			 ('INSERT INTO target (id) SELECT gid_new(''blob'')'),
			 ('INSERT INTO target (id) SELECT gid_new(1)'),
			 ('INSERT INTO target (id) SELECT gid_new(NULL::text)'),
			 ('SELECT gid(gid_new(''o''), NULL, false)')) v (statement),
	 error_of(statement);

-- It is our code that is known, not its name: one of the same name is checked.
CREATE SCHEMA shadow;
CREATE FUNCTION shadow.gid_new(text) RETURNS gid LANGUAGE sql VOLATILE AS $$ SELECT public.gid_new('p') $$;
SELECT state, message FROM error_of($$INSERT INTO target (id) SELECT shadow.gid_new('o')$$);
-- And it is known under another name.
ALTER FUNCTION gid_random(text) RENAME TO gid_by_chance;
SELECT checks_made('INSERT INTO target (id) SELECT gid_by_chance(''o'') FROM generate_series(1, 10)');
ALTER FUNCTION gid_by_chance(text) RENAME TO gid_random;

-- In a plan what was dropped is a mere label, and what was not is a call.
EXPLAIN (COSTS OFF, VERBOSE) INSERT INTO target (n) VALUES (1);
EXPLAIN (COSTS OFF, VERBOSE) SELECT any_kind::gid(o) FROM other;

DROP SCHEMA shadow CASCADE;
DROP TABLE target, other;
DROP FUNCTION checks_made;
DROP DOMAIN order_id, recent_id;
