-- The parts of an id: time, medallion, node, offset, transaction, muid.
SET timezone = 'UTC';
SET datestyle = 'ISO';

-- Creation time is right for every gid.
SELECT id::gid, gid_timestamp(id::gid)
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

-- NULL for a gid without a muid: its byte 7 is not its prefix.
SELECT count(*) AS foreign_ids,
	   count(gid_instant(id::gid)) AS instants, count(gid_medallion(id::gid)) AS medallions,
	   count(gid_offset(id::gid)) AS offsets, count(gid_transaction(id::gid)) AS transactions,
	   count(gid_muid(id::gid)) AS muids
FROM vector WHERE substr(hex, 15, 2) <> left(hex, 2);
-- Random bits that look like a muid are taken for one.
SELECT id, gid_instant(id::gid), gid_medallion(id::gid), gid_offset(id::gid), gid_transaction(id::gid), gid_muid(id::gid)
FROM vector WHERE substr(hex, 15, 2) = left(hex, 2);
-- With 1000 to 1023 microseconds there is no muid.
SELECT gid_instant('\xc0019ad0fea2a6c0f9ffffffffffffff'::bytea::gid),
	   gid_instant('\xc0019ad0fea2a6c0fa00000000000000'::bytea::gid) IS NULL AS none;

-- The node, in the upper 10 bits of the medallion.
SELECT gid_node('\xef019ad0fea2a6ef003fffffc0000001'::bytea::gid) AS node, gid_medallion('\xef019ad0fea2a6ef003fffffc0000001'::bytea::gid) AS medallion;
SELECT count(gid_node(id::gid)) FROM vector WHERE substr(hex, 15, 2) <> left(hex, 2);

-- The parts in generated columns.
CREATE TABLE timed (id gid(t) DEFAULT gid_new('t'), kind text GENERATED ALWAYS AS (gid_kind(id)) STORED,
					transaction gid(t) GENERATED ALWAYS AS (gid_transaction(id)) STORED);
INSERT INTO timed DEFAULT VALUES;
SELECT kind, transaction = gid_transaction(id) AS transaction FROM timed;
DROP TABLE timed;

-- All of it in one row, and the remarks.  Its age is that of the clock.
\x on
SELECT kind, prefix, time, instant, node, medallion, gid_offset, transaction, text, compact, uuid, muid, remarks
FROM gid_explain('\xc0019b7c9ba62ec0e16af37bd2345678'::bytea::gid);
\x off
SELECT age BETWEEN interval '0' AND interval '1 minute' AS age, transaction = gid_transaction(id) AS transaction
FROM gid_new('o') id, gid_explain(id);
SELECT id, kind, remarks
FROM (VALUES (gid '8H24TMQEGM-21Kj8kUFQLRhg'), (gid_lower_bound('o', '2026-01-01')), (gid_lower_bound('o', 'infinity')),
			 (gid_lower_bound('254', 'infinity')), (gid_make('o', '9999-01-01', 0)), (NULL)) v (id), gid_explain(id);

-- All kinds.
SELECT * FROM gid_kinds() WHERE kind IN ('volume', 'log', 'segment', 'a', 'z', '128', '129', '254');
SELECT count(*), count(DISTINCT kind) AS kinds, min(prefix), max(prefix) FROM gid_kinds();
SELECT gid_version() ~ '^1\.\d+\.\d+$' AS version;
