#!/usr/bin/perl
# No poller that reads up to gid_settled() misses a row: during a restart, a crash and a
# failover, when transaction ids pass 2^32, and when the clock steps.
#
# Many kinds of writers and pollers run with pgbench, on a build that sleeps between the
# steps of the protocol.  check/model.pl searches all orders of these steps; this test is
# for what a model leaves out: the compiler, the process array, snapshots, a restart.  Two
# pollers do not use gid_settled(), and must miss rows.  GID_SEED=N sets the seed.
#
# In the step "foreign", two of three partitions are foreign tables.  The pollers, and the
# workers for Python and JavaScript, fetch the horizon first.  A poller that calls
# gid_settled() in the statement that reads must miss rows.
#
# Packages: npm python3-psycopg
# When: src/settled.* src/samples.* src/server_clock.* src/generator.* src/clock.c clients/*/consumer.js clients/python/pg_gid/consumer.py

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;
use FakeClock;
use Torture;

use Time::HiRes qw(sleep);

my $rows = is_long() ? 120_000 : 6_000;    # to be written in each step

my $local = q{
	CREATE TABLE event (id gid(e) PRIMARY KEY DEFAULT gid_new('e')) PARTITION BY HASH (id);
	CREATE TABLE event_0 PARTITION OF event FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE event_1 PARTITION OF event FOR VALUES WITH (MODULUS 2, REMAINDER 1)};
my $schema = q{
	CREATE EXTENSION gid;
	CREATE FUNCTION new_id() RETURNS gid LANGUAGE sql AS $$ SELECT gid_new('e') $$;
	CREATE TABLE other (n int);
	CREATE TABLE poller (name text PRIMARY KEY, upto gid NOT NULL);
	CREATE TABLE polled (name text, id gid, PRIMARY KEY (name, id));

	CREATE FUNCTION poll_with_cursor(me text) RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		row record;
		last gid := (SELECT upto FROM poller WHERE name = me);
	BEGIN
		FOR row IN SELECT id FROM event WHERE id > last AND id < gid_settled('e') ORDER BY id LOOP
			PERFORM gid_settled('e');
			INSERT INTO polled VALUES (me, row.id);
			UPDATE poller SET upto = row.id WHERE name = me;
		END LOOP;
	END $$};

my %extension_writer = (
	clock => qq{
		SET gid.instant_source = clock; SET gid.max_clock_skew = 0; BEGIN; SELECT put(1);
		\\sleep :some ms
		SELECT put(1);
		\\sleep :some ms
		SET LOCAL gid.instant_source = transaction; SELECT put(1);
		$end
		RESET gid.instant_source; RESET gid.max_clock_skew;},
	observer => q{SELECT gid_observe(gid_random('e', clock_timestamp() + interval '10 ms')), put(1);});

# A poll of the ids below a bound.
sub read_below
{
	my ($bound, $order) = @_;
	return read_all("SELECT id FROM event WHERE id > (SELECT upto FROM poller WHERE name = ':me') AND id < $bound $order");
}
my $settled = q{gid_settled('e')};
my %poller = (
	statement => read_below($settled, ''),
	subquery => read_below("(SELECT $settled)", ''),
	pages => read_below($settled, 'ORDER BY id LIMIT :some * 100'),
	cursor => q{SELECT poll_with_cursor(':me');},
	old_snapshot => qq{
		BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM other;
		\\sleep :some ms
		SELECT upto AS from, greatest(upto, $settled) AS to FROM poller WHERE name = ':me' \\gset
		INSERT INTO polled SELECT ':me', id FROM event WHERE id > ':from' AND id < ':to';
		UPDATE poller SET upto = ':to' WHERE name = ':me'; COMMIT;},
	minting => qq{
		BEGIN; SELECT gid_new('e') AS id \\gset
		@{[ read_below($settled, '') ]}
		INSERT INTO event VALUES (':id'); COMMIT;});
my %control = (
	no_bound => read_below(q{gid_upper_bound('e', 'infinity')}, ''),
	now => read_below('now()', ''));

# Writes and polls during an action.
sub torture_gid
{
	my ($what, $nodes, $controls, $action) = @_;
	return torture($what, $nodes, $action,
		schema => "$schema; $local", writers => { %writer, %extension_writer }, pollers => \%poller, controls => { %control{@$controls} },
		last => 'statement', horizon => $settled, unsettled => 'gid_unsettled()', least => q{gid_lower_bound('e', '-infinity')});
}

build('clean', 'COPT=-DGID_TEST_DELAYS');
my @settings = (q{shared_preload_libraries = 'gid'}, 'max_connections = 60', 'max_prepared_transactions = 40');

my ($node, $standby) = (new_server('main', @settings), PostgreSQL::Test::Cluster->new('standby'));
$node->start;
torture_gid('restart', [ $node, $standby ], [ keys %control ], sub {
	wait_for_rows($node, $rows);
	$node->restart;
	wait_for_rows($node, 2 * $rows);
	$node->stop('immediate');
	$node->start;
	wait_for_rows($node, 3 * $rows);
	$node->backup('copy');
	$standby->init_from_backup($node, 'copy', has_streaming => 1);
	$standby->start;
	$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming'}) or die;
	$node->stop;
	$standby->promote;
	wait_for_rows($standby, 4 * $rows);
	return $standby;
})->stop;

# pg_resetwal sets the next transaction id.  After that, only frozen rows are visible.
my $late = new_server('late', @settings, 'autovacuum = off');
$late->start;
$late->safe_psql('postgres', 'VACUUM FREEZE');
$late->stop;
must_run('pg_resetwal', '-D', $late->data_dir, '-e', 0, '-x', 4294965000, '-u', 4294900000);
must_run('dd', 'if=/dev/zero', 'of=' . $late->data_dir . '/pg_xact/0FFF', 'bs=8192', 'count=32', 'status=none');
$late->start;
torture_gid('2^32', [$late], [ keys %control ], sub {
	$late->poll_query_until('postgres', 'SELECT pg_snapshot_xmax(pg_current_snapshot())::text::numeric > 2::numeric ^ 32');
	wait_for_rows($late, 3 * $rows);
	return $late;
});
cmp_ok($late->safe_psql('postgres', 'SELECT pg_current_xact_id()'), '>', 2**32, 'transaction ids have passed 2^32');
$late->stop;

# Writers insert through the server that polls.  A transaction that writes only foreign
# tables has no xid here.
my $far = new_server('far', 'max_connections = 300');
my $near = new_server('near', @settings);
$_->start foreach $far, $near;
$far->safe_psql('postgres', 'CREATE EXTENSION gid; CREATE TABLE event_0 (id gid(e) PRIMARY KEY); CREATE TABLE event_1 (id gid(e) PRIMARY KEY)');
my $connection = sprintf q{host '%s', port '%s', dbname 'postgres'}, $far->host, $far->port;
my $foreign = qq{
	CREATE TABLE event (id gid(e) NOT NULL DEFAULT gid_new('e')) PARTITION BY HASH (id);
	CREATE EXTENSION postgres_fdw;
	CREATE SERVER sends FOREIGN DATA WRAPPER postgres_fdw OPTIONS ($connection, extensions 'gid');
	CREATE SERVER filters FOREIGN DATA WRAPPER postgres_fdw OPTIONS ($connection);
	CREATE USER MAPPING FOR CURRENT_USER SERVER sends;
	CREATE USER MAPPING FOR CURRENT_USER SERVER filters;
	CREATE FOREIGN TABLE event_0 PARTITION OF event FOR VALUES WITH (MODULUS 3, REMAINDER 0) SERVER sends;
	CREATE FOREIGN TABLE event_1 PARTITION OF event FOR VALUES WITH (MODULUS 3, REMAINDER 1) SERVER filters;
	CREATE TABLE event_2 PARTITION OF event FOR VALUES WITH (MODULUS 3, REMAINDER 2);
	CREATE TABLE cursors (consumer text, shard int, position gid NOT NULL, PRIMARY KEY (consumer, shard))};
$foreign .= qq{; CREATE FUNCTION $_->[0] RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS \$\$
	BEGIN
		INSERT INTO polled SELECT me, id FROM event WHERE id > (SELECT upto FROM poller WHERE name = me) AND id < $_->[1];
		UPDATE poller SET upto = greatest(upto, (SELECT max(id) FROM polled WHERE name = me)) WHERE name = me;
	END \$\$} foreach [ 'read_below(me text, horizon gid)', 'horizon' ], [ 'read_settled(me text)', $settled ];
my $ask = qq{SELECT coalesce($settled, gid_lower_bound('e', '-infinity')) AS horizon \\gset\n};
# postgres_fdw cannot prepare a transaction.
my %foreign_writer = (%writer, %extension_writer);
delete @foreign_writer{qw(prepared stored_later)};

my $tmp = PostgreSQL::Test::Utils::tempdir();
# With a smaller batch, a worker is often far below the horizon.  gid_uncovered() reports
# the foreign tables; all writers insert here.
my %worker = (python => "PYTHONPATH=$tree/clients/python python3 -B $tmp/worker.py");
append_to_file("$tmp/worker.py", q{
import psycopg
from pg_gid.consumer import Consumer

with psycopg.connect(autocommit=True) as connection:
    Consumer(connection, "python", "event", lambda row: print(row["id"], flush=True), batch=100000, covered=True).run()
});
append_to_file("$tmp/worker.mjs", q{
import pg from 'pg';
import { Consumer } from 'pg-gid/consumer';

const client = new pg.Client();
await client.connect();
await new Consumer(client, 'node', 'event', row => console.log(String(row.id)), { batch: 100_000, covered: true }).run();
});
SKIP:
{
	skip 'python3-psycopg is not installed', 2 if lacks('python3-psycopg');
	skip 'npm is not installed', 1 if lacks('npm');
	my $status = system_log('sh', '-c', "cd $tree/examples/outbox && . ../npm-install.sh");
	skip q{npm's registry cannot be reached}, 1 if $status >> 8 == 77;
	symlink "$tree/examples/outbox/node_modules", "$tmp/node_modules" or die $!;
	$worker{node} = "node $tmp/worker.mjs";
}
my @workers;
torture('foreign', [$near], sub {
	@workers = map {
		local %ENV = environment_of($near);
		start_again('worker', "$worker{$_} >>$tmp/$_.out", "$work/log/$_.log")
	} sort keys %worker;
	wait_for_rows($near, 2 * $rows);
	return $near;
},
	schema => "$schema; $foreign", writers => \%foreign_writer,
	pollers => {
		first => $ask . read_below("':horizon'", ''),
		pages => $ask . read_below("':horizon'", 'ORDER BY id LIMIT :some * 100'),
		generic => qq{$ask SELECT read_below(':me', ':horizon');} },
	controls => { statement => q{SELECT read_settled(':me');} },
	last => 'first', horizon => $settled, unsettled => 'gid_unsettled()', least => q{gid_lower_bound('e', '-infinity')});
$near->poll_query_until('postgres', sprintf 'SELECT count(*) = %d AND bool_and(position = (SELECT max(id) FROM event)) FROM cursors', scalar keys %worker)
  or die 'the workers do not read to the end';
foreach my $name (sort keys %worker)
{
	my %is_printed = map { $_ => 1 } split /\n/, slurp_file("$tmp/$name.out");
	is(scalar(grep { !$is_printed{$_} } split /\n/, $near->safe_psql('postgres', 'SELECT id FROM event')), 0, qq{foreign: the worker "$name" misses no row});
}
$near->stop;
stop('worker', @workers);
$far->stop;

# Steps of about one size follow each other.  If the clock is set back, now() is below all
# rows, so the poller "now" misses none.
my $clock = FakeClock::start('clock', @settings);
torture_gid('clock', [$clock], ['no_bound'], sub {
	my ($steps, $ahead, $most_ahead, $size) = (0, 0, 0, 1);
	until ($steps++ > $rows / 10 && $clock->safe_psql('postgres', 'SELECT count(*) FROM event') > 5 * $rows)
	{
		$size = (0.001, 0.05, 1, 5, 9.9, 12, 60, 3600)[ rand 8 ] if rand() < 0.1;
		$ahead += $size * (rand(2.3) - 1);
		$most_ahead = $ahead if $ahead > $most_ahead;
		FakeClock::set($clock, $ahead);
		sleep rand 0.1;
		next if rand() > 0.02;
		$clock->append_conf('postgresql.conf', 'gid.node = ' . (-1, -1, 3, 7)[ rand 4 ]);
		$clock->reload;
	}
	FakeClock::set($clock, $most_ahead + 7200);
	return $clock;
});
done_testing();
