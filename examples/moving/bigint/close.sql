-- Gives up numbers for new customers; the old ones can still be looked up.

\set ON_ERROR_STOP on
SET lock_timeout = '2s';
ALTER TABLE customers ALTER id SET DEFAULT gid_new('c');
DROP SEQUENCE customer_numbers;

RESET lock_timeout;
SELECT format('CREATE UNIQUE INDEX CONCURRENTLY customers_old_number ON customers (number_of(id))
               WHERE id < %L', bound),
       format('CREATE FUNCTION customer_of(number bigint) RETURNS gid LANGUAGE sql STABLE
               RETURN (SELECT id FROM customers WHERE number_of(id) = number AND id < %L)', bound)
FROM gid_new('c') AS bound \gexec
DROP INDEX CONCURRENTLY customers_number;
