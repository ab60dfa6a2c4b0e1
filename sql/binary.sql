-- Bytes in and out: the casts from bytea and uuid, and the wire format.

SELECT '\xc0019ad0fea2a64effffffffffffffff'::bytea::gid,
	   'c0019ad0-fea2-a64e-ffff-ffffffffffff'::uuid::gid,
	   '8H24TMQEGM-21Kj8kUFQLRhg'::gid::bytea,
	   '8H24TMQEGM-21Kj8kUFQLRhg'::gid::uuid,
	   gid_send('8H24TMQEGM-21Kj8kUFQLRhg');

SELECT input, state, message, detail
FROM (VALUES ('''''::bytea'), ('''\x80''::bytea'),
			 ('''\xc0019ad0fea2a64effffffffffffff''::bytea'),
			 ('''\xc0019ad0fea2a64effffffffffffffffff''::bytea'),
			 ('''\x7f019ad0fea2a64effffffffffffffff''::bytea'),
			 ('''\x00000000000000000000000000000000''::bytea'),
			 ('''7fffffff-ffff-ffff-ffff-ffffffffffff''::uuid'),
			 ('''019ad0fe-a2a6-7000-8000-000000000000''::uuid'),
			 ('''80000000-0000-0000-0000-000000000000''::uuid'),
			 ('decode(repeat(''c0'', 100000), ''hex'')')) v (input),
	 error_of(format('SELECT (%s)::gid', input));

-- These casts are explicit: nothing turns into a gid, or stops being one, unasked.
CREATE TEMP TABLE casts (g gid, u uuid, b bytea, t timestamptz);
SELECT statement, state, message
FROM (VALUES ('INSERT INTO casts (g) SELECT gen_random_uuid()'),
			 ('INSERT INTO casts (u) SELECT gid_new(''o'')'),
			 ('INSERT INTO casts (g) SELECT ''\x80''::bytea'),
			 ('INSERT INTO casts (b) SELECT gid_new(''o'')'),
			 ('INSERT INTO casts (t) SELECT gid_new(''o'')'),
			 ('INSERT INTO casts (g) SELECT ''8H24TMQEGM-21Kj8kUFQLRhg''::text'),
			 ('SELECT gid_new(''o'') = gen_random_uuid()')) v (statement),
	 error_of(statement);

-- A cast to gid(kind) checks the kind, from bytes too.
SELECT state, message, detail FROM error_of($$SELECT '\xc0019ad0fea2a64effffffffffffffff'::bytea::gid(log)$$);
SELECT state, message, detail FROM error_of($$SELECT 'c0019ad0-fea2-a64e-ffff-ffffffffffff'::uuid::gid(o)$$);
SELECT 'c0019ad0-fea2-a64e-ffff-ffffffffffff'::uuid::gid(segment);

-- Binary COPY there and back gives the same bytes.
\getenv abs_builddir PG_ABS_BUILDDIR
\cd :abs_builddir
CREATE TEMP TABLE sent AS SELECT id::gid FROM vector;
CREATE TEMP TABLE received (id gid);
\copy sent TO 'results/vectors.bin' (FORMAT binary)
\copy received FROM 'results/vectors.bin' (FORMAT binary)
SELECT count(*) FROM sent JOIN received USING (id);

-- Malformed values: no byte, 15 and 17 bytes, a megabyte, no high bit.
\setenv head 'PGCOPY\\n\\377\\r\\n\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\001'
\copy received FROM PROGRAM 'printf "$head\000\000\000\000\377\377"' (FORMAT binary)
\copy received FROM PROGRAM 'printf "$head\000\000\000\017%015d\377\377" 0' (FORMAT binary)
\copy received FROM PROGRAM 'printf "$head\000\000\000\021%017d\377\377" 0' (FORMAT binary)
\copy received FROM PROGRAM 'printf "$head\000\020\000\000%01048576d\377\377" 0' (FORMAT binary)
\copy received FROM PROGRAM 'printf "$head\000\000\000\020%016d\377\377" 0' (FORMAT binary)

-- Another kind, also in an array and for a domain.
CREATE DOMAIN order_id AS gid(o);
CREATE TEMP TABLE of_kind (segment gid(segment), o gid(o), in_domain order_id, in_array gid(o)[]);
\copy (SELECT gid '8H24TMQEGM-21Kj8kUFQLRhg') TO 'results/segment.bin' (FORMAT binary)
\copy (SELECT ARRAY[gid '8H24TMQEGM-21Kj8kUFQLRhg']) TO 'results/array.bin' (FORMAT binary)
\copy of_kind (segment) FROM 'results/segment.bin' (FORMAT binary)
\copy of_kind (o) FROM 'results/segment.bin' (FORMAT binary)
\copy of_kind (in_domain) FROM 'results/segment.bin' (FORMAT binary)
\copy of_kind (in_array) FROM 'results/array.bin' (FORMAT binary)
SELECT * FROM of_kind;

-- Soft errors require PostgreSQL 16, and ON_ERROR 17.
SELECT current_setting('server_version_num')::int < 160000 AS is_before_16, current_setting('server_version_num')::int < 170000 AS is_before_17 \gset
\if :is_before_16
CREATE FUNCTION pg_input_error_info(text, text, OUT message text, OUT detail text, OUT hint text, OUT sql_error_code text) LANGUAGE sql AS $$
	SELECT message, nullif(detail, ''), nullif(hint, ''), nullif(state, 'no error') FROM error_of(format('SELECT %L::%s', $1, $2)) $$;
CREATE FUNCTION pg_input_is_valid(text, text) RETURNS boolean LANGUAGE sql AS $$ SELECT sql_error_code IS NULL FROM pg_input_error_info($1, $2) $$;
\endif
SELECT id, type, pg_input_is_valid(id, type), e.*
FROM (VALUES ('8H24TMQEGM-21Kj8kUFQLRhg', 'gid'), ('QiAcFZD6ehhV4ow9br8SvJ', 'gid'), ('', 'gid'), ('8H24TMQEGM-21Kj8kUFQLRh0', 'gid'),
			 ('8H24TMQEGM-21Kj8kUFQLRhg', 'gid(segment)'), ('8H24TMQEGM-21Kj8kUFQLRhg', 'gid(o)'),
			 ('8H24TMQEGM-21Kj8kUFQLRhg', 'order_id'), ('{8H24TMQEGM-21Kj8kUFQLRhg,x}', 'gid[]')) v (id, type), pg_input_error_info(id, type) e;
SET client_min_messages = warning;
TRUNCATE of_kind;
\if :is_before_17
INSERT INTO of_kind (segment) VALUES ('8H24TMQEGM-21Kj8kUFQLRhg'), ('QiAcFZD6ehhV4ow9br8SvK');
\else
\copy of_kind (segment) FROM PROGRAM 'printf "8H24TMQEGM-21Kj8kUFQLRhg\nnonsense\n74ggbzxuMf-2uAmM7FwXntwW\nQiAcFZD6ehhV4ow9br8SvK\n"' (ON_ERROR ignore)
\endif
RESET client_min_messages;
SELECT segment FROM of_kind;
DROP TABLE of_kind;
DROP DOMAIN order_id;

-- From a uuid with a kind: Graft's own id too, whose byte 7 is not its prefix.
SELECT gid_from_uuid('segment', 'c0019ad0-fea2-a64e-ffff-ffffffffffff'), gid_from_uuid('192', 'c0019ad0-fea2-a64e-ffff-ffffffffffff');
SELECT statement, state, message FROM (VALUES
	($$gid_from_uuid('log', 'c0019ad0-fea2-a64e-ffff-ffffffffffff')$$), ($$gid_from_uuid('160', 'c0019ad0-fea2-a64e-ffff-ffffffffffff')$$),
	($$gid_from_uuid('blob', 'c0019ad0-fea2-a64e-ffff-ffffffffffff')$$), ($$gid_from_uuid('255', 'c0019ad0-fea2-a64e-ffff-ffffffffffff')$$),
	($$gid_from_uuid('segment', '40019ad0-fea2-a64e-ffff-ffffffffffff')$$),
	($$gid_from_uuid('segment', 'c0ffffff-fea2-a64e-ffff-ffffffffffff')$$),
	($$gid_from_uuid('o', gid_random('o', now() + interval '9 s')::uuid) IS NULL$$), ($$gid_from_uuid('o', NULL)$$), ($$gid_from_uuid(NULL, 'c0019ad0-fea2-a64e-ffff-ffffffffffff')$$)) v (statement),
	 error_of('SELECT ' || statement);
SELECT state, message, regexp_replace(detail, 'the clock.*', '...') AS detail
FROM error_of($$SELECT gid_from_uuid('o', gid_make('o', '2500-01-01 00:00+00', 1)::uuid)$$);
