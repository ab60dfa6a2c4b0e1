-- The generator of a session: observing, and by the clock.
-- (Clock steps, pinned nodes and many sessions at once are in t/, and the overflow of
-- the offset is in check/generator.pl.)

-- Before the first id, and after.
\c
SELECT * FROM gid_generator();
SELECT gid_new('o') AS first, gid_new('log') AS second \gset
SELECT node, medallion = gid_medallion(:'second') AS medallion, last_instant = gid_instant(:'second') AS instant,
	   last_offset = gid_offset(:'second') AS "offset", minted, clock_steps, overflows FROM gid_generator();
-- Ids that do not come from the generator are not counted.
SELECT gid_kind(gid_random('o')), gid_kind(gid_random('o', now()));
SELECT minted FROM gid_generator();
-- A pooler gives the session to the next client.
DISCARD ALL;
SELECT minted, medallion = gid_medallion(:'second') AS medallion FROM gid_generator();

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
SET gid.instant_source = clock;
INSERT INTO seen (id) VALUES (gid_new('o'));
INSERT INTO seen (id) VALUES (gid_random('o', clock_timestamp() + interval '6 seconds'));
SELECT gid_observe(id) FROM seen WHERE n = 8;
INSERT INTO seen (id) VALUES (gid_new('o')), (gid_new('o'));
-- the last id of this session
SELECT gid_observe(id) FROM seen WHERE n = 10;
INSERT INTO seen (id) VALUES (gid_new('o'));
RESET gid.instant_source;
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
		  FROM (SELECT set_byte(gid_send(gid_random('o', clock_timestamp() + ahead)), 7, gid_prefix(gid_random('o')))::gid AS a
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
SET gid.instant_source = clock;
SELECT * FROM observe('59 min 59 s', 20000);
SELECT last_instant - clock_timestamp() < '1 h' AS lead, clock_steps FROM gid_generator();
\c
SET gid.max_clock_skew = 0;
SELECT * FROM observe('0', 20000);
SELECT * FROM observe_own(20000);
SELECT last_instant <= clock_timestamp() AS in_time, clock_steps FROM gid_generator();
SET gid.instant_source = clock;
SELECT * FROM observe('0', 20000);
SELECT * FROM observe_own(20000);
SELECT last_instant <= clock_timestamp() AS in_time, clock_steps FROM gid_generator();
RESET gid.instant_source;
RESET gid.max_clock_skew;
DROP FUNCTION observe, observe_own;

-- By the clock: ids increase and carry their own time; the offset counts on.
\c
CREATE TABLE ticking (n serial, mode text, id gid(o) DEFAULT gid_new('o'));
SET gid.instant_source = clock;
INSERT INTO ticking (mode) SELECT 'clock' FROM generate_series(1, 100000);
SELECT count(DISTINCT gid_instant(id)) > 100 AS instants, max(gid_offset(id)) - min(gid_offset(id)) + 1 AS offsets,
	   count(*) FILTER (WHERE id <= before) AS out_of_order, count(DISTINCT gid_medallion(id)) AS medallions
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM ticking) t;
-- Switched in a session and in a transaction, they go on increasing.
RESET gid.instant_source;
INSERT INTO ticking (mode) SELECT 'one' FROM generate_series(1, 3);
BEGIN;
INSERT INTO ticking (mode) SELECT 'two' FROM generate_series(1, 3);
SET LOCAL gid.instant_source = clock;
INSERT INTO ticking (mode) SELECT 'three' FROM generate_series(1, 3);
SET LOCAL gid.instant_source = transaction;
INSERT INTO ticking (mode) SELECT 'four' FROM generate_series(1, 3);
COMMIT;
INSERT INTO ticking (mode) SELECT 'five' FROM generate_series(1, 3);
SELECT mode, count(*), count(DISTINCT gid_transaction(id)) = 1 AS together, max(gid_offset(id)) - min(gid_offset(id)) + 1 AS offsets
FROM ticking WHERE mode <> 'clock' GROUP BY mode ORDER BY min(n);
SELECT count(*) FILTER (WHERE id <= before) AS out_of_order, count(DISTINCT id) = count(*) AS all_distinct
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM ticking) t;
DROP TABLE ticking;

-- A long transaction keeps its instant; gid_random(kind, time) takes any.
BEGIN;
SELECT gid_new('o') AS early \gset
SELECT pg_sleep(0.05);
SELECT gid_instant(gid_new('o')) = gid_instant(:'early') AS kept,
	   gid_timestamp(gid_random('o', clock_timestamp())) - gid_timestamp(:'early') >= '50 ms' AS wall_clock;
COMMIT;
