#!/usr/bin/perl
# Tests the recipe for monthly partitions in doc/recipes.md: creates partitions around a
# change of year, and drops and detaches partitions of the last 18 months.
#
# Packages: postgresql-NN-cron

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "timezone = 'UTC'");
$node->start;

my ($recipe) =
  slurp_file("$tree/doc/recipes.md") =~ /^## Partitions by month\n(.*)/ms;
my @blocks = $recipe =~ /^```sql\n(.*?)^```$/msg;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');
$node->safe_psql('postgres', $_) foreach @blocks[ 0 .. 2 ];
my ($detach) = grep { /CONCURRENTLY/ } @blocks;

# The session's time zone, in which months begin earlier, must have no effect.
$node->safe_psql(
	'postgres', q{
	SET timezone = 'Pacific/Auckland';
	SELECT make_partitions('events', 'e', 3, '2025-12-15 00:00+00')});
is( $node->safe_psql(
		'postgres', q{
	SELECT relname, gid_timestamp((regexp_match(bound, 'FROM \(''(.*?)'''))[1]::gid) AT TIME ZONE 'UTC',
		   gid_timestamp((regexp_match(bound, 'TO \(''(.*?)'''))[1]::gid) AT TIME ZONE 'UTC'
	FROM (SELECT relname, pg_get_expr(relpartbound, oid) AS bound FROM pg_class
		  WHERE relispartition AND relkind = 'r') p ORDER BY relname}),
	"events_2025_12|2025-12-01 00:00:00|2026-01-01 00:00:00\n"
	  . "events_2026_01|2026-01-01 00:00:00|2026-02-01 00:00:00\n"
	  . "events_2026_02|2026-02-01 00:00:00|2026-03-01 00:00:00",
	'months are in UTC');
is( $node->safe_psql(
		'postgres', q{SELECT make_partitions('events', 'e', 4, '2025-12-31 23:59:59.999+00')}),
	'events_2026_03',
	'only missing partitions are created');

# The bounds of months are exact to the millisecond.
is( $node->safe_psql(
		'postgres', q{
	INSERT INTO events SELECT gid_random('e', at) FROM unnest('{2025-12-31 23:59:59.999999+00,
		2026-01-01 00:00:00+00,2026-01-31 23:59:59.999999+00,2026-02-01 00:00:00+00}'::timestamptz[]) at
	RETURNING tableoid::regclass}),
	"events_2025_12\nevents_2026_01\nevents_2026_01\nevents_2026_02",
	'rows are stored in the partition of their month');

# Partitions for the last 18 months, each with rows, and for the next months.
$node->safe_psql(
	'postgres', q{
	DROP TABLE events_2025_12, events_2026_01, events_2026_02, events_2026_03;
	SELECT make_partitions('events', 'e', 21, now() - interval '18 months');
	INSERT INTO events SELECT gid_random('e', now() - n * interval '1 day') FROM generate_series(0, 500) n});
my $before = $node->safe_psql('postgres', 'SELECT count(*) FROM events');
my $recent = $node->safe_psql('postgres',
	q{SELECT count(*) FROM events WHERE id >= date_trunc('month', now() - interval '15 months', 'UTC')});
cmp_ok($recent, '<', $before, 'some rows are older than 15 months');

# drop_partitions() drops exactly the partitions that end before the limit.
my @dropped = split /\n/,
  $node->safe_psql('postgres', q{SELECT drop_partitions('events', '15 months')});
is(scalar @dropped, 3, 'three partitions are older than 15 months');
is( $node->safe_psql('postgres', q{SELECT drop_partitions('events', '15 months')}),
	'',
	'a second call drops nothing');
is($node->safe_psql('postgres', 'SELECT count(*) FROM events'),
	$recent, 'the rows of the last 15 months remain');

# The end of a kind is the first id of the next kind, whose time is 1970.
is($node->safe_psql('postgres', q{
	CREATE TABLE mixed (id gid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE mixed_first PARTITION OF mixed FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('e', '-infinity'));
	CREATE TABLE mixed_old PARTITION OF mixed FOR VALUES FROM (gid_lower_bound('e', '-infinity')) TO (gid_lower_bound('e', '2020-01-01'));
	CREATE TABLE mixed_new PARTITION OF mixed FOR VALUES FROM (gid_lower_bound('e', '2020-01-01')) TO (gid_lower_bound('e', 'infinity'));
	CREATE TABLE mixed_two PARTITION OF mixed FOR VALUES FROM (gid_lower_bound('m', '2020-01-01')) TO (gid_lower_bound('o', '2020-01-01'));
	CREATE TABLE mixed_rest PARTITION OF mixed DEFAULT;
	SELECT drop_partitions('mixed', '12 months');
	SELECT drop_partitions('mixed', NULL); DROP TABLE mixed}), 'mixed_old', 'partitions with an open end, and with two kinds, are not dropped');

# Detaches partitions concurrently, with the statement of the recipe.
my $old = $node->safe_psql('postgres',
	q{SELECT count(*) FROM old_partitions('events', now() - interval '12 months')});
is($old, '3', 'three more partitions are older than 12 months');
$node->safe_psql('postgres', $detach);
is( $node->safe_psql(
		'postgres', q{
	SELECT count(*) FROM old_partitions('events', now() - interval '12 months');
	SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'events%' AND NOT relispartition;
	SELECT min(gid_timestamp(id)) >= date_trunc('month', now() - interval '12 months', 'UTC') FROM events}),
	"0\n0\nt",
	'these partitions are detached concurrently and dropped');

# The executor prunes partitions for a condition on time.
like(
	$node->safe_psql('postgres',
		q{EXPLAIN (COSTS OFF) SELECT count(*) FROM events WHERE id >= now() - interval '1 hour'}),
	qr/Subplans Removed: \d\d/,
	'a query of the last hour does not read earlier partitions');

# The jobs of pg_cron.
my ($version) = $node->pg_version =~ /^(\d+)/;
my ($jobs) = $recipe =~ /^```\n(SELECT cron\..*?)^```$/ms;
SKIP: {
	skip_allowed('Debian does not have pg_cron with this PostgreSQL', 1) if lacks("postgresql-$version-cron");
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'pg_cron'\ncron.database_name = 'postgres'");
	$node->restart;
	$node->safe_psql('postgres', "CREATE EXTENSION pg_cron; $jobs");
	is($node->safe_psql('postgres', 'SELECT command FROM cron.job ORDER BY jobid \gexec'), '', 'the commands of the jobs run, and have nothing to do');
}

$node->stop;
done_testing();
