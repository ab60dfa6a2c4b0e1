-- Moves orders from uuid, version 4, in one transaction that locks them.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE orders, lines IN ACCESS EXCLUSIVE MODE;

DROP VIEW recent_orders;
ALTER TABLE lines DROP CONSTRAINT lines_order_id_fkey;
ALTER TABLE orders DROP CONSTRAINT orders_pkey;

ALTER TABLE orders RENAME id TO old_id;
ALTER TABLE orders ADD id gid(o);
UPDATE orders SET id = gid_of_uuid4('o', created_at, old_id);
ALTER TABLE orders ADD PRIMARY KEY (id), ALTER id SET DEFAULT gid_new('o');
CREATE UNIQUE INDEX orders_old_id ON orders (old_id);

ALTER TABLE lines RENAME order_id TO old_order_id;
ALTER TABLE lines ADD order_id gid(o);
UPDATE lines SET order_id = orders.id FROM orders WHERE orders.old_id = lines.old_order_id;
ALTER TABLE lines ALTER order_id SET NOT NULL, ADD FOREIGN KEY (order_id) REFERENCES orders;
ALTER INDEX lines_order_id_idx RENAME TO lines_old_order_id_idx;
CREATE INDEX lines_order_id_idx ON lines (order_id);

CREATE FUNCTION lines_old_order_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.old_order_id := (SELECT old_id FROM orders WHERE id = NEW.order_id);
    RETURN NEW;
END $$;
CREATE TRIGGER old_order_id BEFORE INSERT OR UPDATE ON lines
FOR EACH ROW EXECUTE FUNCTION lines_old_order_id();

CREATE VIEW recent_orders AS SELECT id, name FROM orders WHERE created_at > now() - interval '1 day';
COMMIT;

VACUUM ANALYZE orders, lines;
