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

-- They are PostgreSQL's own hashes of the 16 bytes, as for uuid.
SELECT count(*), bool_and(gid_hash(id) = uuid_hash(id::uuid)) AS hash,
	   bool_and(gid_hash_extended(id, seed) = uuid_hash_extended(id::uuid, seed)) AS extended
FROM (SELECT id::gid FROM vector UNION ALL TABLE orders) i, unnest('{0,1,-1,8816678312871386365}'::bigint[]) seed;

-- An exclusion constraint by the hash operator class.
CREATE TABLE booked (room gid(o), EXCLUDE USING hash (room WITH =));
INSERT INTO booked VALUES ('A51L9Ve8sp-21Kj8kUFQLRhg');
SELECT state FROM error_of($$INSERT INTO booked VALUES ('A51L9Ve8sp-21Kj8kUFQLRhg')$$);
DROP TABLE booked, orders;
