-- gid_lower_bound and gid_upper_bound: from which id of a kind on ids are at or
-- after a time, and after it.
SET timezone = 'UTC';
SET datestyle = 'ISO';

-- The smallest gid of the kind at or after a time.
SELECT at, gid_lower_bound('segment', at)::bytea
FROM (VALUES ('1970-01-01 00:00:00+00'::timestamptz), ('1970-01-01 00:00:00.000001+00'),
			 ('1970-01-01 00:00:00.001+00'), ('1970-01-01 00:00:00.001001+00'),
			 ('2025-11-29 19:02:20.070+00'), ('2025-11-29 19:02:20.070001+00'),
			 ('2025-11-29 19:02:20.069999+00'),
			 ('1969-12-31 23:59:59.999999+00'), ('1900-01-01'), ('4714-11-24 00:00+00 BC'), ('-infinity'),
			 ('10889-08-02 05:31:50.655+00'), ('10889-08-02 05:31:50.655001+00'),
			 ('294276-12-31 23:59:59.999999+00'), ('infinity')) v (at);
SELECT gid_lower_bound('254', 'infinity'), gid_kind(gid_lower_bound('254', 'infinity'));

-- An id is at or above the bound if and only if its time is at or after that
-- time: tried for each microsecond around the time of every vector.
SELECT count(*) AS cases, bool_and((id::gid >= bound) = (gid_timestamp(id::gid) >= at)) AS right
FROM vector, generate_series(-1001, 1001) shift,
	 LATERAL (SELECT gid_timestamp(id::gid) + shift * interval '1 microsecond' AS at) t,
	 LATERAL (SELECT gid_lower_bound(get_byte(id::gid::bytea, 0)::text, at) AS bound) f
WHERE kind <> '255';

-- gid_upper_bound is the smallest gid after a time.
SELECT at, gid_lower_bound('segment', at)::bytea, gid_upper_bound('segment', at)::bytea, gid_upper_bound('192', at) = gid_upper_bound('segment', at) AS same
FROM unnest('{-infinity,1969-12-31 23:59:59.999999+00,1970-01-01,1970-01-01 00:00:00.000999+00,1970-01-01 00:00:00.001+00,
			  10889-08-02 05:31:50.654999+00,10889-08-02 05:31:50.655+00,10889-08-02 05:31:50.655001+00,294276-12-31,infinity}'::timestamptz[]) at;

-- Unknown kinds and malformed times are errors; NULL gives NULL.  (For kinds and
-- gid_lower_bound, see kind.sql.)
SELECT statement, state, message
FROM (VALUES ($$SELECT gid_upper_bound('blob', now())$$), ($$SELECT gid_upper_bound('255', now())$$), ($$SELECT gid_upper_bound('e', 'soon')$$)) v (statement),
	 error_of(statement);
SELECT state, message FROM error_of($$SELECT gid_lower_bound('o', '2026-02-30')$$);
SELECT gid_upper_bound('e', NULL) IS NULL AS after, gid_upper_bound(NULL, now()) IS NULL AS kind;

-- Those in plans have the same values, but raise no error.
SELECT count(*), count(*) FILTER (WHERE _gid_lower_bound(kind, at) = gid_lower_bound(kind, at)) AS lower, count(*) FILTER (WHERE _gid_upper_bound(kind, at) = gid_upper_bound(kind, at)) AS upper
FROM gid_kinds(), unnest('{-infinity,1969-12-31,2026-01-01 00:00:00.0005,10889-08-02 05:31:50.655001+00,infinity}'::timestamptz[]) at;
SELECT count(*), count(_gid_lower_bound(kind, now())) AS lower, count(_gid_upper_bound(kind, now())) AS upper,
	count(_gid_lower_bound(kind, tstzrange(now(), NULL))) AS range_lower, count(_gid_upper_bound(kind, tstzrange(now(), NULL))) AS range_upper
FROM unnest('{"",blob,127,255,A,o,volume,0o}'::text[]) kind;
-- A call knows the bound of its first value: other values do not change what it returned.
SELECT count(*), count(*) FILTER (WHERE lower = gid_lower_bound('o', at)) AS lower, count(*) FILTER (WHERE upper = gid_upper_bound('o', at)) AS upper,
	count(*) FILTER (WHERE of_range = gid_lower_bound('o', at)) AS of_range, count(*) FILTER (WHERE above = gid_upper_bound('o', at)) AS above
FROM (SELECT array_agg(at) AS ats, array_agg(_gid_lower_bound('o', at)) AS lowers, array_agg(_gid_upper_bound('o', at)) AS uppers,
			 array_agg(_gid_lower_bound('o', tstzrange(at, NULL))) AS of_ranges, array_agg(_gid_upper_bound('o', tstzrange(NULL, at, '[]'))) AS aboves
	  FROM (SELECT timestamptz '2026-01-01 00:00+00' + n % 7 * interval '1 ms' AS at FROM generate_series(7, 1000) n OFFSET 0) t) a,
	 unnest(ats, lowers, uppers, of_ranges, aboves) v (at, lower, upper, of_range, above);
DO $$
DECLARE bound gid; kind text;
BEGIN
	FOREACH kind IN ARRAY '{o,p,volume,o}'::text[] LOOP
		bound := _gid_lower_bound(kind, timestamptz '2026-01-01 00:00+00');
		ASSERT bound = gid_lower_bound(kind, timestamptz '2026-01-01 00:00+00'), kind;
	END LOOP;
END $$;

-- The bounds that clients must have, too: those of an instant in microseconds.
CREATE TEMP TABLE bound (kind text, instant bigint, lower gid, upper gid);
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir
\copy bound FROM 'vectors/bounds.txt' (HEADER)
SELECT count(*) AS bounds, count(*) FILTER (WHERE gid_lower_bound(kind, at) = lower) AS lower, count(*) FILTER (WHERE gid_upper_bound(kind, at) = upper) AS upper
FROM bound, LATERAL (SELECT timestamptz 'epoch' + instant / 1000000 * interval '1 s' + instant % 1000000 * interval '1 us' AS at) t;
