#!/usr/bin/perl
# The extension is built by clang and by gcc without a warning.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use PostgreSQL::Test::Utils;
use Test::More;

# PG_FUNCTION_ARGS brings parameters that are not used.  PostgreSQL was built by
# gcc, and some of what it recorded is unknown to clang.
my $flags = '-Wextra -Werror -Wno-unused-parameter';
my %more = (
	gcc => '',
	clang => '-Wno-ignored-attributes -Wno-unknown-warning-option '
	  . '-Wno-ignored-optimization-argument -Wno-unused-command-line-argument');

foreach my $compiler (sort keys %more)
{
	my $copy = PostgreSQL::Test::Utils::tempdir();

	must_run('cp', '-R', glob("$tree/{src,Makefile,META.json,gid*}"), $copy);
	unlink glob "$copy/src/*.{o,bc} $copy/*.so";
	runs_ok("it is built by $compiler",
		[ 'make', '-s', '-C', $copy, "PG_CONFIG=$ENV{PG_CONFIG}", "CC=$compiler", "COPT=$flags $more{$compiler}" ]);
}
done_testing();
