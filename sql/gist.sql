-- GiST and GIN: the same rows as without an index, and constraints.

SET jit = off;	-- a plan with a disabled scan is so expensive that it would be compiled
-- Kinds, bounds and corners: what the keys of inner pages must cover.
CREATE TABLE spread AS
SELECT gid_random((128 + n % 127)::text, '2026-01-01 00:00+00'::timestamptz + n * interval '1 second') AS id, n
FROM generate_series(1, 3000) n;
INSERT INTO spread SELECT id::gid, 0 FROM vector;
INSERT INTO spread SELECT gid_new('o'), 0 FROM generate_series(1, 500);
INSERT INTO spread SELECT id, 1 FROM spread WHERE n % 10 = 0;
CREATE TABLE probe AS SELECT id FROM spread WHERE n % 200 = 7 UNION SELECT id::gid FROM vector UNION SELECT gid_new('o') UNION
SELECT unnest('{5rLWQQkJdm-1111111111111,Ahg1opVcGW-4FzkJ37568tQv}'::gid[]);
INSERT INTO spread (n) VALUES (NULL);

-- Counts what each operator finds for each probe, first without an index.
CREATE VIEW found AS
SELECT id, (SELECT count(*) FROM spread s WHERE s.id < p.id) AS lt, (SELECT count(*) FROM spread s WHERE s.id <= p.id) AS le,
	   (SELECT count(*) FROM spread s WHERE s.id = p.id) AS eq, (SELECT count(*) FROM spread s WHERE s.id >= p.id) AS ge,
	   (SELECT count(*) FROM spread s WHERE s.id > p.id) AS gt, (SELECT count(*) FROM spread s WHERE s.id <> p.id) AS ne,
	   (SELECT count(*) FROM spread WHERE id IS NULL) AS nulls
FROM probe p;
CREATE TABLE expected AS TABLE found;
-- The operators for which the plan uses an index, and for how many probes the counts are those without an index.
CREATE VIEW compared AS
SELECT (SELECT string_agg(substring(line, 'Index Cond: \(\S+ (\S+)'), ' ' ORDER BY n) FROM plan_of('TABLE found') WITH ORDINALITY p (line, n)) AS operators,
	   (SELECT count(*) FROM (TABLE found INTERSECT TABLE expected) s) AS same, (SELECT count(*) FROM probe) AS probes;
SET enable_seqscan = off;
-- Sorted; buffered; row by row.  A build uses buffers only in a tree of three levels, so pages are small.
CREATE INDEX spread_gist ON spread USING gist (id);
TABLE compared;
DROP INDEX spread_gist;
SET maintenance_work_mem = '1MB';
CREATE INDEX spread_gist ON spread USING gist (id) WITH (buffering = on, fillfactor = 10);
TABLE compared;
RESET maintenance_work_mem;
CREATE TABLE copy AS TABLE spread;
TRUNCATE spread;
INSERT INTO spread SELECT * FROM copy ORDER BY hashint4(n), id;
TABLE compared;
DELETE FROM spread WHERE n % 3 = 0;
VACUUM spread;
INSERT INTO spread SELECT * FROM copy WHERE n % 3 = 0;
TABLE compared;
DROP INDEX spread_gist;
-- GIN, with and without its pending list
CREATE INDEX spread_gin ON spread USING gin (id);
TABLE compared;
DELETE FROM spread WHERE n % 3 = 0;
VACUUM spread;
INSERT INTO spread SELECT * FROM copy WHERE n % 3 = 0;
TABLE compared;
DROP VIEW compared, found;
DROP TABLE spread, probe, expected, copy;

-- Several columns of few values, so that pages are split where all keys are the
-- same; NULL; a domain; a column that is only stored.
CREATE DOMAIN product_id AS gid(p);
CREATE TABLE few (a gid(o), b product_id, c gid, n int);
CREATE INDEX few_gist ON few USING gist (a, b, c) INCLUDE (n);
INSERT INTO few
SELECT gid_make('o', '2026-01-01', n % 3), CASE WHEN n % 11 > 0 THEN gid_make('p', '2026-01-01', n % 7) END,
	   gid_make((128 + n % 127)::text, '2026-01-01', 0), n
FROM generate_series(1, 4000) n;
INSERT INTO few (n) SELECT n FROM generate_series(1, 1000) n;
INSERT INTO few SELECT gid_make('o', '2026-01-01', 1), gid_make('p', '2026-01-01', 1), decode(repeat('ff', 16), 'hex')::gid, n
FROM generate_series(1, 1000) n;
VACUUM ANALYZE few;
CREATE FUNCTION counts(OUT a bigint, OUT b bigint, OUT c bigint, OUT nulls bigint) LANGUAGE plpgsql AS $$
BEGIN
	a := (SELECT sum(n) FROM few WHERE few.a = gid_make('o', '2026-01-01', 1));
	b := (SELECT sum(n) FROM few WHERE few.b > gid_make('p', '2026-01-01', 5) AND few.a <> gid_make('o', '2026-01-01', 0));
	c := (SELECT sum(n) FROM few WHERE few.c > gid_make('254', '2026-01-01', 0) AND few.b IS NOT NULL);
	nulls := (SELECT sum(n) FROM few WHERE few.a IS NULL AND few.c IS NULL);
END $$;
SELECT * FROM plan_of($$SELECT sum(n) FROM few WHERE b > gid_make('p', '2026-01-01', 5)$$);
SELECT * FROM counts();
DROP INDEX few_gist;
SELECT * FROM counts();
DROP TABLE few;
DROP FUNCTION counts;
DROP DOMAIN product_id;

-- Corrupt keys: this class stores a bytea as it is.
CREATE OPERATOR CLASS raw_ops FOR TYPE bytea USING gist AS
	OPERATOR 3 =,
	FUNCTION 1 gid_gist_consistent(internal, gid, smallint, oid, internal), FUNCTION 2 gid_gist_union(internal, internal),
	FUNCTION 5 gid_gist_penalty(internal, internal, internal), FUNCTION 6 gid_gist_picksplit(internal, internal),
	FUNCTION 7 gid_gist_same(bytea, bytea, internal);
CREATE TABLE raw (key bytea);
CREATE INDEX raw_gist ON raw USING gist (key raw_ops);
INSERT INTO raw VALUES (decode(repeat('ef', 24), 'hex'));
SELECT e.* FROM error_of($$SELECT FROM raw WHERE key = '\xef'$$) e;
SELECT state, message FROM error_of($$INSERT INTO raw SELECT key FROM raw, generate_series(1, 1000)$$);
DROP TABLE raw;
DROP OPERATOR FAMILY raw_ops USING gist;

-- An id beside tags, and an array of ids.
CREATE TABLE note (tenant gid(t), tags text[], readers gid(u)[]);
INSERT INTO note SELECT gid_make('t', '2026-01-01', n % 10), ARRAY['a' || n % 7, 'b' || n % 11], ARRAY[gid_make('u', '2026-01-01', n % 5)]
FROM generate_series(1, 2000) n;
CREATE INDEX note_index ON note USING gin (tenant, tags);
CREATE INDEX note_readers ON note USING gin (readers);
SELECT * FROM plan_of($$SELECT count(*) FROM note WHERE tenant = gid_make('t', '2026-01-01', 3) AND tags @> '{a1,b2}'$$);
SELECT count(*) FROM note WHERE tenant = gid_make('t', '2026-01-01', 3) AND tags @> '{a1}';
SELECT count(*) FROM note WHERE tenant < gid_make('t', '2026-01-01', 3) AND tags @> '{a1}';
SELECT * FROM plan_of($$SELECT count(*) FROM note WHERE readers @> ARRAY[gid_make('u', '2026-01-01', 3)]$$);
SELECT count(*) FROM note WHERE readers @> ARRAY[gid_make('u', '2026-01-01', 3)];
DROP TABLE note;

-- Exclusion constraints.
CREATE TABLE room (id gid(r) PRIMARY KEY);
INSERT INTO room VALUES (gid_make('r', '2026-01-01 00:00+00', 1)), (gid_make('r', '2026-01-01 00:00+00', 2));
CREATE TABLE booking (
	room gid(r) REFERENCES room,
	during tstzrange,
	EXCLUDE USING gist (room WITH =, during WITH &&)
);
INSERT INTO booking SELECT id, '[2026-11-24 10:00+00,2026-11-24 11:00+00)' FROM room;
SELECT state, message, detail
FROM error_of($$INSERT INTO booking SELECT id, '[2026-11-24 10:30+00,2026-11-24 12:00+00)' FROM room ORDER BY id LIMIT 1$$);
INSERT INTO booking SELECT id, '[2026-11-24 11:00+00,2026-11-24 12:00+00)' FROM room;
INSERT INTO booking SELECT id, '[2026-11-24 10:30+00,2026-11-24 12:00+00)' FROM room ON CONFLICT DO NOTHING;
SELECT count(*) FROM booking;
-- Each value with one other only.
CREATE TABLE pair (animal gid(a), id gid, EXCLUDE USING gist (id WITH =, animal WITH <>));
INSERT INTO pair SELECT gid_make('a', '2026-01-01', 1), gid_make('c', '2026-01-01', 1) FROM generate_series(1, 3);
SELECT state FROM error_of($$INSERT INTO pair SELECT gid_make('a', '2026-01-01', 2), gid_make('c', '2026-01-01', 1)$$);
DROP TABLE booking, room, pair;

-- Keys without overlaps, and foreign keys with periods, which exist since version 18.
SELECT statement, current_setting('server_version_num')::int < 180000 OR state = expected AS as_expected
FROM (VALUES
	(1, $$CREATE TABLE price (product gid(p), valid tstzrange, PRIMARY KEY (product, valid WITHOUT OVERLAPS))$$, 'no error'),
	(2, $$CREATE TABLE line (product gid(p), valid tstzrange, FOREIGN KEY (product, PERIOD valid) REFERENCES price)$$, 'no error'),
	(3, $$INSERT INTO price VALUES (gid_make('p', '2026-01-01', 1), '[2026-01-01,2026-06-01)'), (gid_make('p', '2026-01-01', 1), '[2026-06-01,)')$$, 'no error'),
	(4, $$INSERT INTO price VALUES (gid_make('p', '2026-01-01', 2), '[2026-01-01,2026-06-01)')$$, 'no error'),
	(5, $$INSERT INTO price VALUES (gid_make('p', '2026-01-01', 1), '[2026-05-01,2026-05-02)')$$, '23P01'),
	(6, $$INSERT INTO line VALUES (gid_make('p', '2026-01-01', 1), '[2026-05-01,2026-07-01)')$$, 'no error'),
	(7, $$INSERT INTO line VALUES (gid_make('p', '2026-01-01', 2), '[2026-05-01,2026-07-01)')$$, '23503'),
	(8, $$DELETE FROM price WHERE valid @> '2026-05-15'::timestamptz AND product = gid_make('p', '2026-01-01', 1)$$, '23503'),
	(9, $$CREATE TABLE offer (id gid(o), valid tstzrange, PRIMARY KEY (id, valid WITHOUT OVERLAPS)) PARTITION BY LIST (id)$$, 'no error'),
	(10, $$CREATE TABLE sale (id gid(o), valid tstzrange, EXCLUDE USING gist (id WITH <>, valid WITH &&)) PARTITION BY LIST (id)$$, '0A000'),
	(11, $$DROP TABLE line, price, offer$$, 'no error')) v (n, statement, expected), error_of(statement);
RESET enable_seqscan;
RESET jit;
