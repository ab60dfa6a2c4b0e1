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
-- A date depends on the time zone of the session.
SELECT excludes('never', format('SELECT count(*) FROM events WHERE id >= date %L', :'at'), :'at');
SELECT excludes('never', format('SELECT count(*) FROM events WHERE gid_timestamp(id) >= date %L', :'at'), :'at');
SELECT excludes('startup', format('SELECT count(*) FROM events WHERE gid_timestamp(id) >= date %L::timestamptz', :'at'), :'at');

-- A parameter.  A custom plan has its value, a generic plan does not.
SELECT format('PREPARE by_%s(timestamptz) AS SELECT count(*) FROM events WHERE ', left(form, 2)) || format(form, '$1') FROM forms \gexec
SET plan_cache_mode = force_custom_plan;
SELECT excludes('planning', format('EXECUTE by_%s(%L)', left(form, 2), :'at'), :'at') FROM forms;
SET plan_cache_mode = force_generic_plan;
SELECT excludes(CASE WHEN form LIKE 'id%' THEN 'never' ELSE 'startup' END, format('EXECUTE by_%s(%L)', left(form, 2), :'at'), :'at') FROM forms;
RESET plan_cache_mode;

-- One id.
SELECT id FROM events WHERE n = 1 \gset
PREPARE by_key(gid) AS SELECT * FROM events WHERE id = $1;
SELECT shows('id = a literal: ' || planning || ' of ' || chunks() || ' chunks are excluded when it is planned', planning = chunks() - 1)
FROM excluded(format('SELECT * FROM events WHERE id = %L', :'id'));
SET plan_cache_mode = force_generic_plan;
SELECT shows('id = $1 in a generic plan: no chunk is excluded', (planning, startup, running) = (0, 0, 0))
FROM excluded(format('EXECUTE by_key(%L)', :'id'));
RESET plan_cache_mode;

-- The index.  An hour in the middle of a day.
\set of_time 'gid_timestamp(id) >= now() - interval ''61 hours'' AND gid_timestamp(id) < now() - interval ''60 hours'''
\set of_id 'id >= now() - interval ''61 hours'' AND id < now() - interval ''60 hours'''
SELECT plan_of('SELECT * FROM events WHERE ' || :'of_time') AS plan \gset
SELECT shows('gid_timestamp(id) alone uses no index', :'plan' NOT LIKE '%Index Cond%');
SELECT 'SELECT * FROM events WHERE ' || :'of_time' || ' AND ' || :'of_id' AS hour \gset
SELECT plan_of(:'hour') AS plan \gset
SELECT shows('both conditions read an hour by the index, and exclude ' || startup || ' of ' || chunks() || ' chunks',
             :'plan' LIKE '%Index Cond: ((id >= gid_lower_bound(%) AND (id < gid_lower_bound(%' AND startup BETWEEN chunks() - 2 AND chunks() - 1)
FROM excluded(:'hour');

-- Whatever is excluded, the rows are the same.
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
SELECT shows('600 ranges of time have the rows of a plain table', bool_and(same_rows(replace(condition, '$', quote_literal(at)))))
FROM (SELECT timestamptz :'today' + floor(random() * 20 - 10) * interval '12 hours' + floor(random() * 5 - 2) * interval '1 ms' AS at
      FROM generate_series(1, 100)) times,
     unnest(ARRAY['id >= timestamptz $', 'id > timestamptz $', 'id < timestamptz $', 'id <= timestamptz $',
                  'gid_timestamp(id) >= timestamptz $ AND id < timestamptz $ + interval ''36 hours''',
                  'made_since(id, timestamptz $)']) condition;
