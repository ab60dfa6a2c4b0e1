-- Where a query compares ids, TimescaleDB compares their times to exclude chunks.
-- Some conditions miss rows.
SELECT timestamptz :'today' - interval '5 days' AS border \gset
INSERT INTO events SELECT gid_make('e', :'border', n), n FROM generate_series(1, 3) n;
INSERT INTO copy_of_events SELECT gid_make('e', :'border', n), n FROM generate_series(1, 3) n;
SELECT gid_make('e', :'border', 3) AS third \gset
SELECT shows('id < X misses rows where X is of the first millisecond of a chunk', NOT same_rows(format('id < %L', :'third')));
SELECT shows('id <= X AND id <> X does not', same_rows(format('id <= %1$L AND id <> %1$L', :'third')));
SELECT shows('id > X misses no row', bool_and(same_rows(format('id > %L', gid_make('e', at, 3)))))
FROM unnest(ARRAY[timestamptz :'border', timestamptz :'border' - interval '1 ms']) at;
BEGIN;
DELETE FROM copy_of_events WHERE id < :'third';
\set there :ROW_COUNT
DELETE FROM events WHERE id < :'third';
\set here :ROW_COUNT
ROLLBACK;
SELECT shows('DELETE with id < X misses no row', :here = :there);

SELECT shows('id < timestamptz ''infinity'' misses rows', NOT same_rows('id < timestamptz ''infinity'''));
SELECT shows('id <= timestamptz ''infinity'' misses rows', NOT same_rows('id <= timestamptz ''infinity'''));
SELECT shows('all of them', count(*) = 0) FROM events WHERE id < timestamptz 'infinity';
SELECT shows('gid_timestamp(id) < ''infinity'' does not', same_rows('gid_timestamp(id) < ''infinity'''));
SELECT shows('a time in the year 9999 misses no row', same_rows('id < timestamptz ''9999-12-31'''));
SELECT shows('-infinity misses no row', same_rows('id >= timestamptz ''-infinity'''));

-- A column of several kinds.
CREATE TABLE mixed (id gid PRIMARY KEY, n int);
SELECT create_hypertable('mixed', by_range('id', INTERVAL '1 day', partition_func => 'gid_timestamp')) \g /dev/null
INSERT INTO mixed VALUES (gid_random('a', '2026-11-01'), 1), (gid_random('z', '2026-11-01'), 3), (gid_random('b', '2026-11-03'), 2);
SELECT shows('with ids of several kinds ORDER BY id is wrong: ' || string_agg(n::text, ', '), string_agg(n::text, ', ') <> '1, 2, 3')
FROM (SELECT n FROM mixed ORDER BY id) m;
