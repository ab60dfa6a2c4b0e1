-- What the application wrote during a move, by its own book.
CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || current_setting('moving.name') || ': ' || what
$$;
SELECT set_config('moving.name', :'name', false) \g /dev/null
SELECT count(*) AS written, count(*) FILTER (WHERE length(key) <> 24) AS early FROM book \gset
CREATE TEMP VIEW moved AS SELECT *, :old::text AS old FROM :parent p;

SELECT pg_temp.shows('the application wrote before and after the swap', :early > 0 AND :written > :early);
SELECT pg_temp.shows('what it wrote before has its id from the old key', count(*) = :early AND bool_and(p.id = :map))
FROM book JOIN moved p ON p.old = key;
SELECT pg_temp.shows('what it wrote is there', count(*) = 2 * :written)
FROM book JOIN moved p ON key IN (p.old, p.id::text) JOIN :child c ON c.:ref = p.id WHERE c.id > 3 * :rows;
SELECT pg_temp.shows('no change is lost', p.sum = :written AND c.sum = :written)
FROM (SELECT sum(changes) FROM :parent) p, (SELECT sum(changes) FROM :child) c;
SELECT pg_temp.shows('no table was rewritten', count(*) = 2) FROM files JOIN pg_class USING (oid, relfilenode);
SELECT pg_temp.shows('nobody met a deadlock', deadlocks = 0) FROM pg_stat_database WHERE datname = current_database();
