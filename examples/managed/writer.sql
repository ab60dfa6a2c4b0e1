-- The writer: ids by default, and ids that are rejected.
\set ON_ERROR_STOP on
\i expressions.sql
BEGIN;
INSERT INTO customers (name) VALUES ('new') RETURNING id AS customer \gset
INSERT INTO orders (customer_id, item) VALUES (:'customer', 'new'), (:'customer', 'newer');
SELECT checks.shows(format('%s, writer: ids by default, and a reference', :'type'),
	count(*) = 2 AND bool_and(:kind(orders.id) = 'o' AND :kind(customers.id) = 'c'))
FROM orders JOIN customers ON customers.id = customer_id WHERE orders.id >= :hour_ago AND customers.id = :'customer';
SELECT checks.shows(format('%s, writer: rejected with %s: %s', :'type', state, what), checks.state_of(statement) = state)
FROM (VALUES
	(:'wrong_kind', 'the key of another kind', format('INSERT INTO orders (id, customer_id, item) VALUES (%L, %1$L, ''wrong'')', :'customer')),
	(:'wrong_kind', 'a reference to another kind', 'INSERT INTO orders (customer_id, item) SELECT id, item FROM orders'),
	('42501', 'a row against the policy', format('INSERT INTO orders (customer_id, item) VALUES (%L, ''forbidden'')', :'customer')),
	('42501', 'a column without a privilege', format('INSERT INTO customers (id, name) VALUES (%L, ''another'')', :'customer')),
	('42501', 'a DELETE without a privilege', 'DELETE FROM orders')) AS rejected (state, what, statement);
ROLLBACK;
