#!/usr/bin/perl
# Random statements with ids and times, as written and in a form in which the
# planner knows nothing of either: both must give the same.  check/plans.py makes,
# runs and compares them.
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
