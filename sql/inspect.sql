-- What a gid says of itself.
SET timezone = 'UTC';
SET datestyle = 'ISO';

-- Creation time is right for every gid.
SELECT id::gid, gid_timestamp(id::gid), id::gid::timestamptz = gid_timestamp(id::gid) AS same
FROM vector ORDER BY unix_ms, id;

-- A known muid: the packed parts, one by one.
--   2026-01-02 02:48:54.062901, medallion 0xABCDEF, offset 0x12345678
CREATE TEMP TABLE known AS SELECT ('\xc0019b7c9ba62ec0e16af37bd2345678'::bytea)::gid AS id;
SELECT gid_timestamp(id), gid_instant(id), gid_medallion(id) = x'ABCDEF'::int AS medallion,
	   gid_offset(id) = x'12345678'::int AS offset, gid_muid(id) FROM known;
SELECT gid_transaction(id)::bytea, gid_offset(gid_transaction(id)), gid_muid(gid_transaction(id)) FROM known;

-- The largest and the smallest.
SELECT gid_instant(id), gid_medallion(id), gid_offset(id), gid_muid(id)
FROM (VALUES ('\xc0000000000000c00000000000000000'), ('\xc0ffffffffffffc0f9ffffffffffffff')) v (hex),
	 LATERAL (SELECT hex::bytea::gid AS id) g;

-- The muid is that of the parts, for what is minted now.
SELECT gid_muid(id) = upper(format('%s-%s-%s',
		lpad(to_hex((extract(epoch FROM gid_instant(id)) * 1000000)::bigint), 13, '0'),
		lpad(to_hex(x'10000000000'::bigint + gid_medallion(id)), 11, '0'),
		lpad(to_hex(gid_offset(id)), 8, '0'))) AS muid,
	   gid_muid(id) ~ '^[0-9A-F]{13}-1[0-9A-F]{10}-[0-9A-F]{8}$' AS form
FROM gid_new('o') id;

-- The parts put together again are the id.
SELECT bool_and(gid_timestamp(id) = date_trunc('milliseconds', gid_instant(id))) AS times,
	   bool_and(gid_send(gid_transaction(id)) = set_byte(set_byte(set_byte(set_byte(gid_send(id),
			12, get_byte(gid_send(id), 12) & 192), 13, 0), 14, 0), 15, 0)) AS transactions
FROM (SELECT gid_new('o') AS id FROM generate_series(1, 100)) ids;

-- From a gid that certainly has no muid, because byte 7 is not the prefix, NULL.
SELECT count(*) AS foreign_ids,
	   count(gid_instant(id::gid)) AS instants, count(gid_medallion(id::gid)) AS medallions,
	   count(gid_offset(id::gid)) AS offsets, count(gid_transaction(id::gid)) AS transactions,
	   count(gid_muid(id::gid)) AS muids
FROM vector WHERE substr(hex, 15, 2) <> left(hex, 2);
-- Noise that looks like a muid cannot be told from one.
SELECT id, gid_instant(id::gid), gid_medallion(id::gid), gid_offset(id::gid), gid_transaction(id::gid), gid_muid(id::gid)
FROM vector WHERE substr(hex, 15, 2) = left(hex, 2);
-- 1000 to 1023 microseconds are none.
SELECT gid_instant('\xc0019ad0fea2a6c0f9ffffffffffffff'::bytea::gid),
	   gid_instant('\xc0019ad0fea2a6c0fa00000000000000'::bytea::gid) IS NULL AS none;

-- gid_lower_bound: the smallest gid of the kind at or after a time.
SELECT at, gid_lower_bound('segment', at)::bytea
FROM (VALUES ('1970-01-01 00:00:00+00'::timestamptz), ('1970-01-01 00:00:00.000001+00'),
			 ('1970-01-01 00:00:00.001+00'), ('1970-01-01 00:00:00.001001+00'),
			 ('2025-11-29 19:02:20.070+00'), ('2025-11-29 19:02:20.070001+00'),
			 ('2025-11-29 19:02:20.069999+00'),
			 ('1969-12-31 23:59:59.999999+00'), ('1900-01-01'), ('4714-11-24 00:00+00 BC'), ('-infinity'),
			 ('10889-08-02 05:31:50.655+00'), ('10889-08-02 05:31:50.655001+00'),
			 ('294276-12-31 23:59:59.999999+00'), ('infinity')) v (at);
SELECT gid_lower_bound(254, 'infinity'), gid_kind(gid_lower_bound(254, 'infinity'));

-- Around every vector's millisecond it is the border it promises to be.
SELECT count(*) AS cases, bool_and((id::gid >= bound) = (gid_timestamp(id::gid) >= at)) AS right
FROM vector, generate_series(-1001, 1001) shift,
	 LATERAL (SELECT gid_timestamp(id::gid) + shift * interval '1 microsecond' AS at) t,
	 LATERAL (SELECT gid_lower_bound(get_byte(id::gid::bytea, 0), at) AS bound) f
WHERE kind <> '255';

-- gid_new(kind, at) keeps the time to the microsecond, and no more than it can.
SELECT at, gid_instant(gid_new('o', at)) = at AS kept, gid_instant(gid_new(225, at)) = at AS kept_too
FROM (VALUES ('1970-01-01 00:00:00+00'::timestamptz), ('1999-12-31 23:59:59.999999+00'),
			 ('2026-01-02 03:04:05.678901+00'), ('10889-08-02 05:31:50.655999+00')) v (at);
SELECT at, state, message, detail
FROM (VALUES ('1969-12-31 23:59:59.999999+00'), ('10889-08-02 05:31:50.656+00'), ('infinity'), ('-infinity'),
			 ('294276-12-31 23:59:59.999999+00')) v (at),
	 error_of(format('SELECT gid_new(''o'', %L)', at));
SELECT state, message FROM error_of($$SELECT gid_new('o', 'yesterdayish')$$);
SELECT state, message FROM error_of($$SELECT gid_lower_bound('o', '2026-02-30')$$);
SELECT count(DISTINCT gid_new('o', '2026-01-01')) FROM generate_series(1, 100000);

-- gid_random: byte 7 as we write it, the wall clock, and no two alike.
SELECT count(DISTINCT id), bool_and(get_byte(gid_send(id), 7) = get_byte(gid_send(id), 0)) AS byte_7,
	   bool_and(gid_timestamp(id) BETWEEN date_trunc('milliseconds', now()) AND clock_timestamp()) AS clock
FROM (SELECT gid_random('log') AS id FROM generate_series(1, 100000)) ids;
-- Nothing tells most of them from ids of gid_new: 1,000 of 1,024 have at most
-- 999 microseconds where gid_new has its.
SELECT count(gid_instant(gid_random('o'))) BETWEEN 97000 AND 98300 AS most FROM generate_series(1, 100000);
