-- Kinds, and the type modifier that binds a column to one.

-- The name of each prefix.
SELECT gid_kind(id) AS kind, gid_prefix(id) AS prefix
FROM generate_series(128, 255) prefix,
	 LATERAL (SELECT set_byte('\x00000000000000000000000000000000', 0, prefix)::gid AS id) g
WHERE prefix IN (128, 129, 159, 160, 161, 191, 192, 193, 224, 225, 226, 249, 250, 251, 254, 255);

-- Every function takes the name that gid_kinds() gives, for the same kind.
SELECT count(*) FROM gid_kinds()
WHERE gid_prefix(gid_new(kind)) = prefix AND gid_kind(gid_new(kind)) = kind
  AND gid_prefix(gid_new(prefix::text)) = prefix
  AND gid_prefix(gid_random(prefix::text)) = prefix
  AND gid_prefix(gid_random(prefix::text, now())) = prefix
  AND gid_prefix(gid_lower_bound(prefix::text, now())) = prefix;

-- Names fold to lower case.
SELECT gid_kind(gid_new('Segment')), gid_kind(gid_new('LOG')), gid_kind(gid_random('vOLUME')),
	   gid_kind(gid_new('O')), gid_kind(gid_random('z', now())), gid_kind(gid_lower_bound('A', now()));

-- Unknown kinds.
SELECT call, state, message, detail
FROM (VALUES ('gid_new('''')'), ('gid_new(''segments'')'), ('gid_new(''seg'')'), ('gid_new('' log'')'),
			 ('gid_new(''127'')'), ('gid_new(''255'')'), ('gid_new(''256'')'), ('gid_new(''0200'')'),
			 ('gid_new(''+200'')'), ('gid_new(''0'')'), ('gid_new(''-'')'), ('gid_new(''é'')'),
			 ('gid_new(''ö'')'), ('gid_new(repeat(''o'', 50))'), ('gid_new(E''log\n'')'),
			 ('gid_new(''-1'')'), ('gid_new(''2147483647'')'),
			 ('gid_random(''blob'', now())'), ('gid_random(''1'', now())'),
			 ('gid_random(''blob'')'), ('gid_random(''1'')'),
			 ('gid_lower_bound(''blob'', now())'), ('gid_lower_bound(''255'', now())')) v (call),
	 error_of('SELECT ' || call);

-- NULL returns NULL.
SELECT gid_new(NULL) IS NULL AND gid_random(NULL) IS NULL
   AND gid_random(NULL, now()) IS NULL AND gid_random('o', NULL) IS NULL AND gid_lower_bound('o', NULL) IS NULL AS all_null;

-- A name that is not constant is resolved each time, also where one call
-- site sees different parameters.
SELECT DISTINCT kind, gid_kind(gid_new(kind)) FROM (VALUES ('log'), ('o'), ('volume'), ('o')) v (kind) ORDER BY 1;
CREATE FUNCTION kind_of_new(kind text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE id gid;
BEGIN
	id := gid_new(kind);
	RETURN gid_kind(id);
END $$;
DO $$
BEGIN
	RAISE NOTICE '% % %', kind_of_new('log'), kind_of_new('segment'), kind_of_new('o');
END $$;
PREPARE mint(text) AS SELECT gid_kind(gid_new($1));
SET plan_cache_mode = force_generic_plan;
EXECUTE mint('log');
EXECUTE mint('o');
EXECUTE mint('blob');
RESET plan_cache_mode;

-- The modifier, as it is written and as it is shown.
CREATE TABLE kinds (
	plain gid, volume gid(volume), log gid(log), segment gid(segment), o gid(o), upper gid(O),
	quoted gid('Segment'), number gid(200), letter_by_number gid(225), many gid(z)[]
);
SELECT attname, format_type(atttypid, atttypmod), atttypmod FROM pg_attribute
WHERE attrelid = 'kinds'::regclass AND attnum > 0 ORDER BY attnum;
SELECT declared, state, message, detail, hint
FROM (VALUES ('gid(blob)'), ('gid(255)'), ('gid(127)'), ('gid(0)'), ('gid(1.5)'), ('gid('''')'),
			 ('gid(o, p)'), ('gid(o, o)'), ('gid(-1)'), ('gid()'), ('gid(o.p)'), ('gid(NULL)')) v (declared),
	 error_of(format('CREATE TEMP TABLE wrong (id %s)', declared));

-- A gid of the right kind is accepted, however it is written.
INSERT INTO kinds (plain, volume, log, segment, o, quoted, number, many)
VALUES (gid_new('log'), gid_new('volume'), gid_new('160'), '8H24TMQEGM-21Kj8kUFQLRhg', gid_new('o'),
		gid_new('segment'), gid_new('200'), ARRAY[gid_new('z'), NULL, gid_new('z')]);
SELECT gid_kind(plain), gid_kind(volume), gid_kind(log), gid_kind(segment), gid_kind(o), gid_kind(number),
	   gid_kind(many[3]) FROM kinds;

-- A gid of another kind is rejected by every kind of statement.
CREATE DOMAIN order_id AS gid(o);
CREATE DOMAIN order_ids AS gid(o)[];
CREATE TABLE bound (id gid(o), ids gid(o)[], d order_id, ds order_id[]);
CREATE TYPE pair AS (a gid(o), b int);
CREATE FUNCTION returns_domain() RETURNS order_id LANGUAGE sql AS $$ SELECT gid_new('log') $$;
CREATE FUNCTION returns_domain_pl(id gid) RETURNS order_id LANGUAGE plpgsql AS $$ BEGIN RETURN id; END $$;
CREATE FUNCTION assigns_variable(id gid) RETURNS void LANGUAGE plpgsql AS $$ DECLARE mine gid(o); BEGIN mine := id; END $$;
PREPARE insert_bound(gid) AS INSERT INTO bound (id) VALUES ($1);
PREPARE insert_domain(order_id) AS INSERT INTO bound (d) VALUES ($1);
SELECT statement, state, message
FROM (VALUES
	($$INSERT INTO bound (id) VALUES ('8H24TMQEGM-21Kj8kUFQLRhg')$$),
	($$INSERT INTO bound (id) SELECT '8H24TMQEGM-21Kj8kUFQLRhg'::gid$$),
	($$INSERT INTO bound (id) SELECT segment FROM kinds$$),
	($$INSERT INTO bound (id) SELECT gid_new('p')$$),
	($$INSERT INTO bound (id) SELECT gid_new('200')$$),
	($$INSERT INTO bound (ids) VALUES (ARRAY[gid_new('o'), '8H24TMQEGM-21Kj8kUFQLRhg'])$$),
	($$INSERT INTO bound (ids) VALUES ('{8H24TMQEGM-21Kj8kUFQLRhg}')$$),
	($$INSERT INTO bound (d) VALUES ('8H24TMQEGM-21Kj8kUFQLRhg')$$),
	($$INSERT INTO bound (ds) VALUES ('{8H24TMQEGM-21Kj8kUFQLRhg}')$$),
	($$UPDATE kinds SET o = '8H24TMQEGM-21Kj8kUFQLRhg'$$),
	($$UPDATE kinds SET o = segment$$),
	($$SELECT '8H24TMQEGM-21Kj8kUFQLRhg'::gid(o)$$),
	($$SELECT CAST(segment AS gid(o)) FROM kinds$$),
	($$SELECT '8H24TMQEGM-21Kj8kUFQLRhg'::order_id$$),
	($$SELECT '{8H24TMQEGM-21Kj8kUFQLRhg}'::gid(o)[]$$),
	($$SELECT '{8H24TMQEGM-21Kj8kUFQLRhg}'::order_ids$$),
	($$SELECT ROW('8H24TMQEGM-21Kj8kUFQLRhg', 1)::pair$$),
	($$SELECT '(8H24TMQEGM-21Kj8kUFQLRhg,1)'::pair$$),
	($$SELECT returns_domain()$$),
	($$SELECT returns_domain_pl('8H24TMQEGM-21Kj8kUFQLRhg')$$),
	($$SELECT assigns_variable('8H24TMQEGM-21Kj8kUFQLRhg')$$),
	($$EXECUTE insert_bound('8H24TMQEGM-21Kj8kUFQLRhg')$$),
	($$EXECUTE insert_domain('8H24TMQEGM-21Kj8kUFQLRhg')$$),
	($$ALTER TABLE kinds ALTER COLUMN segment TYPE gid(o)$$),
	($$CREATE TABLE defaulted (id gid(o) DEFAULT gid_new('log')); INSERT INTO defaulted DEFAULT VALUES$$),
	($$SELECT * FROM jsonb_to_record('{"id": "8H24TMQEGM-21Kj8kUFQLRhg"}') AS (id gid(o))$$)
) v (statement), error_of(statement);
COPY bound (id) FROM STDIN;
8H24TMQEGM-21Kj8kUFQLRhg
\.
COPY bound (d) FROM STDIN;
8H24TMQEGM-21Kj8kUFQLRhg
\.
COPY bound (ids) FROM STDIN;
{8H24TMQEGM-21Kj8kUFQLRhg}
\.
SELECT count(*) AS rows_that_got_in FROM bound;

-- The whole error, also for a kind that has no name.
SELECT e.* FROM error_of($$SELECT '8H24TMQEGM-21Kj8kUFQLRhg'::gid(o)$$) e;
SELECT e.* FROM error_of($$SELECT '8H24TMQEGM-21Kj8kUFQLRhg'::gid(200)$$) e;

-- Since versions 16 and 17, a caller can ask for no error.
SET client_min_messages = warning;
SELECT statement, current_setting('server_version_num')::int < since * 10000 OR state = 'no error' AS as_expected
FROM (VALUES
	(16, $$SELECT 1 / (NOT pg_input_is_valid('8H24TMQEGM-21Kj8kUFQLRhg', 'gid(o)'))::int$$),
	(16, $$SELECT 1 / (NOT pg_input_is_valid('{8H24TMQEGM-21Kj8kUFQLRhg}', 'order_ids'))::int$$),
	(17, $$SELECT 1 / (json_value('"8H24TMQEGM-21Kj8kUFQLRhg"', '$' RETURNING order_id) IS NULL)::int$$),
	(17, $$SELECT 1 / count(id) FROM json_table('["8H24TMQEGM-21Kj8kUFQLRhg", "A51L9Ve8sp-21Kj8kUFQLRhg"]', '$[*]' COLUMNS (id gid(o) PATH '$')) HAVING count(*) = 2$$),
	(17, $$COPY bound (id) FROM PROGRAM 'echo 8H24TMQEGM-21Kj8kUFQLRhg' (ON_ERROR ignore)$$)
) v (since, statement), error_of(statement);
RESET client_min_messages;
SELECT count(*) AS rows_that_got_in FROM bound;

-- PostgreSQL drops modifiers of plain function results and arguments: use a
-- domain there.
CREATE FUNCTION returns_plain() RETURNS gid(o) LANGUAGE sql AS $$ SELECT gid_new('log') $$;
SELECT gid_kind(returns_plain());

-- PostgreSQL does not check those of a column definition list, of any type.
CREATE FUNCTION promise(anyelement) RETURNS record LANGUAGE sql AS $$ SELECT row($1) $$;
INSERT INTO bound (id) SELECT p.id FROM promise(gid_new('log')) AS p(id gid(o)) RETURNING gid_kind(id);
SELECT length(v) FROM promise('longer'::varchar) AS p(v varchar(3));
SELECT state, message FROM error_of($$INSERT INTO bound (id) SELECT p.id FROM promise(gid_new('log')) AS p(id gid)$$);

-- A modifier can be taken off and put on, and the table is checked then.
ALTER TABLE kinds ALTER COLUMN segment TYPE gid;
ALTER TABLE kinds ALTER COLUMN segment TYPE gid(segment);
SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'kinds'::regclass AND attname = 'segment';

-- Called by name, as PostgreSQL itself does not: no modifier, and one that the
-- planner does not know.
SELECT gid_typmod_out(-1)::text = '' AS none, gid_typmod_out(239), gid_typmod_out(495);
SELECT gid('8H24TMQEGM-21Kj8kUFQLRhg'::gid, modifier, false) FROM unnest('{-1,192}'::int[]) modifier;
SELECT e.* FROM error_of($$SELECT gid('8H24TMQEGM-21Kj8kUFQLRhg'::gid, modifier, false) FROM unnest('{160}'::int[]) modifier$$) e;
SELECT gid('8H24TMQEGM-21Kj8kUFQLRhg'::gid, -1, is_explicit) FROM unnest('{true,NULL}'::bool[]) is_explicit;

DEALLOCATE ALL;
DROP FUNCTION kind_of_new, returns_plain, promise, returns_domain, returns_domain_pl, assigns_variable;
DROP TABLE bound, kinds;
DROP TYPE pair;
DROP DOMAIN order_id, order_ids;
