-- The tables of the examples of drivers: two of doc/tutorial.md.
CREATE EXTENSION gid;
CREATE DOMAIN customer_id AS gid(c);
CREATE DOMAIN order_id    AS gid(o);
CREATE TABLE customers (
    id   customer_id PRIMARY KEY DEFAULT gid_new('c'),
    name text NOT NULL
);
CREATE TABLE orders (
    id       order_id PRIMARY KEY DEFAULT gid_new('o'),
    customer customer_id NOT NULL REFERENCES customers
);
CREATE INDEX ON orders (customer, id);
