SET TimeZone = 'UTC';

CREATE FUNCTION shows(what text, holds boolean) RETURNS text LANGUAGE sql
RETURN CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what;

SELECT shows(format('the job "%s" runs as %s: %s', jobname, d.username, return_message),
             status = 'succeeded' AND d.username = current_user)
FROM cron.job JOIN cron.job_run_details d USING (jobid) WHERE status <> 'running' ORDER BY jobname, runid;

-- A month is old when all of it is, so the one that now() - 12 months is in stays.
SELECT shows('partitions are those of 12 months before this one, of this one, and of two to come',
             array_agg(child::text) = (
                 SELECT array_agg(to_char(month, '"events_"YYYY_MM')) FROM generate_series(
                     date_trunc('month', now()) - interval '12 months',
                     date_trunc('month', now()) + interval '2 months', '1 month') month))
FROM (SELECT inhrelid::regclass AS child FROM pg_inherits
      WHERE inhparent = 'events'::regclass ORDER BY 1::text COLLATE "C") partitions;

SELECT shows('what was older is gone', count(*) = 12) FROM events;

INSERT INTO events (body) VALUES ('now');
SELECT shows('what comes next has its partition', tableoid::regclass::text = to_char(now(), '"events_"YYYY_MM'))
FROM events WHERE body = 'now';
