-- Indexes: btree, hash, GIN over arrays.  (BRIN is in brin.sql, skip scans are in
-- skip.sql.)
CREATE TABLE item (id gid(segment) PRIMARY KEY, n int, tags gid[]);
INSERT INTO item
SELECT gid_random('segment', '2026-01-01 00:00:00+00'::timestamptz + n * interval '1 second'), n
FROM generate_series(0, 99999) n;
VACUUM ANALYZE item;

-- An index-only scan over an hour of creation time.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM item
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
SELECT count(*) FROM item
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
SELECT count(*), min(n), max(n) FROM item
WHERE id >= gid_lower_bound('segment', '2026-01-01 10:00:00+00') AND id < gid_lower_bound('segment', '2026-01-01 11:00:00+00');
EXPLAIN (COSTS OFF) SELECT id FROM item ORDER BY id DESC LIMIT 1;
SELECT gid_timestamp(id) = '2026-01-02 03:46:39+00' AS newest FROM item ORDER BY id DESC LIMIT 1;

-- By value, by several values, and with a parameter.
SELECT id AS some_id FROM item WHERE n = 4711 \gset
EXPLAIN (COSTS OFF) SELECT n FROM item WHERE id = '8H24TMQEGM-21Kj8kUFQLRhg';
SELECT n FROM item WHERE id = :'some_id';
SELECT n FROM item WHERE id IN (:'some_id', '8H24TMQEGM-21Kj8kUFQLRhg');
PREPARE by_id(gid) AS SELECT n FROM item WHERE id = $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE by_id(:'some_id');
EXECUTE by_id(:'some_id');
RESET plan_cache_mode;

-- A key stays unique.
SELECT state, message FROM error_of(format('INSERT INTO item VALUES (%L, 0)', :'some_id'));
INSERT INTO item VALUES (:'some_id', 0) ON CONFLICT (id) DO UPDATE SET n = -excluded.n - 1 RETURNING n;
INSERT INTO item VALUES (:'some_id', 0) ON CONFLICT DO NOTHING RETURNING n;
UPDATE item SET n = 4711 WHERE id = :'some_id';

-- Duplicates are stored once.
CREATE TABLE reference (item gid(segment));
INSERT INTO reference SELECT id FROM item, generate_series(1, 10) WHERE n < 10000;
CREATE INDEX reference_item ON reference (item);
CREATE INDEX reference_plain ON reference (item) WITH (deduplicate_items = off);
SELECT pg_relation_size('reference_item') < 0.5 * pg_relation_size('reference_plain') AS deduplicated;
DROP TABLE reference;
RESET enable_bitmapscan;

-- A hash index.
CREATE TABLE hashed WITH (autovacuum_enabled = off) AS SELECT id, n FROM item;
CREATE INDEX hashed_id ON hashed USING hash (id);
EXPLAIN (COSTS OFF) SELECT n FROM hashed WHERE id = '8H24TMQEGM-21Kj8kUFQLRhg';
SELECT count(*) FROM item JOIN LATERAL (SELECT FROM hashed WHERE hashed.id = item.id) h ON true WHERE n < 1000;
DROP TABLE hashed;

-- GIN over arrays of gids.
UPDATE item SET tags = ARRAY[id, gid_lower_bound('o', '2026-01-01'), gid_lower_bound('log', '2026-01-01')] WHERE n % 1000 = 0;
CREATE INDEX item_tags ON item USING gin (tags);
SELECT id AS tagged FROM item WHERE n = 5000 \gset
EXPLAIN (COSTS OFF) SELECT n FROM item WHERE tags @> ARRAY['8H24TMQEGM-21Kj8kUFQLRhg'::gid];
SELECT n FROM item WHERE tags @> ARRAY[:'tagged'::gid];
SELECT count(*) FROM item WHERE tags && ARRAY[gid_lower_bound('o', '2026-01-01')];
SELECT count(*) FROM item WHERE gid_lower_bound('log', '2026-01-01') = ANY (tags);
RESET enable_seqscan;
DROP TABLE item;
