CREATE EXTENSION gid;
CREATE EXTENSION citus_columnar;

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

-- A copy on each node; by the id; and by the tenant, with the id in the key.
CREATE TABLE countries (id gid(k) PRIMARY KEY DEFAULT gid_new('k'), name text UNIQUE);
SELECT create_reference_table('countries') \g /dev/null
CREATE TABLE customers (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text, country gid(k) REFERENCES countries);
SELECT create_distributed_table('customers', 'id') \g /dev/null
CREATE TABLE orders (
    id       gid(o) DEFAULT gid_new('o'),
    customer gid(c) REFERENCES customers,
    item     text,
    PRIMARY KEY (customer, id)
);
SELECT create_distributed_table('orders', 'customer', colocate_with => 'customers') \g /dev/null

-- Constraints of the table, and of a domain.
CREATE TABLE invoices (
    id     gid(i) PRIMARY KEY DEFAULT gid_new('i') CHECK (id >= timestamptz '2026-01-01 00:00+00'),
    amount numeric
);
SELECT create_distributed_table('invoices', 'id', colocate_with => 'none') \g /dev/null
CREATE DOMAIN invoice_id AS gid(i) CHECK (VALUE >= timestamptz '2026-01-01 00:00+00');
CREATE TABLE in_domain (id invoice_id PRIMARY KEY, amount numeric);
SELECT create_distributed_table('in_domain', 'id', colocate_with => 'none') \g /dev/null

-- By the tenant, and by months of the id below that.
CREATE TABLE events (
    id       gid(e) DEFAULT gid_new('e'),
    customer gid(c),
    body     text,
    PRIMARY KEY (customer, id)
) PARTITION BY RANGE (id);
SELECT create_distributed_table('events', 'customer', colocate_with => 'customers') \g /dev/null
SELECT format('CREATE TABLE events_%s PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
              to_char(month, 'YYYY_MM'), gid_lower_bound('e', month), gid_lower_bound('e', month + interval '1 month'))
FROM generate_series(timestamptz '2026-01-01', '2026-06-01', '1 month') month \gexec

-- In columns, for what is old.
CREATE TABLE archive (id gid(a), n int) USING columnar;
SELECT alter_columnar_table_set('archive', chunk_group_row_limit => 1000) \g /dev/null

INSERT INTO countries (name) VALUES ('Austria'), ('Brazil');
INSERT INTO customers (name, country)
SELECT 'customer ' || n, country.id
FROM generate_series(1, 1000) n, (SELECT id FROM countries WHERE name = 'Austria' OFFSET 0) country;
