-- Every single byte in every place of a good id, in both forms.
WITH good(text) AS (VALUES ('8H24TMQEGM-21Kj8kUFQLRhg'), ('QiAcFZD6ehhV4ow9br8SvJ')),
corrupt AS (
	SELECT overlay(text PLACING chr(code) FROM place FOR 1) AS input, code, place, length(text) AS length
	FROM good, generate_series(1, 127) code, generate_series(1, length(text)) place
)
SELECT length, state, count(*), string_agg(DISTINCT chr(code), '' ORDER BY chr(code))
	   FILTER (WHERE state = 'no error' AND place > 1) AS accepted
FROM corrupt, error_of(format('SELECT %L::gid', input)) GROUP BY length, state ORDER BY length, state;
