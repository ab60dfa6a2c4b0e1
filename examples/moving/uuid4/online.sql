-- Moves orders from uuid, version 4, while they are read and written.

\set ON_ERROR_STOP on
SELECT count(*) AS wrong FROM (
    SELECT new_id <= lag(new_id) OVER (ORDER BY created_at, id) AS wrong
    FROM orders, gid_of_uuid4('o', created_at, id) AS new_id) AS checked
WHERE wrong;

SET lock_timeout = '2s';
ALTER TABLE orders ADD new_id gid(o);
ALTER TABLE lines ADD new_order_id gid(o);

CREATE FUNCTION orders_new_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.new_id := gid_of_uuid4('o', NEW.created_at, NEW.id);
    RETURN NEW;
END $$;
CREATE TRIGGER new_id BEFORE INSERT OR UPDATE ON orders
FOR EACH ROW WHEN (NEW.new_id IS NULL) EXECUTE FUNCTION orders_new_id();

CREATE FUNCTION lines_new_order_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.new_order_id := (SELECT gid_of_uuid4('o', created_at, id) FROM orders WHERE id = NEW.order_id);
    RETURN NEW;
END $$;
CREATE TRIGGER new_order_id BEFORE INSERT OR UPDATE ON lines
FOR EACH ROW EXECUTE FUNCTION lines_new_order_id();

CALL backfill('orders', 'id', 'new_id');
VACUUM ANALYZE orders;
CALL backfill('lines', 'order_id', 'new_order_id');
VACUUM ANALYZE lines;

CREATE UNIQUE INDEX CONCURRENTLY orders_new_id ON orders (new_id);
CREATE UNIQUE INDEX CONCURRENTLY orders_old_id ON orders (id);
CREATE INDEX CONCURRENTLY lines_new_order_id_idx ON lines (new_order_id);

SET lock_timeout = '2s';
ALTER TABLE orders ADD CONSTRAINT new_id CHECK (new_id IS NOT NULL) NOT VALID;
ALTER TABLE orders VALIDATE CONSTRAINT new_id;
ALTER TABLE orders ALTER new_id SET NOT NULL;
ALTER TABLE lines ADD CONSTRAINT new_order_id CHECK (new_order_id IS NOT NULL) NOT VALID;
ALTER TABLE lines VALIDATE CONSTRAINT new_order_id;
ALTER TABLE lines ALTER new_order_id SET NOT NULL;

BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE orders, lines IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE lines ADD CONSTRAINT lines_new_order_id_fkey
FOREIGN KEY (new_order_id) REFERENCES orders (new_id) NOT VALID;
COMMIT;
ALTER TABLE lines VALIDATE CONSTRAINT lines_new_order_id_fkey;

BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE orders, lines IN ACCESS EXCLUSIVE MODE;

DROP VIEW recent_orders;
DROP FUNCTION orders_new_id, lines_new_order_id CASCADE;

ALTER TABLE lines DROP CONSTRAINT lines_order_id_fkey, DROP CONSTRAINT new_order_id;
ALTER TABLE lines RENAME CONSTRAINT lines_new_order_id_fkey TO lines_order_id_fkey;
ALTER TABLE lines RENAME order_id TO old_order_id;
ALTER TABLE lines RENAME new_order_id TO order_id;
ALTER INDEX lines_order_id_idx RENAME TO lines_old_order_id_idx;
ALTER INDEX lines_new_order_id_idx RENAME TO lines_order_id_idx;

ALTER TABLE orders DROP CONSTRAINT orders_pkey, DROP CONSTRAINT new_id;
ALTER TABLE orders RENAME id TO old_id;
ALTER TABLE orders RENAME new_id TO id;
ALTER TABLE orders ADD CONSTRAINT orders_pkey PRIMARY KEY USING INDEX orders_new_id,
                   ALTER id SET DEFAULT gid_new('o');

CREATE FUNCTION lines_old_order_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.old_order_id := (SELECT old_id FROM orders WHERE id = NEW.order_id);
    RETURN NEW;
END $$;
CREATE TRIGGER old_order_id BEFORE INSERT OR UPDATE ON lines
FOR EACH ROW EXECUTE FUNCTION lines_old_order_id();

CREATE VIEW recent_orders AS SELECT id, name FROM orders WHERE created_at > now() - interval '1 day';
COMMIT;
