#!/usr/bin/perl
# Billions of ids are all different.  Each transaction mints runs of adjacent ids, and
# stores the first id and the length of each run.  No run may overlap the next.  Only the
# first id is really minted: gid_new_run() of check/generator_mutations.py then moves the
# generator as though it had minted the others.
#
# The medallion is random, then pinned to a node, then pinned with gid preloaded.  In
# each case, up to 32 sessions mint while the server's clock steps back and forth to the
# same times.  Some sessions are short.  The server is also killed and restarted.
#
# When: src/generator.* src/clock.c src/server_clock.* src/mint.c src/random.c

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;
use Crash;
use FakeClock;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

build_changed('', $python, "$tree/check/generator_mutations.py", 'none', "$tree/src");
my $seconds = is_long() ? 40 : 3;    # of each load
my $node = FakeClock::start('main', 'log_min_messages = fatal', 'max_connections = 60');
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION gid;
	CREATE FUNCTION gid_new_run(kind text, n int) RETURNS gid LANGUAGE c STRICT AS '$libdir/gid';
	CREATE TABLE run (start gid(o) NOT NULL, n int NOT NULL, pid int NOT NULL DEFAULT pg_backend_pid())});
append_to_file("$work/one.sql", q{
	\set n random(1, 131072)
	INSERT INTO run VALUES (gid_new_run('o', :n), :n);
});
append_to_file("$work/some.sql", q{
	\set n random(1, 131072)
	BEGIN;
	INSERT INTO run VALUES (gid_new_run('o', 1), 1);
	INSERT INTO run VALUES (gid_new_run('o', :n), :n);
	SAVEPOINT s;
	INSERT INTO run VALUES (gid_new_run('o', :n), :n);
	ROLLBACK TO s;
	INSERT INTO run VALUES (gid_new_run('o', :n), :n);
	COMMIT;
});

# Starts a load.  If there are two options -T, pgbench uses the last one.
sub load
{
	my @options = @_;
	my $log = "$work/log/pgbench.log";
	local %ENV = environment_of($node);

	return IPC::Run::start(
		[ qw(pgbench -n -j 2 -T), $seconds, '-f', "$work/one.sql\@9", '-f', "$work/some.sql\@1", @options ],
		'>>', $log, '2>&1');
}

# A step of 20 seconds is larger than gid.max_clock_skew, and one of 5 seconds is not.
sub step_back_and_forth
{
	foreach (-5, 0, -20, -1, -20, 0)
	{
		sleep($seconds / 7);
		FakeClock::set($node, $_);
	}
	return;
}

# Mints with these settings, while the clock steps and the server crashes.
sub mint_while
{
	my @settings = @_;
	my $name = join ', ', @settings;

	$node->append_conf('postgresql.conf', join "\n", @settings);
	FakeClock::restart($node);

	my $load = load('-c', 32);
	step_back_and_forth();
	ok($load->finish, "$name: 32 sessions mint while the clock steps");
	$load = load('-c', 16, '-C');
	step_back_and_forth();
	ok($load->finish, "$name: short sessions mint while the clock steps");

	my $before = $node->safe_psql('postgres', 'SELECT count(*) FROM run');
	$load = load('-c', 32, '-T', 1000);
	sleep($seconds);
	ok($node->poll_query_until('postgres', "SELECT count(*) > $before FROM run"), "$name: sessions mint until the server is killed");
	Crash::kill_server($node);
	ok(!$load->finish, "$name: the kill ends the sessions");
	Crash::start_again($node, sub { FakeClock::restart($node, fail_ok => 1) });
	FakeClock::set($node, -20);
	ok(load('-c', 32)->finish, "$name: sessions mint after the restart, with a clock that was set back");
	FakeClock::set($node, 0);
	return;
}

mint_while('gid.node = -1');
mint_while('gid.node = 7');
mint_while('gid.node = 7', q{shared_preload_libraries = 'gid'});

note($node->safe_psql('postgres', q{
	SELECT to_char(sum(n), '999,999,999,999,999') || ' ids of ' || count(*) || ' runs and '
		|| count(DISTINCT (pid, gid_medallion(start))) || ' generators' FROM run}));
my $overlaps = q{
	SELECT count(*) FROM (
		SELECT gid_offset(start) + n AS "end", lead(gid_offset(start)) OVER (PARTITION BY gid_transaction(start) ORDER BY start) AS next
		FROM run) r
	WHERE next < "end"};
is($node->safe_psql('postgres', $overlaps), '0', 'no two ids are the same');

# The query must find an overlap of one id in a run of more than 100,000 ids.
$node->safe_psql('postgres', q{
	INSERT INTO run SELECT gid_from_muid('o', regexp_replace(gid_muid(start), '.{8}$', lpad(to_hex(gid_offset(start) + n - 1), 8, '0'))), 1
	FROM run WHERE n > 100000 LIMIT 1});
is($node->safe_psql('postgres', $overlaps), '1', 'the query finds an overlap');
done_testing();
