-- The policies, and what they did to the chunks.
SELECT alter_job(job_id, config => jsonb_set(config, '{compress_created_before}', '"0 days"'))
FROM timescaledb_information.jobs WHERE hypertable_name = 'events' AND proc_name = 'policy_compression' \g /dev/null
SELECT format('CALL run_job(%s)', job_id) FROM timescaledb_information.jobs WHERE hypertable_name = 'events' \gexec
SELECT shows('the policy has stored in columns: ' || count(*) || ' chunks', count(*) = chunks())
FROM timescaledb_information.chunks WHERE hypertable_name = 'events' AND is_compressed;
SELECT shows('the columnstore has the rows of a plain table', bool_and(same_rows(format('id >= timestamptz %L', at))))
FROM generate_series(now() - interval '9 days', now(), '7 hours') at;
SELECT shows('an hour is read by the smallest and largest id of each batch',
             plan_of('SELECT * FROM events WHERE id >= timestamptz ' || quote_literal(now() - interval '50 hours')
                     || ' AND id < timestamptz ' || quote_literal(now() - interval '49 hours'))
             ~ '_ts_meta_\w+ < ''[^'']+''::gid\) AND \(_ts_meta_\w+ >= ''[^'']+''::gid');
SELECT plan_of('SELECT * FROM events ORDER BY id DESC LIMIT 10') AS plan \gset
SELECT shows('ORDER BY id DESC LIMIT sorts nothing', :'plan' LIKE '%Order: events.id DESC%' AND :'plan' NOT LIKE '%Sort%');
