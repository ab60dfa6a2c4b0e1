#!/usr/bin/perl
# check/torture.pl detects errors of gid_settled(): a step of its protocol is broken in a
# server (check/settled_mutations.py), and pollers must then miss rows.  Three of the
# mutations are also in check/model.pl, which has all steps.  A model has no parallel
# workers and no standby.  GID_SEED=N sets the seed.
#
# 2 minutes.
# Packages: python3-psycopg

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t", $FindBin::RealBin;
use Gid;
use Torture;

use PostgreSQL::Test::Utils;
use Test::More;

my ($seconds, $limit) = is_long() ? (150, 120) : (10, 60);
my @mutations = mutations_of("$tree/check/settled_mutations.py");

# Builds one mutation, and restarts the server.
sub mutate
{
	my ($node, $mutation) = @_;

	$node->stop;
	build_changed('-DGID_TEST_DELAYS', $python, "$tree/check/settled_mutations.py", $mutation, "$tree/src");
	$node->start;
	return;
}

build('clean', 'COPT=-DGID_TEST_DELAYS');
my $node = new_server('main', torture_settings());
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');
mutate($node, 'delays');
torture_ok($node, 'no row is missed with the delays of the mutations', '--no-controls', '--seconds', $seconds);
foreach (@mutations)
{
	my ($name, $writers, $pollers, $needs, $what) = @$_;
	my @arguments = ('--find', '--seconds', $limit, '--round', 2, '--writers', $writers, '--pollers', $pollers);
	push @arguments, '--data', $node->data_dir, '--bindir', $bindir if $needs eq 'data';
	push @arguments, '--failure', $1 if $needs =~ /^failure=(.*)/;

	mutate($node, $name);
	torture_ok($node, "the test detects if $what", @arguments);
}
$node->stop;
done_testing();
