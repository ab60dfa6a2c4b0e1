-- Comparisons of a gid with a time.  (Their plans are in planner.sql.)
SET timezone = 'UTC';
SET datestyle = 'ISO';

-- The eight operators do as gid_timestamp() does, microsecond by microsecond.
SELECT count(*) AS cases,
	   bool_and((id < at) = (gid_timestamp(id) < at)) AS lt, bool_and((id <= at) = (gid_timestamp(id) <= at)) AS le,
	   bool_and((id >= at) = (gid_timestamp(id) >= at)) AS ge, bool_and((id > at) = (gid_timestamp(id) > at)) AS gt,
	   bool_and((at < id) = (at < gid_timestamp(id))) AS t_lt, bool_and((at <= id) = (at <= gid_timestamp(id))) AS t_le,
	   bool_and((at >= id) = (at >= gid_timestamp(id))) AS t_ge, bool_and((at > id) = (at > gid_timestamp(id))) AS t_gt
FROM (SELECT id::gid, gid_timestamp(id::gid) + shift * interval '1 microsecond' AS at
	  FROM vector, generate_series(-1001, 1001) shift
	  UNION ALL SELECT id::gid, at FROM vector, unnest('{-infinity,infinity,1969-12-31,294276-12-31}'::timestamptz[]) at) cases;

-- What the planner rewrites gives the same: 100,000 random pairs around the edges
-- of milliseconds, at both ends of time and beyond them.  "typed" is rewritten,
-- "plain", the same id, is not.
SELECT setseed(0.25);
CREATE TABLE pair (typed gid(o), plain gid, at timestamptz);
INSERT INTO pair
SELECT id, id, CASE WHEN n % 50 = 0 THEN far[1 + n / 50 % 8]
		ELSE gid_timestamp(id) + (CASE n % 5 WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN -1 WHEN 3 THEN 999 ELSE 1001 END
			* CASE n % 2 WHEN 0 THEN 1 ELSE -1 END + 1000 * (random() * 4 - 2)::int) * interval '1 microsecond' END
FROM (SELECT n, ('{-infinity,infinity,1969-12-31 23:59:59.999999+00,1970-01-01 00:00:00.000001+00,'
				 '10889-08-02 05:31:50.654999+00,10889-08-02 05:31:50.655001+00,294276-12-31,4713-01-01 BC}')::timestamptz[] AS far,
		gid_random('o', CASE n % 10 WHEN 0 THEN '1970-01-01 00:00:00.000+00' WHEN 1 THEN '1970-01-01 00:00:00.001999+00'
			WHEN 2 THEN '10889-08-02 05:31:50.655+00' WHEN 3 THEN '10889-08-02 05:31:50.654321+00'
			ELSE '1970-01-01'::timestamptz + random() * interval '8900 years' END) AS id
	  FROM generate_series(1, 100000) n OFFSET 0) ids;
-- Byte 7 and the payload at their extremes too.
INSERT INTO pair SELECT ('\xef' || ms || fill)::bytea::gid, ('\xef' || ms || fill)::bytea::gid,
	   gid_timestamp(('\xef' || ms || fill)::bytea::gid) + shift * interval '1 microsecond'
FROM (VALUES ('000000000000'), ('000000000001'), ('019ad0fea2a6'), ('ffffffffffff')) m (ms),
	 (VALUES (repeat('00', 9)), (repeat('ff', 9))) f (fill), generate_series(-1001, 1001) shift;
SELECT line ~ 'gid_(lower|upper)_bound' AS rewritten, line
FROM plan_of('SELECT * FROM pair WHERE typed < at AND at >= typed AND plain < at AND at >= plain') line WHERE line ~ 'Filter';
SELECT count(*) AS pairs,
	   count(*) FILTER (WHERE (typed < at) = (plain < at)) AS lt, count(*) FILTER (WHERE (typed <= at) = (plain <= at)) AS le,
	   count(*) FILTER (WHERE (typed >= at) = (plain >= at)) AS ge, count(*) FILTER (WHERE (typed > at) = (plain > at)) AS gt,
	   count(*) FILTER (WHERE (at < typed) = (at < plain)) AS t_lt, count(*) FILTER (WHERE (at <= typed) = (at <= plain)) AS t_le,
	   count(*) FILTER (WHERE (at >= typed) = (at >= plain)) AS t_ge, count(*) FILTER (WHERE (at > typed) = (at > plain)) AS t_gt
FROM pair;
-- And none of them is always true or always false here.
SELECT bool_or(typed < at) AND bool_or(typed >= at) AND bool_or(typed <= at) AND bool_or(typed > at)
   AND bool_or(gid_timestamp(plain) = at) AS both_ways FROM pair;
DROP TABLE pair;

-- Invalid text raises the errors of PostgreSQL.
CREATE TABLE event (id gid(e));
INSERT INTO event VALUES (gid_new('e'));
SELECT statement, state, message
FROM (VALUES ($$SELECT * FROM event WHERE id >= timestamptz 'soon'$$), ($$SELECT * FROM event WHERE id >= 'now'$$),
			 ($$SELECT * FROM event WHERE id = now()$$), ($$SELECT * FROM event WHERE id >= 1$$)) v (statement),
	 error_of(statement);
SELECT (SELECT count(*) FROM event WHERE id >= NULL::timestamptz);
DROP TABLE event;
