-- Joins, grouping, foreign keys.
CREATE TABLE customer (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text);
CREATE TABLE orders (
	id gid(o) PRIMARY KEY DEFAULT gid_new('o'),
	customer gid(c) NOT NULL REFERENCES customer ON UPDATE CASCADE ON DELETE CASCADE
);
INSERT INTO customer (name) SELECT 'customer ' || n FROM generate_series(1, 100) n;
INSERT INTO orders (customer) SELECT id FROM customer, generate_series(1, 100);
CREATE INDEX ON orders (customer);
ANALYZE customer, orders;

-- Merge, hash and nested-loop joins agree.
SET enable_hashjoin = off;
SET enable_nestloop = off;
SELECT line FROM plan_of('SELECT count(*) FROM customer JOIN orders ON customer.id = customer') line WHERE line ~ 'Join';
SELECT count(*), count(DISTINCT customer) FROM customer JOIN orders ON customer.id = customer;
SELECT line FROM plan_of('SELECT count(*) FROM customer FULL JOIN orders ON customer.id = customer') line WHERE line ~ 'Join';
RESET enable_hashjoin;
SET enable_mergejoin = off;
SELECT line FROM plan_of('SELECT count(*) FROM customer JOIN orders ON customer.id = customer') line WHERE line ~ 'Join';
SELECT count(*), count(DISTINCT customer) FROM customer JOIN orders ON customer.id = customer;
RESET enable_nestloop;
RESET enable_mergejoin;

-- GROUP BY and DISTINCT, hashed and sorted.
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT customer FROM orders GROUP BY customer;
SELECT count(*), min(c), max(c) FROM (SELECT count(*) c FROM orders GROUP BY customer) g;
SELECT count(*) FROM (SELECT DISTINCT customer FROM orders) d;
RESET enable_sort;
SET enable_hashagg = off;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
EXPLAIN (COSTS OFF) SELECT customer FROM orders GROUP BY customer;
SELECT count(*), min(c), max(c) FROM (SELECT count(*) c FROM orders GROUP BY customer) g;
SELECT count(*) FROM (SELECT DISTINCT customer FROM orders) d;
RESET enable_hashagg;
RESET enable_indexscan;
RESET enable_indexonlyscan;
SELECT count(*) FROM (SELECT id FROM customer UNION SELECT customer FROM orders) u;
SELECT count(*) FROM (SELECT id FROM customer EXCEPT SELECT customer FROM orders) u;
SELECT count(*) FROM (SELECT id FROM customer INTERSECT SELECT customer FROM orders) u;
SELECT count(DISTINCT gid_transaction(id)), count(DISTINCT gid_transaction(customer)) FROM orders;

-- Foreign keys: enforced, cascading, and never between kinds.
SELECT state, message FROM error_of($$INSERT INTO orders (customer) VALUES (gid_new('c'))$$);
SELECT state, message FROM error_of($$INSERT INTO orders (customer) SELECT id FROM orders LIMIT 1$$);
SELECT gid_new('c') AS moved \gset
UPDATE customer SET id = :'moved' WHERE name = 'customer 1';
SELECT count(*) FROM orders WHERE customer = :'moved';
DELETE FROM customer WHERE name = 'customer 1';
SELECT count(*) FROM orders;

DROP TABLE orders, customer;
