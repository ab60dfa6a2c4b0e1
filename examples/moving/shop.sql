-- A shop whose customers have uuids, with two foreign keys, a constraint over two columns, a policy and a view.
CREATE EXTENSION gid;

CREATE TABLE customers (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    account    text NOT NULL DEFAULT current_user,
    name       text NOT NULL
);
CREATE TABLE orders (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id uuid NOT NULL REFERENCES customers ON DELETE CASCADE,
    number      int NOT NULL,
    paid_by     uuid REFERENCES customers ON DELETE SET NULL,
    UNIQUE (customer_id, number)
);
CREATE INDEX orders_paid_by ON orders (paid_by) WHERE paid_by IS NOT NULL;
CREATE VIEW paid_orders AS SELECT o.id, o.number, c.name FROM orders o JOIN customers c ON c.id = o.paid_by;

ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON customers USING (account = current_user);
CREATE POLICY own ON orders USING (customer_id IN (SELECT id FROM customers));

CREATE ROLE clerk LOGIN;
GRANT SELECT, INSERT, UPDATE, DELETE ON customers, orders TO clerk;
GRANT SELECT ON paid_orders TO clerk;

INSERT INTO customers (created_at, account, name)
SELECT '2026-01-01 00:00+00'::timestamptz + n * interval '1 minute', 'clerk', 'customer ' || n FROM generate_series(1, 10000) n;
INSERT INTO orders (customer_id, number, paid_by)
SELECT id, number, CASE number WHEN 1 THEN id END FROM customers, generate_series(1, 3) AS number;
ANALYZE customers, orders;

-- What programs wrote.
CREATE TABLE book (place serial, program text, name text, orders int, paid int);
GRANT SELECT, INSERT ON book TO clerk;
GRANT USAGE ON book_place_seq TO clerk;
