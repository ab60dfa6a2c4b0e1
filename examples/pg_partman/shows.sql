\i ../checks.sql
SET search_path = public, checks;

-- From the month that was 14 months ago to the one after the next one.
SELECT shows('create_parent',
             partman.create_parent('public.events', 'id', '1 month', p_premake => 2,
                                   p_start_partition => (now() - interval '14 months')::text,
                                   p_time_encoder => 'event_ids.first_at', p_time_decoder => 'event_ids.time_of'));

CREATE FUNCTION partitions_are(since interval, until interval) RETURNS boolean LANGUAGE sql
RETURN (SELECT array_agg(partition_tablename ORDER BY partition_tablename)
        FROM partman.show_partitions('public.events'))
     = (SELECT array_agg(to_char(month, '"events_p"YYYYMMDD') ORDER BY month)
        FROM generate_series(date_trunc('month', now()) + since, date_trunc('month', now()) + until, '1 month') month);

SELECT shows('show_partitions: 14 months, this one, and two to come', partitions_are('-14 months', '2 months'));
SELECT shows('show_partition_info tells the month of a partition',
             (child_start_time, child_end_time) = (date_trunc('month', now()), date_trunc('month', now()) + interval '1 month'))
FROM partman.show_partition_info('public.events_p' || to_char(date_trunc('month', now()), 'YYYYMMDD'));

INSERT INTO events SELECT gid_random('e', now() - n * interval '1 month'), 'event ' || n FROM generate_series(0, 14) n;
SELECT shows('each event is in the partition of its month',
             bool_and(tableoid::regclass::text = to_char(gid_timestamp(id), '"events_p"YYYYMM"01"')))
FROM events;

UPDATE partman.part_config SET premake = 4, retention = '12 months', retention_keep_table = false
WHERE parent_table = 'public.events' \g /dev/null
SELECT partman.run_maintenance() \g /dev/null
SELECT shows('run_maintenance makes what is to come, and retention drops what is old',
             partitions_are('-12 months', '4 months'));

-- An event of a month that has no partition is in the default one until it is moved.
INSERT INTO events VALUES (gid_random('e', now() + interval '7 months'), 'to come');
SELECT shows('check_default finds what has no partition', count = 1) FROM partman.check_default();
SELECT shows('partition_data_time gives it one', partman.partition_data_time('public.events') = 1);
SELECT shows('where it is then', tableoid::regclass::text = to_char(gid_timestamp(id), '"events_p"YYYYMM"01"'))
FROM events WHERE body = 'to come';
