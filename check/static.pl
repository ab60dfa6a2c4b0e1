#!/usr/bin/perl
# The analyzer of gcc, clang-tidy and shellcheck report nothing.  The file .clang-tidy
# lists the checks of clang-tidy.  README.md and the pages of doc/ and move/ together have a
# limit of words.
#
# Packages: clang-tidy shellcheck

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use File::Find;

chdir $tree;
my @make = ('make', '-s', "PG_CONFIG=$ENV{PG_CONFIG}", 'with_llvm=no', 'CC=gcc');
must_run(@make, 'clean');
runs_ok('gcc -fanalyzer: src/*.c', [ @make, 'COPT=-fanalyzer -Werror' ]);

my ($includes) = run_command([ $ENV{PG_CONFIG}, '--includedir-server' ]);
runs_ok("clang-tidy: $_",
	[ qw(clang-tidy --quiet), $_, qw(-- -std=gnu99 -DGID_VERSION="X.Y.Z" -D_GNU_SOURCE -isystem), $includes ])
  foreach glob 'src/*.c';

# Every file that a shell runs or sources.
my @scripts;
find({
		no_chdir => 1,
		wanted => sub {
			return if !-f || /node_modules/;
			push @scripts, $_ if /\.sh$/ || slurp_file($_) =~ /\A#!.*sh\n/;
		}
	},
	'.');
cmp_ok(@scripts, '>=', 50, 'at least 50 shell scripts are checked');
runs_ok("shellcheck: $_", [ qw(shellcheck -x -P SCRIPTDIR), $_ ]) foreach sort @scripts;

# Counts words as wc -w does.
my $words = 0;
find(sub { $words += () = slurp_file($_) =~ /\S+/g if /\.md$/ && $File::Find::name !~ /node_modules/ }, qw(README.md doc move));
cmp_ok($words, '>=', 10_000, 'there are pages');
cmp_ok($words, '<=', 45_000, 'README.md and the pages of doc/ and move/ have at most 45,000 words');
done_testing();
