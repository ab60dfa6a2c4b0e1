-- Moves customers and orders to the type, in one transaction that locks them.

\set ON_ERROR_STOP on
CREATE EXTENSION gid;

BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE customers, orders IN ACCESS EXCLUSIVE MODE;

ALTER TABLE orders DROP CONSTRAINT orders_customer_id_fkey;
ALTER TABLE customers ALTER id DROP DEFAULT;
ALTER TABLE customers ALTER id TYPE gid(c) USING id::gid;
ALTER TABLE customers ALTER id SET DEFAULT gid_new('c');
ALTER TABLE orders ALTER id DROP DEFAULT;
ALTER TABLE orders ALTER id TYPE gid(o) USING id::gid, ALTER customer_id TYPE gid(c) USING customer_id::gid;
ALTER TABLE orders ALTER id SET DEFAULT gid_new('o'), ADD FOREIGN KEY (customer_id) REFERENCES customers;
COMMIT;

ANALYZE customers, orders;
