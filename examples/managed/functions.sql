-- The functions, where there is no extension.  moved.sql compares them with the extension.
SELECT checks.shows('there is no extension in C', count(*) = 0) FROM pg_extension WHERE extname <> 'plpgsql';
SELECT checks.shows('every role can call the functions', bool_and(proacl IS NULL)
	AND (SELECT bool_or(grantee = 0) FROM pg_namespace, aclexplode(nspacl) WHERE nspname = 'gid'))
FROM pg_proc WHERE pronamespace = 'gid'::regnamespace;
SELECT checks.shows('invalid text has no kind, time or text', count(*) = 2 AND bool_and(
	num_nonnulls(gid.gid_kind(id), gid.gid_timestamp(id), gid.gid_text(id), gid.gid_compact(id)) = 0))
FROM unnest('{00000000-0000-0000-0000-000000000000, 7fffffff-ffff-ffff-ffff-ffffffffffff}'::uuid[]) AS id;
SELECT checks.shows('kinds that are none are rejected', count(*) = 12 AND bool_and(
	checks.state_of(format('SELECT gid.gid_random(%L)', kind)) = '22023'))
FROM unnest(ARRAY['', 'oo', '1', '127', '255', '256', '0128', '1e2', ' o', 'é', 'segments', '-12']) AS kind;
SELECT checks.shows('times that no id has are rejected', count(*) = 4 AND bool_and(
	checks.state_of(format('SELECT gid.gid_random(%L, %L)', 'o', at)) = '22008'))
FROM unnest(ARRAY['1969-12-31 23:59:59.999999+00', '10889-08-02 05:31:50.656+00', 'infinity', '-infinity']) AS at;

-- Minting: the layout, all kinds, and 54 bits that are random.
SELECT checks.shows('all kinds, and 255 in byte 7', count(*) = 127 AND bool_and(
	get_byte(uuid_send(id), 0) = prefix AND get_byte(uuid_send(id), 7) = 255))
FROM generate_series(128, 254) prefix, LATERAL (SELECT gid.gid_random(prefix::text) AS id) AS ids;
SELECT checks.shows('names fold to lower case', gid.gid_kind(gid.gid_random('Segment')) = 'segment' AND gid.gid_kind(gid.gid_random('O')) = 'o');
SELECT checks.shows('the time of a new id is the present', gid.gid_timestamp(id) BETWEEN date_trunc('milliseconds', now()) AND clock_timestamp())
FROM gid.gid_random('o') AS id;
WITH minted AS MATERIALIZED (
	SELECT ('x' || right(encode(uuid_send(gid.gid_random('o', '2026-01-01')), 'hex'), 16))::bit(64) AS payload
	FROM generate_series(1, 20000)
)
SELECT checks.shows('54 bits are random', count(*) = 54 AND min(ones) > 9500 AND max(ones) < 10500)
FROM (SELECT sum(get_bit(payload, bit)) AS ones FROM minted, generate_series(10, 63) bit GROUP BY bit) AS bits;
SELECT checks.shows('no two are alike', count(DISTINCT gid.gid_random('o', '2026-01-01')) = 20000) FROM generate_series(1, 20000);
