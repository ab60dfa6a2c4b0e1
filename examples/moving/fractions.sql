-- The fraction of a UUIDv7 is finer than the times of the rows here.
CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || 'UUIDv7: ' || what
$$;
SELECT pg_temp.shows('each fraction of a millisecond keeps its place', count(*) = 4096 AND bool_and(id > previous)
	AND count(DISTINCT gid_instant(id)) = 1000)
FROM (SELECT id, lag(id, 1, gid_lower_bound('d', '2026-01-01 00:00+00')) OVER (ORDER BY key) AS previous
	FROM generate_series(0, 4095) fraction,
		CAST('019b76daa8007' || lpad(to_hex(fraction), 3, '0') || '8' || left(md5(fraction::text), 15) AS uuid) AS key,
		gid_of_uuid7('d', key) AS id) AS fractions;

SELECT current_setting('server_version_num')::int >= 180000 AS has_uuidv7 \gset
\if :has_uuidv7
SELECT pg_temp.shows('uuidv7() tells the microsecond', count(*) = 1000
	AND bool_and(gid_instant(gid_of_uuid7('d', key))
		BETWEEN earlier AND later + interval '1 microsecond'))
FROM (SELECT clock_timestamp() AS earlier, uuidv7() AS key, clock_timestamp() AS later
	FROM generate_series(1, 1000)) AS made;
\endif
