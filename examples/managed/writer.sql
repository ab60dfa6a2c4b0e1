-- The writer: ids by default, and ids of other kinds.
\set ON_ERROR_STOP on
BEGIN;
INSERT INTO customers (name) VALUES ('new') RETURNING id AS customer \gset
INSERT INTO orders (customer_id, item) VALUES (:'customer', 'new'), (:'customer', 'newer');
SELECT checks.shows('writer: ids by default, and a reference',
	count(*) = 2 AND bool_and(gid.gid_kind(orders.id) = 'o' AND gid.gid_kind(customers.id) = 'c'))
FROM orders JOIN customers ON customers.id = customer_id
WHERE orders.id >= gid.gid_lower_bound('o', now() - interval '1 hour') AND customers.id = :'customer';
SELECT checks.shows('writer: another kind is rejected, in the key and in a reference',
	checks.state_of(format('INSERT INTO orders (id, customer_id, item) VALUES (%L, %1$L, ''wrong'')', :'customer')) = '23514'
	AND checks.state_of('INSERT INTO orders (customer_id, item) SELECT id, item FROM orders') = '23514');
ROLLBACK;
