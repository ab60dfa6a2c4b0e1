-- Writes what clients are asked, and what the server answers, into the current
-- folder: questions.txt and answers.txt, a line for each.  README.md has the
-- questions.
\set ON_ERROR_STOP on
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gid;
SET timezone = 'UTC';
DROP SCHEMA IF EXISTS conformance CASCADE;
CREATE SCHEMA conformance;
SET search_path = conformance;

CREATE FUNCTION to_time(instant bigint) RETURNS timestamptz IMMUTABLE LANGUAGE sql AS $$
	SELECT timestamptz 'epoch' + instant / 1000000 * interval '1 s' + instant % 1000000 * interval '1 us'
$$;
CREATE FUNCTION to_instant(at timestamptz) RETURNS bigint IMMUTABLE LANGUAGE sql AS $$
	SELECT extract(epoch FROM at) * 1000000
$$;
CREATE FUNCTION to_hex(text text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
	SELECT encode(convert_to(text, 'UTF8'), 'hex')
$$;

-- What "read" answers.
CREATE FUNCTION described(id gid) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(E'\t', id, encode(id::bytea, 'hex'), gid_compact(id), gid_kind(id), gid_prefix(id),
		to_instant(gid_timestamp(id)) / 1000, coalesce(to_instant(gid_instant(id))::text, '-'),
		coalesce(gid_node(id)::text, '-'), coalesce(gid_medallion(id)::text, '-'), coalesce(gid_offset(id)::text, '-'))
$$;

-- "ok" with the value of a query, or "error" with the detail of its error and a hint.
-- The hints of clients are not about SQL.
CREATE FUNCTION answer(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	value text;
	detail text;
BEGIN
	EXECUTE query INTO value;
	RETURN E'ok\t' || value;
EXCEPTION WHEN data_exception THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN E'error\t' || concat_ws(' ', nullif(detail, ''),
		CASE WHEN detail LIKE '% is not a base-58 digit.' THEN 'The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".' END);
END
$$;

CREATE TABLE exchange (n serial, question text NOT NULL, answer text NOT NULL);

-- Ids.

CREATE TABLE ids AS
SELECT CASE n % 4
		WHEN 0 THEN gid_new(kind)
		WHEN 1 THEN gid_random(kind)
		WHEN 2 THEN gid_random(kind, timestamptz 'epoch' + random() * interval '8900 years')
		ELSE set_byte(uuid_send(gen_random_uuid()), 0, 128 + n % 128)::gid
	END AS id
FROM generate_series(1, 5000) n, LATERAL (SELECT (128 + n % 127)::text AS kind) k;
INSERT INTO ids SELECT decode(rpad(prefix, 32, filler), 'hex')::gid
FROM unnest('{80,a0,c0,e1,fa,fe,ff}'::text[]) prefix, unnest('{0,f,07,80}'::text[]) filler;
-- Byte 7 is the prefix, 0xFF, 0, or another value, and the first 10 bits of the
-- payload are at most 999, or more.  An id of Graft can have the prefix there, too.
CREATE TABLE byte_7 AS
SELECT decode(prefix || '019ad0fea2a6' || byte || payload, 'hex')::gid AS id
FROM unnest('{80,a0,c0,e1,ef,fe,ff}'::text[]) prefix, LATERAL unnest(ARRAY[prefix, 'ff', '00', '01', '7f', '81', 'd4']) byte,
	unnest('{0000000000000000,0000000000000001,f9ffffffffffffff,fa00000000000000,ffffffffffffffff}'::text[]) payload;
INSERT INTO ids SELECT id FROM byte_7;
CREATE TABLE vectors (text gid, hex text, compact text, kind text, unix_ms bigint);
\copy vectors FROM 'vectors/edges.tsv' (HEADER)
\copy vectors FROM 'vectors/graft-minted.tsv' (HEADER)
INSERT INTO ids SELECT text FROM vectors;
INSERT INTO ids SELECT gid_lower_bound(kind, to_time(instant)) FROM unnest('{volume,o,200}'::text[]) kind, unnest('{0,1795286542848060}'::bigint[]) instant;

-- If something changes a name that all ids share, later answers are wrong, too.
INSERT INTO exchange (question, answer) SELECT E'change\t' || id, described(id) FROM ids WHERE random() < 0.02;
INSERT INTO exchange (question, answer) SELECT E'read\t' || id, described(id) FROM ids;
INSERT INTO exchange (question, answer) SELECT E'text\t' || to_hex(gid_compact(id)), E'ok\t' || id FROM ids;
INSERT INTO exchange (question, answer) SELECT E'bytes\t' || encode(id::bytea, 'hex'), E'ok\t' || id FROM ids;
-- Ages by a clock that stands.  The server's remarks are by its own clock, which is a little later.
CREATE TABLE explained AS
SELECT at, id, row_to_json(e)::jsonb || jsonb_build_object('age', at - e.time) AS answer
FROM (SELECT date_trunc('milliseconds', now()) + n * interval '50 us' FROM generate_series(0, 1) n) clock (at), (
	SELECT id FROM ids WHERE random() < 0.1 UNION SELECT id FROM byte_7 UNION
	SELECT gid_lower_bound('o', date_trunc('milliseconds', now()) - age)
	FROM unnest('{0,1 ms,59.999 s,1 h,23:59:59.999,1 d,1 d 1 ms,2 d,-1 h,-1 d,-1 d -1 ms}'::interval[]) age
) i, gid_explain(id) e;
INSERT INTO exchange (question, answer)
SELECT question, answer FROM (
	SELECT DISTINCT at, 1, E'clock\t' || to_instant(at), 'ok' FROM explained UNION ALL
	SELECT at, 2, E'explain\t' || id, answer::text FROM explained UNION ALL
	SELECT 'infinity', 3, E'clock\t-', 'ok'
) q (at, place, question, answer) ORDER BY at, place;
INSERT INTO exchange (question, answer)
SELECT E'compare\t' || a || E'\t' || b, CASE WHEN a < b THEN '<' WHEN a = b THEN '=' ELSE '>' END
FROM (
	SELECT id AS a, lead(id) OVER (ORDER BY random()) AS b FROM ids UNION ALL
	SELECT id, lead(id) OVER (ORDER BY id) FROM ids UNION ALL
	SELECT id, id FROM ids WHERE random() < 0.1
) pairs WHERE b IS NOT NULL;
INSERT INTO exchange (question, answer)
SELECT E'sort\t' || string_agg(id::text, E'\t' ORDER BY random()), string_agg(id::text, E'\t' ORDER BY id) FROM ids;

-- Texts and bytes, most of them invalid.

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
-- Several reasons apply, the first of them to the part that a client reads last.
UNION SELECT overlay(overlay(text PLACING first FROM 1 FOR 1) PLACING c FROM 12 + place % 11 FOR 1)
FROM base, unnest('{1,z}'::text[]) first, unnest('{/,-,z}'::text[]) c
UNION SELECT overlay(overlay(text PLACING '1' FROM 1 FOR 1) PLACING 'z' FROM 12 FOR 1) FROM base
UNION SELECT unnest(ARRAY['', '-', '----------', repeat('-', 22), repeat('-', 24), repeat('z', 22), repeat('1', 22), repeat('1', 24)]);
CREATE TABLE refused (text text, reason text);
\copy refused FROM 'vectors/refused.txt' (HEADER)
INSERT INTO texts SELECT text FROM refused;
ALTER TABLE texts ADD answer text;
UPDATE texts SET answer = answer(format('SELECT %L::gid', text));
INSERT INTO exchange (question, answer) SELECT E'text\t' || to_hex(text), answer FROM texts;
INSERT INTO exchange (question, answer) SELECT E'valid\t' || to_hex(text), CASE WHEN answer LIKE 'ok%' THEN 'true' ELSE 'false' END FROM texts WHERE random() < 0.2;

CREATE TABLE bytes AS
SELECT substr(id::bytea, 1, n) AS bytes FROM ids, generate_series(0, 15) n WHERE random() < 0.02
UNION SELECT id::bytea || '\x00' FROM ids WHERE random() < 0.1
UNION SELECT set_byte(id::bytea, 0, n) FROM ids, generate_series(0, 255) n WHERE random() < 0.005;
INSERT INTO exchange (question, answer) SELECT E'bytes\t' || encode(bytes, 'hex'), answer(format('SELECT %L::bytea::gid', bytes)) FROM bytes;

-- A value in JSON that can be null.
CREATE TABLE json AS
SELECT to_json(text)::text AS value, text FROM (SELECT text FROM texts ORDER BY random() LIMIT 500) t
UNION SELECT to_json(id)::text, id::text FROM (SELECT id FROM ids LIMIT 100) i
UNION SELECT to_json(before || id || after)::text, 'not the text of an id'
FROM (SELECT id FROM ids LIMIT 20) i, (VALUES (' ', ''), ('', ' '), (E'\n', E'\n'), ('', E'\u0001')) blanks (before, after)
UNION SELECT value::text, 'not the text of an id'
FROM json_array_elements('["", " ", "null", 0, 1111111111111111111111, 111111111111111111111111, true, false, [], {}]') value
UNION SELECT '["' || id || '"]', 'not the text of an id' FROM ids WHERE random() < 0.01;
INSERT INTO exchange (question, answer)
SELECT E'json\t' || to_hex(value), regexp_replace(answer(format('SELECT %L::gid', text)), '^error.*', 'error') FROM json
UNION ALL SELECT E'json\t' || to_hex('null'), 'null';
INSERT INTO exchange (question, answer) VALUES (E'valid\t-', 'false');

-- Kinds.

CREATE TABLE kinds AS
SELECT unnest(ARRAY['', ' ', 'o ', ' o', 'oo', 'orders', 'volume', 'VOLUME', 'Log', 'SEGMENT', 'segments', 'ö', 'Ö', 'é',
	U&'\212A', U&'\0130', U&'\FF4F', U&'\0661\0662\0668', '0128', '+128', '1e2', '12', '1280', 'constructor', '__proto__']) AS name
UNION SELECT n::text FROM generate_series(-1, 300) n
UNION SELECT chr(n) FROM generate_series(32, 126) n;
INSERT INTO exchange (question, answer)
SELECT E'kind\t' || to_hex(name), answer(format('SELECT gid_prefix(gid_lower_bound(%L::text, timestamptz ''epoch''))', name)) FROM kinds;
INSERT INTO exchange (question, answer)
SELECT concat_ws(E'\t', 'text', to_hex(id::text), kind),
	regexp_replace(answer(format('SELECT %L::gid(%s)', id, kind)), '^(error.*)', '\1 Check the value, or the kind that the program expects.')
FROM (SELECT id FROM ids ORDER BY random() LIMIT 200) i, LATERAL (
	SELECT gid_kind(id) WHERE gid_prefix(id) < 255 UNION ALL SELECT gid_prefix(id)::text WHERE gid_prefix(id) < 255 UNION ALL SELECT 'o'
) k (kind);
INSERT INTO exchange (question, answer)
SELECT concat_ws(E'\t', 'valid', to_hex(id::text), kind), gid_prefix(id) = gid_prefix(gid_lower_bound(kind, timestamptz 'epoch'))
FROM (SELECT id FROM ids ORDER BY random() LIMIT 200) i, unnest('{o,volume,254}'::text[]) kind;

-- Times: a gid's end at 2^48 milliseconds, PostgreSQL's in the year 294276, those of 64
-- bits in microseconds and in seconds, and those of languages.  Fractions are nanoseconds.

CREATE TABLE times AS
SELECT edge + n AS instant
FROM unnest('{0,1000,-1000,86400000000,1795286542848000,281474976710655000,281474976710656000}'::bigint[]) edge,
	(SELECT generate_series(-3, 3) UNION ALL SELECT unnest('{-0.999,-0.5,-0.001,0.001,0.5,0.999}'::numeric(4, 3)[])) n (n)
UNION SELECT (random() * 281474976710656)::bigint * 1000 + n FROM generate_series(1, 1000) n
UNION SELECT ((random() - 0.5) * 2e14)::bigint * 1000 + n FROM generate_series(1, 300) n
UNION SELECT round((random() * 2e14)::numeric * 1000 + n, 3) FROM generate_series(1, 300) n
UNION SELECT edge * sign + n
FROM unnest('{62135596800000000,253402300800000000,8640000000000000000,9223372036854775807,18446744073709551616,
	18448539360252000000,9223372036854775807000000,31556889864403200000000,4611686018427387904000000}'::numeric[]) edge,
	unnest('{-1,1}'::int[]) sign, unnest('{-1,0,1}'::int[]) n;
CREATE FUNCTION to_bounded(instant numeric) RETURNS timestamptz IMMUTABLE LANGUAGE sql AS $$
	SELECT CASE WHEN instant > 9e18 THEN 'infinity' WHEN instant < -2e17 THEN '-infinity' ELSE to_time(instant::bigint) END
$$;
INSERT INTO exchange (question, answer)
SELECT concat_ws(E'\t', 'lower', kind, instant), gid_lower_bound(kind, to_bounded(ceil(instant))) FROM times, unnest('{volume,o,200,254}'::text[]) kind
UNION ALL SELECT concat_ws(E'\t', 'upper', kind, instant), gid_upper_bound(kind, to_bounded(floor(instant))) FROM times, unnest('{volume,o,200,254}'::text[]) kind;
CREATE TABLE bounds (kind text, instant bigint, lower text, upper text);
\copy bounds FROM 'vectors/bounds.txt' (HEADER)
INSERT INTO exchange (question, answer)
SELECT concat_ws(E'\t', 'lower', kind, instant), lower FROM bounds
UNION ALL SELECT concat_ws(E'\t', 'upper', kind, instant), upper FROM bounds;
-- Of an id for a time only the time is known.
INSERT INTO exchange (question, answer)
SELECT concat_ws(E'\t', 'new', 'volume', instant),
	answer(format('SELECT to_instant(gid_timestamp(id)) + (gid_payload(id) >> 54 & 1023) FROM gid_random(''volume'', %L::timestamptz) id', to_bounded(floor(instant))))
FROM times;

\o questions.txt
SELECT question FROM exchange ORDER BY n;
\o answers.txt
SELECT answer FROM exchange ORDER BY n;
