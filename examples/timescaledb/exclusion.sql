-- Which conditions exclude chunks, and when.
SELECT timestamptz :'today' - interval '2 days' AS at \gset

-- A literal.
SELECT excludes('planning', format('SELECT count(*) FROM events WHERE id >= timestamptz %L', :'at'), :'at');
SELECT excludes('planning', format('SELECT count(*) FROM events WHERE gid_timestamp(id) >= timestamptz %L', :'at'), :'at');
SELECT excludes('planning', format('SELECT count(*) FROM events WHERE made_since(id, timestamptz %L)', :'at'), :'at');
-- A date depends on the time zone of the session.
SELECT excludes('never', format('SELECT count(*) FROM events WHERE id >= date %L', :'at'), :'at');
SELECT excludes('never', format('SELECT count(*) FROM events WHERE gid_timestamp(id) >= date %L', :'at'), :'at');
SELECT excludes('startup', format('SELECT count(*) FROM events WHERE gid_timestamp(id) >= date %L::timestamptz', :'at'), :'at');

-- now()
SELECT excludes('never', 'SELECT count(*) FROM events WHERE id >= now() - interval ''2 days''', now() - interval '2 days');
SELECT excludes('startup', 'SELECT count(*) FROM events WHERE gid_timestamp(id) >= now() - interval ''2 days''', now() - interval '2 days');
SELECT excludes('startup', 'SELECT count(*) FROM events WHERE made_since(id, now() - interval ''2 days'')', now() - interval '2 days');

-- A parameter.  A custom plan has its value, a generic plan does not.
PREPARE by_id(timestamptz) AS SELECT count(*) FROM events WHERE id >= $1;
PREPARE by_time(timestamptz) AS SELECT count(*) FROM events WHERE gid_timestamp(id) >= $1;
PREPARE by_both(timestamptz) AS SELECT count(*) FROM events WHERE made_since(id, $1);
SET plan_cache_mode = force_custom_plan;
SELECT excludes('planning', format('EXECUTE by_id(%L)', :'at'), :'at');
SELECT excludes('planning', format('EXECUTE by_time(%L)', :'at'), :'at');
SELECT excludes('planning', format('EXECUTE by_both(%L)', :'at'), :'at');
SET plan_cache_mode = force_generic_plan;
SELECT excludes('never', format('EXECUTE by_id(%L)', :'at'), :'at');
SELECT excludes('startup', format('EXECUTE by_time(%L)', :'at'), :'at');
SELECT excludes('startup', format('EXECUTE by_both(%L)', :'at'), :'at');
RESET plan_cache_mode;

-- A sub-select, and a column of a joined table.
SELECT excludes('never', 'SELECT count(*) FROM events WHERE id >= (SELECT at FROM marks)', :'at');
SELECT excludes('running', 'SELECT count(*) FROM events WHERE gid_timestamp(id) >= (SELECT at FROM marks)', :'at');
SELECT excludes('running', 'SELECT count(*) FROM events WHERE made_since(id, (SELECT at FROM marks))', :'at');
SELECT shows('made_since(id, (SELECT ...)) uses the index',
             plan_of('SELECT count(*) FROM events WHERE made_since(id, (SELECT now()))') LIKE '%Index Cond: (id >= \_gid_lower_bound(%');
SELECT excludes('never', 'SELECT * FROM marks, LATERAL (SELECT * FROM events WHERE id >= at ORDER BY id LIMIT 1) e', :'at');
SELECT excludes('running', 'SELECT * FROM marks, LATERAL (SELECT * FROM events WHERE gid_timestamp(id) >= at ORDER BY id LIMIT 1) e', :'at');
SELECT excludes('running', 'SELECT * FROM marks, LATERAL (SELECT * FROM events WHERE made_since(id, at) ORDER BY id LIMIT 1) e', :'at');

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
