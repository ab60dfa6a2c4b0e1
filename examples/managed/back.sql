-- Moves customers and orders back to uuid.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE customers, orders IN ACCESS EXCLUSIVE MODE;

ALTER TABLE orders DROP CONSTRAINT orders_customer_id_fkey;
ALTER TABLE customers ALTER id DROP DEFAULT;
ALTER TABLE customers ALTER id TYPE customer_id USING id::uuid;
ALTER TABLE customers ALTER id SET DEFAULT gid.gid_new('c');
ALTER TABLE orders ALTER id DROP DEFAULT;
ALTER TABLE orders ALTER id TYPE order_id USING id::uuid, ALTER customer_id TYPE customer_id USING customer_id::uuid;
ALTER TABLE orders ALTER id SET DEFAULT gid.gid_new('o'), ADD FOREIGN KEY (customer_id) REFERENCES customers;
COMMIT;

DROP EXTENSION gid;
ANALYZE customers, orders;
