-- Makes uuid the key of orders again, as it was.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE orders, lines IN ACCESS EXCLUSIVE MODE;

DROP VIEW recent_orders;
DROP FUNCTION lines_old_order_id CASCADE;

ALTER TABLE lines DROP order_id;
ALTER TABLE lines RENAME old_order_id TO order_id;
ALTER INDEX lines_old_order_id_idx RENAME TO lines_order_id_idx;

ALTER TABLE orders DROP id;
ALTER TABLE orders RENAME old_id TO id;
ALTER TABLE orders ADD CONSTRAINT orders_pkey PRIMARY KEY USING INDEX orders_old_id;
ALTER TABLE lines ADD CONSTRAINT lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders NOT VALID;

CREATE VIEW recent_orders AS SELECT id, name FROM orders WHERE created_at > now() - interval '1 day';
COMMIT;

ALTER TABLE lines VALIDATE CONSTRAINT lines_order_id_fkey;
