-- The generator of a session: reserving, observing, overflowing, by the clock.
-- (Clock steps, pinned nodes and many sessions at once are in t/.)

-- Before the first id, and after.
\c
SELECT * FROM gid_generator();
SELECT gid_new('o') AS first, gid_new('log') AS second \gset
SELECT node, medallion = gid_medallion(:'second') AS medallion, instant = gid_instant(:'second') AS instant,
	   "offset" = gid_offset(:'second') AS "offset", minted, clock_steps, overflows FROM gid_generator();
-- Ids that do not come from the generator are not counted.
SELECT gid_kind(gid_random('o')), gid_kind(gid_random('o', now()));
SELECT minted FROM gid_generator();

-- gid + int and gid - int move the offset, and nothing else.
SELECT gid_offset(:'first'::gid + 1) - gid_offset(:'first') AS plus,
	   gid_offset(:'first'::gid - 1) - gid_offset(:'first') AS minus, :'first'::gid + 0 = :'first' AS zero,
	   :'first'::gid + 5 - 5 = :'first' AS back, gid_transaction(:'first'::gid + 7) = gid_transaction(:'first') AS transaction;
SELECT call, state, message, detail
FROM (VALUES ('gid_transaction(%L) - 1'), ('gid_transaction(%L) + 1073741824'), ('gid_transaction(%L) + 2147483647'),
			 ('gid_transaction(%L) - (-2147483648)'), ('gid_transaction(%L) + (-2147483648)')) v (call),
	 error_of('SELECT ' || format(call, '\xef019ad0fea2a6ef00000000c0000001'::bytea::gid));
SELECT gid_offset(gid_transaction(:'first') + 1073741823) AS largest, gid_offset(gid_transaction(:'first') + 1073741823 - 1073741823) AS smallest;

-- gid_reserve: n consecutive ids, of which it returns the first.
BEGIN;
SELECT gid_new('o') AS before \gset
SELECT gid_reserve('o', 1000) AS first, gid_new('o') AS after \gset
SELECT gid_offset(:'first') - gid_offset(:'before') AS first, gid_offset(:'after') - gid_offset(:'before') AS after,
	   :'first'::gid + 999 < :'after' AS below, gid_transaction(:'first') = gid_transaction(:'after') AS together;
SELECT gid_kind(gid_reserve('200', 1)), gid_offset(gid_new('o')) - gid_offset(:'after') AS next;
COMMIT;
SELECT call, state, message, detail
FROM (VALUES ('gid_reserve(''o'', 0)'), ('gid_reserve(''o'', -1)'), ('gid_reserve(''o'', 536870913)'),
			 ('gid_reserve(''200'', -2147483648)'), ('gid_reserve(''blob'', 1)'), ('gid_reserve(''1'', 1)')) v (call),
	 error_of('SELECT ' || call);
SELECT gid_reserve('o', NULL) IS NULL AS n, gid_reserve(NULL, 1) IS NULL AS kind;

-- Overflow: past the end of the offset ids go on under the next microsecond.
\c
CREATE TABLE reserved (n serial, first gid(o), count int);
BEGIN;
INSERT INTO reserved (first, count) SELECT gid_reserve('o', count), count
FROM (VALUES (536870912), (536870912), (536870912), (1), (536870911), (536870912), (2)) v (count);
SELECT overflows FROM gid_generator();
SELECT n, count, first > lag(first + (count - 1)) OVER (ORDER BY n) AS above,
	   gid_offset(first + (count - 1)) = gid_offset(first) + count - 1 AS straddles_nothing,
	   gid_instant(first) - first_value(gid_instant(first)) OVER (ORDER BY n) BETWEEN '0' AND '4 us' AS instant,
	   gid_medallion(first) = first_value(gid_medallion(first)) OVER (ORDER BY n) AS medallion FROM reserved ORDER BY n;
-- One by one over the end.
SELECT 1073741823 - 3 - "offset" AS gap FROM gid_generator() \gset
SELECT gid_offset(gid_reserve('o', least(:gap, 536870912))) > 0 AS filled;
SELECT 1073741823 - 3 - "offset" AS gap FROM gid_generator() \gset
SELECT CASE WHEN :gap > 0 THEN gid_offset(gid_reserve('o', greatest(:gap, 1))) > 0 ELSE true END AS filled;
SELECT array_agg(gid_offset(id) ORDER BY n) AS offsets, array_agg(gid_instant(id) - first ORDER BY n) AS instants,
	   bool_and(id > before) AS increasing
FROM (SELECT n, id, lag(id, 1, id - 1) OVER (ORDER BY n) AS before, first_value(gid_instant(id)) OVER (ORDER BY n) AS first
	  FROM (SELECT n, gid_new('o') AS id FROM generate_series(1, 6) n OFFSET 0) i) o;
COMMIT;
-- However many overflow, they do not run ahead of the clock.
SELECT count(gid_reserve('o', 536870912)) FROM generate_series(1, 100000);
SELECT instant <= clock_timestamp() AS in_time, overflows > 50000 AS overflows, clock_steps FROM gid_generator();
-- The next transaction is later still, and no step of the clock was counted.
SELECT gid_new('o') > max(first + (count - 1)) AS later FROM reserved;
SELECT clock_steps FROM gid_generator();
DROP TABLE reserved;

-- gid_observe: the next id sorts after the one observed.
\c
CREATE TABLE seen (n serial, id gid(o));
BEGIN;
INSERT INTO seen (id) VALUES (gid_new('o'));
INSERT INTO seen (id) VALUES (gid_random('o', clock_timestamp() + interval '5 seconds'));
SELECT gid_observe(id) FROM seen WHERE n = 2;
INSERT INTO seen (id) VALUES (gid_new('o')), (gid_new('o'));
-- the same id again, and an older one: no change
SELECT gid_observe(id) FROM seen WHERE n < 3;
INSERT INTO seen (id) VALUES (gid_new('o'));
COMMIT;
INSERT INTO seen (id) VALUES (gid_new('o'));
SET gid.instant = clock;
INSERT INTO seen (id) VALUES (gid_new('o'));
INSERT INTO seen (id) VALUES (gid_random('o', clock_timestamp() + interval '6 seconds'));
SELECT gid_observe(id) FROM seen WHERE n = 8;
INSERT INTO seen (id) VALUES (gid_new('o')), (gid_new('o'));
-- the last id of this session
SELECT gid_observe(id) FROM seen WHERE n = 10;
INSERT INTO seen (id) VALUES (gid_new('o'));
RESET gid.instant;
INSERT INTO seen (id) VALUES (gid_new('o'));
SELECT count(*), count(*) FILTER (WHERE id <= before) AS out_of_order
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM seen) s;
SELECT count(DISTINCT gid_transaction(id)) AS one FROM seen WHERE n BETWEEN 3 AND 5;
SELECT clock_steps FROM gid_generator();
-- A gid without a muid counts as minted at the end of its millisecond, with any
-- byte 7.
TRUNCATE seen;
\c
INSERT INTO seen (id) VALUES (gid_random('o'));
SELECT gid_observe(id) FROM seen;
INSERT INTO seen (id) VALUES (gid_new('o'));
SELECT count(*) FILTER (WHERE id <= before) AS out_of_order FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM seen) s;
DROP TABLE seen;
-- An id that is older than all others of the session, and NULL.
\c
SELECT gid_observe(gid_random('o', '2001-01-01')), gid_observe(NULL), minted, medallion FROM gid_generator();
-- An id too far ahead is an error that has both times.
SELECT state, message ~ '^gid "[1-9A-Za-z]{10}-[1-9A-Za-z]{13}" is too far ahead of the clock$' AS message,
	   detail ~ '^Its time is 2\d{3}-.*, the clock is at 20\d\d-.*, and "gid.max_clock_skew" is 10000 ms\.$' AS detail
FROM error_of($$SELECT gid_observe(gid_random('o', now() + interval '11 hours'))$$);
SELECT state, detail ~ '^Its time is 10889-08-01 22:31:50.655999-07, the clock is at ' AS detail
FROM error_of($$SELECT gid_observe(gid_random('o', '10889-08-02 05:31:50.655999+00'))$$);
SET gid.max_clock_skew = '1 d';
SELECT gid_observe(gid_random('o', now() + interval '11 hours'));
SELECT gid_instant(gid_new('o')) - now() > '10 h' AS ahead;
SET gid.max_clock_skew = 0;
SELECT state FROM error_of($$SELECT gid_observe(gid_random('o', clock_timestamp() + interval '1 hour'))$$);
RESET gid.max_clock_skew;

-- What is minted next is later than what was observed, whether that is ahead by
-- all that is allowed, of the present with nothing allowed, or one's own, again
-- and again.  None of it is a step of the clock, and counting adds no lead.
CREATE FUNCTION observe(ahead interval, times int, OUT earlier bigint, OUT observed bigint) LANGUAGE sql AS $$
	SELECT count(*) FILTER (WHERE gid_instant(b) <= gid_instant(a) OR b <= a), count(*)
	FROM (SELECT a, gid_observe(a)::text AS o, gid_new('o') AS b
		  FROM (SELECT set_byte(gid_send(gid_random('o', clock_timestamp() + ahead)), 7, gid_prefix('o'))::gid AS a
				FROM generate_series(1, times) n OFFSET 0) s OFFSET 0) t $$;
CREATE FUNCTION observe_own(times int, OUT earlier bigint, OUT observed bigint) LANGUAGE plpgsql AS $$
DECLARE
	last gid := gid_new('o');
	next gid;
BEGIN
	earlier := 0;
	FOR n IN 1 .. times LOOP
		PERFORM gid_observe(last);
		next := gid_new('o');
		earlier := earlier + (next <= last)::int;
		last := next;
	END LOOP;
	observed := times;
END $$;
\c
SET gid.max_clock_skew = '1 h';
SELECT * FROM observe('59 min 59 s', 20000);
SET gid.instant = clock;
SELECT * FROM observe('59 min 59 s', 20000);
SELECT instant - clock_timestamp() < '1 h' AS lead, clock_steps FROM gid_generator();
\c
SET gid.max_clock_skew = 0;
SELECT * FROM observe('0', 20000);
SELECT * FROM observe_own(20000);
SELECT instant <= clock_timestamp() AS in_time, clock_steps FROM gid_generator();
SET gid.instant = clock;
SELECT * FROM observe('0', 20000);
SELECT * FROM observe_own(20000);
SELECT instant <= clock_timestamp() AS in_time, clock_steps FROM gid_generator();
RESET gid.instant;
RESET gid.max_clock_skew;
DROP FUNCTION observe, observe_own;

-- By the clock: ids increase and carry their own time; the offset counts on.
\c
CREATE TABLE ticking (n serial, mode text, id gid(o) DEFAULT gid_new('o'));
SET gid.instant = clock;
INSERT INTO ticking (mode) SELECT 'clock' FROM generate_series(1, 100000);
SELECT count(DISTINCT gid_instant(id)) > 100 AS instants, max(gid_offset(id)) - min(gid_offset(id)) + 1 AS offsets,
	   count(*) FILTER (WHERE id <= before) AS out_of_order, count(DISTINCT gid_medallion(id)) AS medallions
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM ticking) t;
-- Switched in a session and in a transaction, they go on increasing.
RESET gid.instant;
INSERT INTO ticking (mode) SELECT 'one' FROM generate_series(1, 3);
BEGIN;
INSERT INTO ticking (mode) SELECT 'two' FROM generate_series(1, 3);
SET LOCAL gid.instant = clock;
INSERT INTO ticking (mode) SELECT 'three' FROM generate_series(1, 3);
SELECT gid_offset(gid_reserve('o', 10)) > 0 AS reserved;
INSERT INTO ticking (mode) SELECT 'three' FROM generate_series(1, 3);
SET LOCAL gid.instant = transaction;
INSERT INTO ticking (mode) SELECT 'four' FROM generate_series(1, 3);
COMMIT;
INSERT INTO ticking (mode) SELECT 'five' FROM generate_series(1, 3);
SELECT mode, count(*), count(DISTINCT gid_transaction(id)) = 1 AS together, max(gid_offset(id)) - min(gid_offset(id)) + 1 AS offsets
FROM ticking WHERE mode <> 'clock' GROUP BY mode ORDER BY min(n);
SELECT count(*) FILTER (WHERE id <= before) AS out_of_order, count(DISTINCT id) = count(*) AS all_distinct
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM ticking) t;
-- Over the end of the offset, too.
SET gid.instant = clock;
INSERT INTO ticking (id) SELECT gid_reserve('o', 536870912) FROM generate_series(1, 4);
INSERT INTO ticking (mode) VALUES ('after');
SELECT count(*) FILTER (WHERE id <= before) AS out_of_order FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM ticking) t;
SELECT overflows >= 2 AS overflows, clock_steps FROM gid_generator();
RESET gid.instant;
DROP TABLE ticking;

-- A long transaction keeps its instant; gid_random(kind, time) takes any.
BEGIN;
SELECT gid_new('o') AS early \gset
SELECT pg_sleep(0.05);
SELECT gid_instant(gid_new('o')) = gid_instant(:'early') AS kept,
	   gid_timestamp(gid_random('o', clock_timestamp())) - gid_timestamp(:'early') >= '50 ms' AS wall_clock;
COMMIT;
