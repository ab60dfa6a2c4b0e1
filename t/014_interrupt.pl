#!/usr/bin/perl
# Statements that are interrupted: cancelled, out of memory.  The session
# continues in the same transaction: new ids are larger than all earlier ids, and
# the generator has counted every id of the statement.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $tmp = PostgreSQL::Test::Utils::tempdir();
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "log_statement = none\nautovacuum = off");
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION gid;
	CREATE SEQUENCE progress;
	CREATE TABLE stored (n int, id gid(o) PRIMARY KEY DEFAULT gid_new('o'), nth bigint DEFAULT nextval('progress'));
});
append_to_file("$tmp/in", join '', map { "$_\n" } 1 .. 1_000_000);

# PostgreSQL computes a function in FROM completely before it mints the first id.
my $series = 'FROM (SELECT generate_series(1, 2000000000)) n';

# Statements that mint for a long time.  A sequence shows their progress to other
# sessions.
my @minting = (
	[ 'a query', "SELECT count(gid_new('o')), count(nextval('progress')) $series" ],
	[ 'COPY out', "COPY (SELECT gid_new('o'), nextval('progress') $series) TO '$tmp/out'" ],
	[ 'COPY in', q{COPY stored (n) FROM PROGRAM 'yes 1'} ],
	[ 'a loop', q{DO $$ BEGIN LOOP PERFORM gid_new('o'), nextval('progress'); END LOOP; END $$} ]);

my $session = $node->background_psql('postgres', on_error_stop => 0);

# JIT compilation would take as long as the statements, and would end the session if it
# is out of memory.
$session->query_safe('SET jit = off');
$session->query_safe('\set VERBOSITY verbose');
my $pid = $session->query_safe('SELECT pg_backend_pid()');
my $started = $node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()');
my $last = '';

# Mints an id.  Returns the id, and the number of ids that the generator has counted.
sub mint
{
	my $id = $session->query_safe(q{SELECT gid_new('o')});
	my $state = $session->query_safe(
		qq{SELECT gid_medallion(g) = medallion AND gid_instant(g) = last_instant AND gid_offset(g) = last_offset,
		clock_steps, overflows, minted FROM gid_generator(), (SELECT gid '$id' AS g) i});

	return $state =~ /^t\|0\|0\|(\d+)$/ ? ($id, $1) : BAIL_OUT("generator differs from $id: $state");
}

# Ways to interrupt.  Each runs a statement, which must end early.
sub cancel
{
	my ($statement) = @_;
	my $before = $node->safe_psql('postgres', 'SELECT last_value FROM progress');

	$session->query_until(qr/started/, "\\echo started\n$statement;\n");
	$node->poll_query_until('postgres', "SELECT pg_cancel_backend($pid) FROM progress WHERE last_value > $before + 1000");
	$session->query('');
	return;
}

# Limits the memory of the backend to 100 megabytes more than its current size.
sub limit_memory
{
	my ($statement) = @_;
	my ($size) = slurp_file("/proc/$pid/status") =~ /^VmSize:\s+(\d+) kB/m;

	system_or_bail('prlimit', "--pid=$pid", sprintf('--as=%d:', ($size + 100 * 1024) * 1024));
	$session->query($statement);
	return;
}

# Interrupts a statement after some ids.
sub is_interrupted
{
	my ($name, $statement, $error, $interrupt) = @_;

	unlink "$tmp/out";
	$session->query_safe('BEGIN');
	my ($first, $minted_first) = mint();
	$session->query_safe('SAVEPOINT half');
	$session->{stderr} = '';
	$interrupt->($statement);
	my $said = $session->{stderr};
	$session->{stderr} = '';
	$session->query_safe('ROLLBACK TO half');
	my ($second, $minted_second) = mint();
	my $taken = $minted_second - $minted_first;

	like($said, $error, "$name: is interrupted");
	cmp_ok($taken, '>', 100, "$name: interrupted after some ids");
	cmp_ok($first, 'gt', $last, "$name: its ids are larger than all earlier ids");
	is( $session->query_safe(
			qq{SELECT gid_transaction('$first') = gid_transaction('$second'), gid_offset('$second') - gid_offset('$first')}),
		"t|$taken",
		"$name: the transaction continues after the last id of the statement");
	if (-s "$tmp/out")
	{
		my @out = slurp_file("$tmp/out") =~ /^(.{24})\t/mg;
		my $wrong = grep { $_ le $first || $_ ge $second } @out;

		is($wrong, 0, "$name: " . @out . ' ids in the output file are between these two ids');
	}
	$session->query_safe('COMMIT');
	($last) = mint();
	cmp_ok($last, 'gt', $second, "$name: the next transaction mints larger ids");
	is($session->query_safe(q{SELECT count(*), pg_backend_pid() FROM stored}),
		"0|$pid", "$name: no row of the statement is stored");
	return;
}

my $cancelled = qr/ERROR:  57014: canceling statement due to user request/;
my $out_of_memory = qr/ERROR:  53200: out of memory/;

is_interrupted("$_->[0], cancelled", $_->[1], $cancelled, \&cancel) foreach @minting;

SKIP:
{
	skip 'prlimit is not installed', 1 if system('prlimit --version >/dev/null 2>&1');

	$session->query_safe(q{SET work_mem = '1GB'});
	foreach (
		[ 'an array', "SELECT array_agg(gid_new('o')) $series" ],
		[ 'a text', "SELECT string_agg(gid_new('o')::text, '') $series" ],
		[ 'a sort', "SELECT gid_new('o') AS id $series ORDER BY id" ],
		[ 'hashing', "SELECT count(*) FROM (SELECT gid_new('o') AS id $series) i GROUP BY id" ])
	{
		is_interrupted("$_->[0], out of memory", $_->[1], $out_of_memory, \&limit_memory);
	}
	system_or_bail('prlimit', "--pid=$pid", '--as=unlimited:');
}

# The interrupted statements work if they are not interrupted.
$session->query_safe("COPY stored (n) FROM '$tmp/in'");
is($session->query_safe("SELECT count(DISTINCT id), min(id) > '$last' FROM stored"),
	'1000000|t', 'in the end: all rows are loaded');
$session->quit;

is($node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()'),
	$started, 'the server was not restarted');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC/, 'no process of the server crashed');

$node->stop;
done_testing();
