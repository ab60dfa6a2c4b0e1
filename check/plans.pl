#!/usr/bin/perl
# Random statements with ids and times return the same rows in a second form, to which
# no rewrite of the planner applies.  check/plans.py generates, runs and compares them.
#
#	check/plans.pl --seed 7 --seconds 600		with these arguments of plans.py
#
# 1 minute.
# Packages: python3-psycopg

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use Test::More;

my $node = new_server('main');
$node->start;
%ENV = environment_of($node);
tap_ok('random statements', $python, "$tree/check/plans.py", '--seconds', is_long() ? 900 : 30, @ARGV);
done_testing();
