-- What the server says of ids, for the tests of clients to compare with.  It
-- works on files in the current folder, all of columns separated by tabs.
--
-- Read:
--	made.tsv	text, hex, compact, kind, unix_ms, instant: what a client says of
--				ids that it made
-- Shown: how many of these are right.
--
-- Written:
--	ids.tsv		the same columns, of ids of the server's, in its order
--	texts.tsv	hex of a text in UTF-8, why it is no id, or \N if it is one
--	binary.tsv	hex of bytes, why they are no id, or \N
--	kinds.tsv	hex of a name in UTF-8, why it is no kind, or \N, its prefix
--	bounds.tsv	kind, instant, lower bound, upper bound
--	times.tsv	instant, why no id can be made for it, or \N
--
-- An instant is in Unix microseconds.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gid;
SET timezone = 'UTC';
DROP SCHEMA IF EXISTS server CASCADE;
CREATE SCHEMA server;
SET search_path = server, public;

CREATE FUNCTION to_time(instant bigint) RETURNS timestamptz IMMUTABLE LANGUAGE sql AS $$
	SELECT timestamptz 'epoch' + instant / 1000000 * interval '1 s' + instant % 1000000 * interval '1 us'
$$;
CREATE FUNCTION to_instant(at timestamptz) RETURNS bigint IMMUTABLE LANGUAGE sql AS $$
	SELECT extract(epoch FROM at) * 1000000
$$;

-- The detail of the error that a query ends in, and its hint unless that is about
-- SQL; NULL if it ends well.
CREATE FUNCTION reason(query text, with_hint boolean DEFAULT true) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE query;
	RETURN NULL;
EXCEPTION WHEN data_exception THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' ', nullif(detail, ''), CASE WHEN with_hint THEN nullif(hint, '') END);
END
$$;

CREATE FUNCTION described(id gid, OUT text text, OUT hex text, OUT compact text, OUT kind text,
	OUT unix_ms bigint, OUT instant bigint) LANGUAGE sql AS $$
	SELECT id, encode(id::bytea, 'hex'), gid_compact(id), gid_kind(id),
		to_instant(gid_timestamp(id)) / 1000, to_instant(gid_instant(id))
$$;

-- Ids of the client's.

CREATE TABLE made (line serial, text text, hex text, compact text, kind text, unix_ms bigint, instant bigint);
\copy made (text, hex, compact, kind, unix_ms, instant) FROM 'made.tsv'
SELECT count(*) FROM made m, described(m.text::gid) d
WHERE (m.text, m.hex, m.compact, m.kind, m.unix_ms) = (d.text, d.hex, d.compact, d.kind, d.unix_ms)
	AND m.instant IS NOT DISTINCT FROM d.instant
	AND m.compact::gid = m.text::gid AND decode(m.hex, 'hex')::gid = m.text::gid;

-- Ids of the server's.

CREATE TABLE ids AS
SELECT CASE n % 4
		WHEN 0 THEN gid_new(kind)
		WHEN 1 THEN gid_random(kind)
		WHEN 2 THEN gid_new(kind, timestamptz 'epoch' + random() * interval '8900 years')
		ELSE set_byte(uuid_send(gen_random_uuid()), 0, 128 + n % 128)::gid
	END AS id
FROM generate_series(1, 5000) n, LATERAL (SELECT 128 + n % 127 AS kind) k;
INSERT INTO ids SELECT decode(rpad(prefix, 32, filler), 'hex')::gid
FROM unnest('{80,a0,c0,e1,fa,fe,ff}'::text[]) prefix, unnest('{0,f,07,80}'::text[]) filler;
\copy (SELECT d.* FROM ids, described(id) d ORDER BY id) TO 'ids.tsv'

-- Texts, nearly all of them wrong.

CREATE TABLE texts AS
WITH base AS (
	SELECT text, floor(random() * length(text))::int + 1 AS place
	FROM (SELECT id::text FROM ids UNION ALL SELECT gid_compact(id) FROM ids) t (text)
	ORDER BY random() LIMIT 600
), characters AS (SELECT * FROM unnest(ARRAY['-', '0', 'O', 'I', 'l', ' ', '''', E'\\', E'\n', E'\t', E'\x7f', 'é', '€', '𝟙', 'z', '1', '']) c)
SELECT overlay(text PLACING c FROM place FOR 1) AS text FROM base, characters
UNION SELECT overlay(text PLACING c FROM place FOR 0) FROM base, characters
UNION SELECT overlay(text PLACING c FROM 1 FOR 1) FROM base, characters
UNION SELECT overlay(text PLACING c FROM place FOR octet_length(c)) FROM base, unnest(ARRAY['é', '€']) c
UNION SELECT overlay(overlay(text PLACING '-' FROM place FOR 1) PLACING '_' FROM length(text) + 1 - place FOR 1) FROM base
UNION SELECT overlay(text PLACING 'zzzzzzzzzzzzz' FROM 12 FOR 13) FROM base
UNION SELECT overlay(text PLACING '1111111111' FROM 1 FOR 10) FROM base
UNION SELECT unnest(ARRAY['', '-', '----------', repeat('-', 22), repeat('-', 24), repeat('z', 22), repeat('1', 22), repeat('1', 24)]);
\copy (SELECT encode(convert_to(text, 'UTF8'), 'hex'), reason(format('SELECT %L::gid', text)) FROM texts) TO 'texts.tsv'

CREATE TABLE bytes AS
SELECT substr(id::bytea, 1, n) AS bytes FROM ids, generate_series(0, 15) n WHERE random() < 0.02
UNION SELECT id::bytea || '\x00' FROM ids WHERE random() < 0.1
UNION SELECT set_byte(id::bytea, 0, n) FROM ids, generate_series(0, 255) n WHERE random() < 0.005;
\copy (SELECT encode(bytes, 'hex'), reason(format('SELECT %L::bytea::gid', bytes)) FROM bytes) TO 'binary.tsv'

-- Kinds.

CREATE TABLE kinds AS
SELECT unnest(ARRAY['', ' ', 'o ', ' o', 'oo', 'orders', 'volume', 'VOLUME', 'Log', 'SEGMENT', 'segments', 'ö', 'Ö', 'é',
	U&'\212A', U&'\0130', U&'\FF4F', U&'\0661\0662\0668', '0128', '+128', '1e2', '12', '1280', 'constructor', '__proto__']) AS name
UNION SELECT n::text FROM generate_series(-1, 300) n
UNION SELECT chr(n) FROM generate_series(32, 126) n;
ALTER TABLE kinds ADD reason text, ADD prefix int;
UPDATE kinds SET reason = reason(format('SELECT gid_new(%L::text)', name), false);
UPDATE kinds SET prefix = gid_prefix(gid_lower_bound(name, 'epoch')) WHERE reason IS NULL;
\copy (SELECT encode(convert_to(name, 'UTF8'), 'hex'), reason, prefix FROM kinds) TO 'kinds.tsv'

-- Times: a gid's end at 2^48 milliseconds, and PostgreSQL's in the year 294276.

CREATE TABLE times AS
SELECT edge + n AS instant
FROM unnest('{0,1000,-1000,86400000000,1795286542848000,281474976710655000,281474976710656000}'::bigint[]) edge,
	generate_series(-3, 3) n
UNION SELECT (random() * 281474976710656)::bigint * 1000 + n FROM generate_series(1, 1000) n
UNION SELECT ((random() - 0.5) * 4e14)::bigint * 1000 + n FROM generate_series(1, 300) n
UNION SELECT -62135596800000000
UNION SELECT 253402300799999999;
\copy (SELECT kind, instant, gid_lower_bound(kind, to_time(instant)), gid_upper_bound(kind, to_time(instant)) FROM times, unnest('{volume,o,200,254}'::text[]) kind WHERE instant > -200000000000000000) TO 'bounds.tsv'
\copy (SELECT instant, reason(format('SELECT gid_new(128, %L::timestamptz)', to_time(instant))) FROM times WHERE instant > -200000000000000000) TO 'times.tsv'
