-- Which conditions exclude chunks, and when.
SELECT timestamptz :'today' - interval '2 days' AS at \gset

-- Each time in three conditions.
CREATE TABLE forms (form text);
INSERT INTO forms VALUES ('id >= %s'), ('gid_timestamp(id) >= %s'), ('made_since(id, %s)');
SELECT excludes(CASE WHEN form LIKE 'id%' THEN by_id ELSE other END, 'SELECT count(*) FROM events WHERE ' || format(form, a_time), :'at')
FROM (VALUES ('planning', 'planning', format('timestamptz %L', :'at')),
             ('never', 'startup', 'now() - interval ''2 days'''),
             ('never', 'running', '(SELECT at FROM marks)')) times(by_id, other, a_time), forms;
SELECT excludes(CASE WHEN form LIKE 'id%' THEN 'never' ELSE 'running' END,
                format('SELECT * FROM marks, LATERAL (SELECT * FROM events WHERE %s ORDER BY id LIMIT 1) e', format(form, 'at')), :'at')
FROM forms;
SELECT shows('made_since(id, (SELECT ...)) uses the index',
             plan_of('SELECT count(*) FROM events WHERE made_since(id, (SELECT now()))') LIKE '%Index Cond: (id >= \_gid_lower_bound(%');
SELECT shows('gid_timestamp(id) alone uses no index',
             plan_of('SELECT count(*) FROM events WHERE gid_timestamp(id) >= now() - interval ''61 hours''') NOT LIKE '%Index Cond%');

-- A parameter.  A custom plan has its value, a generic plan does not.
SELECT format('PREPARE by_%s(timestamptz) AS SELECT count(*) FROM events WHERE ', left(form, 2)) || format(form, '$1') FROM forms \gexec
SET plan_cache_mode = force_custom_plan;
SELECT excludes('planning', format('EXECUTE by_%s(%L)', left(form, 2), :'at'), :'at') FROM forms;
SET plan_cache_mode = force_generic_plan;
SELECT excludes(CASE WHEN form LIKE 'id%' THEN 'never' ELSE 'startup' END, format('EXECUTE by_%s(%L)', left(form, 2), :'at'), :'at') FROM forms;
RESET plan_cache_mode;

-- The rows of a plain table.
CREATE TABLE copy_of_events (id gid(e) PRIMARY KEY, n int);
INSERT INTO copy_of_events SELECT * FROM events;
CREATE FUNCTION same_rows(condition text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    here bigint;
    there bigint;
BEGIN
    EXECUTE 'SELECT count(*) FROM events WHERE ' || condition INTO here;
    EXECUTE 'SELECT count(*) FROM copy_of_events WHERE ' || condition INTO there;
    RETURN here = there;
END $$;
SELECT shows('ranges of time have the rows of a plain table', bool_and(same_rows(replace(condition, '$', quote_literal(at)))))
FROM generate_series(now() - interval '9 days', now(), '12 hours') at,
     unnest(ARRAY['id >= timestamptz $', 'id <= timestamptz $', 'made_since(id, timestamptz $)']) condition;
