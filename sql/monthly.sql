-- Partitions by month, as doc/recipes.md creates and drops them.
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET client_min_messages = warning;
\getenv abs_builddir PG_ABS_BUILDDIR
\cd :abs_builddir
\! awk '/^## /{on = /by month/} /^```/{inside = on && /sql/; n += inside; next} inside && n <= 3' "$PG_ABS_SRCDIR/doc/recipes.md" >results/make.sql
\! awk '/^## /{on = /by month/} /^```/{inside = on && /sql/; n += inside; next} inside && n == 5' "$PG_ABS_SRCDIR/doc/recipes.md" >results/detach.sql
\set ECHO none
\i results/make.sql
\set ECHO all

-- Months are in UTC.  The session's time zone, in which they begin earlier, has no effect.
SET timezone = 'Pacific/Auckland';
SELECT make_partitions('events', 'e', 3, '2025-12-15 00:00+00');
SET timezone = 'UTC';
SELECT relname, gid_timestamp(bound[1]::gid), gid_timestamp(bound[2]::gid)
FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid, regexp_matches(pg_get_expr(relpartbound, c.oid), 'FROM \(''(.*?)''\) TO \(''(.*?)''') AS bound
WHERE inhparent = 'events'::regclass ORDER BY relname;
-- Only missing partitions are created.
SELECT make_partitions('events', 'e', 4, '2025-12-31 23:59:59.999+00');
-- The bounds are exact to the millisecond.
INSERT INTO events SELECT gid_random('e', at) FROM unnest('{2025-12-31 23:59:59.999999+00,
	2026-01-01 00:00:00+00,2026-01-31 23:59:59.999999+00,2026-02-01 00:00:00+00}'::timestamptz[]) at
RETURNING tableoid::regclass, gid_timestamp(id);
DROP TABLE events_2025_12, events_2026_01, events_2026_02, events_2026_03;

-- Of 18 months, those that end 15 months ago are dropped, and then those that end 12 months ago are detached.
SELECT count(*) FROM make_partitions('events', 'e', 21, now() - interval '18 months');
INSERT INTO events SELECT gid_random('e', now() - n * interval '1 day') FROM generate_series(0, 500) n;
CREATE TEMP TABLE recent AS SELECT id FROM events WHERE id >= date_trunc('month', now() - interval '15 months', 'UTC');
SELECT count(*) FROM drop_partitions('events', '15 months');
SELECT count(*) FROM drop_partitions('events', '15 months');
SELECT count(*) < 501 AS are_fewer, count(*) = (SELECT count(*) FROM recent) AS are_recent FROM events;
SELECT count(*) FROM old_partitions('events', now() - interval '12 months');
\set ECHO none
\o results/detach.out
\i results/detach.sql
\o
\set ECHO all
SELECT count(*) FROM old_partitions('events', now() - interval '12 months');
SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'events%' AND NOT relispartition;
SELECT min(gid_timestamp(id)) >= date_trunc('month', now() - interval '12 months', 'UTC') AS are_recent FROM events;
-- The executor prunes partitions.
SELECT count(*) FROM plan_of($$SELECT count(*) FROM events WHERE id >= now() - interval '1 hour'$$) line WHERE line ~ 'Subplans Removed: \d\d';

-- Partitions with an open end, and with two kinds, are not dropped.  The end of a kind is the first id of the next
-- kind, whose time is 1970.
CREATE TABLE mixed (id gid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE mixed_first PARTITION OF mixed FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('e', '-infinity'));
CREATE TABLE mixed_old PARTITION OF mixed FOR VALUES FROM (gid_lower_bound('e', '-infinity')) TO (gid_lower_bound('e', '2020-01-01'));
CREATE TABLE mixed_new PARTITION OF mixed FOR VALUES FROM (gid_lower_bound('e', '2020-01-01')) TO (gid_lower_bound('e', 'infinity'));
CREATE TABLE mixed_two PARTITION OF mixed FOR VALUES FROM (gid_lower_bound('m', '2020-01-01')) TO (gid_lower_bound('o', '2020-01-01'));
CREATE TABLE mixed_rest PARTITION OF mixed DEFAULT;
SELECT drop_partitions('mixed', '12 months');
SELECT drop_partitions('mixed', NULL);
DROP TABLE events, mixed;
DROP FUNCTION make_partitions, drop_partitions, old_partitions;
