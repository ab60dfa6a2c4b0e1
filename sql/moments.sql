-- PostgreSQL simplifies the same expression at several moments of one query, and compares
-- the results.  It simplifies a sub-select of EXISTS that stays an expression with the planner
-- state of the query around it, too.
SET timezone = 'UTC';
CREATE FUNCTION outcome_of(query text, generic bool DEFAULT false) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text[] := '{}';
	statement text := query;
	r record;
BEGIN
	BEGIN
		IF generic THEN
			SET LOCAL plan_cache_mode = force_generic_plan;
			EXECUTE 'PREPARE q(timestamptz, gid) AS ' || query;
			statement := 'EXECUTE q(''2026-01-10'', gid_lower_bound(''o'', ''2026-01-10''))';
		END IF;
		IF query ~ 'MERGE' THEN	-- returns rows since 17
			EXECUTE statement;
			statement := 'SELECT n FROM sale';
		END IF;
		FOR r IN EXECUTE statement LOOP
			result := result || r::text;
		END LOOP;
		RAISE EXCEPTION USING ERRCODE = 'ROLLB';
	EXCEPTION WHEN SQLSTATE 'ROLLB' THEN
		NULL;
	END;
	DEALLOCATE ALL;
	RETURN array(SELECT row_text FROM unnest(result) row_text ORDER BY row_text COLLATE "C")::text;
EXCEPTION WHEN OTHERS THEN
	DEALLOCATE ALL;
	RETURN SQLSTATE;
END $$;

-- In each source, the second column has the number and the declared kind of the key.
CREATE TABLE sale (n int, id gid(o));
INSERT INTO sale SELECT n, gid_random('o', '2026-01-01'::timestamptz + n * interval '1 day') FROM generate_series(1, 20) n;
CREATE UNIQUE INDEX ON sale (id);
CREATE UNIQUE INDEX ON sale (n) WHERE id >= timestamptz '2026-01-10';
CREATE INDEX ON sale ((id >= timestamptz '2026-01-10'));
ANALYZE sale;
CREATE FUNCTION some_sales() RETURNS TABLE (n int, id gid(o)) LANGUAGE plpgsql STABLE SECURITY DEFINER AS 'BEGIN RETURN QUERY SELECT * FROM sale; END';
CREATE TABLE source (name text, item text);
INSERT INTO source VALUES ('table', 'sale'), ('CTE', 'kept'), ('inlined CTE', 'inlined'), ('function', 'some_sales()'),
	('VALUES', '(VALUES (1, gid_random(''o'')::gid(o)), (2, NULL))'), ('LIMIT', '(SELECT * FROM sale LIMIT 100)'),
	('UNION', '(SELECT * FROM sale UNION SELECT n + 1, id FROM sale)'), ('UNION ALL', '(SELECT * FROM sale UNION ALL SELECT n + 1, id FROM sale)'),
	('record', '(SELECT (r).f1 AS n, (r).f2 AS id FROM (SELECT row(n, id) AS r FROM sale UNION ALL SELECT row(n, id) FROM sale) r)');

-- {x} is a comparison with a time, {e} an EXISTS.
CREATE TABLE form (n serial, query text);
INSERT INTO form (query) VALUES
	('SELECT {x} AS late, count(*) FROM sale o WHERE n < 0 OR {e} GROUP BY ROLLUP ({x}) HAVING ({x}) IS NOT NULL ORDER BY 1'),
	('SELECT {x} AS late, bool_or({e}) FROM sale o GROUP BY ROLLUP ({x}) HAVING ({x}) IS NOT NULL ORDER BY 1'),
	('SELECT {x} AS late, n, count(*) FROM sale o WHERE NOT (n > 3 AND NOT {e}) GROUP BY GROUPING SETS (({x}, n), (n), ({x})) HAVING ({x}) OR n = 1 ORDER BY 1, 2, 3'),
	('SELECT {x}, count(*) FROM sale o GROUP BY CUBE ({x}, {e}) HAVING ({x}) IS NOT NULL ORDER BY 1, 2'),
	('SELECT {x}, count(*) FROM sale o GROUP BY ROLLUP ({x}) HAVING bool_and({e}) AND ({x}) IS NOT NULL ORDER BY 1'),
	('SELECT DISTINCT ON ({x}) {x}, n, {e} FROM sale o ORDER BY {x}, n'),
	('SELECT n, count(*) OVER (PARTITION BY {x} ORDER BY {x}, {e}, n), rank() OVER (ORDER BY {x}) FROM sale o ORDER BY {x}, n'),
	('SELECT max(n) FILTER (WHERE {x} AND {e}) FROM sale o WHERE n < 0 OR {e} GROUP BY {x} ORDER BY {x}'),
	('SELECT n FROM sale o WHERE {x} AND (n = 1 OR {e}) ORDER BY n'),
	('SELECT n FROM sale o WHERE NOT ({x}) AND (n = 1 OR NOT {e}) ORDER BY n'),
	('SELECT o.n FROM sale o JOIN sale p ON p.n = o.n AND (p.n = 1 OR {e}) AND {x} ORDER BY 1'),
	('SELECT o.n, {e} FROM sale o LEFT JOIN sale p ON {x} AND p.n = o.n WHERE {e} IS NOT NULL ORDER BY 1'),
	('INSERT INTO sale AS o SELECT n, id FROM sale WHERE n > 9 ON CONFLICT (n) WHERE {arbiter} DO UPDATE SET n = 100 + o.n WHERE o.n < 0 OR {e} RETURNING n'),
	('UPDATE sale o SET n = n + 100 WHERE {x} AND (n = 1 OR {e}) RETURNING n, {x}, {e}'),
	('DELETE FROM sale o WHERE {x} AND (n = 1 OR {e}) RETURNING n, {x}, {e}'),
	('MERGE INTO sale o USING (SELECT n AS m FROM sale) s ON m = o.n AND (m = 1 OR {x}) AND (m < 9 OR {e}) WHEN MATCHED AND {x} AND (m < 0 OR {e}) THEN UPDATE SET n = m + 100 WHEN MATCHED AND ({x} OR {e}) THEN DELETE WHEN NOT MATCHED THEN INSERT (n) VALUES (m + 200)'),
	('SELECT p.n, l.* FROM sale p LEFT JOIN (SELECT n, {x} AS late, {e} AS found FROM sale o) q ON q.n = p.n + 1 CROSS JOIN LATERAL (SELECT q.late, q.found AND q.n > 0 OFFSET 0) l ORDER BY 1'),
	('WITH m AS (SELECT n FROM sale o WHERE {x} AND (n = 1 OR {e}) UNION ALL SELECT n FROM sale o WHERE {x} OR {e}) SELECT * FROM m ORDER BY n');
CREATE FUNCTION shaped(query text, x text, item text) RETURNS text LANGUAGE sql AS $$
	SELECT concat(CASE item WHEN 'kept' THEN 'WITH kept AS MATERIALIZED (SELECT * FROM sale) ' WHEN 'inlined' THEN 'WITH inlined AS NOT MATERIALIZED (SELECT * FROM sale) ' END,
		replace(replace(replace(CASE WHEN item IN ('kept', 'inlined') THEN replace(query, 'WITH m', ', m') ELSE query END,
			'{x}', x), '{arbiter}', 'id >= timestamptz ''2026-01-10'''),
			'{e}', format('EXISTS (SELECT FROM %s AS c (n, id) WHERE c.id = o.id AND c.n < 15)', item))) $$;
WITH tried AS (
	SELECT f.n, name, outcome_of(shaped(query, natural_form, item), generic) AS as_written, outcome_of(shaped(query, opaque_form, item), generic) AS opaque
	FROM form f, source,
		(VALUES ('o.id >= timestamptz ''2026-01-10''', 'gid_timestamp(o.id) >= timestamptz ''2026-01-10''', false),
				('o.id >= $1', 'gid_timestamp(o.id) >= $1', true), ('o.id < $2', 'gid_timestamp(o.id) < gid_timestamp($2)', true),
				('o.id > now() - interval ''100 years''', 'gid_timestamp(o.id) > now() - interval ''100 years''', false),
				('gid_within(o.id, tstzrange(''2026-01-10'', NULL))', 'gid_timestamp(o.id) >= timestamptz ''2026-01-10''', false),
				('o.id::gid::gid(o) IS NOT NULL', 'o.id IS NOT NULL', false)) v (natural_form, opaque_form, generic))
SELECT n, count(*), count(*) FILTER (WHERE as_written = opaque) AS agree, count(*) FILTER (WHERE as_written ~ '^\w{5}$') AS errors,
	   string_agg(DISTINCT name || ': ' || as_written || ', not ' || opaque, E'\n') FILTER (WHERE as_written <> opaque) AS wrong
FROM tried GROUP BY n ORDER BY n;
-- Each comparison with a time has become one with a bound, also in policies.
CREATE POLICY visible ON sale USING (EXISTS (SELECT FROM some_sales() v WHERE v.id = sale.id));
SELECT count(*) > 1000 AS lines, count(*) FILTER (WHERE plan ~ 'id >= ''[^'']*''::timestamp') AS not_replaced
FROM form, source, plan_of(shaped(query, 'o.id >= timestamptz ''2026-01-10''', item)) plan;
-- A comparison with another kind is an error in each place, and one with the kind is none.  Three have
-- no error: EXISTS in VALUES with a random id is false, so that no row evaluates the value.
SELECT count(*), count(*) FILTER (WHERE outcome_of(shaped(query, 'o.id > gid_lower_bound(''c'', now())', item)) = '22023') AS rejected,
	   count(*) FILTER (WHERE outcome_of(shaped(query, 'o.id > gid_lower_bound(''o'', now())', item)) = '22023') AS wrongly
FROM form, source WHERE query ~ '{x}';
DROP INDEX sale_expr_idx, sale_n_idx;
ALTER TABLE sale ENABLE ROW LEVEL SECURITY;
CREATE ROLE gid_reader;
GRANT SELECT ON sale TO gid_reader;
GRANT EXECUTE ON FUNCTION some_sales TO gid_reader;
SET ROLE gid_reader;
SELECT count(*) FROM sale WHERE id >= timestamptz '2026-01-10';
SET enable_seqscan = off;
SELECT plan FROM plan_of('SELECT FROM sale WHERE id >= timestamptz ''2026-01-10''') plan WHERE plan ~ 'Cond';
RESET enable_seqscan;
RESET ROLE;
DROP TABLE sale, source, form;
DROP FUNCTION outcome_of, shaped, some_sales;
DROP ROLE gid_reader;
