-- Ids that were published, with the times that were published of them, and
-- what is none.
CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what
$$;

SELECT pg_temp.shows(format('%s has its time', key), coalesce(date_trunc(unit, id::timestamptz) = at::timestamptz, false))
FROM (VALUES
	-- Twitter's API, and Wikipedia on a tweet of its own
	('Twitter: 1050118621198921728', gid_of_snowflake('m', 1050118621198921728, 1288834974657), 'second', '2018-10-10 20:19:24+00'),
	('Twitter: 1541815603606036480', gid_of_snowflake('m', 1541815603606036480, 1288834974657), 'milliseconds', '2022-06-28 16:07:40.105+00'),
	-- Discord's API
	('Discord: 175928847299117063', gid_of_snowflake('m', 175928847299117063, 1420070400000), 'milliseconds', '2016-04-30 11:18:25.796+00'),
	-- Two posts, with the times that their pages show
	('Instagram: 2384288897814875714', gid_of_snowflake('m', 2384288897814875714, 1314220021721, 23), 'second', '2020-08-26 13:43:27+00'),
	('Instagram: 2383568809444681765', gid_of_snowflake('m', 2383568809444681765, 1314220021721, 23), 'second', '2020-08-25 13:52:46+00'),
	-- MongoDB's manual
	('ObjectId: 507f191e810c19729de860ea', gid_of_objectid('p', '507f191e810c19729de860ea'), 'milliseconds', '2012-10-17 20:46:22+00'),
	('ObjectId: 507c7f79bcf86cd7994f6c0e', gid_of_objectid('p', '507c7f79bcf86cd7994f6c0e'), 'milliseconds', '2012-10-15 21:26:17+00'),
	-- The README of segmentio/ksuid
	('KSUID: 0ujtsYcgvSTl8PAuAdqWYSMnLOv', gid_of_ksuid('u', '0ujtsYcgvSTl8PAuAdqWYSMnLOv'), 'milliseconds', '2017-10-09 21:00:47-07'),
	('KSUID: 0ujzPyRiIAffKhBux4PvQdDqMHY', gid_of_ksuid('u', '0ujzPyRiIAffKhBux4PvQdDqMHY'), 'milliseconds', '2017-10-09 21:46:20-07'),
	-- The alphabet's ends, and the bounds of time in sno's README
	('sno: 2222222222222222', gid_of_sno('e', '2222222222222222'), 'milliseconds', '2010-01-01 00:00:00+00'),
	('sno: xxxxxxxxxxxxxxxx', gid_of_sno('e', 'xxxxxxxxxxxxxxxx'), 'milliseconds', '2079-09-07 15:47:35.548+00'),
	-- The specification of muids
	('muid: 5D5EAC793E61F', gid_from_muid('h', '5D5EAC793E61F-10000000000-0000000B'), 'milliseconds', '2022-01-19 08:00:30.975+00'),
	-- RFC 9562, appendix A.6
	('UUIDv7: 017f22e2-79b0-7cc3-98c4-dc0c0c07398f', gid_of_uuid7('d', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'), 'milliseconds', '2022-02-22 14:22:22-05'),
	-- The README of ulid/javascript
	('ULID: 01ARYZ6S41TSV4RRFFQ69G5FAV', gid_of_ulid('t', '01ARYZ6S41TSV4RRFFQ69G5FAV'), 'milliseconds', 'epoch'::timestamptz + 1469918176385 * interval '1 ms')
) AS known (key, id, unit, at);

-- What they have besides the time.
SELECT pg_temp.shows('KSUID: the first half of the published payload',
	gid_payload(gid_of_ksuid('u', '0ujtsYcgvSTl8PAuAdqWYSMnLOv')) = x'B5A1CD34B5F99D11'::bigint
	AND gid_payload(gid_of_ksuid('u', '0uk1Ha7hGJ1Q9Xbnkt0yZgNwg3g')) = x'67517BA309EA62AE'::bigint);
SELECT pg_temp.shows('TypeID: the published UUID',
	uuid_of_typeid('prefix', 'prefix_01h455vb4pex5vsknk084sn02q') = '01890a5d-ac96-774b-bcce-b302099a8057'
	AND uuid_of_typeid('prefix', 'prefix_0123456789abcdefghjkmnpqrs') = '0110c853-1d09-52d8-d73e-1194e95b5f19'
	AND uuid_of_typeid('pre_fix', 'pre_fix_7zzzzzzzzzzzzzzzzzzzzzzzzz') = 'ffffffff-ffff-ffff-ffff-ffffffffffff');
SELECT pg_temp.shows('sno: the published bytes', gid_payload(gid_of_sno('e', 'brpk4q72xwf2m63l')) = x'ff9a0a1033'::bigint
	AND ms_of_time(gid_of_sno('e', 'brpk4q72xwf2m63l')::timestamptz) = (x'4e6f2160a0'::bigint >> 1) * 4 + 1262304000000);
SELECT pg_temp.shows('ULID: in lower case too',
	gid_of_ulid('t', '01aryz6s41tsv4rrffq69g5fav') = gid_of_ulid('t', '01ARYZ6S41TSV4RRFFQ69G5FAV'));

-- Whole milliseconds are times and back, over all that a gid holds.
SELECT pg_temp.shows('milliseconds are times and back', bool_and(ms_of_time(time_of_ms(ms)) = ms
	AND gid_timestamp(gid_make('o', time_of_ms(ms), 0)) = time_of_ms(ms)) AND count(*) = 20001)
FROM (SELECT (random() * 281474976710655)::bigint FROM generate_series(1, 10000)
	  UNION ALL SELECT 281474976710655 - n FROM generate_series(0, 10000) n) AS times (ms);

-- What loses nothing, loses nothing; and its order is kept.
CREATE FUNCTION pg_temp.random_bits() RETURNS bit(64) LANGUAGE sql VOLATILE
RETURN ('x' || left(md5(gen_random_uuid()::text), 16))::bit(64);
CREATE FUNCTION pg_temp.in_order(what text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	right_ones bigint; wrong_ones bigint;
BEGIN
	EXECUTE format('SELECT count(*) FILTER (WHERE key = back AND (id > previous OR previous IS NULL)),
		count(*) FILTER (WHERE key IS DISTINCT FROM back OR id <= previous)
		FROM (SELECT key, id, back, lag(id) OVER (ORDER BY key) AS previous FROM (%s) AS keys) AS keys', query)
	INTO right_ones, wrong_ones;
	RETURN pg_temp.shows(format('%s: %s keys are computed back, and in order', what, right_ones), wrong_ones = 0 AND right_ones > 9000);
END $$;
SELECT pg_temp.in_order('Twitter', 'SELECT key, id, snowflake_of(id, 1288834974657) AS back FROM (
	SELECT DISTINCT pg_temp.random_bits()::bigint & 9223372036854775807 FROM generate_series(1, 10000)
	UNION VALUES (0), (4194303), (4194304), (9223372036854775807)) AS keys (key), gid_of_snowflake(''m'', key, 1288834974657) AS id');
SELECT pg_temp.in_order('Instagram', 'SELECT key, id, snowflake_of(id, 1314220021721, 23) AS back FROM (
	SELECT DISTINCT pg_temp.random_bits()::bigint & 9223372036854775807 FROM generate_series(1, 10000)
	UNION VALUES (0), (8388607), (8388608), (9223372036854775807)) AS keys (key), gid_of_snowflake(''m'', key, 1314220021721, 23) AS id');
SELECT pg_temp.in_order('ObjectId', 'SELECT key COLLATE "C", id, objectid_of(id) AS back FROM (
	SELECT left(md5(gen_random_uuid()::text), 24) FROM generate_series(1, 10000)
	UNION VALUES (repeat(''0'', 24)), (repeat(''f'', 24))) AS keys (key), gid_of_objectid(''p'', key) AS id');
SELECT pg_temp.in_order('sno', 'SELECT key COLLATE "C", id, sno_of(id) AS back FROM (
	SELECT to_base32(pg_temp.random_bits() || pg_temp.random_bits()::bit(16), ''23456789abcdefghijklmnopqrstuvwx'')
	FROM generate_series(1, 10000)
	UNION VALUES (repeat(''2'', 16)), (repeat(''x'', 16))) AS keys (key), gid_of_sno(''e'', key) AS id');
SELECT pg_temp.shows('an id that gid_new makes is none of these', count(*) = 1000 AND bool_and(snowflake_of(id, 1288834974657) IS NULL
	AND sno_of(id) IS NULL)) FROM (SELECT gid_new('m', '2026-01-01 00:00:00.001') AS id FROM generate_series(1, 1000)) ids;
SELECT pg_temp.shows('nor an ObjectId, unless at a whole second', objectid_of(gid_new('p', '2026-01-01 00:00:00.001')) IS NULL);

-- What is none is refused.
CREATE FUNCTION pg_temp.state_of(expression text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'SELECT ' || expression;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT pg_temp.shows(format('%s: %s', expression, pg_temp.state_of(expression)), pg_temp.state_of(expression) = state)
FROM (VALUES
	($$gid_of_objectid('p', '507f191e810c19729de860e')$$, '22P02'), ($$gid_of_objectid('p', '507f191e810c19729de860eg')$$, '22P02'),
	($$gid_of_ksuid('u', '0ujtsYcgvSTl8PAuAdqWYSMnLO')$$, '22P02'), ($$gid_of_ksuid('u', '0ujtsYcgvSTl8PAuAdqWYSMnLO-')$$, '22P02'),
	($$gid_of_ksuid('u', 'aWgEPTl1tmebfsQzFP4bxwgy80V')$$, 'no error'), ($$gid_of_ksuid('u', 'aWgEPTl1tmebfsQzFP4bxwgy80W')$$, '22P02'),
	($$uuid_of_typeid('user', 'prefix_01h455vb4pex5vsknk084sn02q')$$, '22P02'), ($$uuid_of_typeid('user', 'user_8zzzzzzzzzzzzzzzzzzzzzzzzz')$$, '22P02'),
	($$uuid_of_typeid('user', '01h455vb4pex5vsknk084sn02q')$$, '22P02'), ($$uuid_of_typeid('user', 'user_01H455VB4PEX5VSKNK084SN02Q')$$, '22P02'),
	($$gid_of_sno('e', 'brpk4q72xwf2m63')$$, '22P02'), ($$gid_of_sno('e', 'Brpk4q72xwf2m63l')$$, '22P02'),
	($$gid_of_ulid('t', '81ARYZ6S41TSV4RRFFQ69G5FAV')$$, '22P02'), ($$gid_of_ulid('t', '01ARYZ6S41TSV4RRFFQ69G5FA')$$, '22P02'),
	($$gid_of_ulid('t', '01ARYZ6S41TSV4RRFFQ69G5FAU')$$, '22P02'),
	($$gid_of_uuid7('d', '919108f7-52d1-4320-9bac-f847db4148a8')$$, '22023'),
	($$gid_of_number('c', now(), -1)$$, '22003'), ($$gid_of_number('c', now(), 18014398509481984)$$, '22003'),
	($$gid_of_number('c', now(), 18014398509481983)$$, 'no error'),
	($$gid_of_snowflake('m', -9223372036854775808, 0)$$, '22008')
) AS refused (expression, state);
