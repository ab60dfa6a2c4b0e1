#!/usr/bin/perl
# Sessions use their generators at random, and a model checks the result of each step:
# with the system's clock, and with a clock that steps.
#
#	check/generator.pl --mutations		breaks each rule of the generator in turn
#										(check/generator_mutations.py); the model must
#										detect each error
#
# A search of all interleavings, as of gid_settled() in check/model.pl, would add nothing: a
# generator is the memory of one session, and its slot has one owner.
#
# GID_SEED=N sets the seed; the test prints the seeds that it uses.
#
# When: src/generator.* src/clock.c src/mint.c src/server_clock.* src/random.c check/generator*
# Packages: python3-psycopg

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;
use FakeClock;

use PostgreSQL::Test::Utils;
use Test::More;

my $mutates = grep { $_ eq '--mutations' } @ARGV;
my ($steps, $clock_steps) = is_long() ? (2_500_000, 600_000) : (160_000, 50_000);
my @mutations = mutations_of("$tree/check/generator_mutations.py");
my @mutate = ($python, "$tree/check/generator_mutations.py");

# With these settings, processes of the server rarely read the clock.  Its file is
# empty for a moment while it is written, and a process that reads it then exits.
my @settings = (
	'synchronous_commit = off', 'autovacuum = off', 'bgwriter_delay = 10s', 'wal_writer_delay = 10s',
	'max_prepared_transactions = 100', 'log_min_messages = fatal');

# Runs the model without a mutation, where it must find no fault, or with each mutation,
# where it must find one.
sub play
{
	my ($node, $what, $steps, $clock, @arguments) = @_;
	local %ENV = environment_of($node);
	my @model = ($python, "$tree/check/generator.py", $ENV{GID_SEED} ? ('--seed', $ENV{GID_SEED}) : (), @arguments);

	build_changed('', @mutate, 'none', "$tree/src");
	must_run('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$tree/check/generator.sql");
	tap_ok($what, @model, $steps) unless $mutates;
	foreach ($mutates ? grep { $_->[1] eq $clock } @mutations : ())
	{
		my ($name, undef, $fault) = @$_;
		build_changed('', @mutate, $name, "$tree/src");
		runs_ok("the model notices if $fault", [ @model, '--find', 10 * $steps ], show => qr/seed/);
	}
	$node->stop;
	return;
}

build('clean');
my $node = new_server('main', @settings);
$node->start;
play($node, q{this system's clock}, $steps, 'system');

my $clock = FakeClock::start('clock', @settings);
play($clock, 'a clock that steps', $clock_steps, 'steps', '--clock', FakeClock::file($clock));
done_testing();
