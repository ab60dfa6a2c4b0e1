#!/usr/bin/perl
# Sessions use their generators at random, and a model checks the result of each step:
# with the system's clock, and with a clock that steps.
#
# A search of all interleavings, as of gid_settled() in check/model.pl, would add nothing: a
# generator is the memory of one session, and its slot has one owner.
#
# GID_SEED=N sets the seed; the test prints the seeds that it uses.
#
# When: src/generator.* src/clock.c src/mint.c src/server_clock.* check/generator*
# Packages: python3-psycopg

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;
use FakeClock;

# With these settings, processes of the server rarely read the clock.  Its file is
# empty for a moment while it is written, and a process that reads it then exits.
my @settings = (
	'synchronous_commit = off', 'autovacuum = off', 'bgwriter_delay = 10s', 'wal_writer_delay = 10s',
	'max_prepared_transactions = 100', 'log_min_messages = fatal');

# Mints an id and moves the offset as though it had minted n ids, because it would take
# minutes to mint all ids of an instant.
append_to_file("$tree/src/generator.c", q{
PG_FUNCTION_INFO_V1(gid_new_run);
Datum
gid_new_run(PG_FUNCTION_ARGS)
{
	GidWords	first = gid_next(gid_kind_argument(fcinfo));

	generator.offset += PG_GETARG_INT32(1) - 1;
	generator.minted += PG_GETARG_INT32(1) - 1;
	PG_RETURN_GID(first);
}
});

sub play
{
	my ($node, $what, $steps, @arguments) = @_;
	local %ENV = environment_of($node);

	must_run('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$tree/check/generator.sql");
	tap_ok($what, $python, "$tree/check/generator.py", $ENV{GID_SEED} ? ('--seed', $ENV{GID_SEED}) : (), @arguments, $steps);
	$node->stop;
	return;
}

build('clean');
my $node = new_server('main', @settings);
$node->start;
play($node, q{this system's clock}, is_long() ? 1_500_000 : 100_000);

my $clock = FakeClock::start('clock', @settings);
play($clock, 'a clock that steps', is_long() ? 600_000 : 50_000, '--clock', FakeClock::file($clock));
done_testing();
