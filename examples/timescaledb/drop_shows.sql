SELECT shows('drop_chunks drops what is older than a week: ' || chunks() || ' chunks are left',
             chunks() BETWEEN 8 AND 9 AND min(id) >= now() - interval '8 days' AND min(id) < now() - interval '6 days')
FROM events;
SELECT alter_job(job_id, config => jsonb_set(config, '{drop_after}', '"4 days"'))
FROM timescaledb_information.jobs WHERE proc_name = 'policy_retention' \g /dev/null
SELECT format('CALL run_job(%s)', job_id) FROM timescaledb_information.jobs WHERE proc_name = 'policy_retention' \gexec
SELECT shows('the retention policy drops what is older than it says: ' || chunks() || ' chunks are left',
             chunks() BETWEEN 5 AND 6 AND min(id) >= now() - interval '5 days')
FROM events;
