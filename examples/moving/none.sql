-- Do tags have ids, and does what refers to them refer to the same?
CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || current_setting('moving.name') || ': ' || what
$$;
SELECT set_config('moving.name', :'name', false) \g /dev/null

SELECT pg_temp.shows('each row has an id, in the order of rows', count(*) = :rows - 1 AND bool_and(after))
FROM (SELECT tags.id > lag(tags.id) OVER (ORDER BY before.place) AS after FROM tags JOIN before USING (name)) AS tags
WHERE after IS NOT NULL;
SELECT pg_temp.shows('of one transaction, that of the move', count(DISTINCT gid_transaction(id)) = 1
	AND bool_and(gid_instant(id) BETWEEN now() - interval '1 minute' AND now())) FROM tags;
SELECT pg_temp.shows('references lead where they led', count(*) = 3 * :rows)
FROM used JOIN uses USING (id) JOIN tags ON tags.id = tag_id AND tags.name = used.tag_name;

\set ON_ERROR_STOP off
\set QUIET on
INSERT INTO uses (tag_id) VALUES (gid_new('t'));
SELECT pg_temp.shows('the reference refuses what is not there', :'LAST_ERROR_SQLSTATE' = '23503');
INSERT INTO tags (name) VALUES ('tag 1');
SELECT pg_temp.shows('names are still unique', :'LAST_ERROR_SQLSTATE' = '23505');
