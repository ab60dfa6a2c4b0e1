SELECT shows('gid.node of all nodes',
             (SELECT string_agg(result, ' ' ORDER BY result) FROM run_command_on_all_nodes('SELECT node FROM gid_generator()')) = '0 1 2');
SELECT shows('the ids of one transaction spread evenly: ' || min(count) || ' to ' || max(count) || ' in ' || count(*) || ' shards',
             sum(count) = 1000 AND count(*) = 32 AND max(count) < 80)
FROM (SELECT get_shard_id_for_distribution_column('customers', id) AS shard, count(*) FROM customers GROUP BY 1) s;
SELECT id AS customer FROM customers WHERE name = 'customer 500' \gset
SELECT shows('one shard is asked for one id', plan_of(format('SELECT * FROM customers WHERE id = %L', :'customer')) LIKE '%Task Count: 1%');
PREPARE find_customer(gid) AS SELECT name FROM customers WHERE id = $1;
SELECT shows('a parameter also queries one shard', plan_of(format('EXECUTE find_customer(%L)', :'customer')) LIKE '%Task Count: 1%');

\set ON_ERROR_STOP off
\set VERBOSITY sqlstate
INSERT INTO customers (id, name) VALUES (gid_new('o'), 'an order');
SELECT shows('an id of another kind is rejected', :'LAST_ERROR_SQLSTATE' = '22023');
INSERT INTO invoices (id) VALUES (gid_random('i', '2025-12-31'));
SELECT shows('a CHECK of the table is checked', :'LAST_ERROR_SQLSTATE' = '23514');
\set ON_ERROR_STOP on
\set VERBOSITY default

-- Tenants.
INSERT INTO orders (customer, item)
SELECT customers.id, 'item ' || n FROM customers, generate_series(1, 10) n;
SELECT shows('each order is beside its customer', count(*) = 10000)
FROM orders JOIN customers ON customers.id = customer;
SELECT shows('a join of what one customer has asks one shard',
             plan_of(format('SELECT * FROM orders JOIN customers ON customers.id = customer WHERE customer = %L', :'customer')) LIKE '%Task Count: 1%');
SELECT shows('the nodes that insert from a distributed table mint: ' || string_agg(DISTINCT gid_node(id)::text, ', '),
             count(DISTINCT gid_node(id)) > 1 AND count(DISTINCT id) = count(*))
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
