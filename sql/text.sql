-- Text in and out, in both forms.

-- Every vector, in every direction.  Counts of what agrees, of 30.
SELECT count(*) AS vectors,
	   count(*) FILTER (WHERE id::gid::text = id) AS text_to_text,
	   count(*) FILTER (WHERE compact::gid::text = id) AS compact_to_text,
	   count(*) FILTER (WHERE gid_compact(id::gid) = compact) AS to_compact,
	   count(*) FILTER (WHERE gid_compact(compact::gid) = compact) AS compact_to_compact,
	   count(*) FILTER (WHERE encode(id::gid::bytea, 'hex') = hex) AS text_to_bytes,
	   count(*) FILTER (WHERE encode(compact::gid::bytea, 'hex') = hex) AS compact_to_bytes,
	   count(*) FILTER (WHERE decode(hex, 'hex')::gid::text = id) AS bytes_to_text,
	   count(*) FILTER (WHERE hex::uuid::gid::text = id) AS uuid_to_text,
	   count(*) FILTER (WHERE gid_kind(id::gid) = kind) AS kinds,
	   count(*) FILTER (WHERE extract(epoch FROM gid_timestamp(id::gid)) * 1000 = unix_ms) AS times
FROM vector;

-- Some of them, for the reader.
SELECT id::gid, id::gid::bytea, gid_compact(id::gid)
FROM vector WHERE kind = 'volume' ORDER BY id::gid;

-- Byte order, text order and the order of the type agree, in both forms.
SELECT array_agg(id ORDER BY id::gid) = array_agg(id ORDER BY id) AS text_order,
	   array_agg(id ORDER BY id::gid) = array_agg(id ORDER BY compact) AS compact_order,
	   array_agg(id ORDER BY id::gid) = array_agg(id ORDER BY decode(hex, 'hex')) AS byte_order
FROM vector;

-- Malformed text, and its errors.
CREATE TABLE malformed (what text, input text);
INSERT INTO malformed VALUES
	('empty', ''),
	('one short', '8H24TMQEGM-21Kj8kUFQLRh'),
	('one long', '8H24TMQEGM-21Kj8kUFQLRhgg'),
	('compact, one short', 'QiAcFZD6ehhV4ow9br8Sv'),
	('compact, one long', 'QiAcFZD6ehhV4ow9br8SvJJ'),
	('leading space', ' 8H24TMQEGM-21Kj8kUFQLRhg'),
	('trailing space', '8H24TMQEGM-21Kj8kUFQLRhg '),
	('space inside', '8H24TMQEGM-21Kj8 UFQLRhg'),
	('digit 0', '8H24TMQEGM-21Kj8kUFQLRh0'),
	('letter I', 'IH24TMQEGM-21Kj8kUFQLRhg'),
	('letter O', '8H24TMQEGO-21Kj8kUFQLRhg'),
	('letter l', '8H24TMQEGM-l1Kj8kUFQLRhg'),
	('compact, digit 0', 'QiAcFZD6ehhV4ow9br8Sv0'),
	('compact, letter I', 'IiAcFZD6ehhV4ow9br8SvJ'),
	('compact, letter O', 'QiAcFZD6ehhO4ow9br8SvJ'),
	('compact, letter l', 'QiAcFZD6ehhl4ow9br8SvJ'),
	('dash one to the left', '8H24TMQEG-M21Kj8kUFQLRhg'),
	('dash one to the right', '8H24TMQEGM2-1Kj8kUFQLRhg'),
	('dash at the start', '-8H24TMQEGM21Kj8kUFQLRhg'),
	('dash at the end', '8H24TMQEGM21Kj8kUFQLRhg-'),
	('dash doubled', '8H24TMQEGM--1Kj8kUFQLRhg'),
	('dash absent', '8H24TMQEGM121Kj8kUFQLRhg'),
	('dash absent, one short', '8H24TMQEGM21Kj8kUFQLRhg'),
	('dash in compact', 'QiAcFZD6eh-V4ow9br8SvJ'),
	('only dashes', repeat('-', 24)),
	('underscore for dash', '8H24TMQEGM_21Kj8kUFQLRhg'),
	('T overflows by one', 'AhgGMrqSxv-1111111111111'),
	('T overflows far', 'zzzzzzzzzz-2dVseX433Zwhy'),
	('R overflows by one', '8H24TMQEGM-4FzkJ37568tQw'),
	('R overflows far', '8H24TMQEGM-zzzzzzzzzzzzz'),
	('both overflow', 'zzzzzzzzzz-zzzzzzzzzzzzz'),
	('compact overflows by one', 'YcVfxkQb6JRzqk5kF2tNLw'),
	('compact overflows far', repeat('z', 22)),
	('first byte 0x7f', '5rLWQQkJdk-4FzkJ37568tQv'),
	('first byte 0x00', '1111111111-1111111111111'),
	('compact, first byte 0x7f', 'GokLUsho3eiVvNYNd1wgfx'),
	('compact, first byte 0x00', repeat('1', 22)),
	('control character', E'8H24TMQEGM-21Kj8kUFQLR\x01g'),
	('newline', E'8H24TMQEGM-21Kj8kUFQLRh\n'),
	('tab', E'8H24TMQEGM\t21Kj8kUFQLRhg'),
	('delete', E'8H24TMQEGM-21Kj8kUFQLR\x7Fg'),
	('a high character', U&'8H24TMQEGM-21Kj8kUFQLR\00E9'),
	('a wide character', U&'8H24TMQEGM-21Kj8kUFQL\20AC'),
	('a uuid', 'c0019ad0-fea2-a64e-ffff-ffffffffffff'),
	('a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV');
SELECT what, input, state, message, detail
FROM malformed, error_of(format('SELECT %L::gid', input));

-- A time without a type that is compared with a gid is read as a gid.  The hint
-- is to cast it, unless the text can be an id by its length and has no space or colon.
SELECT length(input), state, detail, hint
FROM (VALUES ('2026-11-01'), ('2026-11-01 10:00:00+00'), ('2026-11-01T10:00:00.000Z'), ('2026-11-01 10:00:00.123456+00'), ('2026-1-1'), ('24.11.2026'), ('11/24/2026'), ('now'), ('yesterday'), ('infinity'), ('Nov 1 2026'), ('09:30'), ('2026-W44'), ('2026'), ('8H24TMQEGM-21Kj8kUFQLRh0'), ('8-CMrSVih-4FqqAVtWoCmri2')) v (input),
	 error_of(format('SELECT gid_new(''o'') >= %L', input));
-- Uuids.
SELECT input, state, hint
FROM (VALUES ('ef019bec-f3f9-40ef-41c4-cc7e2aaddfc3'), ('EF019BEC-F3F9-40EF-41C4-CC7E2AADDFC3'),
			 ('ef019bec-f3f9-40ef-41c4-cc7e2aaddfc'), ('ef019bec-f3f9-40ef-41c4-cc7e2aaddfc3a'),
			 ('ef019becf-3f9-40ef-41c4-cc7e2aaddfc3'), ('ef019bec-f3f9-40ef-41c4-cc7e2aaddfg3')) v (input),
	 error_of(format('SELECT gid_new(''o'') >= %L', input));
-- The hints, once each.
SELECT DISTINCT state, hint
FROM malformed, error_of(format('SELECT %L::gid', input)) WHERE hint <> '' ORDER BY hint;

-- The nearest texts to those that overflow are gids.
SELECT 'Ahg1opVcGW-4FzkJ37568tQv'::gid, '8H24TMQEGM-4FzkJ37568tQv'::gid,
	   'YcVfxkQb6JRzqk5kF2tNLv'::gid, '5rLWQQkJdm-1111111111111'::gid,
	   'GokLUsho3eiVvNYNd1wgfy'::gid;

-- Kilobytes of text.
SELECT state, length(message) AS message_length, detail
FROM error_of(format('SELECT %L::gid', repeat('8H24TMQEGM-21Kj8kUFQLRhg', 1000)));

-- NULL is NULL.
SELECT NULL::gid IS NULL AS gid, gid_compact(NULL) IS NULL AS compact;

-- JSON, arrays and records carry it as text.
SELECT to_json('8H24TMQEGM-21Kj8kUFQLRhg'::gid), ARRAY['8H24TMQEGM-21Kj8kUFQLRhg', NULL]::gid[],
	   ROW('8H24TMQEGM-21Kj8kUFQLRhg'::gid, 1);
DROP TABLE malformed;

-- The errors that clients must have, too.
CREATE TEMP TABLE refused (id text, reason text);
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir
\copy refused FROM 'vectors/refused.txt' (HEADER)
SELECT count(*) FROM refused;
SELECT id, reason, detail FROM refused, error_of(format('SELECT %L::gid', id)) WHERE reason <> detail;
