SELECT shows('the ids of one transaction spread evenly: ' || min(count) || ' to ' || max(count) || ' in ' || count(*) || ' shards',
             sum(count) = 1000 AND count(*) = 32 AND max(count) < 80)
FROM (SELECT get_shard_id_for_distribution_column('customers', id) AS shard, count(*) FROM customers GROUP BY 1) s;

-- Where Citus puts a row, and where it looks for it.
SELECT id AS customer FROM customers WHERE name = 'customer 500' \gset
SELECT shows('one shard is asked for one id', plan_of(format('SELECT * FROM customers WHERE id = %L', :'customer')) LIKE '%Task Count: 1%');
PREPARE find_customer(gid) AS SELECT name FROM customers WHERE id = $1;
SELECT shows('a parameter also queries one shard', plan_of(format('EXECUTE find_customer(%L)', :'customer')) LIKE '%Task Count: 1%');
CREATE TEMPORARY TABLE found (name text);
SELECT format('INSERT INTO found SELECT name FROM (SELECT * FROM customers WHERE id = %L OFFSET 0) x', id) FROM customers \gexec
SELECT shows('each is found by its id', count(DISTINCT name) = 1000) FROM found;

-- The kind.
\set ON_ERROR_STOP off
\set VERBOSITY sqlstate
INSERT INTO customers (id, name) VALUES (gid_new('o'), 'an order');
SELECT shows('an id of another kind is rejected', :'LAST_ERROR_SQLSTATE' = '22023');

-- Constraints.
INSERT INTO invoices (id) VALUES (gid_random('i', '2025-12-31'));
SELECT shows('a CHECK of the table is checked', :'LAST_ERROR_SQLSTATE' = '23514');
\set ON_ERROR_STOP on
\set VERBOSITY default
INSERT INTO invoices (amount) SELECT n FROM generate_series(1, 100) n;
INSERT INTO in_domain SELECT id, amount FROM (SELECT * FROM invoices OFFSET 0) one_place;
SELECT id AS invoice FROM invoices WHERE amount = 50 \gset
SELECT shows('a row of a table with a CHECK is found', count(*) = 1) FROM invoices WHERE id = :'invoice';
UPDATE invoices SET amount = 5000 WHERE id = :'invoice';
SELECT shows('a row of a table with a CHECK is updated', :ROW_COUNT = 1);
SELECT shows('a table that is distributed by a domain with a CHECK has the row', count(*) = 1) FROM in_domain WHERE amount = 50;
SELECT shows('the row is not found by its id', count(*) = 0) FROM in_domain WHERE id = :'invoice';

-- Tenants.
INSERT INTO orders (customer, item)
SELECT customers.id, 'item ' || n FROM customers, generate_series(1, 10) n;
SELECT shows('each order is beside its customer', count(*) = 10000)
FROM orders JOIN customers ON customers.id = customer;
SELECT shows('a join of what one customer has asks one shard',
             plan_of(format('SELECT * FROM orders JOIN customers ON customers.id = customer WHERE customer = %L', :'customer')) LIKE '%Task Count: 1%');
SELECT shows('a table that is the same on each node is joined there', count(*) = 1000)
FROM customers JOIN countries ON countries.id = country;
SELECT shows('the nodes that insert from a distributed table mint: ' || string_agg(DISTINCT gid_node(id)::text, ', '),
             count(DISTINCT gid_node(id)) > 1)
FROM orders;
INSERT INTO orders (customer, item)
SELECT id, 'here' FROM (SELECT id FROM customers OFFSET 0) one_place;
SELECT shows('unless the rows come from one place', string_agg(DISTINCT gid_node(id)::text, ', ') = '0')
FROM orders WHERE item = 'here';

-- Time.
SELECT shows('a range of time is read by the index of each shard',
             plan_of($$SELECT * FROM customers WHERE id >= now() - interval '2 hours' AND id < now() - interval '1 hour'$$)
             LIKE '%Index Cond: %gid_lower_bound%');
SELECT shows('a range as one value, too', plan_of($$SELECT * FROM customers WHERE gid_within(id, '[2026-01-01,2026-02-01)')$$)
             LIKE '%Index Cond: ((id >= %) AND (id < %))%');
SELECT id AS newest FROM orders ORDER BY id DESC LIMIT 1 \gset
SELECT shows('the newest id is that of max()', max(id) = :'newest') FROM orders;

-- Partitions by month.
INSERT INTO events (id, customer)
SELECT gid_random('e', timestamptz '2026-01-01' + n * interval '1 hour'), customer.id
FROM generate_series(0, 4000) n, (SELECT id FROM customers OFFSET 0 LIMIT 1) customer;
SELECT shows('each month has its own', count(*) = 672) FROM events_2026_02;
SELECT plan_of($$SELECT * FROM events WHERE id >= timestamptz '2026-02-03' AND id < timestamptz '2026-02-05'$$) AS plan \gset
SELECT shows('two days are read from their month only', :'plan' LIKE '%events_2026_02%' AND :'plan' NOT LIKE '%events_2026_03%');
DROP TABLE events_2026_01;
SELECT shows('a month is dropped on all nodes', count(*) = 4001 - 744) FROM events;

-- Columns.
INSERT INTO archive SELECT gid_random('a', timestamptz '2026-01-01' + n * interval '1 minute'), n FROM generate_series(0, 19999) n;
SELECT plan_of($$SELECT count(*) FROM archive WHERE id >= timestamptz '2026-01-14'$$) AS plan \gset
SELECT shows('a columnar table skips what is out of the range: ' || skipped || ' of 20', skipped::int >= 17)
FROM substring(:'plan' FROM 'Chunk Groups Removed by Filter: (\d+)') skipped;
