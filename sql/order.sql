-- Comparison and sorting.

-- All six operators, gid_cmp, and both functions behind min and max, against
-- the order of the bytes, for all pairs of vectors.
SELECT count(*) AS pairs,
	   bool_and((a.id::gid < b.id::gid) = (a.hex < b.hex COLLATE "C")) AS lt,
	   bool_and((a.id::gid <= b.id::gid) = (a.hex <= b.hex COLLATE "C")) AS le,
	   bool_and((a.id::gid = b.id::gid) = (a.hex = b.hex)) AS eq,
	   bool_and((a.id::gid <> b.id::gid) = (a.hex <> b.hex)) AS ne,
	   bool_and((a.id::gid >= b.id::gid) = (a.hex >= b.hex COLLATE "C")) AS ge,
	   bool_and((a.id::gid > b.id::gid) = (a.hex > b.hex COLLATE "C")) AS gt,
	   bool_and(gid_cmp(a.id::gid, b.id::gid) =
				(a.hex > b.hex COLLATE "C")::int - (a.hex < b.hex COLLATE "C")::int) AS cmp,
	   bool_and(gid_smaller(a.id::gid, b.id::gid)::text = least(a.id, b.id)) AS smaller,
	   bool_and(gid_larger(a.id::gid, b.id::gid)::text = greatest(a.id, b.id)) AS larger
FROM vector a, vector b;

-- A difference in any one bit decides, and in the right direction.
SELECT count(*) AS bits, bool_and(set_bit(zero, bit, 1)::gid > zero::gid) AS above,
	   bool_and(NOT set_bit(zero, bit, 1)::gid = zero::gid) AS differs,
	   bool_and((set_bit(zero, bit, 1)::gid > set_bit(zero, other, 1)::gid) =
				(set_bit(zero, bit, 1) > set_bit(zero, other, 1))) AS ordered
FROM (VALUES ('\x80000000000000000000000000000000'::bytea)) v (zero),
	 generate_series(0, 127) bit, generate_series(0, 127) other
WHERE bit <> 7 AND other <> 7;

-- Sorting a hundred thousand ids of every sort, by abbreviated keys, gives the
-- order of the bytes: minted in one transaction and in none, Graft's random
-- byte 7, noise, and all of them within a few milliseconds of each other.
CREATE TABLE unsorted (id gid);
SELECT setseed(0.5);
INSERT INTO unsorted SELECT gid_new('segment') FROM generate_series(1, 20000);
INSERT INTO unsorted SELECT gid_random('segment', now() + random() * interval '10 ms') FROM generate_series(1, 20000);
INSERT INTO unsorted SELECT gid_random('segment') FROM generate_series(1, 20000);
INSERT INTO unsorted
SELECT set_byte(gid_send(gid_random('segment', now() + random() * interval '10 ms')), 7, (random() * 255)::int)::gid
FROM generate_series(1, 20000);
INSERT INTO unsorted SELECT set_byte(uuid_send(gen_random_uuid()), 0, 128 + (random() * 127)::int)::gid
FROM generate_series(1, 20000);
INSERT INTO unsorted SELECT id::gid FROM vector;
CREATE TABLE sorted AS
SELECT id, row_number() OVER (ORDER BY id) AS by_gid, row_number() OVER (ORDER BY gid_send(id)) AS by_bytes,
	   row_number() OVER (ORDER BY id::text COLLATE "C") AS by_text,
	   row_number() OVER (ORDER BY gid_compact(id) COLLATE "C") AS by_compact
FROM unsorted;
SELECT count(*), count(*) FILTER (WHERE by_gid <> by_bytes) AS not_by_bytes,
	   count(*) FILTER (WHERE by_gid <> by_text) AS not_by_text,
	   count(*) FILTER (WHERE by_gid <> by_compact) AS not_by_compact
FROM sorted;
-- In descending order, and on disk.
SET work_mem = '64kB';
SELECT count(*) FILTER (WHERE by_gid + down <> n + 1) AS wrong
FROM (SELECT by_gid, row_number() OVER (ORDER BY id DESC) AS down, count(*) OVER () AS n FROM sorted) d;
RESET work_mem;

-- Abbreviated keys are made in relation to the first id that a sort sees: each
-- of these in turn, in both directions, with a NULL.  They differ in every part,
-- at the edges of each.  Each sort is a query of its own, because PostgreSQL may
-- sort the input of several aggregates before it sorts for each of them.
CREATE TABLE edge AS
SELECT (set_byte('\x00', 0, prefix) || substr(int8send(ms), 3) || set_byte('\x00', 0, byte7) || int8send(low))::gid AS id
FROM unnest('{128,192,239,255}'::int[]) prefix,
	 unnest(ARRAY[0, 1, 1767225600000, 281474976710655]) ms,
	 LATERAL unnest(ARRAY[0, prefix - 1, prefix, least(prefix + 1, 255), 255]) byte7,
	 unnest('{0,1,8,576460752303423488,9223372036854775807,-9223372036854775808,-2251799813685249,-1}'::bigint[]) low;
-- Distances from the first id that fit into a key just so, and of any size.
INSERT INTO edge SELECT gid_make('o', '2026-01-01', low)
FROM unnest(ARRAY[0, 2305843009213693951, 2305843009213693952, 2305843009213693953, 2305843009213693960]) low;
INSERT INTO edge SELECT gid_make('o', '2026-01-01', ((random() - 0.5) * 2 ^ (64 * random()))::bigint) FROM generate_series(1, 200);
INSERT INTO edge VALUES (NULL);
CREATE FUNCTION edges_after(pivot gid) RETURNS SETOF gid LANGUAGE sql AS 'SELECT pivot UNION ALL SELECT id FROM edge';
SELECT count(*) AS pivots,
	   count(*) FILTER (WHERE ARRAY(SELECT id FROM edges_after(pivot.id) id ORDER BY id NULLS FIRST) <>
							  ARRAY(SELECT id FROM edges_after(pivot.id) id ORDER BY gid_send(id) NULLS FIRST)) AS wrong,
	   count(*) FILTER (WHERE ARRAY(SELECT id FROM edges_after(pivot.id) id ORDER BY id DESC NULLS LAST) <>
							  ARRAY(SELECT id FROM edges_after(pivot.id) id ORDER BY gid_send(id) DESC NULLS LAST)) AS wrong_down
FROM edge pivot WHERE id IS NOT NULL;
DROP TABLE edge;
DROP FUNCTION edges_after;

-- Where ids repeat, the sort gives up abbreviating and compares them whole.
SELECT count(*) FILTER (WHERE id < before) AS wrong
FROM (SELECT id, lag(id) OVER (ORDER BY id) AS before
	  FROM (SELECT gid_lower_bound('o', '2026-01-01'::timestamptz + n * 7919 % 20 * interval '1 ms') AS id
			FROM generate_series(1, 100000) n) repeated) s;

-- What one big transaction minted.
SELECT count(*) FILTER (WHERE n <> nth) AS wrong
FROM (SELECT n, row_number() OVER (ORDER BY id) AS nth
	  FROM (SELECT n, id FROM (SELECT n, gid_new('o') AS id FROM generate_series(1, 200000) n OFFSET 0) i
			ORDER BY hashint4(n)) shuffled) s;

-- min and max: right, and from an index.
SELECT min(id) = (SELECT id FROM sorted WHERE by_bytes = 1) AS min,
	   max(id) = (SELECT id FROM sorted ORDER BY by_bytes DESC LIMIT 1) AS max FROM unsorted;
SELECT min(id), max(id) FROM unsorted WHERE false;
CREATE INDEX unsorted_id ON unsorted (id);
VACUUM ANALYZE unsorted;
SELECT line FROM plan_of('SELECT min(id), max(id) FROM unsorted') line WHERE line ~ 'Scan';
SELECT min(id) = (SELECT id FROM sorted WHERE by_bytes = 1) AS min,
	   max(id) = (SELECT id FROM sorted ORDER BY by_bytes DESC LIMIT 1) AS max FROM unsorted;
DROP INDEX unsorted_id;

-- min and max in parallel.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT min(id), max(id) FROM unsorted;
SELECT min(id) = (SELECT id FROM sorted WHERE by_bytes = 1) AS min,
	   max(id) = (SELECT id FROM sorted ORDER BY by_bytes DESC LIMIT 1) AS max FROM unsorted;
-- Only the leader calls gid_new(); workers call gid_random().
EXPLAIN (COSTS OFF, VERBOSE) SELECT gid_new('o') FROM unsorted WHERE gid_prefix(id) = 239;
EXPLAIN (COSTS OFF) SELECT count(gid_random('o')) FROM unsorted;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;

DROP TABLE unsorted, sorted;

-- Ordered-set aggregates, arrays, rows, and what else looks up the order or the equality.
CREATE TABLE item AS SELECT gid_make('o', '2026-01-01', n % 9) AS id, n FROM generate_series(0, 9) n;
CREATE FUNCTION item_id(payload int) RETURNS gid LANGUAGE sql IMMUTABLE AS $$ SELECT gid_make('o', '2026-01-01', payload) $$;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) = item_id(3) AS median, mode() WITHIN GROUP (ORDER BY id) = item_id(0) AS mode,
	   rank(item_id(1)) WITHIN GROUP (ORDER BY id) AS rank, cardinality(array_agg(DISTINCT id)) AS ids, count(DISTINCT (id, n)) AS rows,
	   max(id) FILTER (WHERE n < 3) = item_id(2) AS filtered, array_agg(id ORDER BY id, n) < array_agg(id ORDER BY id DESC, n) AS arrays,
	   array_position(array_agg(id ORDER BY id, n), item_id(1)) AS position, count(*) FILTER (WHERE (id, n) > (item_id(0), 5)) AS greater_rows,
	   count(*) FILTER (WHERE id IS DISTINCT FROM item_id(0)) AS distinct_from
FROM item;
SELECT width_bucket(id, ARRAY[item_id(3), item_id(7)]) AS bucket, count(*) FROM item GROUP BY GROUPING SETS ((1), ()) ORDER BY 1;
CREATE TYPE line_key AS (item gid(o), n int);
CREATE TABLE line (key line_key PRIMARY KEY, EXCLUDE USING hash (key WITH =));
INSERT INTO line SELECT (id, n)::line_key FROM item;
SELECT (key).n, hash_record(key) = hash_record((item_id(0), 9)::line_key) AS same_hash FROM line WHERE key > (item_id(0), 0)::line_key ORDER BY key LIMIT 1;
-- Ranges of ids, such as those of shards.
CREATE TYPE gid_range AS RANGE (subtype = gid);
CREATE TABLE shard (n int, ids gid_range, EXCLUDE USING gist (ids WITH &&));
INSERT INTO shard VALUES (1, gid_range(NULL, item_id(3))), (2, gid_range(item_id(3), item_id(7))), (3, gid_range(item_id(7), NULL));
SELECT state FROM error_of('INSERT INTO shard VALUES (4, gid_range(item_id(6), item_id(8)))');
CREATE INDEX ON shard USING spgist (ids);
SELECT shard.n, count(*) FROM item JOIN shard ON ids @> id GROUP BY 1 ORDER BY 1;
DROP TABLE item, line, shard;
DROP TYPE line_key, gid_range CASCADE;
DROP FUNCTION item_id;
