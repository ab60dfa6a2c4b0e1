-- Partitions by gid: by range of creation time, by kind, by hash.
CREATE TABLE event (id gid(segment) PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE event_2026_01 PARTITION OF event
FOR VALUES FROM (gid_lower_bound('segment', '2026-01-01 00:00+00')) TO (gid_lower_bound('segment', '2026-02-01 00:00+00'));
CREATE TABLE event_2026_02 PARTITION OF event
FOR VALUES FROM (gid_lower_bound('segment', '2026-02-01 00:00+00')) TO (gid_lower_bound('segment', '2026-03-01 00:00+00'));
CREATE TABLE event_2026_03 PARTITION OF event
FOR VALUES FROM (gid_lower_bound('segment', '2026-03-01 00:00+00')) TO (MAXVALUE);
INSERT INTO event SELECT gid_random('segment', '2026-01-01 00:00+00'::timestamptz + n * interval '1 hour'), n
FROM generate_series(0, 24 * 90 - 1) n;
SELECT tableoid::regclass AS partition, count(*), min(gid_timestamp(id)) AT TIME ZONE 'UTC' AS first,
	   max(gid_timestamp(id)) AT TIME ZONE 'UTC' AS last
FROM event GROUP BY 1 ORDER BY 1;
ANALYZE event;
EXPLAIN (COSTS OFF) SELECT count(*) FROM event WHERE id >= gid_lower_bound('segment', '2026-02-10 00:00+00')
	AND id < gid_lower_bound('segment', '2026-02-11 00:00+00');
SELECT count(*) FROM event WHERE id >= gid_lower_bound('segment', '2026-02-10 00:00+00')
	AND id < gid_lower_bound('segment', '2026-02-11 00:00+00');
SELECT state, message FROM error_of($$INSERT INTO event VALUES (gid_random('segment', '2025-12-31 23:59:59.999+00'))$$);
SELECT state, message, hint FROM error_of($$CREATE TABLE event_end PARTITION OF event
FOR VALUES FROM (gid_lower_bound('segment', '1999-01-01')) TO (gid_lower_bound('segment', 'infinity'))$$);
-- A row that moves to another time moves to another partition.
UPDATE event SET id = gid_random('segment', '2026-03-15 00:00+00') WHERE n = 0 RETURNING tableoid::regclass;
DROP TABLE event;

-- One table for several kinds, a partition for each.
CREATE TABLE thing (id gid) PARTITION BY RANGE (id);
CREATE TABLE thing_log PARTITION OF thing
FOR VALUES FROM (gid_lower_bound('log', '-infinity')) TO (gid_lower_bound('log', 'infinity'));
CREATE TABLE thing_segment PARTITION OF thing
FOR VALUES FROM (gid_lower_bound('segment', '-infinity')) TO (gid_lower_bound('segment', 'infinity'));
INSERT INTO thing SELECT id::gid FROM vector WHERE kind IN ('log', 'segment');
SELECT tableoid::regclass AS partition, gid_kind(id), count(*) FROM thing GROUP BY 1, 2 ORDER BY 1;
SELECT state, message FROM error_of($$INSERT INTO thing VALUES (gid_new('volume'))$$);
DROP TABLE thing;

-- By hash: every row is found where it was put.  Which partition that is depends on
-- the byte order of the machine.
CREATE TABLE spread (id gid) PARTITION BY HASH (id);
SELECT format('CREATE TABLE spread_%s PARTITION OF spread FOR VALUES WITH (MODULUS 4, REMAINDER %s)', n, n)
FROM generate_series(0, 3) n \gexec
INSERT INTO spread SELECT gid_new('o') FROM generate_series(1, 1000);
SELECT count(*), min(n) > 150 AS even FROM (SELECT count(*) n FROM spread GROUP BY tableoid) p;
INSERT INTO spread VALUES ('8H24TMQEGM-21Kj8kUFQLRhg');
SELECT count(*) FROM spread WHERE id = '8H24TMQEGM-21Kj8kUFQLRhg';
INSERT INTO spread SELECT id::gid FROM vector;
SELECT count(*), bool_and(plan = format('Seq Scan on %s spread', partition)) AS only_there
FROM (SELECT tableoid::regclass AS partition, id FROM spread) s,
	 LATERAL (SELECT plan FROM plan_of(format('SELECT * FROM spread WHERE id = %L', id)) plan LIMIT 1) p;

-- By list.
CREATE TABLE listed (id gid(o)) PARTITION BY LIST (id);
CREATE TABLE listed_one PARTITION OF listed FOR VALUES IN ('A51L9Ve8sp-21Kj8kUFQLRhg');
SELECT state, message FROM error_of($$CREATE TABLE listed_log PARTITION OF listed FOR VALUES IN ('74ggbzxuMf-2uAmM7FwXntwW')$$);
DROP TABLE spread, listed;
