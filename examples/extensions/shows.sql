\i ../checks.sql
SET search_path = public, checks;
CREATE EXTENSION gid;
CREATE DOMAIN order_id AS gid(o);
CREATE TABLE customers (
    id   gid(c) PRIMARY KEY DEFAULT gid_new('c'),
    name text NOT NULL
);
CREATE TABLE orders (
    id       gid(o) PRIMARY KEY DEFAULT gid_new('o'),
    customer gid(c) NOT NULL REFERENCES customers,
    item     text NOT NULL
);
INSERT INTO customers (name) SELECT 'customer ' || n FROM generate_series(1, 10) n;
INSERT INTO orders (id, customer, item)
SELECT gid_random('o', now() - n * interval '1 minute'), id, 'item ' || n FROM customers, generate_series(1, 1000) n;
CREATE TABLE archive AS SELECT id, item FROM orders;
ANALYZE;

-- Whether the query fails because an id is not of the declared kind.
CREATE FUNCTION is_rejected(query text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
    RETURN false;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM LIKE 'gid of kind "_" does not match type gid(_)%';
END $$;

-- Column definition lists.
CREATE EXTENSION dblink;
CREATE EXTENSION tablefunc;
\getenv password PGPASSWORD
\set self 'host=' :HOST ' port=' :PORT ' dbname=' :DBNAME ' user=' :USER ' password=' :password
SELECT dblink_connect('self', :'self') \g /dev/null
SELECT shows('dblink: ids of a column definition list',
             count(*) = 10000 AND bool_and(gid_kind(id) = 'o' AND pg_typeof(id) = 'gid'::regtype))
FROM dblink('self', 'SELECT id FROM orders') AS t(id gid(o));
SELECT shows('dblink: the wrong kind is rejected',
             is_rejected($$SELECT FROM dblink('self', 'SELECT id FROM customers') AS t(id gid(o))$$));
SELECT shows('crosstab: an id is the name of a row', count(*) = 10 AND bool_and(one = 1 AND two = 1))
FROM crosstab($$SELECT customer, item, count(*)::int FROM orders
                WHERE item IN ('item 101', 'item 102') GROUP BY 1, 2 ORDER BY 1, 2$$)
     AS t(customer gid(c), one int, two int)
     JOIN customers ON customers.id = customer;
SELECT shows('crosstab: the wrong kind is rejected',
             is_rejected($$SELECT FROM crosstab('SELECT customer, item, 1 FROM orders ORDER BY 1, 2')
                           AS t(customer gid(o), one int)$$));

-- A function's signature does not keep the kind. A domain does.
CREATE EXTENSION plpython3u;
CREATE FUNCTION last_of(ids gid[]) RETURNS gid LANGUAGE plpython3u AS 'return max(ids)';
CREATE FUNCTION order_of(id gid) RETURNS order_id LANGUAGE plpython3u AS 'return id';
SELECT shows('PL/Python: ids are text, in their order', last_of(array_agg(id)) = max(id)) FROM orders;
SELECT shows('PL/Python: the result is checked',
             bool_and(order_of(id) = id) AND is_rejected('SELECT order_of(id) FROM customers')) FROM orders;

CREATE EXTENSION plpgsql_check;
CREATE FUNCTION mixes() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    an_order gid(o) := gid_new('o');
    customer gid(c);
BEGIN
    customer := an_order;
    RAISE NOTICE '%', customer;
END $$;
SELECT shows('plpgsql_check: the wrong kind is not detected', count(*) = 0) FROM plpgsql_check_function('mixes') line;
SELECT shows('plpgsql_check: but it is rejected when the function runs', is_rejected('SELECT mixes()'));

-- An index that does not exist, for a condition that gid rewrites.
CREATE EXTENSION hypopg;
SELECT indexname AS btree FROM hypopg_create_index('CREATE INDEX ON archive (id)') \gset
SELECT shows('hypopg: a condition on time uses a hypothetical index',
             array_agg(line) @> ARRAY['Index Scan using ' || quote_ident(:'btree') || ' on archive']
             AND bool_or(line LIKE '%Index Cond: (id >= gid_lower_bound(''o''::text, %'))
FROM plan_of('SELECT * FROM archive WHERE id >= now() - interval ''1 hour''') line;

-- pgTAP prints "ok" itself; a test that must fail is inverted.
CREATE EXTENSION pgtap;
SELECT no_plan() \g /dev/null
SELECT col_type_is('orders', 'id', 'gid(o)', 'pgTAP: col_type_is with the kind');
SELECT shows('pgTAP: col_type_is fails with another kind',
             col_type_is('orders', 'id', 'gid(c)', 'another kind') LIKE 'not ok %have: gid(o)%want: gid(c)%');
SELECT domain_type_is('order_id', 'gid', 'pgTAP: domain_type_is without the kind');
SELECT shows('pgTAP: domain_type_is fails with the kind',
             domain_type_is('order_id', 'gid(o)', 'the kind') LIKE 'not ok %have: gid%want: gid(o)%');
