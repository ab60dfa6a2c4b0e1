-- Hashing: the two functions, and a constraint that uses them.  (Hash indexes are
-- in index.sql, hash joins in join.sql, hash partitions in partition.sql.)
CREATE TABLE orders (id gid(o));
INSERT INTO orders SELECT gid_new('o') FROM generate_series(1, 10000);

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

-- The hash of an id stays what it is, or rows are not found again.
SELECT id, gid_hash(id::gid), gid_hash_extended(id::gid, 8816678312871386365) FROM vector ORDER BY id LIMIT 4;

-- An exclusion constraint by the hash operator class.
CREATE TABLE booked (room gid(o), EXCLUDE USING hash (room WITH =));
INSERT INTO booked VALUES ('A51L9Ve8sp-21Kj8kUFQLRhg');
SELECT state FROM error_of($$INSERT INTO booked VALUES ('A51L9Ve8sp-21Kj8kUFQLRhg')$$);
DROP TABLE booked, orders;
