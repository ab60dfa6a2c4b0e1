#!/usr/bin/perl
# Kills all processes of a server under load, several times.  No id is lost if a client
# received its COMMIT, no id is minted twice, and the primary key has the entries of its
# table.  Recovery calls no function of gid, so other indexes are not tested here.
#
# With --long, the server is killed four times as often.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $crashes = is_long() ? 12 : 3;
my $sessions = 6;
my $tmp = PostgreSQL::Test::Utils::tempdir();

# Checkpoints are frequent, so that recovery begins at different places.
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf(
	'postgresql.conf', q{
	log_statement = none
	max_wal_size = 32MB
	min_wal_size = 32MB
});
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION gid;
	CREATE EXTENSION amcheck;
	CREATE TABLE loaded (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), body text)});

# psql prints the ids before it ends the transaction, and again after the server has
# confirmed the end.  If the server is killed, psql ends.
sub transaction
{
	my ($rows, $end) = @_;

	return <<~SQL;
		BEGIN;
		WITH i AS (INSERT INTO loaded (body) SELECT repeat('x', 100) FROM generate_series(1, $rows) RETURNING id)
		SELECT string_agg(id::text, ' ') AS ids FROM i \\gset
		\\echo MINTED :ids
		$end;
		\\echo $end :ids
		SQL
}

my $load = transaction(1, 'COMMIT') x 5 . transaction(30, 'ROLLBACK') . transaction(100, 'COMMIT');
append_to_file("$tmp/load", $load x 10_000);
append_to_file("$tmp/little", $load x 20);

# Counts how often psql printed each id, for each word before the id.
my %told = map { $_ => {} } 'MINTED', 'COMMIT', 'ROLLBACK';

my $runs = 0;

sub start_session
{
	my ($script) = @_;
	my $out = "$tmp/told." . ++$runs;
	my $run = IPC::Run::start(
		[ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), '-f', $script ],
		'>', $out, '2>', "$out.errors");

	return { run => $run, out => $out };
}

# Waits for the end of a session, stores its output, and returns its exit status.
sub finish_session
{
	my ($session) = @_;

	$session->{run}->finish;
	foreach my $line (split /\n/, slurp_file($session->{out}))
	{
		my ($word, @ids) = split / /, $line;

		next unless $told{$word};
		$told{$word}{$_}++ foreach @ids;
	}
	return $session->{run}->result(0);
}

# Compares the output of all clients with the stored ids.
sub all_is_well
{
	my ($name) = @_;
	my %stored;

	$stored{$_}++ foreach split /\n/,
	  $node->safe_psql('postgres', 'SET enable_indexonlyscan = off; SELECT id FROM loaded');
	my $wrong = sub { my ($what, @ids) = @_; is("@ids", '', "$name: $what") };

	$wrong->('no committed id is lost', grep { !$stored{$_} } keys %{ $told{COMMIT} });
	$wrong->('no id of a rolled back transaction is stored', grep { $stored{$_} } keys %{ $told{ROLLBACK} });
	$wrong->('no id is stored that no client received', grep { !$told{MINTED}{$_} } keys %stored);
	$wrong->('no id is stored twice', grep { $stored{$_} > 1 } keys %stored);
	$wrong->('no id was minted twice', grep { $told{MINTED}{$_} > 1 } keys %{ $told{MINTED} });
	$node->command_ok(
		[ 'pg_amcheck', '--heapallindexed', '--parent-check', '-t', 'loaded', 'postgres' ],
		"$name: pg_amcheck reports nothing");
	return;
}

foreach my $crash (1 .. $crashes)
{
	my $told = keys %{ $told{COMMIT} };
	my $log = -s $node->logfile;
	my $stored = $node->safe_psql('postgres', 'SELECT count(*) FROM loaded');
	my @sessions = map { start_session("$tmp/load") } 1 .. $sessions;

	# Each session may not have printed its last stored transaction yet.
	$node->poll_query_until('postgres', "SELECT count(*) > $stored + 500 + 100 * $sessions FROM loaded")
	  or BAIL_OUT('the load has ended');
	usleep(int rand 500_000);
	my @pids = split /\n/, $node->safe_psql('postgres', 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	my $end = time + $PostgreSQL::Test::Utils::timeout_default;
	$node->kill9;
	kill 'KILL', @pids;
	usleep(10_000) while time < $end && kill 0, $postmaster, @pids;
	is(join(' ', map { finish_session($_) } @sessions),
		join(' ', (2) x $sessions),
		"crash $crash: every session lost its server");
	cmp_ok(keys %{ $told{COMMIT} }, '>', $told + 500, "crash $crash: the server was under load");

	# All processes of the killed server must notice that the postmaster is gone.
	until ($node->start(fail_ok => 1)) { time < $end or die 'the server does not start again' }
	like(slurp_file($node->logfile, $log), qr/automatic recovery in progress/,
		"crash $crash: the server recovers");
	all_is_well("crash $crash");
}

is(join(' ', map { finish_session($_) } map { start_session("$tmp/little") } 1 .. $sessions),
	join(' ', (0) x $sessions), 'after the crashes new ids are minted');
all_is_well('afterwards');
note(scalar keys %{ $told{MINTED} }, ' ids');

$node->stop;
done_testing();
