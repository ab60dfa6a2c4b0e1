-- Minting: gid_new and gid_random.
SET timezone = 'UTC';
SET datestyle = 'ISO';

-- A million ids in one transaction: strictly increasing, one transaction,
-- one time, which is the transaction's own.
CREATE TABLE minted (n serial, id gid(segment) DEFAULT gid_new('segment'), started timestamptz DEFAULT now());
INSERT INTO minted SELECT FROM generate_series(1, 1000000);
SELECT count(*), count(DISTINCT id) AS distinct_ids, count(DISTINCT gid_transaction(id)) AS transactions,
	   bool_and(gid_timestamp(id) = date_trunc('milliseconds', started)) AS at_now,
	   bool_and(gid_instant(id) >= started) AS not_before, max(gid_offset(id)) - min(gid_offset(id)) + 1 AS offsets
FROM minted;
SELECT count(*) AS out_of_order
FROM (SELECT id <= lag(id) OVER (ORDER BY n) AS wrong FROM minted) o WHERE wrong;
TRUNCATE minted;

-- All kinds share one offset.
BEGIN;
CREATE TEMP TABLE several (n serial, id gid);
INSERT INTO several (id) VALUES (gid_new('o'));
INSERT INTO several (id) VALUES (gid_new('log')), (gid_new('200'));
INSERT INTO several (id) SELECT gid_new('o') FROM generate_series(1, 3);
SELECT n, gid_kind(id), gid_offset(id) - min(gid_offset(id)) OVER () AS nth,
	   gid_instant(id) = first_value(gid_instant(id)) OVER (ORDER BY n) AS same_instant,
	   gid_medallion(id) = first_value(gid_medallion(id)) OVER (ORDER BY n) AS same_medallion
FROM several ORDER BY n;
COMMIT;
DROP TABLE several;

-- Transactions of one backend follow each other: after a commit ...
CREATE TABLE followed (n serial, step text, id gid(o) DEFAULT gid_new('o'));
INSERT INTO followed (step) VALUES ('first'), ('first');
INSERT INTO followed (step) VALUES ('second'), ('second');
-- ... after a rollback (whose ids are gone, and not minted again) ...
BEGIN;
SELECT gid_new('o') AS rolled_back \gset
ROLLBACK;
INSERT INTO followed (step, id) VALUES ('rolled back', :'rolled_back');
INSERT INTO followed (step) VALUES ('after rollback');
-- ... after an error ...
SELECT 1 / count(gid_new('o')) / 0 FROM generate_series(1, 3);
INSERT INTO followed (step) VALUES ('after error');
-- ... in subtransactions, kept and rolled back ...
BEGIN;
INSERT INTO followed (step) VALUES ('one transaction');
SAVEPOINT a;
INSERT INTO followed (step) VALUES ('one transaction');
SAVEPOINT b;
INSERT INTO followed (step) VALUES ('lost');
ROLLBACK TO b;
INSERT INTO followed (step) VALUES ('one transaction');
RELEASE a;
INSERT INTO followed (step) VALUES ('one transaction');
COMMIT;
-- ... in a procedure that commits in a loop ...
CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1..100 LOOP
		INSERT INTO followed (step) VALUES ('in loop ' || i), ('in loop ' || i);
		IF i % 10 = 0 THEN ROLLBACK; ELSE COMMIT; END IF;
	END LOOP;
END $$;
CALL commits();
-- ... and in a PL/pgSQL block that catches an error.
DO $$
BEGIN
	INSERT INTO followed (step) VALUES ('block');
	BEGIN
		INSERT INTO followed (step) VALUES ('lost');
		RAISE 'lost';
	EXCEPTION WHEN OTHERS THEN
		INSERT INTO followed (step) VALUES ('block');
	END;
	INSERT INTO followed (step) VALUES ('block');
END $$;
SELECT count(*), count(*) FILTER (WHERE id <= before) AS out_of_order,
	   count(DISTINCT gid_transaction(id)) AS transactions, count(DISTINCT gid_instant(id)) AS instants,
	   count(DISTINCT gid_medallion(id)) AS medallions
FROM (SELECT *, lag(id) OVER (ORDER BY n) AS before FROM followed) f;
SELECT step, count(*), count(DISTINCT gid_transaction(id)) AS transactions,
	   max(gid_offset(id)) - min(gid_offset(id)) + 1 AS offsets
FROM followed WHERE step NOT LIKE 'in loop %' GROUP BY step ORDER BY min(n);
SELECT bool_and(together) FROM (
	SELECT count(DISTINCT gid_transaction(id)) = 1 AND max(gid_offset(id)) - min(gid_offset(id)) = 1 AS together
	FROM followed WHERE step LIKE 'in loop %' GROUP BY step) t;

-- Transactions faster than the clock's microsecond still differ: many in one
-- session, each with the instant of its own.
CREATE PROCEDURE hurries() LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1..5000 LOOP
		PERFORM set_config('gid_test.last', gid_new('o')::text, false);
		IF i > 1 AND current_setting('gid_test.last')::gid <= current_setting('gid_test.before')::gid THEN
			RAISE 'id % is not above %', current_setting('gid_test.last'), current_setting('gid_test.before');
		END IF;
		PERFORM set_config('gid_test.before', current_setting('gid_test.last'), false);
		COMMIT;
	END LOOP;
END $$;
CALL hurries();

-- The first offset is from 1 to 2^29, so that a transaction has 2^29 more.
CREATE TABLE firsts (first int);
CREATE PROCEDURE starts() LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1..2000 LOOP
		INSERT INTO firsts VALUES (gid_offset(gid_new('o')));
		COMMIT;
	END LOOP;
END $$;
CALL starts();
SELECT count(*), count(DISTINCT first) > 1990 AS differ, min(first) >= 1 AS min, max(first) <= 1 << 29 AS max,
	   avg(first) BETWEEN 0.45 * (1 << 29) AND 0.55 * (1 << 29) AS avg FROM firsts;

-- Read-only transactions can mint.
BEGIN READ ONLY;
SELECT gid_kind(gid_new('o')), gid_kind(gid_random('o')), gid_kind(gid_random('o', now()));
COMMIT;

-- gid_random(kind, at) keeps the time to the microsecond, and no more than it can.
SELECT at, bool_and(gid_timestamp(id) + (gid_payload(id) >> 54 & 1023) * interval '1 us' = at) AS kept
FROM (VALUES ('1970-01-01 00:00:00+00'::timestamptz), ('1999-12-31 23:59:59.999999+00'),
			 ('2026-01-02 03:04:05.678901+00'), ('10889-08-02 05:31:50.655999+00')) v (at),
	 LATERAL (VALUES (gid_random('o', at)), (gid_random('225', at))) ids (id)
GROUP BY at ORDER BY at;
SELECT at, state, message, detail
FROM (VALUES ('1969-12-31 23:59:59.999999+00'), ('10889-08-02 05:31:50.656+00'), ('infinity'), ('-infinity'),
			 ('294276-12-31 23:59:59.999999+00')) v (at),
	 error_of(format('SELECT gid_random(''o'', %L)', at));
SELECT state, message FROM error_of($$SELECT gid_random('o', 'yesterdayish')$$);
SELECT count(DISTINCT gid_random('o', '2026-01-01')) FROM generate_series(1, 100000);

-- gid_random: the time is the wall clock's, and all ids differ.
SELECT count(DISTINCT id),
	   bool_and(gid_timestamp(id) BETWEEN date_trunc('milliseconds', now()) AND clock_timestamp()) AS clock
FROM (SELECT gid_random('log') AS id FROM generate_series(1, 100000)) ids;

DROP TABLE minted, followed, firsts;
DROP PROCEDURE commits, hurries, starts;
