-- The tables of examples/go, java and rust: two of doc/tutorial.md, and the cursors of doc/settled.md.
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
CREATE TABLE cursors (
    consumer text,
    shard    int,
    position gid NOT NULL,
    PRIMARY KEY (consumer, shard)
);
INSERT INTO cursors VALUES ('printer', -1, gid_lower_bound('o', '-infinity'));
