-- Customers and orders with ids in columns of uuid, each of a domain that
-- takes one kind only.

CREATE DOMAIN customer_id AS uuid
    CHECK (VALUE >= gid.gid_lower_bound('c', '-infinity') AND VALUE < gid.gid_lower_bound('c', 'infinity'));
CREATE DOMAIN order_id AS uuid
    CHECK (VALUE >= gid.gid_lower_bound('o', '-infinity') AND VALUE < gid.gid_lower_bound('o', 'infinity'));

CREATE TABLE customers (
    id   customer_id PRIMARY KEY DEFAULT gid.gid_random('c'),
    name text NOT NULL
);
CREATE TABLE orders (
    id          order_id PRIMARY KEY DEFAULT gid.gid_random('o'),
    customer_id customer_id NOT NULL REFERENCES customers,
    item        text NOT NULL
);
CREATE INDEX orders_customer_id_idx ON orders (customer_id);

INSERT INTO customers (name) SELECT 'customer ' || n FROM generate_series(1, 100) n;
INSERT INTO orders (id, customer_id, item)
SELECT gid.gid_random('o', now() - n * interval '1 minute'), id, 'item ' || n
FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM customers) AS c, generate_series(1, 10000) n
WHERE n % 100 = place % 100;
VACUUM ANALYZE customers, orders;
