-- Bytes in and out: the casts from bytea and uuid, and the wire format.
-- (Binary COPY of malformed values is in t/, where files can be written.)

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
