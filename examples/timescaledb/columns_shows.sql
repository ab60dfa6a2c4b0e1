SELECT format('CALL run_job(%s)', job_id) AS run_job FROM timescaledb_information.jobs WHERE hypertable_name = 'events' \gset
:run_job;
SELECT shows('created_before counts from when a chunk was created, which is a moment ago', count(*) = 0)
FROM timescaledb_information.chunks WHERE hypertable_name = 'events' AND is_compressed;
SELECT alter_job(job_id, config => jsonb_set(config, '{compress_created_before}', '"0 days"'))
FROM timescaledb_information.jobs WHERE hypertable_name = 'events' \g /dev/null
:run_job;
SELECT shows('the policy has stored in columns: ' || count(*) || ' chunks', count(*) = chunks())
FROM timescaledb_information.chunks WHERE hypertable_name = 'events' AND is_compressed;
SELECT shows('the columnstore has the rows of a plain table', bool_and(same_rows(format('id >= timestamptz %L', at))))
FROM generate_series(now() - interval '9 days', now(), '7 hours') at;
SELECT date_trunc('day', now()) - interval '2 days' AS at \gset
SELECT plan_of(format('SELECT * FROM events WHERE id >= timestamptz %L AND id < timestamptz %L', :'at', timestamptz :'at' + interval '1 hour')) AS plan \gset
SELECT shows('an hour is read by the smallest and largest id of each batch',
             :'plan' ~ '_ts_meta_\w+ < ''[^'']+''::gid\) AND \(_ts_meta_\w+ >= ''[^'']+''::gid');
SELECT plan_of('SELECT * FROM events ORDER BY id DESC LIMIT 10') AS plan \gset
SELECT shows('ORDER BY id DESC LIMIT sorts nothing', :'plan' LIKE '%Order: events.id DESC%' AND :'plan' NOT LIKE '%Sort%');
SELECT excludes('planning', format('SELECT count(*) FROM events WHERE id >= timestamptz %L', :'at'), :'at');
SELECT excludes('startup', 'SELECT count(*) FROM events WHERE made_since(id, now() - interval ''2 days'')', now() - interval '2 days');
