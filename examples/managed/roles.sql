-- Two roles that own nothing.  The reader has privileges on some columns, and
-- a policy hides orders from it.  The writer can insert.
CREATE ROLE managed_reader;
CREATE ROLE managed_writer;
GRANT managed_reader, managed_writer TO CURRENT_USER;
GRANT SELECT (id, item) ON orders TO managed_reader;
GRANT SELECT ON customers, orders TO managed_writer;
GRANT INSERT (name) ON customers TO managed_writer;
GRANT INSERT ON orders TO managed_writer;

ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON orders FOR SELECT TO managed_reader USING (item NOT LIKE '%5');
CREATE POLICY all_readable ON orders FOR SELECT TO managed_writer USING (true);
CREATE POLICY writable ON orders FOR INSERT TO managed_writer WITH CHECK (true);

GRANT USAGE ON SCHEMA checks TO managed_reader, managed_writer;

SET ROLE managed_reader;
SELECT checks.shows('reader: a range of time, without the rows that a policy hides',
	count(*) BETWEEN 50 AND 55 AND bool_and(item NOT LIKE '%5' AND gid.gid_kind(id) = 'o'))
FROM orders WHERE id >= gid.gid_lower_bound('o', now() - interval '1 hour');
SELECT checks.shows('reader: the primary key finds the range of time', count(*) = 1)
FROM checks.plan_of($$SELECT item FROM orders WHERE id >= gid.gid_lower_bound('o', now() - interval '1 hour')$$) AS line
WHERE line ~ '^ +Index Cond: ';
SELECT checks.shows('reader: ids as text', count(*) = 1) FROM orders
WHERE id = gid.gid_parse((SELECT gid.gid_text(id) FROM orders ORDER BY id DESC LIMIT 1));

SET ROLE managed_writer;
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
RESET ROLE;
