-- What the committers left: three of the four made 25 commits each.
CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what
$$;
SELECT log FROM volumes ORDER BY id DESC LIMIT 1 \gset
SELECT pg_temp.shows('four at once leave no gap', count(*) = 75 AND min(lsn) = 1 AND max(lsn) = 75)
FROM commits WHERE log = :'log';
SELECT pg_temp.shows('each of their commits has its segment', count(DISTINCT segment) = 75)
FROM commit_segments WHERE log = :'log';
SELECT pg_temp.shows('those who were late, or gave up, left garbage', count(*) > 25)
FROM garbage('infinity');
