-- What PostgreSQL believes without a check, as it does for varchar(n), how to have
-- it checked all the same, and that gid does not believe it.
SET timezone = 'UTC';
CREATE TABLE orders (id gid(o));
CREATE TABLE source (id gid(o));
INSERT INTO source VALUES (gid_new('o'));

-- A PL/pgSQL record variable: the plan of the INSERT is kept with the modifier
-- that the first record had.
CREATE FUNCTION copy_ids(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR r IN EXECUTE query LOOP
		INSERT INTO orders VALUES (r.id);
	END LOOP;
END $$;
SELECT copy_ids('SELECT id FROM source');
SELECT copy_ids($$SELECT gid_new('log') AS id$$);
SELECT gid_kind(id), count(*) FROM orders GROUP BY 1 ORDER BY 1;
-- varchar(n) does the same.
CREATE TABLE words (word varchar(3));
CREATE FUNCTION copy_words(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR r IN EXECUTE query LOOP
		INSERT INTO words VALUES (r.word);
	END LOOP;
END $$;
SELECT copy_words($$SELECT varchar(3) 'abc' AS word$$);
SELECT copy_words($$SELECT varchar 'abcdef' AS word$$);
TABLE words;
DROP TABLE words;
DROP FUNCTION copy_words;

-- To prevent this: a domain with a CHECK, or the record's field without its
-- modifier.
CREATE DOMAIN order_id AS gid(o) CHECK (gid_kind(VALUE) = 'o');
TRUNCATE orders;
CREATE TABLE defended (id order_id);
CREATE FUNCTION copy_to_domain(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR r IN EXECUTE query LOOP
		INSERT INTO defended VALUES (r.id);
	END LOOP;
END $$;
CREATE OR REPLACE FUNCTION copy_ids(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR r IN EXECUTE query LOOP
		INSERT INTO orders VALUES (r.id::gid);
	END LOOP;
END $$;
SELECT copy_to_domain('SELECT id FROM source'), copy_ids('SELECT id FROM source');
SELECT function, state, message
FROM unnest('{copy_to_domain,copy_ids}'::text[]) function,
	 error_of(format($$SELECT %s('SELECT gid_new(''log'') AS id')$$, function));
SELECT gid_kind(id), count(*) FROM defended GROUP BY 1;
SELECT gid_kind(id), count(*) FROM orders GROUP BY 1;
-- The domain does not prevent the use of an index.
CREATE INDEX ON defended (id);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM defended WHERE id >= timestamptz '2026-01-01';
RESET enable_bitmapscan;
RESET enable_seqscan;

-- A loop over the rows of two kinds.  The expressions in it are planned for an order.
-- Every customer is smaller than every order, but no row is a year old.
CREATE TYPE record_id AS (id gid(o));
CREATE DOMAIN any_order_id AS gid(o);
CREATE DOMAIN recent_order_id AS gid(o) CHECK (VALUE > timestamptz '2020-01-01');
CREATE TABLE place (id gid(o));
CREATE TABLE unique_id (n int PRIMARY KEY, id gid(o));
CREATE FUNCTION old_rows() RETURNS TABLE (form text, old boolean) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	r record;
	kind text;
	ago CONSTANT timestamptz := now() - interval '1 year';
BEGIN
	FOREACH kind IN ARRAY '{o,c}'::text[] LOOP
		FOR r IN EXECUTE format('SELECT id, id AS parent, ARRAY[id] AS ids, 1 AS n FROM (SELECT gid_new(%1$L)::gid(%1$s) AS id) i', kind) LOOP
			RETURN QUERY VALUES ('id', r.id < ago), ('coalesce', coalesce(r.parent, r.id) < ago), ('case', CASE WHEN r.n = 1 THEN r.id ELSE r.parent END < ago),
				('nullif', nullif(r.id, r.ids[2]) < ago), ('greatest', greatest(r.id, r.parent) < ago), ('label', r.id::gid < ago),
				('sub-select', (SELECT r.id) < ago), ('element of ARRAY', (ARRAY[r.id])[1] < ago), ('element', r.ids[1] < ago),
				('domain', r.id::any_order_id < ago), ('checked domain', r.id::recent_order_id < ago), ('row', (ROW(r.id)).f1 < ago), ('composite', (ROW(r.id)::record_id).id < ago),
				('within', gid_within(coalesce(r.parent, r.id), tstzrange(NULL, ago))), ('within, element', gid_within(r.ids[1], tstzrange(NULL, ago))),
				('FROM', (SELECT x < ago FROM (SELECT r.id AS x OFFSET 0) s)), ('WITH', (WITH c AS MATERIALIZED (SELECT r.id AS x) SELECT x < ago FROM c)),
				('VALUES', (SELECT bool_or(x < ago) FROM (VALUES (r.id), (r.id)) v (x))), ('unnest', (SELECT x < ago FROM unnest(ARRAY[r.id]) x)),
				('UNION ALL', (SELECT bool_or(x < ago) FROM (SELECT r.id AS x UNION ALL SELECT id FROM place) u)),
				('DISTINCT', (SELECT x < ago FROM (SELECT DISTINCT r.id AS x) d)), ('ANY', now() - interval '1 year' > ANY (SELECT r.id));
			INSERT INTO unique_id VALUES (1, r.id) ON CONFLICT (n) DO UPDATE SET n = 1 WHERE excluded.id < ago;
			RETURN QUERY VALUES ('excluded', FOUND AND kind = 'c');
		END LOOP;
	END LOOP;
END $$;
SELECT count(*), string_agg(form, ', ') FILTER (WHERE old) AS old FROM old_rows();

-- A column definition list, and what PostgreSQL hands its modifier on to.  The id
-- below is a log of the year 2030, and every log is smaller than every segment.
CREATE FUNCTION promise(anyelement) RETURNS record LANGUAGE sql AS $$ SELECT row($1) $$;
CREATE TABLE log (id gid, ids gid[]);
INSERT INTO log SELECT id, ARRAY[id] FROM gid_random('log', '2030-01-01') id;
SELECT p.id > timestamptz '2026-01-01' AS declared, coalesce(p.id, p.id) > timestamptz '2026-01-01' AS coalesce,
	   (SELECT p.id > timestamptz '2026-01-01' OFFSET 0) AS subquery, p.id::gid > timestamptz '2026-01-01' AS label,
	   a.ids[1] > timestamptz '2026-01-01' AS element, undeclared.id > timestamptz '2026-01-01' AS undeclared
FROM log AS l, promise(l.id) AS p (id gid(segment)), promise(l.ids) AS a (ids gid(segment)[]), promise(l.id) AS undeclared (id gid);
-- It gets into a column as well; not without the modifier.
TRUNCATE orders;
INSERT INTO orders SELECT p.id FROM log, promise(log.id) AS p (id gid(o));
SELECT gid_kind(id) FROM orders;
SELECT statement, state, message
FROM (VALUES ('INSERT INTO orders SELECT p.id FROM log, promise(log.id) AS p (id gid)'),
			 ('INSERT INTO defended SELECT p.id FROM log, promise(log.id) AS p (id gid(o))')) v (statement), error_of(statement);

-- The defaults of XMLTABLE are not checked either; its text is.
SELECT gid_kind(x.id), x.id > timestamptz '2026-01-01' AS segment
FROM log, XMLTABLE('/r' PASSING '<r/>' COLUMNS id gid(segment) PATH '@id' DEFAULT log.id) x;
SELECT state, message FROM error_of($$SELECT x.id FROM log, XMLTABLE('/r' PASSING xmlparse(content '<r id="' || log.id || '"/>')
	COLUMNS id gid(segment) PATH '@id') x$$);

-- A column whose kind nobody checked, and CHECK constraints, which PostgreSQL
-- simplifies with another query: each is as it would be with gid_timestamp(), which
-- is not replaced.  All rows are of 2026.
CREATE TABLE kept (id gid(o), customer gid(c), n int);
INSERT INTO kept SELECT gid_random('o', '2026-01-15'), gid_random('c', '2026-01-15'), n FROM generate_series(1, 100) n;
CREATE VIEW unchecked AS SELECT (r).f1 AS id, (r).f2 AS n
FROM (SELECT row(id, n) AS r FROM kept WHERE false UNION ALL SELECT row(customer, n) FROM kept OFFSET 0) r OFFSET 0;
CREATE TABLE january (CHECK (id < timestamptz '2026-02-01')) INHERITS (kept);
CREATE TABLE february (CHECK (id >= timestamptz '2026-02-01')) INHERITS (kept);
INSERT INTO january SELECT * FROM ONLY kept;
CREATE VIEW kept_view AS SELECT customer, id, n FROM kept;
CREATE FUNCTION both_of(query text, OUT as_written text, OUT by_timestamp text) LANGUAGE plpgsql AS $$
BEGIN
	BEGIN EXECUTE query INTO as_written; EXCEPTION WHEN OTHERS THEN as_written := SQLSTATE; END;
	BEGIN
		EXECUTE regexp_replace(query, '([a-z]+\.id) (<|>|>=) ', 'gid_timestamp(\1) \2 ', 'g') INTO by_timestamp;
	EXCEPTION WHEN OTHERS THEN by_timestamp := SQLSTATE; END;
END $$;
SELECT b.*
FROM unnest(ARRAY[
	-- in the time of a condition
	$$kept k, unchecked u WHERE k.id > CASE WHEN u.id < timestamptz '2020-01-01' THEN timestamptz '2100-01-01' ELSE '1999-01-01' END$$,
	$$kept k, unchecked u WHERE k.id > gid_timestamp(u.id::gid::gid(o)) - interval '1 year'$$,
	-- in the argument of a function in FROM
	$$kept k WHERE (SELECT count(*) FROM unchecked u, LATERAL (SELECT FROM generate_series(1, CASE WHEN u.id < timestamptz '2020-01-01' THEN 1 ELSE 0 END)) s) > 0$$,
	$$(SELECT DISTINCT customer FROM kept) c WHERE (SELECT count(*) FROM kept u, LATERAL (SELECT FROM generate_series(1, (u.id >= gid_lower_bound('o', '2026-01-01'))::int)) s) > 0$$,
	-- in a branch of UNION ALL
	$$unchecked u, LATERAL (SELECT u.id UNION ALL SELECT u.id) v WHERE v.id < timestamptz '2020-01-01'$$,
	-- in CHECK constraints
	$$(SELECT DISTINCT customer FROM january) c JOIN kept k USING (customer) WHERE k.id >= timestamptz '2026-01-01'$$,
	$$kept_view k WHERE k.id >= timestamptz '2026-01-01'$$,
	-- with a modifier that is no kind
	$$kept k WHERE gid(k.id::gid, 255, true) >= timestamptz '2026-01-01' AND n < 0$$]) query,
	both_of('SELECT count(*) FROM ' || query) b;
-- They still exclude children, through a view, too.
SELECT line FROM plan_of($$SELECT FROM kept_view WHERE id >= timestamptz '2026-02-01'$$) line WHERE line ~ 'Scan';
DROP VIEW unchecked, kept_view;
DROP TABLE january, february, kept;
DROP FUNCTION both_of;

DROP TABLE orders, source, defended, log, place, unique_id;
DROP FUNCTION copy_ids, copy_to_domain, promise, old_rows;
DROP TYPE record_id;
DROP DOMAIN any_order_id, recent_order_id;
DROP DOMAIN order_id;
