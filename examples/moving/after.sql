-- Is all as promised after a move?  :old is the old key of a row of the table,
-- :lookup the condition that finds it, and :instant the time that ids tell.
CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || current_setting('moving.name') || ': ' || what
$$;
SELECT set_config('moving.name', :'name', false) \g /dev/null
SELECT count(*) AS written, count(DISTINCT moved) AS moved FROM book \gset

CREATE TEMP VIEW moved AS SELECT *, :old::text AS old FROM :parent p;
CREATE TEMP VIEW known AS
SELECT id, parents.*, lag(place, 1, 0::bigint) OVER (ORDER BY id) AS previous FROM moved JOIN parents USING (old);

SELECT pg_temp.shows('no row is lost', count(*) = :rows + :written AND count(DISTINCT id) = count(*))
FROM :parent;
SELECT pg_temp.shows('ids are in the order of time and old key',
	count(*) = :rows AND bool_and(place = previous + 1)) FROM known;
SELECT pg_temp.shows('ids have the time', count(*) = :rows AND bool_and(:instant = made_at
	AND gid_timestamp(id) = date_trunc('milliseconds', made_at))) FROM known;

SELECT pg_temp.shows('no reference is lost', count(*) = 3 * :rows + 2 * :written)
FROM :child c JOIN :parent p ON p.id = c.:ref;
SELECT pg_temp.shows('references lead where they led', count(*) = 3 * :rows - :moved)
FROM children JOIN :child c USING (id) JOIN moved p ON p.id = c.:ref AND p.old = children.old
WHERE NOT EXISTS (SELECT FROM book WHERE moved = c.id);
SELECT pg_temp.shows('both, and the view, are of kind ' || :'kind',
	count(*) = 2 + num_nonnulls(to_regclass('recent_' || :'parent'))
	AND bool_and(format_type(atttypid, atttypmod) = format('gid(%s)', :'kind')))
FROM pg_attribute WHERE (attrelid, attname) IN ((:'parent'::regclass, 'id'), (:'child'::regclass, :'ref'),
	(to_regclass('recent_' || :'parent'), 'id'));

SELECT pg_temp.shows('the primary key and the reference are valid', count(*) = 2 AND bool_and(convalidated))
FROM pg_constraint WHERE conname IN (:'parent' || '_pkey', :'child' || '_' || :'ref' || '_fkey')
	AND connamespace = current_schema::regnamespace;

SELECT old AS an_old, id AS an_id FROM known WHERE place = :rows / 2 \gset
CREATE FUNCTION pg_temp.plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS
$$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN ' || query; END $$;
SELECT format(:'lookup', :'an_old') AS lookup \gset
SELECT id AS found FROM :parent p WHERE :lookup \gset
SELECT pg_temp.shows('an old key is looked up by an index', :'found' = :'an_id' AND count(*) = 1)
FROM pg_temp.plan(format('SELECT FROM %I p WHERE %s', :'parent', :'lookup')) AS line
WHERE line ~ '^ *(->)? *Index.* Scan';

\set ON_ERROR_STOP off
\set QUIET on
INSERT INTO :child (:ref) VALUES (gid_new('z'));
\set wrong_kind :LAST_ERROR_SQLSTATE
INSERT INTO :child (:ref) VALUES (gid_new(:'kind'));
\set no_parent :LAST_ERROR_SQLSTATE
\set ON_ERROR_STOP on
SELECT pg_temp.shows('references of another kind, or to nothing, are refused',
	:'wrong_kind' = '22023' AND :'no_parent' IN ('23502', '23503'));
WITH new AS (INSERT INTO :parent (name) VALUES ('new') RETURNING id)
INSERT INTO :child (:ref) SELECT id FROM new RETURNING :ref AS new \gset
SELECT pg_temp.shows('a new row has a new id', :'new' = max(id)
	AND gid_timestamp(:'new') BETWEEN now() - interval '1 hour' AND clock_timestamp()) FROM :parent;
DELETE FROM :child WHERE :ref = :'new';
DELETE FROM :parent WHERE id = :'new';
