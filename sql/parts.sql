-- A gid from its parts, and the parts back.
SET timezone = 'UTC';
SET datestyle = 'ISO';

-- Kind by name and by number, a time, and all 64 bits of payload.
SELECT gid_make('o', '2026-01-02 03:04:05.678901+00', payload)::bytea AS name,
	   gid_make('239', '2026-01-02 03:04:05.678901+00', payload) =
	   gid_make('o', '2026-01-02 03:04:05.678+00', payload) AS number, payload
FROM (VALUES (0::bigint), (1), (x'0123456789abcdef'::bigint), (9223372036854775807), (-1), (-9223372036854775808)) v (payload);
SELECT at, gid_timestamp(id) = date_trunc('milliseconds', at) AS kept, id::bytea
FROM (VALUES ('1970-01-01 00:00:00+00'::timestamptz), ('1999-12-31 23:59:59.999999+00'),
			 ('2000-01-01 00:00:00.001+00'), ('10889-08-02 05:31:50.655999+00')) v (at), gid_make('254', at, 7) id;
SELECT count(*) FROM (VALUES (gid_make(NULL::text, now(), 0)), (gid_make('o', NULL, 0)), (gid_make('239', now(), NULL))) v (id)
WHERE id IS NOT NULL;

-- An id without a muid is put together again from its parts, one with a muid from its muid.
SELECT count(*), bool_and(gid_make(gid_kind(id), gid_timestamp(id), gid_payload(id)) = id) AS name,
	   bool_and(gid_make(gid_prefix(id)::text, gid_timestamp(id), gid_payload(id)) = id) AS number
FROM (SELECT gid_random((128 + n % 127)::text) AS id FROM generate_series(1, 10000) n) ids;
SELECT gid_make('o', gid_timestamp(id), gid_payload(id)) = id AS from_parts,
	   gid_make('o', gid_timestamp(id), gid_payload(id)) = set_byte(gid_send(id), 7, 255)::gid AS other_byte_7
FROM gid_new('o') id;

-- Byte 7 of these sources, and which of the functions that read a muid are NULL.
CREATE FUNCTION muid_parts(id gid) RETURNS int LANGUAGE sql BEGIN ATOMIC
	SELECT num_nonnulls(gid_instant(id), gid_medallion(id), gid_node(id), gid_offset(id), gid_transaction(id), gid_muid(id)) +
		   num_nonnulls(e.instant, e.medallion, e.node, e.gid_offset, e.transaction, e.muid) FROM gid_explain(id) e;
END;
SELECT source, count(*), array_agg(DISTINCT muid_parts(id)) AS muid_parts,
	   bool_and(get_byte(gid_send(id), 7) = byte_7) AS byte_7
FROM (SELECT 128 + n % 127 AS prefix FROM generate_series(0, 1269) n OFFSET 0) prefixes, LATERAL (VALUES
	('gid_new', gid_new(prefix::text), prefix),
	('gid_transaction', gid_transaction(gid_new(prefix::text)), prefix),
	('gid_from_muid', gid_from_muid(prefix::text, gid_muid(gid_new(prefix::text))), prefix),
	('gid_random, for a time', gid_random(prefix::text, now()), 255),
	('gid_random', gid_random(prefix::text), 255),
	('gid_make', gid_make(prefix::text, now(), prefix::bigint << 54), 255),
	('gid_make, of a muid', gid_make(prefix::text, now(), gid_payload(gid_new(prefix::text))), 255),
	('gid_lower_bound', gid_lower_bound(prefix::text, now()), 0),
	('gid_upper_bound', gid_upper_bound(prefix::text, now()), 0)
) sources (source, id, byte_7) GROUP BY source ORDER BY source COLLATE "C";

-- The prefix 255 is not a kind, so its ids have no muid.  Casts change no byte.
SELECT muid_parts(set_byte(set_byte(gid_send(gid_new('z')), 0, 255), 7, 255)::gid) AS prefix_255,
	   bool_and(gid_send(gid_send(id)::gid) = gid_send(id) AND gid_send(id::uuid::gid) = gid_send(id)
				AND muid_parts(gid_send(id)::gid) = muid_parts(id)) AS casts
FROM (SELECT gid_new('o') AS id UNION ALL SELECT gid_random('o') UNION ALL SELECT id::gid FROM vector) ids;

-- Graft's ids: the high bit of byte 7 is set, all other bits are random.  For one in 131 they look like those of gid_new.
SELECT bool_and(byte_7 = prefix AND payload <= 999) AS looks_minted, count(*) > 0 AS there_are
FROM (SELECT get_byte(id, 0) AS prefix, get_byte(id, 7) AS byte_7, get_byte(id, 8) * 4 + get_byte(id, 9) / 64 AS payload, id
	  FROM (SELECT set_byte(set_byte(uuid_send(gen_random_uuid()), 0, 192), 7, 128 + n % 128) AS id FROM generate_series(1, 20000) n) ids) parts
WHERE muid_parts(id::gid) > 0;
SELECT count(*) FILTER (WHERE muid_parts(id::gid) = 12) BETWEEN 0.6 * 20000 / 131 AND 1.5 * 20000 / 131 AS one_in_131,
	   count(*) FILTER (WHERE muid_parts(id::gid) NOT IN (0, 12)) AS some_parts
FROM (SELECT set_byte(set_byte(uuid_send(gen_random_uuid()), 0, 192), 7, 128 + n % 128) AS id FROM generate_series(1, 20000) n) ids;
DROP FUNCTION muid_parts;

-- The payload of every gid, as the last 8 bytes say it.
SELECT count(*) AS vectors, bool_and(gid_payload(id::gid) = ('x' || right(hex, 16))::bit(64)::bigint) AS right FROM vector;

-- In the order of the payload without its sign.
SELECT array_agg(gid_payload(id) ORDER BY id)
FROM (SELECT gid_make('o', '2026-01-01', payload) AS id FROM unnest('{-1, 1, -9223372036854775808, 0}'::bigint[]) payload) ids;

-- Kinds and times that a gid cannot contain.
SELECT statement, state, message, detail
FROM (VALUES ($$gid_make('oo', now(), 0)$$), ($$gid_make('255', now(), 0)$$),
			 ($$gid_make('o', '1969-12-31 23:59:59.999999+00', 0)$$), ($$gid_make('o', '10889-08-02 05:31:50.656+00', 0)$$),
			 ($$gid_make('o', 'infinity', 0)$$), ($$gid_make('239', '-infinity', 0)$$)) v (statement),
	 error_of('SELECT ' || statement);

-- From a muid: the inverse of gid_muid(), also after the year 2112.
SELECT id, gid_from_muid('segment', gid_muid(id)) = id AS name, gid_from_muid('192', lower(gid_muid(id))) = id AS number,
	   gid_muid(id)
FROM unnest('{"\\xc0019b7c9ba62ec0e16af37bd2345678", "\\xc0000000000000c00000000000000000",
			  "\\xc0ffffffffffffc0f9ffffffffffffff", "\\xc00418937f3f54c0003fffffffffffff"}'::bytea[]) bytes, CAST(bytes AS gid) id;
SELECT count(*), bool_and(gid_from_muid(gid_kind(id), gid_muid(id)) = id) AS inverse
FROM (SELECT CASE n % 2 WHEN 0 THEN gid_new((128 + n % 127)::text)
			 ELSE set_byte(gid_send(gid_random((128 + n % 127)::text, '1970-01-01'::timestamptz + random() * interval '8900 years')), 7, 128 + n % 127)::gid END AS id
	  FROM generate_series(1, 10000) n) ids;
SELECT gid_from_muid('o', '5D5EAC793E61F-10000000001-00000000') = gid_from_muid('o', '5D5EAC793E61F-10000000001') AS no_offset,
	   gid_instant(gid_from_muid('o', '5D5EAC793E61F-10000000001'));
SELECT gid_from_muid(NULL::text, '5D5EAC793E61F-10000000001') IS NULL AS name, gid_from_muid('239', NULL) IS NULL AS number;

-- In the order of the muids.
SELECT count(*) AS out_of_order FROM (
	SELECT gid_from_muid('o', muid) <= lag(gid_from_muid('o', muid)) OVER (ORDER BY muid COLLATE "C") AS wrong
	FROM (SELECT upper(format('5D5EAC793E6%s-1%s-%s', lpad(to_hex(n % 256), 2, '0'), lpad(to_hex(n / 256 * 977 % 16777216), 10, '0'),
							  lpad(to_hex(n::bigint * 100003 % 1073741824), 8, '0'))) AS muid
		  FROM generate_series(1, 20000) n) muids) o WHERE wrong;

-- Muids whose medallion, offset or time does not fit, and malformed ones.
SELECT muid, state, message, detail
FROM unnest('{5D5EAC793E61F-1BFC71B112D-0000000B, 5D5EAC793E61F-1BFC71B112D, 5D5EAC793E61F-0FFFFFFFFFF-00000000,
			  5D5EAC793E61F-10000FFFFFF-3FFFFFFF, 5D5EAC793E61F-10001000000-00000000, 5D5EAC793E61F-10000000000-40000000,
			  5D5EAC793E61F-10000000000-FFFFFFFF, 3E7FFFFFFFFFFFF-10000000000-00000000, 3E8000000000000-10000000000-00000000,
			  FFFFFFFFFFFFFFF-10000000000-00000000}'::text[]) muid, error_of(format('SELECT gid_from_muid(''o'', %L)', muid));
SELECT muid, state, message
FROM unnest('{"", "-", 5D5EAC793E61F, 5D5EAC793E61F-, 5D5EAC793E61F-10000000000-, 5D5EAC793E61-10000000000-00000000,
			  00005D5EAC793E61F-10000000000-00000000, 5D5EAC793E61F-1000000000-00000000, 5D5EAC793E61F-100000000000-0000000,
			  5D5EAC793E61F-10000000000-0000000, 5D5EAC793E61F-10000000000-000000000, 5D5EAC793E61F_10000000000-00000000,
			  5D5EAC793E61F-10000000000_00000000, 5D5EAC793E61G-10000000000-00000000, 5D5EAC793E61F-1000000000G-00000000,
			  5D5EAC793E61F-10000000000-0000000G, " 5D5EAC793E61F-10000000000", 5D5EAC793E61F-10000000000-+0000000,
			  0x5D5EAC793E6-10000000000-00000000, 5D5EAC793E61F-0x000000000-00000000}'::text[]) muid,
	 error_of(format('SELECT gid_from_muid(''o'', %L)', muid));
SELECT statement, state, message FROM (VALUES ($$gid_from_muid('oo', '5D5EAC793E61F-10000000001')$$),
	($$gid_from_muid('127', '5D5EAC793E61F-10000000001')$$)) v (statement), error_of('SELECT ' || statement);
