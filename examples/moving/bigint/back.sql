-- Makes bigint the key of customers again, computed from the ids.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE customers, invoices IN ACCESS EXCLUSIVE MODE;

ALTER TABLE invoices DROP CONSTRAINT invoices_customer_id_fkey;
DROP INDEX customers_number;
ALTER TABLE customers ALTER id DROP DEFAULT, ALTER id TYPE bigint USING number_of(id);
ALTER TABLE invoices ALTER customer_id TYPE bigint USING number_of(customer_id);
ALTER TABLE invoices ADD FOREIGN KEY (customer_id) REFERENCES customers;

ALTER TABLE customers ALTER id ADD GENERATED ALWAYS AS IDENTITY;
SELECT setval(pg_get_serial_sequence('customers', 'id'), nextval('customer_numbers'), false);
DROP SEQUENCE customer_numbers;
COMMIT;
