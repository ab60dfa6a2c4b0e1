-- Every single byte in every place of a good id, in both forms.
WITH good(text) AS (VALUES ('8H24TMQEGM-21Kj8kUFQLRhg'), ('QiAcFZD6ehhV4ow9br8SvJ')),
corrupt AS (
	SELECT overlay(text PLACING chr(code) FROM place FOR 1) AS input, code, place, length(text) AS length
	FROM good, generate_series(1, 127) code, generate_series(1, length(text)) place
)
SELECT length, state, count(*), string_agg(DISTINCT chr(code), '' ORDER BY chr(code))
	   FILTER (WHERE state = 'no error' AND place > 1) AS accepted
FROM corrupt, error_of(format('SELECT %L::gid', input)) GROUP BY length, state ORDER BY length, state;

-- Random texts, with numbers of any size in place of the codec.  Their first digits are mostly those of ids, and
-- many end in a run of the lowest or the highest digit.
CREATE FUNCTION random_digits(firsts text, count int) RETURNS text LANGUAGE sql AS $$
	WITH run AS MATERIALIZED (SELECT (random() * count)::int AS keep, substr('1z', 1 + (random() < 0.5)::int, 1) AS digit)
	SELECT string_agg(CASE WHEN i = 1 THEN substr(firsts, 1 + floor(random() * length(firsts))::int, 1) WHEN i > keep THEN digit
		ELSE substr('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 1 + floor(random() * 58)::int, 1) END, '' ORDER BY i)
	FROM run, generate_series(1, count) i $$;
CREATE FUNCTION number_of(digits text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
	SELECT sum((strpos('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', substr(digits, i, 1)) - 1) * 58::numeric ^ (length(digits) - i))
	FROM generate_series(1, length(digits)) i $$;
CREATE FUNCTION number_of(bytes bytea) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
	SELECT sum(get_byte(bytes, i) * 256::numeric ^ (15 - i)) FROM generate_series(0, 15) i $$;
CREATE FUNCTION decoded(id text, OUT bytes bytea, OUT canonical text, OUT compact text) LANGUAGE plpgsql AS $$
BEGIN
	bytes := id::gid::bytea;
	canonical := id::gid;
	compact := gid_compact(id::gid);
EXCEPTION WHEN invalid_text_representation THEN
END $$;
CREATE TEMP TABLE random_text AS
SELECT t, r, CASE WHEN t IS NULL THEN r ELSE t || '-' || r END AS id
FROM (SELECT random_digits('56789AAAB', 10) AS t, random_digits('12344', 13) AS r FROM generate_series(1, 2000)
	  UNION ALL SELECT NULL, random_digits('GHMNYYZ', 22) FROM generate_series(1, 2000)) d;
CREATE TEMP TABLE tried AS
SELECT id, t IS NULL AS is_compact, got.*, coalesce(number_of(t), 0) * 2::numeric ^ 72 + number_of(r) AS expected,
	   t IS NULL OR number_of(t) < 2::numeric ^ 56 AND number_of(r) < 2::numeric ^ 72 AS fits
FROM random_text, decoded(id) got;
SELECT is_compact, count(*), count(bytes) > 800 AS accepted, count(*) - count(bytes) > 200 AS rejected
FROM tried GROUP BY is_compact ORDER BY is_compact;
SELECT * FROM tried
WHERE CASE WHEN fits AND expected >= 2::numeric ^ 127 AND expected < 2::numeric ^ 128
	THEN number_of(bytes) = expected AND id = CASE WHEN is_compact THEN compact ELSE canonical END AND number_of(compact) = expected
		AND number_of(left(canonical, 10)) * 2::numeric ^ 72 + number_of(right(canonical, 13)) = expected
	ELSE bytes IS NULL END IS NOT TRUE;
DROP FUNCTION random_digits, number_of(text), number_of(bytea), decoded;
