#!/usr/bin/perl
# No poller that reads up to gid_settled() misses a row: during a restart, a crash and a
# failover, when transaction ids pass 2^32, and when the clock steps.
#
# Many kinds of writers and pollers run with pgbench, on a build that sleeps between the
# steps of the protocol.  check/model.pl searches all orders of these steps; this test is
# for what a model leaves out: the compiler, the process array, snapshots, a restart.  Two
# pollers do not use gid_settled(), and must miss rows.  GID_SEED=N sets the seed.
#
# When: src/settled.* src/samples.* src/server_clock.* src/generator.* src/clock.c

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;
use FakeClock;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

my $rows = is_long() ? 120_000 : 6_000;    # to be written in each step
my $seed = $ENV{GID_SEED} || int rand 1e9;    # script/debian can set it to nothing
my $tmp = PostgreSQL::Test::Utils::tempdir();
my $logs = 0;
note("GID_SEED=$seed");
srand $seed;

my $schema = q{
	CREATE EXTENSION gid;
	CREATE TABLE event (id gid(e) PRIMARY KEY DEFAULT gid_new('e')) PARTITION BY HASH (id);
	CREATE TABLE event_0 PARTITION OF event FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE event_1 PARTITION OF event FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	CREATE TABLE other (n int);
	CREATE TABLE poller (name text PRIMARY KEY, upto gid NOT NULL);
	CREATE TABLE polled (name text, id gid, PRIMARY KEY (name, id));

	CREATE FUNCTION put(rows int) RETURNS void LANGUAGE sql
	AS $$ INSERT INTO event SELECT FROM generate_series(1, rows) $$;
	CREATE PROCEDURE many(transactions int) LANGUAGE plpgsql AS $$
	BEGIN
		FOR i IN 1 .. transactions LOOP
			PERFORM put(1);
			IF random() < 0.1 THEN ROLLBACK; ELSE COMMIT; END IF;
		END LOOP;
	END $$;
	CREATE FUNCTION subtransactions(n int) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		FOR i IN 1 .. n LOOP
			BEGIN
				PERFORM put(1), CASE WHEN random() < 0.3 THEN 1 / 0 END;
			EXCEPTION WHEN division_by_zero THEN NULL;
			END;
		END LOOP;
	END $$;
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

my $end = '\if :one_in_five = 1
	ROLLBACK;
	\else
	COMMIT;
	\endif';
my %writer = (
	single => 'INSERT INTO event DEFAULT VALUES;',
	bulk => 'SELECT put(:some * 10);',
	procedure => 'CALL many(:some);',
	subtransactions => "BEGIN; SELECT subtransactions(60 + :some);\n$end",
	savepoints => qq{
		BEGIN; SAVEPOINT a; SELECT put(1); ROLLBACK TO a; SAVEPOINT b; SELECT put(1); RELEASE b;
		\\sleep :some ms
		$end},
	prepared => q{
		BEGIN; SELECT put(1); SELECT pg_current_xact_id() AS name \gset
		PREPARE TRANSACTION ':name'; CALL many(:some);
		\sleep :some ms
		COMMIT PREPARED ':name';},
	slow => qq{
		BEGIN; INSERT INTO other VALUES (1);
		\\sleep :long ms
		SELECT put(1);
		$end},
	late => qq{
		BEGIN;
		\\sleep :some ms
		SELECT put(1);
		$end},
	stored_later => q{
		BEGIN; SELECT gid_new('e') AS id \gset
		\sleep :some ms
		INSERT INTO event VALUES (':id'); PREPARE TRANSACTION ':id'; CALL many(2); COMMIT PREPARED ':id';},
	clock => qq{
		SET gid.instant_source = clock; SET gid.max_clock_skew = 0; BEGIN; SELECT put(1);
		\\sleep :some ms
		SELECT put(1);
		\\sleep :some ms
		SET LOCAL gid.instant_source = transaction; SELECT put(1);
		$end
		RESET gid.instant_source; RESET gid.max_clock_skew;},
	observer => q{SELECT gid_observe(gid_random('e', clock_timestamp() + interval '10 ms')), put(1);},
	parallel => qq{
		SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
		BEGIN; SELECT put(1); SELECT count(*) FROM other;
		$end},
	reader => q{
		BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM other;
		\sleep :long ms
		COMMIT;},
	killer => q{
		\sleep :long ms
		SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE application_name = 'writer' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1;},
	# Ends what a killed session or a stopped server left behind.
	janitor => q{
		\sleep :long ms
		SELECT coalesce(min(gid), '') AS name, count(*) > 0 AS is_found FROM pg_prepared_xacts WHERE age(transaction) > 2000 \gset
		\if :is_found
		COMMIT PREPARED ':name';
		\endif});
my $values = q{
	\set some random(1, 10)
	\set long random(1, 300)
	\set one_in_five random(1, 5)
};

# A poll in one statement.
sub read_below
{
	my ($bound, $order) = @_;
	return qq{
		WITH new AS MATERIALIZED (
			SELECT id FROM event WHERE id > (SELECT upto FROM poller WHERE name = ':me') AND id < $bound $order),
		kept AS (INSERT INTO polled SELECT ':me', id FROM new)
		UPDATE poller SET upto = greatest(upto, (SELECT max(id) FROM new)) WHERE name = ':me';};
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

append_to_file("$tmp/$_", $values . { %writer, %poller, %control }->{$_}) foreach keys %writer, keys %poller, keys %control;

# Runs pgbench again and again, each time with the next seed, until the file $tmp/NAME.end
# exists, on whichever of these servers is not a standby.  Each has a log of its own: two
# would overwrite each other's lines.
sub start_pgbench
{
	my ($nodes, $name, @options) = @_;
	my @command = ('pgbench', '-n', '-T', 2, @options);
	local %ENV = (
		environment_of($nodes->[0]), PGAPPNAME => $name, PGTARGETSESSIONATTRS => 'read-write',
		PGHOST => join(',', map { $_->host } @$nodes), PGPORT => join(',', map { $_->port } @$nodes));

	return IPC::Run::start([ 'sh', '-c', 'end=$1 seed=$2; shift 2; until [ -e "$end" ]; do "$@" --random-seed=$((seed += 1)) || sleep 0.1; done',
			'sh', "$tmp/$name.end", $seed, @command ],
		'<', '/dev/null', '>&', "$work/log/pgbench" . ++$logs . '.log');
}

sub stop_pgbench
{
	my ($name, @started) = @_;

	append_to_file("$tmp/$name.end", '');
	$_->finish foreach @started;
	unlink "$tmp/$name.end";
	return;
}

sub wait_for_rows
{
	my ($node, $count) = @_;
	return $node->poll_query_until('postgres', "SELECT count(*) > $count FROM event") || die 'no rows are written';
}

# Writes and polls during an action, which returns the server that has the rows at the
# end, and until the controls have missed rows.  Then each poller reads the rest.
sub torture
{
	my ($what, $nodes, $controls, $action) = @_;
	my @pollers = (keys %poller, @$controls);

	$logs = 0;
	$nodes->[0]->safe_psql('postgres', $schema);
	$nodes->[0]->safe_psql('postgres', "INSERT INTO poller VALUES ('$_', gid_lower_bound('e', '-infinity'))") foreach @pollers;
	my @writing = (
		start_pgbench($nodes, 'writer', '-c', 22, map { ('-f', "$tmp/$_@" . (/single|procedure|late/ ? 6 : 2)) } sort keys %writer),
		start_pgbench($nodes, 'writer', '-C', '-f', "$tmp/single"));
	my @polling = map { start_pgbench($nodes, 'poller', '-D', "me=$_", '-f', "$tmp/$_") } @pollers;
	my $node = $action->();
	my $names = join ', ', map { "'$_'" } @$controls;
	$node->poll_query_until('postgres', qq{
		SELECT bool_and((SELECT count(*) FROM event WHERE id <= upto) > (SELECT count(*) FROM polled p WHERE p.name = poller.name))
		FROM poller WHERE name IN ($names)});
	stop_pgbench('writer', @writing);
	stop_pgbench('poller', @polling);

	$node->safe_psql('postgres', "COMMIT PREPARED '$_'") foreach split /\n/, $node->safe_psql('postgres', 'SELECT gid FROM pg_prepared_xacts');
	is($node->safe_psql('postgres', 'SELECT count(*) FROM gid_unsettled()'), '0', "$what: nothing delays the horizon at the end");
	$node->poll_query_until('postgres', q{SELECT max(id) < gid_settled('e') FROM event}) or die 'the horizon does not rise';
	must_run('pgbench', '-n', '-t', 1, '-D', "me=$_", '-f', "$tmp/statement", $node->connstr('postgres')) foreach @pollers;

	my %missed = map { split /\|/ } split /\n/, $node->safe_psql('postgres', q{
		SELECT name, (SELECT count(*) FROM event) - (SELECT count(*) FROM polled p WHERE p.name = poller.name) FROM poller});
	is($missed{$_}, '0', "$what: the poller \"$_\" misses no row") foreach sort keys %poller;
	cmp_ok($missed{$_}, '>', 0, "$what: the poller \"$_\" misses rows") foreach @$controls;
	note($node->safe_psql('postgres', 'SELECT count(*) FROM event'), ' rows; ', join ', ', map { "$_ missed $missed{$_}" } @$controls);

	my @errors = grep { /ERROR|FATAL/ && !/terminating (connection|background worker)|prepared transaction with identifier|the database system is|recovery/ }
	  map { split /\n/, slurp_file("$work/log/pgbench$_.log") } 1 .. $logs;
	is(join("\n", splice @errors, 0, 5), '', "$what: no other errors");
	return $node;
}

build('clean', 'COPT=-DGID_TEST_DELAYS');
my @settings = (q{shared_preload_libraries = 'gid'}, 'max_connections = 60', 'max_prepared_transactions = 40');

my ($node, $standby) = (new_server('main', @settings), PostgreSQL::Test::Cluster->new('standby'));
$node->start;
torture('restart', [ $node, $standby ], [ keys %control ], sub {
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
torture('2^32', [$late], [ keys %control ], sub {
	$late->poll_query_until('postgres', 'SELECT pg_snapshot_xmax(pg_current_snapshot())::text::numeric > 2::numeric ^ 32');
	wait_for_rows($late, 3 * $rows);
	return $late;
});
cmp_ok($late->safe_psql('postgres', 'SELECT pg_current_xact_id()'), '>', 2**32, 'transaction ids have passed 2^32');
$late->stop;

# Steps of about one size follow each other.  If the clock is set back, now() is below all
# rows, so the poller "now" misses none.
my $clock = FakeClock::start('clock', @settings);
torture('clock', [$clock], ['no_bound'], sub {
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
