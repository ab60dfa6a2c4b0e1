-- What was made in 14 months, up to the last one.
DO $$ BEGIN PERFORM make_partitions('events', 'e', 14, now() - interval '14 months'); END $$;
INSERT INTO events
SELECT gid_random('e', date_trunc('month', now(), 'UTC') - n * interval '1 month'), 'event ' || n
FROM generate_series(1, 13) n;

-- Each minute, because nobody wants to watch this for a day.  A job runs as the role
-- that scheduled it.  That role has to own the table, and to be able to log in.
DO $$
BEGIN
    PERFORM cron.schedule('make partitions', '* * * * *', 'SELECT make_partitions(''events'', ''e'')');
    PERFORM cron.schedule('drop partitions', '* * * * *', 'SELECT drop_partitions(''events'', ''12 months'')');
END $$;
