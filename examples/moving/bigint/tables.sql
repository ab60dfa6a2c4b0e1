-- Customers with keys of bigint, and invoices that refer to them.

CREATE TABLE customers (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    name       text NOT NULL,
    changes    int NOT NULL DEFAULT 0
);
CREATE TABLE invoices (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers,
    changes     int NOT NULL DEFAULT 0
);
CREATE INDEX invoices_customer_id_idx ON invoices (customer_id);

INSERT INTO customers (created_at, name)
SELECT timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.000321 s', 'customer ' || n
FROM generate_series(1, 1000) n;
INSERT INTO invoices (customer_id) SELECT id FROM customers, generate_series(1, 3);
