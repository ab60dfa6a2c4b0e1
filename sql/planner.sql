-- A cast to gid(kind) is dropped where that kind is declared already.  Calls
-- are counted by PostgreSQL itself.
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
	('INSERT INTO target (id) VALUES (gid_new(''o'')), (gid_new(''O''::text)), (gid_new(''239'')), (gid_new(239))'),
	('INSERT INTO target (id) VALUES (gid_new(''o'', now())), (gid_new(239, now())), (gid_random(''o'')), (gid_random(239))'),
	('INSERT INTO target (id) VALUES (gid_reserve(''o'', 3)), (gid_reserve(239, 3))'),
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
	-- as is what comes out of a subquery in which it was minted
	('INSERT INTO target (id) SELECT gid_new(''o'') FROM generate_series(1, 10)'),
	('INSERT INTO target (id) SELECT id FROM (SELECT gid_new(''o'') AS id, any_kind FROM other) o OFFSET 0'),
	('WITH o AS MATERIALIZED (SELECT gid_new(''o'') AS id) INSERT INTO target (id) SELECT id FROM o'),
	-- a domain's value is checked as it becomes the domain's, and once more as
	-- it becomes the column's
	('INSERT INTO target (id) SELECT any_kind::order_id FROM other'),
	('INSERT INTO target (id) SELECT any_kind::recent_id FROM other')
) v (statement);

-- Another kind is refused when a row comes, and only then.
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

-- A function of the same name is not taken for ours, and ours is known under
-- another name.
CREATE SCHEMA shadow;
CREATE FUNCTION shadow.gid_new(text) RETURNS gid LANGUAGE sql VOLATILE AS $$ SELECT public.gid_new('p') $$;
SELECT state, message FROM error_of($$INSERT INTO target (id) VALUES (shadow.gid_new('o'))$$);
ALTER FUNCTION gid_random(text) RENAME TO gid_by_chance;
SELECT checks_made('INSERT INTO target (id) VALUES (gid_by_chance(''o''))');
ALTER FUNCTION gid_by_chance(text) RENAME TO gid_random;

-- A minting function as a table.
SELECT gid_kind(id) FROM gid_new('o') id;
SELECT gid_kind(id), ordinality FROM gid_new('o') WITH ORDINALITY AS f (id, ordinality);
SELECT gid_kind(a), gid_kind(b), c FROM ROWS FROM (gid_new('o'), gid_random('p'), generate_series(1, 2)) AS f (a, b, c);
SELECT gid_kind(id) FROM other, LATERAL gid_reserve('o', 3) id WHERE id > timestamptz '2026-01-01' LIMIT 1;

-- A plan shows both: what was dropped is a RelabelType, what was not is a call.
EXPLAIN (COSTS OFF, VERBOSE) INSERT INTO target (n) VALUES (1);
EXPLAIN (COSTS OFF, VERBOSE) SELECT any_kind::gid(o) FROM other;

DROP SCHEMA shadow CASCADE;
DROP TABLE target, other;
DROP FUNCTION checks_made;
DROP DOMAIN order_id, recent_id;
