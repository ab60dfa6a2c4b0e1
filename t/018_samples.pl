#!/usr/bin/perl
# Tests src/samples.c, which stores samples of old xids for gid_settled(), with years of
# simulated polls.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

must_run(qw(gcc -O3 -funroll-loops -Wall -Wextra -Werror -o), "$work/samples", "$tree/t/samples_test.c", "$tree/src/samples.c", '-lm');
my $seed = $ENV{GID_SEED} || time;	# script/debian can set it to nothing
note("GID_SEED=$seed");
my ($printed) = run_command([ "$work/samples", $seed ]);
my %result = $printed =~ /^(.*): (\d+)$/mg;
my ($room) = slurp_file("$tree/src/samples.h") =~ /GID_MAX_SAMPLES\s+(\d+)/;

cmp_ok(delete $result{'most in a year'}, '<=', 400, 'a year requires at most 400 samples');
cmp_ok(delete $result{'most at all'}, '<=', 560, 'all instants require at most 560 samples');
my $left = delete $result{'most left'};
ok($left > 100 && $left <= 560, "samples were removed, and at most $left were left of $room");
is(scalar keys %result, 5, 'all simulations ran');
is($result{$_}, 0, "no xid is less precise than promised: $_") foreach sort keys %result;
done_testing();
