-- Comparisons of gids of different kinds are errors.  (t/019_reference.pl runs the
-- tables of doc/reference.md with custom and generic plans.  Here are other cases.)
SET timezone = 'UTC';
CREATE DOMAIN order_id AS gid(o);
CREATE TABLE orders (id gid(o) PRIMARY KEY, ids gid(o)[], any_id gid);
CREATE TABLE customers (id gid(c) PRIMARY KEY, order_id order_id, any_id gid);
INSERT INTO orders SELECT gid_random('o', timestamptz '2026-01-01' + n * interval '1 day') FROM generate_series(1, 10) n;
INSERT INTO customers SELECT gid_random('c', timestamptz '2026-01-01' + n * interval '1 day') FROM generate_series(1, 10) n;

-- Conditions of both tables, and their errors.
CREATE FUNCTION rejected(condition text) RETURNS text LANGUAGE sql AS
$$ SELECT CASE WHEN message ~ '^cannot compare' THEN state || ': ' || message ELSE state END
   FROM error_of(format('SELECT FROM orders o, customers c WHERE %s', condition)) $$;

-- The whole error.
SELECT * FROM error_of($$DELETE FROM orders WHERE id < gid_lower_bound('p', now() - interval '1 year')$$);
SELECT * FROM error_of($$DELETE FROM orders WHERE gid_lower_bound('200', '2026-01-01') > id$$);
SELECT count(*) FROM orders;

-- These declare a kind: a domain, a cast, a call that mints, a bound.
SELECT condition, rejected(condition) FROM unnest(ARRAY[
	$$c.id < c.order_id$$, $$o.id = c.order_id$$, $$o.id < o.any_id::order_id$$,
	$$o.any_id::gid(p) = o.id$$, $$o.any_id::order_id = c.id$$, $$o.any_id::order_id < c.id$$,
	$$o.id < gid_new('c')$$, $$o.id < gid_random('227', now())$$, $$o.id < gid_random('o')$$,
	$$o.id > gid_upper_bound('c', now())$$, $$o.id > gid_upper_bound('239', now())$$,
	$$o.id BETWEEN gid_lower_bound('o', '2026-01-01') AND gid_lower_bound('p', '2026-01-01')$$,
	$$o.id::gid = c.id::gid$$, $$o.id <> c.id$$, $$c.order_id <> c.id::gid(c)$$, $$o.any_id::gid(p) <> o.id$$, $$o.id::order_id::gid = c.id$$, $$(o.id, 1) = (c.id, 1)$$,
	$$nullif(o.id = c.id, true)$$, $$CASE WHEN o.id = c.id THEN true END$$,
	$$NOT o.id >= gid_make('c', '2026-01-01', 1)$$, $$gid_lt(o.id, '8H24TMQEGM-21Kj8kUFQLRhg')$$
]) condition;
-- These do not.
SELECT condition, rejected(condition) FROM unnest(ARRAY[
	$$o.any_id < gid_lower_bound('p', now())$$, $$o.ids[1] < '8H24TMQEGM-21Kj8kUFQLRhg'$$, $$coalesce(c.order_id, o.id) = c.id$$,
	$$c.id = gid_transaction(o.id)$$, $$c.id < gid_transaction(o.id)$$,
	$$o.id = gid_new('c')$$, $$gid_upper_bound('c', now()) = o.id$$, $$o.id <> gid_new('c')$$, $$'8H24TMQEGM-21Kj8kUFQLRhg' <> o.id$$,
	$$o.id <> (SELECT gid_new('c'))$$, $$gid_new('o') <> gid_new('c')$$,
	$$gid_new('o') < gid_new('c')$$, $$gid_lower_bound('p', now()) > gid_lower_bound('o', now())$$,
	$$o.id > gid_lower_bound(gid_kind(o.any_id), now())$$,
	$$o.id > gid_lower_bound(NULL::text, now())$$, $$o.id < NULL$$
]) condition;
SELECT state, message FROM error_of($$SELECT FROM orders WHERE id < gid_lower_bound('blob', now())$$);

-- The bounds that enclose a kind are for it and its neighbour, and for no other.
SELECT kind, bool_or(rejected(format('o.id >= gid_lower_bound(%L, %L)', kind, at)) <> 'no error') AS lower,
	   bool_or(rejected(format('gid_upper_bound(%L, %L) > o.id', kind, at)) <> 'no error') AS upper
FROM unnest('{m,n,o,p,q}'::text[]) kind, unnest('{-infinity,1969-12-31}'::timestamptz[]) at GROUP BY kind ORDER BY kind;
SELECT kind, rejected(format('o.id < gid_lower_bound(%L, %L)', kind, 'infinity')) FROM unnest('{m,n,o,p}'::text[]) kind;
-- The smallest and the largest bound are limits of all kinds.
SELECT condition, rejected(condition) FROM unnest(ARRAY[
	$$o.id > gid_lower_bound('128', '-infinity')$$, $$o.id > gid_lower_bound('128', '1970-01-02')$$,
	$$o.id < gid_lower_bound('254', 'infinity')$$, $$o.id < gid_lower_bound('254', '1970-01-02')$$
]) condition;

-- A subquery in FROM that is planned separately is not checked.  PostgreSQL copies
-- a condition on a view of several tables into each of its branches.
CREATE VIEW everything AS SELECT id FROM orders UNION ALL SELECT id FROM customers;
CREATE VIEW grouped AS SELECT id, count(*) FROM orders GROUP BY id UNION ALL SELECT id, count(*) FROM customers GROUP BY id;
CREATE VIEW distinct_ids AS SELECT id FROM orders UNION SELECT id FROM customers;
CREATE VIEW nested AS SELECT id FROM (SELECT DISTINCT ON (id) id FROM everything) e;
CREATE VIEW deeper AS SELECT id FROM (SELECT DISTINCT ON (id) id FROM orders) o UNION ALL
	SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY id) FROM customers) c;
CREATE FUNCTION count_of(query text) RETURNS bigint LANGUAGE plpgsql AS
$$ DECLARE n bigint; BEGIN EXECUTE query INTO n; RETURN n; END $$;
SELECT name, count_of(format($$SELECT count(*) FROM %I WHERE id >= gid_lower_bound('o', '2026-01-06')$$, name)) AS constant,
	   count_of(format($$SELECT count(*) FROM %I WHERE id >= gid_lower_bound('o', now() - interval '100 years')$$, name)) AS stable,
	   count_of(format('SELECT count(*) FROM %I JOIN orders USING (id)', name)) AS joined,
	   count_of(format('SELECT count(*) FROM %I v, orders o, LATERAL (SELECT FROM customers c WHERE v.id = o.id LIMIT 1) l', name)) AS lateral
FROM unnest('{everything,grouped,distinct_ids,nested,deeper}'::text[]) name;
SELECT count(*) FROM everything v WHERE EXISTS (SELECT FROM orders o WHERE o.id = v.id AND o.id > gid_lower_bound('o', '2026-01-06'));
-- The query around them is checked.
SELECT name, state FROM unnest('{everything,grouped,distinct_ids,nested,deeper}'::text[]) name,
	 error_of(format('SELECT FROM %I, orders o, customers c WHERE o.id = c.id', name));
DROP VIEW everything, grouped, distinct_ids, nested, deeper CASCADE;
DROP FUNCTION count_of;

-- From "o.id = about AND about = c.id" the planner derives "o.id = c.id".  These
-- queries do not contain that comparison, so it is not an error.
CREATE TABLE notes AS SELECT id::gid AS about FROM customers UNION ALL SELECT id FROM orders;
CREATE VIEW last_order AS SELECT id, count(*) AS n FROM orders GROUP BY id;
CREATE VIEW pair AS SELECT DISTINCT o.id AS order_id, c.id AS customer_id FROM orders o, customers c;
SELECT count(o.n), count(*) FROM customers c, LATERAL (
	SELECT o.n FROM notes LEFT JOIN last_order o ON o.id = about WHERE about = c.id OFFSET 0) o;
SELECT count(o.n), count(*) FROM notes LEFT JOIN last_order o ON o.id = about WHERE about = (SELECT min(id) FROM customers);
SELECT count(*) FROM customers c WHERE EXISTS (SELECT FROM notes, last_order o WHERE about = c.id AND o.id = about) OR c.id IS NULL;
SELECT count(*) FROM notes, pair WHERE about = order_id AND about = customer_id;
DROP TABLE notes;
DROP VIEW last_order, pair;

-- PostgreSQL adds no condition to a query with LIMIT or OFFSET, so it is checked.
SELECT state, statement FROM unnest(ARRAY[
	$$DELETE FROM orders WHERE id IN (SELECT id FROM orders WHERE id < gid_lower_bound('p', now()) ORDER BY id LIMIT 1000)$$,
	$$DELETE FROM orders WHERE ctid IN (SELECT ctid FROM orders WHERE id < gid_lower_bound('p', now()) LIMIT 1000 FOR UPDATE SKIP LOCKED)$$,
	$$DELETE FROM orders USING (SELECT id FROM orders WHERE id < (SELECT max(id) FROM customers) LIMIT 10 FOR UPDATE SKIP LOCKED) o WHERE o.id = orders.id$$,
	$$WITH batch AS (SELECT id FROM orders WHERE id < gid_lower_bound('p', now()) LIMIT 10) DELETE FROM orders USING batch WHERE batch.id = orders.id$$,
	$$SELECT FROM (SELECT o.id FROM orders o JOIN customers c ON o.id = c.id OFFSET 0) o$$,
	$$SELECT FROM (SELECT id FROM orders WHERE id < ALL (SELECT id FROM customers) LIMIT 5) o GROUP BY id$$,
	$$SELECT FROM orders o, LATERAL (SELECT FROM customers c WHERE c.id < o.id LIMIT 1) c$$
]) statement, error_of(statement);
-- The query of a view is checked, too.
CREATE VIEW limited AS SELECT o.id FROM orders o JOIN customers c ON o.id = c.id WHERE o.id < gid_lower_bound('p', now()) LIMIT 10;
SELECT state FROM error_of('SELECT count(*) FROM limited JOIN orders USING (id)');
DROP VIEW limited;
-- PostgreSQL adds no condition either if the query around has none, as around the arms of
-- a set operation, and only "=" with a value to a set operation in IN (SELECT ...).
SELECT state, statement FROM unnest(ARRAY[
	$$DELETE FROM orders WHERE id IN (SELECT id FROM orders WHERE id > gid_lower_bound('c', now()) UNION ALL SELECT id FROM orders)$$,
	$$DELETE FROM orders WHERE id IN (SELECT id FROM orders UNION SELECT id FROM orders WHERE id > gid_lower_bound('c', now()))$$,
	$$DELETE FROM orders WHERE any_id IS NULL OR id IN (SELECT id FROM orders EXCEPT SELECT id FROM orders WHERE id > gid_lower_bound('c', now()))$$,
	$$DELETE FROM orders WHERE id NOT IN (SELECT id FROM orders INTERSECT SELECT id FROM orders WHERE id > gid_lower_bound('c', now()))$$,
	$$SELECT id FROM orders UNION ALL SELECT id FROM orders WHERE id > gid_lower_bound('c', now())$$,
	$$SELECT id FROM orders EXCEPT SELECT id FROM orders WHERE id > gid_lower_bound('c', now())$$,
	$$SELECT id FROM orders INTERSECT (SELECT id FROM orders UNION SELECT o.id FROM orders o, customers c WHERE o.id = c.id)$$,
	$$INSERT INTO orders (id) SELECT id FROM orders UNION SELECT id FROM orders WHERE id > gid_lower_bound('c', now())$$,
	$$SELECT id IN (SELECT id FROM customers) FROM orders UNION ALL SELECT true FROM orders$$,
	$$SELECT count(*) FROM (SELECT DISTINCT id FROM orders WHERE id > gid_lower_bound('c', now())) o$$,
	$$WITH ids AS (SELECT id FROM orders WHERE id > gid_lower_bound('c', now()) UNION SELECT id FROM orders) SELECT FROM ids$$,
	$$DELETE FROM orders WHERE id IN (SELECT DISTINCT id FROM orders WHERE id > gid_lower_bound('c', now()))$$,
	-- not checked: the query around has a condition, or another set operation
	$$SELECT count(*) FROM (SELECT DISTINCT id FROM orders WHERE id > gid_lower_bound('c', now())) o WHERE id IS NOT NULL$$,
	$$SELECT id FROM (SELECT id FROM orders UNION SELECT id FROM customers) e WHERE id IN (SELECT id FROM orders WHERE id > gid_lower_bound('c', now()) UNION SELECT id FROM orders)$$,
	$$SELECT FROM (SELECT id FROM orders UNION SELECT id FROM customers) e WHERE id > gid_lower_bound('o', now())$$,
	$$SELECT FROM (SELECT id FROM orders EXCEPT SELECT id FROM customers) e JOIN orders USING (id) WHERE id > gid_lower_bound('o', now())$$
]) statement, error_of('EXPLAIN ' || statement);

-- A view with triggers is not in FROM, but conditions are added to its branches.
CREATE VIEW people AS SELECT id FROM orders UNION SELECT id FROM customers;
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END';
CREATE TRIGGER instead INSTEAD OF UPDATE OR DELETE ON people FOR EACH ROW EXECUTE FUNCTION nothing();
SELECT state, statement FROM unnest(ARRAY[
	$$DELETE FROM people WHERE id > gid_lower_bound('o', now())$$,
	$$UPDATE people SET id = id WHERE id > gid_lower_bound('c', now())$$
]) statement, error_of('EXPLAIN ' || statement);
CREATE RULE renamed AS ON DELETE TO people DO INSTEAD UPDATE orders SET any_id = NULL WHERE id = OLD.id;
SELECT state FROM error_of($$EXPLAIN DELETE FROM people WHERE id > gid_lower_bound('o', now())$$);
DROP VIEW people;
DROP FUNCTION nothing;

-- A sub-select in an expression is checked, whatever is in FROM.
SELECT state FROM error_of($$SELECT (SELECT count(*) FROM orders o JOIN customers c ON o.id = c.id)
	FROM (SELECT id FROM orders UNION ALL SELECT id FROM customers) e$$);
SELECT state FROM error_of($$DELETE FROM orders USING (SELECT id FROM orders UNION ALL SELECT id FROM customers) e
	WHERE e.id = orders.id AND orders.id = ANY (ARRAY(SELECT id FROM orders WHERE id < gid_lower_bound('p', now())))$$);

-- "=" with a parameter is no error, whatever its type, nor with its value in a
-- plan that is made for it.  The trigger is for both tables.
CREATE TABLE audit (order_id gid(o), customer_id gid(c));
CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	copy record = OLD;
BEGIN
	DELETE FROM audit WHERE order_id = OLD.id OR customer_id = OLD.id;
	DELETE FROM audit WHERE order_id = coalesce(OLD.id, NULL) OR customer_id = coalesce(OLD.id, NEW.id);
	DELETE FROM audit WHERE CASE OLD.id WHEN order_id THEN true WHEN customer_id THEN true END;
	DELETE FROM audit WHERE order_id = (SELECT OLD.id) OR customer_id = (SELECT OLD.id);
	DELETE FROM audit WHERE order_id = (OLD).id OR customer_id = (OLD).id OR customer_id = copy.id;
	RETURN OLD;
END $$;
CREATE TRIGGER audit AFTER DELETE ON orders FOR EACH ROW EXECUTE FUNCTION audit();
CREATE TRIGGER audit AFTER DELETE ON customers FOR EACH ROW EXECUTE FUNCTION audit();
CREATE FUNCTION name_of(id gid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	r record;
	o orders.id%TYPE = id;
	other order_id = id;
	ids gid(o)[] = ARRAY[id];
	n bigint = 0;
BEGIN
	FOR r IN SELECT orders.id FROM orders LIMIT 1 LOOP
		n := n + (SELECT count(*) FROM orders WHERE orders.id = r.id) + (SELECT count(*) FROM customers WHERE customers.id = r.id);
	END LOOP;
	RETURN n + (SELECT count(*) FROM orders WHERE orders.id = o) + (SELECT count(*) FROM customers WHERE customers.id = o)
		+ (SELECT count(*) FROM customers c WHERE c.id = other OR c.id = ids[1]);
END $$;
PREPARE by_id(gid) AS SELECT count(*) FROM orders WHERE id = $1;
SET plan_cache_mode = force_custom_plan;
BEGIN;
DELETE FROM orders;
DELETE FROM customers;
ROLLBACK;
SELECT name_of(id) FROM orders LIMIT 1;
EXECUTE by_id('8H24TMQEGM-21Kj8kUFQLRhg');
\c -
SET timezone = 'UTC';
SET plan_cache_mode = force_generic_plan;
BEGIN;
DELETE FROM orders;
DELETE FROM customers;
ROLLBACK;
SELECT name_of(id) FROM orders LIMIT 1;
PREPARE by_id(gid) AS SELECT count(*) FROM orders WHERE id = $1;
EXECUTE by_id('8H24TMQEGM-21Kj8kUFQLRhg');
EXECUTE by_id(gid_lower_bound('c', '2026-01-01'));
SET plan_cache_mode = force_custom_plan;
EXECUTE by_id(gid_lower_bound('c', '2026-01-01'));
RESET plan_cache_mode;
-- A value that has another kind for certain is checked when it is evaluated, too:
-- custom and generic plans agree on NULL, and on the limits of a kind.
PREPARE below_cast(gid) AS SELECT count(*) FROM orders WHERE id < $1::gid(c);
PREPARE below_bound(timestamptz) AS SELECT count(*) FROM orders WHERE id < gid_lower_bound('p', $1);
SET plan_cache_mode = force_custom_plan;
SELECT value, state FROM unnest(ARRAY['cast(NULL)', 'cast(gid_lower_bound(''c'', now()))', 'bound(NULL)', 'bound(''-infinity'')', 'bound(now())']) value, error_of('EXECUTE below_' || value);
SET plan_cache_mode = force_generic_plan;
SELECT value, state FROM unnest(ARRAY['cast(NULL)', 'cast(gid_lower_bound(''c'', now()))', 'bound(NULL)', 'bound(''-infinity'')', 'bound(now())']) value, error_of('EXECUTE below_' || value);
RESET plan_cache_mode;
DEALLOCATE below_cast;
DEALLOCATE below_bound;
DROP TRIGGER audit ON orders;
DROP TRIGGER audit ON customers;
DROP TABLE audit;
DROP FUNCTION audit, name_of;
\set SHOW_CONTEXT never

-- The check is evaluated once for each scan, and conditions on an index or on
-- partitions are found with it.  A sub-select gets a check of its own, so that its
-- result is an index condition under row-level security, too.
CREATE ROLE regress_gid_reader;
CREATE TABLE parts (id gid(o)) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('o', '2026-01-04'));
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (gid_lower_bound('o', '2026-01-04')) TO (MAXVALUE);
INSERT INTO parts SELECT id FROM orders;
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY any_id ON orders USING (any_id IS NULL);
GRANT SELECT ON orders, customers, parts TO regress_gid_reader;
CREATE FUNCTION calls(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	before bigint := coalesce(pg_stat_get_xact_function_calls('_gid_check_compared'::regproc), 0);
BEGIN
	EXECUTE statement;
	RETURN coalesce(pg_stat_get_xact_function_calls('_gid_check_compared'::regproc), 0) - before;
END $$;
GRANT EXECUTE ON FUNCTION calls TO PUBLIC;
SET track_functions = 'all';
SET max_parallel_workers_per_gather = 0;	-- workers count their own calls
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET ROLE regress_gid_reader;
PREPARE below(gid) AS SELECT n FROM (SELECT id, 1 AS n FROM orders) o WHERE id < $1;
PREPARE of_parts(gid) AS SELECT FROM parts WHERE id < $1;
SELECT plan_of('EXECUTE below(NULL)');
SELECT calls(format('EXECUTE below(%L)', max(id))) FROM orders;
-- The names of parameters of plans differ between versions.
SELECT regexp_replace(plan, '\$\d|\(InitPlan \w+\)\.col1', 'result') AS plan FROM plan_of('SELECT FROM orders WHERE id < (SELECT any_id FROM customers LIMIT 1)') plan WHERE plan ~ 'Cond';
SELECT plan FROM plan_of('EXECUTE of_parts(gid_lower_bound(''o'', ''2026-01-03''))') plan WHERE plan ~ 'Removed|on parts';
RESET ROLE;
SET plan_cache_mode = force_custom_plan;
SELECT plan FROM plan_of('EXECUTE of_parts(gid_lower_bound(''o'', ''2026-01-03''))') plan WHERE plan ~ 'Removed|on parts';
-- The check is part of the plan.
SET plan_cache_mode = force_generic_plan;
SET gid.check_comparisons = off;
EXECUTE below(gid_lower_bound('p', '2026-01-01'));
DISCARD PLANS;
SELECT * FROM error_of($$EXECUTE below(gid_lower_bound('p', '2026-01-01'))$$);
RESET gid.check_comparisons;
DISCARD PLANS;
-- If PUBLIC cannot execute a function, a comparison of different kinds still is an error.
REVOKE EXECUTE ON FUNCTION _gid_check_compared, gid_lower_bound(text, timestamptz) FROM PUBLIC;
SELECT state FROM error_of($$EXECUTE below(gid_lower_bound('p', '2026-01-01'))$$);
SELECT state FROM error_of($$EXPLAIN SELECT FROM orders WHERE id < gid_lower_bound('p', now())$$);
SET ROLE regress_gid_reader;
SELECT state, message FROM error_of($$EXECUTE below(NULL)$$);
RESET ROLE;
GRANT EXECUTE ON FUNCTION _gid_check_compared, gid_lower_bound(text, timestamptz) TO PUBLIC;
DEALLOCATE ALL;
RESET plan_cache_mode;
RESET enable_seqscan;
RESET enable_bitmapscan;
RESET track_functions;
DROP TABLE parts;
DROP FUNCTION calls;
RESET max_parallel_workers_per_gather;
DROP POLICY any_id ON orders;

-- A partial index is used, and ON CONFLICT names it.
CREATE TABLE recent (id gid(o), customer gid(c));
CREATE UNIQUE INDEX recent_id ON recent (id) WHERE id >= 'A4Kf83hj9f-1111111111111' AND customer < id;
INSERT INTO recent SELECT gid_new('o'), gid_new('c');
INSERT INTO recent SELECT * FROM recent ON CONFLICT (id) WHERE id >= 'A4Kf83hj9f-1111111111111' AND customer < id DO NOTHING;
SELECT state FROM error_of($$INSERT INTO recent SELECT * FROM recent ON CONFLICT (id) WHERE customer < id DO NOTHING$$);
-- So it is if the constant belongs to a domain with a constraint.
CREATE DOMAIN checked_id AS gid CHECK (VALUE IS NOT NULL);
CREATE UNIQUE INDEX recent_customer ON recent (customer) WHERE id >= 'A4Kf83hj9f-1111111111111'::checked_id;
INSERT INTO recent SELECT * FROM recent ON CONFLICT (customer) WHERE id >= 'A4Kf83hj9f-1111111111111'::checked_id DO NOTHING;
SELECT state FROM error_of($$SELECT FROM recent WHERE id < '8H24TMQEGM-21Kj8kUFQLRhg'::checked_id$$);
SELECT state FROM error_of($$SELECT FROM recent WHERE id < NULL::checked_id$$);
DROP TABLE recent;
DROP DOMAIN checked_id;

-- A foreign key between kinds is accepted.  It can only hold NULLs.
SET client_min_messages = error;
ALTER TABLE customers ADD FOREIGN KEY (order_id) REFERENCES orders;
SELECT state FROM error_of('ALTER TABLE customers ADD FOREIGN KEY (id) REFERENCES orders');
CREATE TABLE visits (customer gid(c), n int);
INSERT INTO visits VALUES (NULL, 1);
ALTER TABLE visits ADD CONSTRAINT visits_order FOREIGN KEY (customer) REFERENCES orders NOT VALID;
ALTER TABLE visits VALIDATE CONSTRAINT visits_order;
SELECT state FROM error_of($$INSERT INTO visits SELECT id FROM customers$$);
SELECT state FROM error_of($$SELECT FROM visits JOIN orders ON customer = id$$);
DROP TABLE visits;
-- A table whose expressions or policies compare kinds can be used.
ALTER TABLE customers ADD CHECK (order_id <> id);
CREATE INDEX ON customers (id) WHERE id <> order_id;
INSERT INTO customers SELECT gid_new('c'), id FROM orders;
SELECT count(*) FROM customers WHERE order_id IS NOT NULL;
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
CREATE POLICY columns ON customers USING (id < order_id);
CREATE POLICY everything ON orders USING (true);
SET ROLE regress_gid_reader;
SELECT count(*) FROM customers;
RESET ROLE;
-- The hint mentions policies, because the query may not contain the comparison.
ALTER POLICY columns ON customers USING (id < (SELECT max(id) FROM orders));
SET ROLE regress_gid_reader;
SELECT state, hint FROM error_of($$SELECT count(*) FROM customers$$);
RESET ROLE;
ALTER TABLE customers DISABLE ROW LEVEL SECURITY;
-- Materialized views are not checked.
CREATE MATERIALIZED VIEW all_before AS SELECT count(*) FROM customers WHERE id < (SELECT max(id) FROM orders) OR id = ANY (SELECT id FROM orders);
REFRESH MATERIALIZED VIEW all_before;
DROP MATERIALIZED VIEW all_before;

-- Any role turns the check off.
SET ROLE regress_gid_reader;
SELECT count(*) FROM orders o JOIN customers c ON o.id = c.id;
SET gid.check_comparisons = off;
SELECT count(*) FROM orders o JOIN customers c ON o.id = c.id;
SELECT count(*) FROM orders o JOIN customers c ON o.id > c.id;
RESET gid.check_comparisons;
RESET ROLE;

DROP TABLE orders, customers;
DROP DOMAIN order_id;
DROP FUNCTION rejected;
DROP ROLE regress_gid_reader;
