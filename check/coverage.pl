#!/usr/bin/perl
# The tests execute 95 % of the lines in src/.  Prints the lines that they do not
# execute.
#
# When: src/*.c

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use PostgreSQL::Test::Utils;
use Test::More;

build('clean', 'COPT=--coverage -O0');
my $node = new_server('main');
$node->start;
regress_ok($node, [ names_in('REGRESS') ], [ names_in('ISOLATION') ]);
$node->stop;

# pg_regress cannot test the binary protocol, clocks that step, nodes, many sessions,
# and preloading.
chdir $tree;
tap_ok($_, $^X, $_) foreach is_long() ? grep({ !/000_/ } glob 't/*.pl') : glob 't/{002,009,024,026}_*.pl';

runs_ok('gcov counts the lines', [ qw(gcov -r -o src), glob 'src/*.c' ]);
my ($lines, $run) = (0, 0);
foreach my $file (glob 'src/*.c')
{
	my ($its_lines, $its_run) = (0, 0);

	# A line is "count: number: text".  The count "-" means that it is not code.
	foreach (split /\n/, slurp_file(($file =~ s{.*/}{}r) . '.gcov'))
	{
		my ($count, $number, $text) = /^ *([^:]+): *(\d+):\s*(.*)/ or next;
		next if $count eq '-' || $number == 0;
		$its_lines++;
		if ($count !~ /^[#=]/) { $its_run++ }
		else { note("$file:$number: $text") }
	}
	note(sprintf '%5.1f %% of %4d lines are executed: %s', 100 * $its_run / $its_lines, $its_lines, $file) if $its_lines;
	$lines += $its_lines;
	$run += $its_run;
}
cmp_ok($run, '>=', 0.95 * $lines, sprintf '95 %% of the lines are executed: %.1f %% of %d', 100 * $run / $lines, $lines);
done_testing();
