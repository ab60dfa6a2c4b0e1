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
CREATE INDEX ON orders (customer);
INSERT INTO customers (name) SELECT 'customer ' || n FROM generate_series(1, 10) n;
INSERT INTO orders (id, customer, item)
SELECT gid_new('o', now() - n * interval '1 minute'), id, 'item ' || n FROM customers, generate_series(1, 1000) n;
ANALYZE customers, orders;

-- What an application does is done as this role, which owns nothing.
CREATE ROLE extensions_clerk;
GRANT SELECT, INSERT, UPDATE, DELETE ON customers, orders TO extensions_clerk;

CREATE FUNCTION shows(what text, holds boolean) RETURNS text LANGUAGE sql
RETURN CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what;

-- Whether the query fails by this error, or else because an id is not of the declared kind.
CREATE FUNCTION is_refused(query text, error text DEFAULT 'gid of kind "_" does not match type gid(_)%')
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
    RETURN false;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM LIKE error;
END $$;

CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql
AS $$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query; END $$;
