-- Where a query compares ids, TimescaleDB compares their times to exclude chunks.
-- Some conditions miss rows.
SELECT timestamptz :'today' - interval '5 days' AS border \gset
INSERT INTO events SELECT gid_make('e', :'border', n), n FROM generate_series(1, 3) n;
INSERT INTO copy_of_events SELECT gid_make('e', :'border', n), n FROM generate_series(1, 3) n;
SELECT gid_make('e', :'border', 3) AS third \gset
SELECT shows('id < X misses rows where X is of the first millisecond of a chunk', NOT same_rows(format('id < %L', :'third')));
SELECT shows('id <= X AND id <> X does not', same_rows(format('id <= %1$L AND id <> %1$L', :'third')));
SELECT shows('id < timestamptz ''infinity'' misses all rows', count(*) = 0) FROM events WHERE id < timestamptz 'infinity';
SELECT shows('gid_timestamp(id) < ''infinity'' does not', same_rows('gid_timestamp(id) < ''infinity'''));

-- A column of several kinds.
CREATE TABLE mixed (id gid PRIMARY KEY, n int);
SELECT create_hypertable('mixed', by_range('id', INTERVAL '1 day', partition_func => 'gid_timestamp')) \g /dev/null
INSERT INTO mixed VALUES (gid_random('a', '2026-11-01'), 1), (gid_random('z', '2026-11-01'), 3), (gid_random('b', '2026-11-03'), 2);
SELECT shows('with ids of several kinds ORDER BY id is wrong: ' || string_agg(n::text, ', '), string_agg(n::text, ', ') <> '1, 2, 3')
FROM (SELECT n FROM mixed ORDER BY id) m;

-- What TimescaleDB does not support.
\set ON_ERROR_STOP off
CREATE TABLE refused (id gid(e), made_at timestamptz GENERATED ALWAYS AS (gid_timestamp(id)) STORED);
SELECT create_hypertable('refused', by_range('id'));
SELECT shows('not possible, a hypertable on the id without the function', :'LAST_ERROR_MESSAGE' = 'invalid type for dimension "id"');
SELECT create_hypertable('refused', by_range('made_at'));
SELECT shows('not possible, a generated column with the time', :'LAST_ERROR_MESSAGE' = 'invalid partitioning column');
CREATE MATERIALIZED VIEW per_day WITH (timescaledb.continuous) AS
SELECT time_bucket(INTERVAL '1 day', gid_timestamp(id)) AS day, count(*) FROM events GROUP BY day;
SELECT shows('not possible, a continuous aggregate',
             :'LAST_ERROR_MESSAGE' = 'custom partitioning functions not supported with continuous aggregates');
\set ON_ERROR_STOP on
