-- Of a table that had no time: is no row lost, and does each reference lead
-- where it led?
CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || current_setting('moving.name') || ': ' || what
$$;
SELECT set_config('moving.name', :'name', false) \g /dev/null
SELECT count(*) AS written, count(DISTINCT moved) AS moved FROM book \gset

SELECT pg_temp.shows('no row is lost', count(*) = :rows + :written AND count(DISTINCT id) = count(*)) FROM :parent;
SELECT pg_temp.shows('ids have the time of the move',
	bool_and(gid_instant(id) BETWEEN now() - interval '10 minutes' AND clock_timestamp())) FROM :parent;
SELECT pg_temp.shows('references lead where they led', count(*) = 3 * :rows - :moved)
FROM children JOIN :child c USING (id) JOIN :parent p ON p.id = c.:ref AND p.old_id::text = children.old
WHERE NOT EXISTS (SELECT FROM book WHERE moved = c.id);
