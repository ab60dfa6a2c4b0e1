-- Moves customers from bigint in one transaction that locks them.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE customers, invoices IN ACCESS EXCLUSIVE MODE;

CREATE SEQUENCE customer_numbers;
SELECT setval('customer_numbers', nextval(pg_get_serial_sequence('customers', 'id')), false);

CREATE FUNCTION new_customer_id(number bigint) RETURNS gid LANGUAGE sql STABLE
RETURN (SELECT gid_of_number('c', created_at, id) FROM customers WHERE id = number);

ALTER TABLE invoices DROP CONSTRAINT invoices_customer_id_fkey;
ALTER TABLE invoices ALTER customer_id TYPE gid(c) USING new_customer_id(customer_id);
DROP FUNCTION new_customer_id;
ALTER TABLE customers ALTER id DROP IDENTITY;
ALTER TABLE customers ALTER id TYPE gid(c) USING gid_of_number('c', created_at, id);
ALTER TABLE customers ALTER id SET DEFAULT gid_of_number('c', now(), nextval('customer_numbers'));
ALTER TABLE invoices ADD FOREIGN KEY (customer_id) REFERENCES customers;
CREATE UNIQUE INDEX customers_number ON customers (number_of(id));
COMMIT;

ANALYZE customers, invoices;
