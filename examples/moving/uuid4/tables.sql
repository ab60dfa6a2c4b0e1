-- Orders with keys of uuid, version 4, and lines that refer to them.

CREATE TABLE orders (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    name       text NOT NULL,
    changes    int NOT NULL DEFAULT 0
);
CREATE TABLE lines (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id uuid NOT NULL REFERENCES orders,
    changes  int NOT NULL DEFAULT 0
);
CREATE INDEX lines_order_id_idx ON lines (order_id);
CREATE VIEW recent_orders AS SELECT id, name FROM orders WHERE created_at > now() - interval '1 day';

INSERT INTO orders (created_at, name)
SELECT timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.000321 s', 'order ' || n FROM generate_series(1, 1000) n;
INSERT INTO lines (order_id) SELECT id FROM orders, generate_series(1, 3);
