#!/usr/bin/perl
# Random statements with ids and times return the same rows with and without the planner's
# rewrites.  check/plans.py generates, runs and compares them.  Without arguments, the
# statements are always the same; --long uses a random seed for 15 minutes.
#
#	check/plans.pl --seed 7 --seconds 600		with these arguments of plans.py
#	check/plans.pl --seed 7 --only 2.34			one statement, with its plans
#
# When: src/planner*.c src/within.c src/bound.c src/estimate.c src/typmod.c
# Packages: python3-psycopg python3-base58

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

my $node = new_server('main');
$node->start;
%ENV = environment_of($node);
my @long = ('--seed', int(rand(2**31)), '--seconds', 900);
tap_ok('random statements', $python, "$tree/check/plans.py", is_long() ? @long : (), @ARGV);
done_testing();
