CREATE EXTENSION gid;

CREATE FUNCTION shows(what text, holds boolean) RETURNS text LANGUAGE sql
RETURN CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what;
-- The plan of a statement, in one string.
CREATE FUNCTION plan_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    plan text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ' || statement LOOP
        plan := plan || line || E'\n';
    END LOOP;
    RETURN plan;
END $$;

-- By the id, and by the tenant, with the id in the key.
CREATE TABLE customers (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text);
SELECT create_distributed_table('customers', 'id') \g /dev/null
CREATE TABLE orders (
    id       gid(o) DEFAULT gid_new('o'),
    customer gid(c) REFERENCES customers,
    item     text,
    PRIMARY KEY (customer, id)
);
SELECT create_distributed_table('orders', 'customer', colocate_with => 'customers') \g /dev/null
CREATE TABLE invoices (
    id     gid(i) PRIMARY KEY DEFAULT gid_new('i') CHECK (id >= timestamptz '2026-01-01 00:00+00'),
    amount numeric
);
SELECT create_distributed_table('invoices', 'id', colocate_with => 'none') \g /dev/null
INSERT INTO customers (name) SELECT 'customer ' || n FROM generate_series(1, 1000) n;
