-- Joins, grouping, keys between tables.
CREATE TABLE customer (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text);
CREATE TABLE orders (
	id gid(o) PRIMARY KEY DEFAULT gid_new('o'),
	customer gid(c) NOT NULL REFERENCES customer ON UPDATE CASCADE ON DELETE CASCADE
);
INSERT INTO customer (name) SELECT 'customer ' || n FROM generate_series(1, 100) n;
INSERT INTO orders (customer) SELECT id FROM customer, generate_series(1, 100);
CREATE INDEX ON orders (customer);
ANALYZE customer, orders;

-- Merge, hash and nested-loop joins agree.
SET enable_hashjoin = off;
SET enable_nestloop = off;
SELECT line FROM plan_of('SELECT count(*) FROM customer JOIN orders ON customer.id = customer') line WHERE line ~ 'Join';
SELECT count(*), count(DISTINCT customer) FROM customer JOIN orders ON customer.id = customer;
SELECT line FROM plan_of('SELECT count(*) FROM customer FULL JOIN orders ON customer.id = customer') line WHERE line ~ 'Join';
RESET enable_hashjoin;
SET enable_mergejoin = off;
SELECT line FROM plan_of('SELECT count(*) FROM customer JOIN orders ON customer.id = customer') line WHERE line ~ 'Join';
SELECT count(*), count(DISTINCT customer) FROM customer JOIN orders ON customer.id = customer;
RESET enable_nestloop;
RESET enable_mergejoin;

-- The two hashes agree as PostgreSQL requires: with seed 0, in the low half.
SELECT bool_and(gid_hash(id) = (gid_hash_extended(id, 0) & x'FFFFFFFF'::bigint)::bit(32)::int) AS agree,
	   bool_or(gid_hash_extended(id, 0) <> gid_hash_extended(id, 1)) AS seeded FROM orders;
-- And spread ids that differ only in their offset.
SELECT count(DISTINCT gid_hash(id)) > 9990 AS spread, min(count) > 400 AS low_bits
FROM orders, LATERAL (SELECT count(*) FROM orders GROUP BY gid_hash(id) & 15) b;

-- The hash is MurmurHash3's last step over high * 2^64 / phi + low; here in
-- plain arithmetic.
CREATE FUNCTION number(bits bit(64)) RETURNS numeric LANGUAGE sql IMMUTABLE AS
$$ SELECT bits::bigint + CASE WHEN bits::bigint < 0 THEN 2::numeric ^ 64 ELSE 0 END $$;
CREATE FUNCTION bits(number numeric) RETURNS bit(64) LANGUAGE sql IMMUTABLE AS
$$ SELECT (n - CASE WHEN n >= 2::numeric ^ 63 THEN 2::numeric ^ 64 ELSE 0 END)::bigint::bit(64)
   FROM (SELECT mod(number, 2::numeric ^ 64) AS n OFFSET 0) m $$;
CREATE FUNCTION last_step(h bit(64)) RETURNS bit(64) LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	h := h # (h >> 33);
	h := bits(number(h) * number(x'FF51AFD7ED558CCD'));
	h := h # (h >> 33);
	h := bits(number(h) * number(x'C4CEB9FE1A85EC53'));
	RETURN h # (h >> 33);
END $$;
CREATE FUNCTION plain_hash(id gid, seed bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT last_step(bits(number(high) * number(x'9E3779B97F4A7C15') + number(low)) # last_step(seed::bit(64)))::bigint
   FROM (SELECT right(substr(gid_send(id), 1, 8)::text, -1)::bit(64) AS high,
				right(substr(gid_send(id), 9)::text, -1)::bit(64) AS low) words $$;
SELECT count(*), bool_and(gid_hash_extended(id, seed) = plain_hash(id, seed)) AS right
FROM (SELECT id::gid FROM vector
	  UNION ALL SELECT set_byte(uuid_send(gen_random_uuid()), 0, 128 + n % 128)::gid FROM generate_series(1, 500) n) i,
	 unnest('{0,1,-1,8816678312871386365}'::bigint[]) seed;
DROP FUNCTION plain_hash, last_step, bits, number;

-- GROUP BY and DISTINCT, hashed and sorted.
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT customer FROM orders GROUP BY customer;
SELECT count(*), min(c), max(c) FROM (SELECT count(*) c FROM orders GROUP BY customer) g;
SELECT count(*) FROM (SELECT DISTINCT customer FROM orders) d;
RESET enable_sort;
SET enable_hashagg = off;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
EXPLAIN (COSTS OFF) SELECT customer FROM orders GROUP BY customer;
SELECT count(*), min(c), max(c) FROM (SELECT count(*) c FROM orders GROUP BY customer) g;
SELECT count(*) FROM (SELECT DISTINCT customer FROM orders) d;
RESET enable_hashagg;
RESET enable_indexscan;
RESET enable_indexonlyscan;
SELECT count(*) FROM (SELECT id FROM customer UNION SELECT customer FROM orders) u;
SELECT count(*) FROM (SELECT id FROM customer EXCEPT SELECT customer FROM orders) u;
SELECT count(*) FROM (SELECT id FROM customer INTERSECT SELECT customer FROM orders) u;
SELECT count(DISTINCT gid_transaction(id)), count(DISTINCT gid_transaction(customer)) FROM orders;

-- Foreign keys: enforced, cascading, and never between kinds.
SELECT state, message FROM error_of($$INSERT INTO orders (customer) VALUES (gid_new('c'))$$);
SELECT state, message FROM error_of($$INSERT INTO orders (customer) SELECT id FROM orders LIMIT 1$$);
SELECT gid_new('c') AS moved \gset
UPDATE customer SET id = :'moved' WHERE name = 'customer 1';
SELECT count(*) FROM orders WHERE customer = :'moved';
DELETE FROM customer WHERE name = 'customer 1';
SELECT count(*) FROM orders;

-- An exclusion constraint over the hash class, and generated columns.
CREATE TABLE booked (room gid(o), EXCLUDE USING hash (room WITH =));
INSERT INTO booked VALUES ('A51L9Ve8sp-21Kj8kUFQLRhg');
SELECT state FROM error_of($$INSERT INTO booked VALUES ('A51L9Ve8sp-21Kj8kUFQLRhg')$$);
CREATE TABLE timed (id gid(t) DEFAULT gid_new('t'), kind text GENERATED ALWAYS AS (gid_kind(id)) STORED,
					transaction gid(t) GENERATED ALWAYS AS (gid_transaction(id)) STORED);
INSERT INTO timed DEFAULT VALUES;
SELECT kind, transaction = gid_transaction(id) AS transaction FROM timed;
DROP TABLE booked, timed, orders, customer;
