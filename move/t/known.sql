-- Tests the functions of formats.sql, which must be in search_path: published ids with their published times, keys that
-- are computed from their gids, keys of new ids, and invalid keys.  known.keys is the number of random keys.
CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what
$$;

CREATE FUNCTION pg_temp.some() RETURNS bigint LANGUAGE sql AS $$ SELECT current_setting('known.keys')::bigint $$;

-- With the microseconds in the payload.
CREATE FUNCTION pg_temp.time_of(id gid) RETURNS timestamptz LANGUAGE sql AS $$
	SELECT gid_timestamp(id) + (gid_payload(id) >> 54 & 1023) * interval '1 microsecond'
$$;

-- An id like those of gid_new(), which has the prefix in byte 7.
CREATE FUNCTION pg_temp.minted(kind text, at timestamptz) RETURNS gid LANGUAGE sql AS $$
	SELECT set_byte(gid_send(id), 7, gid_prefix(id))::gid FROM gid_random(kind, at) AS id
$$;

-- Published ids.  move/formats.md has others.
SELECT pg_temp.shows('KSUID: the first half of the published payload',
	gid_payload(gid_of_ksuid('u', '0ujtsYcgvSTl8PAuAdqWYSMnLOv')) = x'B5A1CD34B5F99D11'::bigint
	AND gid_payload(gid_of_ksuid('u', '0uk1Ha7hGJ1Q9Xbnkt0yZgNwg3g')) = x'67517BA309EA62AE'::bigint);
SELECT pg_temp.shows('TypeID: prefixes with an underscore, and empty prefixes',
	gid_of_typeid('p', 'pre_fix_01h455vb4pex5vsknk084sn02q', 'pre_fix') = gid_of_typeid('p', '01h455vb4pex5vsknk084sn02q', '')
	AND typeid_of(gid_make('p', '2026-01-01', 7), 'pre_fix') = 'pre_fix_' || typeid_of(gid_make('p', '2026-01-01', 7), ''));
SELECT pg_temp.shows('ULID: the next key has the next id',
	gid_payload(id) = gid_payload(gid_of_ulid('t', '01ARYZ6S41TSV4RRFFQ69G5FAV')) + 1)
FROM gid_of_ulid('t', '01ARYZ6S41TSV4RRFFQ69G5FAW') AS id;
SELECT pg_temp.shows('a time keeps its microseconds',
	pg_temp.time_of(gid_of_number('c', 7, '2026-01-01 00:00:00.123456+00')) = '2026-01-01 00:00:00.123456+00'
	AND pg_temp.time_of(gid_of_uuid('o', '919108f7-52d1-4320-9bac-f847db4148a8', '2026-01-01 00:00:00.123456+00')) = '2026-01-01 00:00:00.123456+00');

SELECT pg_temp.shows('milliseconds and times can be converted to each other', bool_and(ms_of_time(time_of_ms(ms)) = ms
	AND gid_timestamp(gid_make('o', time_of_ms(ms), 0)) = time_of_ms(ms)) AND count(*) = 2 * pg_temp.some())
FROM (SELECT (random() * 281474976710655)::bigint FROM generate_series(1, pg_temp.some())
	  UNION ALL SELECT 281474976710656 - n FROM generate_series(1, pg_temp.some()) n) AS times (ms);

-- Random keys of each format, with the smallest and the largest key.
CREATE FUNCTION pg_temp.random_bytes(n int) RETURNS bytea LANGUAGE sql VOLATILE
RETURN substring(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) FROM 7 FOR 2)
	|| substring(decode(md5(gen_random_uuid()::text) || md5(gen_random_uuid()::text), 'hex') FROM 3 FOR n - 2);
CREATE FUNCTION pg_temp.keys(n int) RETURNS SETOF bytea LANGUAGE sql VOLATILE AS $$
	SELECT pg_temp.random_bytes(n) FROM generate_series(1, pg_temp.some())
	UNION VALUES (decode(repeat('00', n), 'hex')), (decode(repeat('ff', n), 'hex'))
$$;
CREATE FUNCTION pg_temp.as_number(bytes bytea) RETURNS bigint LANGUAGE sql
RETURN ('x' || lpad(encode(bytes, 'hex'), 16, '0'))::bit(64)::bigint;
CREATE FUNCTION pg_temp.ksuid(bytes bytea) RETURNS text LANGUAGE sql
RETURN to_digits((pg_temp.as_number(substring(bytes FROM 1 FOR 6)) * 72057594037927936::numeric + pg_temp.as_number(substring(bytes FROM 7 FOR 7)))
	* 72057594037927936 + pg_temp.as_number(substring(bytes FROM 14)), 27, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
CREATE TEMPORARY TABLE uuid7s AS SELECT encode(set_byte(set_byte(key, 6, get_byte(key, 6) % 16 + 112),
	8, get_byte(key, 8) % 64 + 128), 'hex')::uuid AS key FROM pg_temp.keys(16) AS key;

-- in_order NAME QUERY: the query returns each key, its id, and the key that is computed from the id.
CREATE FUNCTION pg_temp.in_order(what text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	right_ones bigint; wrong_ones bigint;
BEGIN
	EXECUTE format('SELECT count(*) FILTER (WHERE key = back AND (id > previous OR previous IS NULL)),
		count(*) FILTER (WHERE key IS DISTINCT FROM back OR id <= previous)
		FROM (SELECT key, id, back, lag(id) OVER (ORDER BY key) AS previous FROM (%s) AS keys) AS keys', query)
	INTO right_ones, wrong_ones;
	RETURN pg_temp.shows(format('%s: %s keys', what, right_ones), wrong_ones = 0 AND right_ones > 0.9 * pg_temp.some());
END $$;
SELECT pg_temp.in_order('computed back and in order, number', 'SELECT key, id, number_of(id) AS back FROM (
	SELECT pg_temp.as_number(key) & 18014398509481983 FROM pg_temp.keys(8) AS key
	UNION VALUES (0), (1), (18014398509481983)) AS keys (key), gid_of_number(''c'', key, ''2026-01-01 00:00:00.123456+00'') AS id');

-- If a format loses bits, ids still have the order of their keys.
SELECT pg_temp.in_order('in order, uuid', 'SELECT key, id, key AS back
	FROM (SELECT gen_random_uuid() FROM generate_series(1, pg_temp.some())) AS keys (key), gid_of_uuid(''o'', key, ''2026-01-01'') AS id');
SELECT pg_temp.in_order('in order, UUIDv7', 'SELECT key, id, key AS back FROM uuid7s, gid_of_uuid7(''d'', key) AS id');
SELECT pg_temp.in_order('in order, UUIDv7 of one millisecond', 'SELECT key, id, key AS back FROM (
	SELECT overlay(key::text PLACING ''019b75d8-5c00'' FROM 1)::uuid AS key FROM uuid7s) AS keys, gid_of_uuid7(''d'', key) AS id');
SELECT pg_temp.in_order('in order, ULID', 'SELECT key, id, key AS back FROM pg_temp.keys(16) AS key, gid_of_ulid(''t'', encode(key, ''hex'')::uuid) AS id');
SELECT pg_temp.shows('KSUID: the published bytes', pg_temp.ksuid('\x0669F7EFB5A1CD34B5F99D1154FB6853345C9735') = '0ujtsYcgvSTl8PAuAdqWYSMnLOv');
SELECT pg_temp.in_order('in order, KSUID', 'SELECT pg_temp.ksuid(key) COLLATE "C" AS key, id, pg_temp.ksuid(key) AS back
	FROM pg_temp.keys(20) AS key, gid_of_ksuid(''u'', pg_temp.ksuid(key)) AS id');

-- Keys of ids of different transactions, of ids of one transaction, and of random ids of one millisecond.
CREATE TEMPORARY TABLE ids AS
SELECT pg_temp.minted('m', '2026-01-01 00:00:00+00'::timestamptz + n * interval '321 us') AS id, true AS new FROM generate_series(1, pg_temp.some() / 2) n
UNION ALL SELECT gid_make('m', '2026-01-01 00:00:00.001+00', pg_temp.as_number(key)), false FROM pg_temp.keys(8) AS key;
INSERT INTO ids SELECT gid_new('m'), true FROM generate_series(1, pg_temp.some() / 2);
SELECT pg_temp.in_order('keys of new ids are in order, ' || name, 'SELECT id AS key, ' || key || ' AS id, id AS back FROM ids WHERE new')
FROM (VALUES ('UUIDv7', 'uuid7_of(id)'), ('ULID', 'ulid_of(id) COLLATE "C"'),
	('ULID as uuid', 'ulid_uuid_of(id)'), ('KSUID', 'ksuid_of(id) COLLATE "C"'),
	('TypeID', 'typeid_of(id, ''user'') COLLATE "C"')) AS formats (name, key);
CREATE TEMPORARY TABLE new_keys AS SELECT *, uuid_of(id) AS uuid, uuid7_of(id) AS uuid7, ulid_of(id) AS ulid,
	ulid_uuid_of(id) AS ulid_uuid, ksuid_of(id) AS ksuid, typeid_of(id, 'user') AS typeid FROM ids;
SELECT pg_temp.shows('keys of ids are different', count(*) > 1.9 * pg_temp.some() AND count(*) = ALL (ARRAY[count(DISTINCT id), count(DISTINCT uuid),
	count(DISTINCT uuid7), count(DISTINCT ulid COLLATE "C"), count(DISTINCT ulid_uuid),
	count(DISTINCT ksuid COLLATE "C"), count(DISTINCT typeid COLLATE "C")])) FROM new_keys;
SELECT pg_temp.shows('the uuid of a new id is converted to an id of the same time and payload', bool_and(
	gid_of_uuid('m', uuid, pg_temp.time_of(id)) = gid_make('m', gid_timestamp(id), gid_payload(id)))) FROM new_keys WHERE new;
SELECT pg_temp.shows('keys of ids are valid, and have their times', bool_and(substr(uuid::text, 15, 1) = '4' AND substr(uuid::text, 20, 1) = '8'
	AND gid_timestamp(gid_of_uuid7('m', uuid7)) = gid_timestamp(id) AND gid_timestamp(gid_of_ulid('m', ulid)) = gid_timestamp(id)
	AND gid_timestamp(gid_of_ksuid('m', ksuid)) = date_trunc('second', gid_timestamp(id))
	AND gid_timestamp(gid_of_typeid('m', typeid, 'user')) = gid_timestamp(id))) FROM new_keys;
SELECT pg_temp.shows('keys of ids are the same in each type', bool_and(gid_of_ulid('m', ulid_uuid) = gid_of_ulid('m', ulid)
	AND gid_of_typeid('m', typeid, 'user') = gid_of_uuid7('m', uuid7))) FROM new_keys;

SELECT pg_temp.shows(format('an id of %s has no KSUID', at), bool_and(ksuid_of(id) IS NULL))
FROM unnest(ARRAY['2000-01-01 00:00:00+00', '2160-01-01 00:00:00+00', '10889-08-02 05:31:50+00']::timestamptz[]) AS at, gid_make('m', at, 0) AS id
GROUP BY at;

SELECT pg_temp.shows('all functions return NULL for NULL', bool_and(result IS NULL))
FROM unnest(ARRAY[gid_of_uuid('o', NULL, now()), gid_of_uuid('o', gen_random_uuid(), NULL), gid_of_uuid(NULL, gen_random_uuid(), now()),
	gid_of_uuid7('o', NULL), gid_of_ulid('o', NULL::text), gid_of_ulid('o', NULL::uuid),
	gid_of_number('o', NULL, now()), gid_of_number('o', 1, NULL), gid_of_ksuid('o', NULL::text),
	gid_of_typeid('o', NULL, 'user'), gid_of_typeid('o', 'user_01h455vb4pex5vsknk084sn02q', NULL)]::text[] || ARRAY[uuid_of(NULL), uuid7_of(NULL), ulid_of(NULL),
	ulid_uuid_of(NULL), number_of(NULL), ksuid_of(NULL),
	typeid_of(NULL, 'user')]::text[]) AS result;

-- Invalid keys.
CREATE FUNCTION pg_temp.error_of(expression text, OUT state text, OUT message text, OUT detail text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'SELECT ' || expression;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
END $$;
SELECT pg_temp.shows(format('%s: %s %s', expression, error.state, error.message), error.state IS NOT DISTINCT FROM invalid.state
	AND split_part(error.message, ': "', 1) IS NOT DISTINCT FROM invalid.message
	AND (error.state IS NULL OR strpos(expression, split_part(error.message, '"', 2)) > 0 AND error.detail <> ''))
FROM (VALUES
	($$gid_of_ksuid('u', '0ujtsYcgvSTl8PAuAdqWYSMnLO')$$, '22P02', 'invalid KSUID'),
	($$gid_of_ksuid('u', '0ujtsYcgvSTl8PAuAdqWYSMnLO-')$$, '22P02', 'invalid KSUID'),
	($$gid_of_ksuid('u', 'aWgEPTl1tmebfsQzFP4bxwgy80V')$$, NULL, NULL),
	($$gid_of_ksuid('u', 'aWgEPTl1tmebfsQzFP4bxwgy80W')$$, '22P02', 'invalid KSUID'),
	($$gid_of_typeid('u', 'prefix_01h455vb4pex5vsknk084sn02q', 'user')$$, '22P02', 'invalid TypeID'),
	($$gid_of_typeid('u', 'user_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'user')$$, '22P02', 'invalid TypeID'),
	($$gid_of_typeid('u', '01h455vb4pex5vsknk084sn02q', 'user')$$, '22P02', 'invalid TypeID'),
	($$gid_of_typeid('u', 'user_01h455vb4pex5vsknk084sn02', 'user')$$, '22P02', 'invalid TypeID'),
	($$gid_of_typeid('u', 'user_01H455VB4PEX5VSKNK084SN02Q', 'user')$$, '22P02', 'invalid TypeID'),
	($$gid_of_typeid('u', 'user_0123456789abcdefghjkmnpqrs', 'user')$$, '22P02', 'invalid TypeID'),
	($$gid_of_typeid('u', 'user_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'user')$$, '22P02', 'invalid TypeID'),
	($$gid_of_typeid('u', 'h455vb4pex5vsknk084sn02q', '')$$, '22P02', 'invalid TypeID'),
	($$gid_of_ulid('t', '81ARYZ6S41TSV4RRFFQ69G5FAV')$$, '22P02', 'invalid ULID'),
	($$gid_of_ulid('t', '01ARYZ6S41TSV4RRFFQ69G5FA')$$, '22P02', 'invalid ULID'),
	($$gid_of_ulid('t', '01ARYZ6S41TSV4RRFFQ69G5FAU')$$, '22P02', 'invalid ULID'),
	($$gid_of_uuid7('d', '919108f7-52d1-4320-9bac-f847db4148a8')$$, '22023', 'invalid UUIDv7'),
	($$gid_of_uuid7('d', '017f22e2-79b0-7cc3-c8c4-dc0c0c07398f')$$, '22023', 'invalid UUIDv7'),
	($$gid_of_number('c', -1, now())$$, '22003', 'number out of range for type gid'),
	($$gid_of_number('c', 18014398509481984, now())$$, '22003', 'number out of range for type gid'),
	($$gid_of_number('c', 18014398509481983, now())$$, NULL, NULL),
	($$gid_of_number('c', 1, 'infinity')$$, '22008', 'timestamp out of range for type gid'),
	($$gid_of_uuid('#', gen_random_uuid(), now())$$, '22023', 'unrecognized gid kind'),
	($$gid_of_ksuid('#', '0ujtsYcgvSTl8PAuAdqWYSMnLOv')$$, '22023', 'unrecognized gid kind')
) AS invalid (expression, state, message), pg_temp.error_of(expression) AS error;
