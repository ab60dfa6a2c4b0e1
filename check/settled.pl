#!/usr/bin/perl
# check/torture.pl detects errors of gid_settled(): each step of its protocol is broken
# in turn (check/settled_mutations.py), and pollers must then miss rows.
#
# A missing memory barrier has no visible effect in a server, so check/litmus.c shows
# its effect with two threads.  GID_SEED=N sets the seed.
#
# 3 minutes.
# Packages: python3-psycopg

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t", $FindBin::RealBin;
use Gid;
use FakeClock;
use Torture;

use PostgreSQL::Test::Utils;
use Test::More;

my ($seconds, $limit) = is_long() ? (150, 120) : (10, 60);
my @mutations = mutations_of("$tree/check/settled_mutations.py");

must_run(qw(gcc -O2 -Wall -Wextra -Werror -pthread -o), "$work/litmus", "$tree/check/litmus.c");
command_like([ "$work/litmus", 'none', 30 ], qr/^[1-9]/, 'without a barrier, two threads can miss each other');
command_like([ "$work/litmus", 'full', 5 ], qr/^0 of [1-9]/, 'with a barrier, one of the threads sees the other');

# Builds one mutation, and restarts the server with the function $start.
sub mutate
{
	my ($node, $start, $mutation) = @_;

	$node->stop;
	build_changed('-DGID_TEST_DELAYS', $python, "$tree/check/settled_mutations.py", $mutation, "$tree/src");
	$start->($node);
	return;
}

sub break_steps
{
	my ($node, $start, @which) = @_;

	foreach (@which)
	{
		my ($name, $writers, $pollers, $needs, $what) = @$_;
		my @arguments = ('--find', '--seconds', $limit, '--round', 2, '--writers', $writers, '--pollers', $pollers);
		push @arguments, '--clock', FakeClock::file($node), '--round', 8, '--seconds', $limit * 2 if $needs eq 'clock';
		push @arguments, '--data', $node->data_dir, '--bindir', $bindir if $needs eq 'data';
		push @arguments, '--failure', $1 if $needs =~ /^failure=(.*)/;

		mutate($node, $start, $name);
		torture_ok($node, "the test detects if $what", @arguments);
	}
	return;
}

build('clean', 'COPT=-DGID_TEST_DELAYS');
my $node = new_server('main', torture_settings());
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');
my $start = sub { $_[0]->start };
mutate($node, $start, 'delays');
torture_ok($node, 'no row is missed with the delays of the mutations', '--no-controls', '--seconds', $seconds);
break_steps($node, $start, grep { $_->[3] ne 'clock' } @mutations);
$node->stop;

my $clock = FakeClock::start('clock', torture_settings());
$clock->safe_psql('postgres', 'CREATE EXTENSION gid');
break_steps($clock, \&FakeClock::restart, grep { $_->[3] eq 'clock' } @mutations);
done_testing();
