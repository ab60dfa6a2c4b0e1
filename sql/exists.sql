-- EXISTS where it is an expression.  PostgreSQL simplifies such a sub-select with the
-- planner state of the query around it, which has other columns.
SET timezone = 'UTC';

-- Says what a query gives as it is written, and with the comparison of an id
-- with a time, or the cast to a kind, in a form that the planner does not know.
CREATE FUNCTION opaque(gid, kind text) RETURNS gid LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE kind WHEN 'o' THEN $1::gid(o) WHEN 'e' THEN $1::gid(e) WHEN 'p' THEN $1::gid(p) END;
END $$;
CREATE FUNCTION outcome_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE 'SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ') q' INTO result;
	RETURN coalesce(result, 'no rows');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE FUNCTION both_of(query text, OUT as_written text, OUT opaque text) LANGUAGE sql AS $$
	SELECT outcome_of(query),
		   outcome_of(regexp_replace(regexp_replace(query, '(o\.id) (>=|<) ', 'gid_timestamp(\1) \2 ', 'g'),
									 '(a\.x)::gid\((\w)\)', 'opaque(\1, ''\2'')', 'g')) $$;

-- An id in each position from the second column to the twentieth: the columns
-- before it are of other types, and so are those of the query around it.
CREATE TABLE customers (n int, city text);
INSERT INTO customers VALUES (1, 'Rome'), (2, 'Rome'), (3, 'Oslo');
DO $$
BEGIN
	FOR position IN 2 .. 20 LOOP
		EXECUTE format('CREATE TABLE orders_%s (%s customer int, id gid(o) DEFAULT gid_random(''o'', ''2026-01-01''))', position,
			(SELECT string_agg(format('c%s %s,', n, (ARRAY['text', 'int', 'bool', 'float8', 'gid', 'gid(p)', 'name'])[1 + n % 7]), ' ' ORDER BY n)
			 FROM generate_series(1, position - 2) n));
		EXECUTE format('INSERT INTO orders_%s (customer) VALUES (1), (2), (2)', position);
		EXECUTE format('ANALYZE customers, orders_%s', position);
	END LOOP;
END $$;

CREATE TABLE shape (n serial, query text);
INSERT INTO shape (query) VALUES
	-- in the select list of a grouped query
	('SELECT city, EXISTS (SELECT FROM customers c, %s o WHERE c.n = o.customer AND c.city = k.city AND o.id >= %s) FROM customers k GROUP BY city'),
	-- under OR
	('SELECT k.n FROM customers k WHERE k.n = 3 OR EXISTS (SELECT FROM %s o WHERE o.customer = k.n AND o.id >= %s)'),
	-- in a CASE
	('SELECT CASE WHEN EXISTS (SELECT FROM %s o WHERE o.customer = k.n AND o.id < %s) THEN city END FROM customers k'),
	-- in HAVING
	('SELECT city FROM customers k GROUP BY city HAVING count(*) > 5 OR EXISTS (SELECT FROM customers c, %s o WHERE c.n = o.customer AND c.city = k.city AND o.id >= %s)'),
	-- one in the other
	('SELECT city, EXISTS (SELECT FROM customers c WHERE c.city = k.city AND (c.n = 9 OR EXISTS (SELECT FROM %s o WHERE o.customer = c.n AND o.id >= %s))) FROM customers k GROUP BY city'),
	-- in an aggregate, a window, ORDER BY, and negated
	('SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM %s o WHERE o.customer = k.n AND o.id >= %s)) FROM customers k GROUP BY city'),
	('SELECT sum(n) OVER (ORDER BY EXISTS (SELECT FROM %s o WHERE o.customer = k.n AND o.id < %s)) FROM customers k'),
	('SELECT k.n FROM customers k WHERE k.n = 3 OR NOT EXISTS (SELECT FROM %s o WHERE o.customer = k.n AND o.id < %s)'),
	-- in grouping sets, and in a subquery with a limit
	('SELECT city, n, EXISTS (SELECT FROM %s o WHERE o.customer = k.n AND o.id >= %s) FROM customers k GROUP BY ROLLUP (city, n)'),
	('SELECT city, EXISTS (SELECT FROM customers c, %s o WHERE c.n = o.customer AND c.city = k.city AND o.id >= %s) FROM (SELECT city, count(*) FROM customers GROUP BY city OFFSET 0) k');
SELECT shape.n, count(*) AS queries, count(*) FILTER (WHERE as_written = opaque) AS agree, min(as_written) AS for_example
FROM shape, generate_series(2, 20) position,
	 unnest('{timestamptz ''2025-12-31'',now(),(SELECT timestamptz ''2026-01-01'' OFFSET 0)}'::text[]) at,
	 both_of(format(query, 'orders_' || position, at))
GROUP BY 1 ORDER BY 1;
-- And as parameters, in generic plans.
PREPARE by_city(timestamptz) AS
SELECT city, EXISTS (SELECT FROM customers c, orders_8 o WHERE c.n = o.customer AND c.city = k.city AND o.id >= $1)
FROM customers k GROUP BY city ORDER BY city;
SET plan_cache_mode = force_generic_plan;
EXECUTE by_city('2025-12-31');
EXECUTE by_city('2026-01-02');
RESET plan_cache_mode;
DEALLOCATE by_city;
-- UPDATE, DELETE and MERGE.
BEGIN;
UPDATE customers k SET n = -n WHERE k.n = 3 OR EXISTS (SELECT FROM orders_8 o WHERE o.customer = k.n AND o.id >= timestamptz '2025-12-31');
DELETE FROM customers k WHERE k.n = -3 OR EXISTS (SELECT FROM orders_9 o WHERE o.customer = -k.n AND o.id >= timestamptz '2026-01-02');
MERGE INTO customers k USING generate_series(-2, -1) s ON s = k.n AND (k.city = 'Oslo' OR EXISTS
	(SELECT FROM orders_10 o WHERE o.customer = -k.n AND o.id < timestamptz '2026-01-02'))
WHEN MATCHED THEN UPDATE SET city = 'merged' WHEN NOT MATCHED THEN DO NOTHING;
SELECT * FROM customers ORDER BY n;
ROLLBACK;

-- A cast to a kind, in a sub-select, of a column that holds another kind: it is
-- checked, whatever column of the query around has the same number.
CREATE TABLE other (x gid, n int);
INSERT INTO other SELECT gid_new('p'), n FROM generate_series(1, 2000) n;
CREATE TABLE other_second (n int, x gid);
INSERT INTO other_second SELECT n, x FROM other;
ANALYZE other, other_second;
SELECT as_written, opaque, query
FROM unnest(ARRAY[
	$$SELECT count(*) FROM (SELECT gid_new('o') AS id, n FROM generate_series(1, 3000) n OFFSET 0) s
WHERE s.n < 0 OR EXISTS (SELECT FROM other a WHERE a.x::gid(o) IS NOT NULL AND a.n = s.n)$$,
	$$SELECT count(*) FROM (SELECT n, gid_new('o') AS id FROM generate_series(1, 3000) n OFFSET 0) s
WHERE s.n < 0 OR EXISTS (SELECT FROM other_second a WHERE a.x::gid(o) IS NOT NULL AND a.n = s.n)$$,
	$$SELECT s.n, EXISTS (SELECT FROM other a WHERE a.x::gid(o) IS NOT NULL AND a.n = s.n)
FROM (SELECT gid_new('o') AS id, n FROM generate_series(1, 3) n OFFSET 0) s GROUP BY s.n$$,
	$$SELECT CASE WHEN EXISTS (SELECT FROM other a WHERE a.x::gid(e) IS NOT NULL AND a.n = s.n) THEN 1 END
FROM (SELECT gid_random('e') AS id, n FROM generate_series(1, 3000) n OFFSET 0) s$$,
	$$SELECT count(*) FROM (SELECT gid_new('o') AS id, n FROM generate_series(1, 3000) n OFFSET 0) s
WHERE s.n < 0 OR s.n IN (SELECT a.n FROM other a WHERE a.x::gid(o) IS NOT NULL)$$,
	$$SELECT s.n FROM (SELECT gid_new('o') AS id, n FROM generate_series(1, 3) n OFFSET 0) s GROUP BY s.n
HAVING s.n < 0 OR EXISTS (SELECT FROM other a WHERE a.x::gid(o) IS NOT NULL AND a.n = s.n)$$,
	$$SELECT count(*) FROM (SELECT gid_new('p') AS id, n FROM generate_series(1, 3) n OFFSET 0) s
WHERE s.n < 0 OR EXISTS (SELECT FROM other a WHERE a.x::gid(p) IS NOT NULL AND a.n = s.n)$$]) query,
	both_of(query);

-- The query around can use an index.
CREATE TABLE kept (x gid(o), n int);
INSERT INTO kept SELECT gid_new('o'), n FROM generate_series(1, 3000) n;
CREATE VIEW kept_view AS SELECT * FROM kept;
CREATE INDEX ON kept (x);
ANALYZE kept;
SET enable_seqscan = off;
SELECT source, plan ~ 'Index Cond' AS by_index FROM unnest('{kept,kept_view,(SELECT x\, n FROM kept OFFSET 0),other}'::text[]) source,
	plan_of(format('SELECT FROM kept k WHERE k.x >= timestamptz %L AND (k.n < 0 OR EXISTS (SELECT FROM %s AS s WHERE x IS NOT NULL AND n = k.n))', '2026-01-01', source)) plan
WHERE plan ~ '.x >=';
RESET enable_seqscan;
DROP VIEW kept_view;
DROP TABLE kept;

DO $$
BEGIN
	FOR position IN 2 .. 20 LOOP
		EXECUTE format('DROP TABLE orders_%s', position);
	END LOOP;
END $$;
DROP TABLE customers, other, other_second, shape;
DROP FUNCTION both_of, outcome_of, opaque;
