-- Moves customers from bigint while they are read and written.

\set ON_ERROR_STOP on
SELECT count(*) AS wrong FROM (
    SELECT new_id <= lag(new_id) OVER (ORDER BY created_at, id) OR number_of(new_id) <> id AS wrong
    FROM customers, gid_of_number('c', created_at, id) AS new_id) AS checked
WHERE wrong;

SET lock_timeout = '2s';
ALTER TABLE customers ADD new_id gid(c);
ALTER TABLE invoices ADD new_customer_id gid(c);

CREATE FUNCTION customers_new_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.new_id := gid_of_number('c', NEW.created_at, NEW.id);
    RETURN NEW;
END $$;
CREATE TRIGGER new_id BEFORE INSERT OR UPDATE ON customers
FOR EACH ROW WHEN (NEW.new_id IS NULL) EXECUTE FUNCTION customers_new_id();

CREATE FUNCTION invoices_new_customer_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.new_customer_id := (SELECT gid_of_number('c', created_at, id) FROM customers WHERE id = NEW.customer_id);
    RETURN NEW;
END $$;
CREATE TRIGGER new_customer_id BEFORE INSERT OR UPDATE ON invoices
FOR EACH ROW EXECUTE FUNCTION invoices_new_customer_id();

CALL backfill('customers', 'id', 'new_id');
VACUUM ANALYZE customers;
CALL backfill('invoices', 'customer_id', 'new_customer_id');
VACUUM ANALYZE invoices;

CREATE UNIQUE INDEX CONCURRENTLY customers_new_id ON customers (new_id);
CREATE UNIQUE INDEX CONCURRENTLY customers_number ON customers (number_of(new_id));
CREATE INDEX CONCURRENTLY invoices_new_customer_id_idx ON invoices (new_customer_id);

SET lock_timeout = '2s';
ALTER TABLE customers ADD CONSTRAINT new_id CHECK (new_id IS NOT NULL) NOT VALID;
ALTER TABLE customers VALIDATE CONSTRAINT new_id;
ALTER TABLE customers ALTER new_id SET NOT NULL;
ALTER TABLE invoices ADD CONSTRAINT new_customer_id CHECK (new_customer_id IS NOT NULL) NOT VALID;
ALTER TABLE invoices VALIDATE CONSTRAINT new_customer_id;
ALTER TABLE invoices ALTER new_customer_id SET NOT NULL;

BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE customers, invoices IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE invoices ADD CONSTRAINT invoices_new_customer_id_fkey
FOREIGN KEY (new_customer_id) REFERENCES customers (new_id) NOT VALID;
COMMIT;
ALTER TABLE invoices VALIDATE CONSTRAINT invoices_new_customer_id_fkey;

CREATE SEQUENCE customer_numbers;

BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE customers, invoices IN ACCESS EXCLUSIVE MODE;

DROP FUNCTION customers_new_id, invoices_new_customer_id CASCADE;
SELECT setval('customer_numbers', nextval(pg_get_serial_sequence('customers', 'id')), false);

ALTER TABLE invoices DROP customer_id, DROP CONSTRAINT new_customer_id;
ALTER TABLE invoices RENAME new_customer_id TO customer_id;
ALTER TABLE invoices RENAME CONSTRAINT invoices_new_customer_id_fkey TO invoices_customer_id_fkey;
ALTER INDEX invoices_new_customer_id_idx RENAME TO invoices_customer_id_idx;

ALTER TABLE customers DROP id, DROP CONSTRAINT new_id;
ALTER TABLE customers RENAME new_id TO id;
ALTER TABLE customers ADD CONSTRAINT customers_pkey PRIMARY KEY USING INDEX customers_new_id,
                      ALTER id SET DEFAULT gid_of_number('c', now(), nextval('customer_numbers'));
COMMIT;
