-- The functions, held to the vectors, where there is no extension.
\set ON_ERROR_STOP on
SELECT checks.shows('there is no extension in C', count(*) = 0) FROM pg_extension WHERE extname <> 'plpgsql';

CREATE TEMP TABLE vector (id text COLLATE "C", hex text, compact text COLLATE "C", kind text, unix_ms bigint);
\copy vector FROM '../../vectors/graft-minted.tsv' (FORMAT csv, DELIMITER E'\t', HEADER)
\copy vector FROM '../../vectors/edges.tsv' (FORMAT csv, DELIMITER E'\t', HEADER)
SELECT checks.shows(format('%s vectors: text', count(*)), count(*) = 25 AND bool_and(gid.gid_text(hex::uuid) = id)) FROM vector;
SELECT checks.shows('vectors: compact text', count(*) = 25 AND bool_and(gid.gid_compact(hex::uuid) = compact)) FROM vector;
SELECT checks.shows('vectors: both are read',
	count(*) = 25 AND bool_and(gid.gid_parse(id) = hex::uuid AND gid.gid_parse(compact) = hex::uuid)) FROM vector;
SELECT checks.shows('vectors: kind', count(*) = 25 AND bool_and(gid.gid_kind(hex::uuid) = kind)) FROM vector;
SELECT checks.shows('vectors: creation time', count(*) = 25
	AND bool_and(extract(epoch FROM gid.gid_timestamp(hex::uuid)) * 1000 = unix_ms)) FROM vector;
SELECT checks.shows('vectors: bytes and text are in one order', count(*) = 24 AND bool_and(a.hex::uuid < b.hex::uuid))
FROM (SELECT *, row_number() OVER (ORDER BY id) FROM vector) a
JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS before FROM vector) b ON before = row_number;

SELECT checks.shows('invalid text has no kind, time or text', count(*) = 2 AND bool_and(
	num_nonnulls(gid.gid_kind(id), gid.gid_timestamp(id), gid.gid_text(id), gid.gid_compact(id)) = 0))
FROM unnest('{00000000-0000-0000-0000-000000000000, 7fffffff-ffff-ffff-ffff-ffffffffffff}'::uuid[]) AS id;
SELECT checks.shows('text that is none is rejected', count(*) = 28 AND bool_and(
	checks.state_of(format('SELECT gid.gid_parse(%L)', id)) = '22P02')) FROM checks.malformed;
SELECT checks.shows('kinds that are none are rejected', count(*) = 12 AND bool_and(
	checks.state_of(format('SELECT gid.gid_new(%L)', kind)) = '22023'))
FROM unnest(ARRAY['', 'oo', '1', '127', '255', '256', '0128', '1e2', ' o', 'é', 'segments', '-12']) AS kind;
SELECT checks.shows('times that no id has are rejected', count(*) = 4 AND bool_and(
	checks.state_of(format('SELECT gid.gid_new(%L, %L)', 'o', at)) = '22008'))
FROM unnest(ARRAY['1969-12-31 23:59:59.999999+00', '10889-08-02 05:31:50.656+00', 'infinity', '-infinity']) AS at;

-- Minting: the layout, all kinds, and 54 bits that are random.
SELECT checks.shows('all kinds, and the prefix again in byte 7', count(*) = 127 AND bool_and(
	get_byte(uuid_send(id), 0) = prefix AND get_byte(uuid_send(id), 7) = prefix))
FROM generate_series(128, 254) prefix, LATERAL (SELECT gid.gid_new(prefix::text) AS id) AS ids;
SELECT checks.shows('names fold to lower case', gid.gid_kind(gid.gid_new('Segment')) = 'segment' AND gid.gid_kind(gid.gid_new('O')) = 'o');
SELECT checks.shows('the time, in microseconds', count(*) > 4000 AND bool_and(
	gid.gid_timestamp(id) = date_trunc('milliseconds', at)
	AND ('x' || substr(encode(uuid_send(id), 'hex'), 17, 4))::bit(10)::int = extract(microseconds FROM at)::int % 1000))
FROM (SELECT at, gid.gid_new('o', at) AS id FROM checks.times
	WHERE at BETWEEN '1970-01-01 00:00+00' AND '10889-08-02 05:31:50.655999+00') AS minted;
SELECT checks.shows('the time of a new id is the present', gid.gid_timestamp(id) BETWEEN date_trunc('milliseconds', now()) AND clock_timestamp())
FROM gid.gid_new('o') AS id;
WITH minted AS MATERIALIZED (
	SELECT ('x' || right(encode(uuid_send(gid.gid_new('o', '2026-01-01')), 'hex'), 16))::bit(64) AS payload
	FROM generate_series(1, 20000)
)
SELECT checks.shows('54 bits are random', count(*) = 54 AND min(ones) > 9500 AND max(ones) < 10500)
FROM (SELECT sum(get_bit(payload, bit)) AS ones FROM minted, generate_series(10, 63) bit GROUP BY bit) AS bits;
SELECT checks.shows('no two are alike', count(DISTINCT gid.gid_new('o', '2026-01-01')) = 20000) FROM generate_series(1, 20000);

-- The bounds, at random times and at the corners: id >= lower bound if and
-- only if it was made at or after, id >= upper bound if and only if after.
SELECT checks.shows(format('the bounds, %s times', count(*)), count(*) > 10000 AND bool_and(
	(id >= gid.gid_lower_bound(kind, at)) = (made >= at) AND (id >= gid.gid_upper_bound(kind, at)) = (made > at)))
FROM (SELECT hex::uuid AS id, gid.gid_timestamp(hex::uuid) AS made, get_byte(decode(hex, 'hex'), 0)::text AS kind
	FROM vector WHERE kind <> '255') AS ids,
	LATERAL (SELECT at FROM checks.times UNION ALL
		SELECT made + n * interval '1 microsecond' FROM generate_series(-1001, 1001) n) AS times (at);
