#!/usr/bin/perl
# The extension is built by clang and by gcc without a warning, also in another folder,
# from which "make install" then installs it.

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

# The sources alone.
sub sources
{
	my $copy = PostgreSQL::Test::Utils::tempdir();

	must_run('cp', '-R', glob("$tree/{src,Makefile,META.json,gid*}"), $copy);
	unlink glob "$copy/src/*.{o,bc} $copy/*.so";
	return $copy;
}

foreach my $compiler (sort keys %more)
{
	runs_ok("it is built by $compiler",
		[ 'make', '-s', '-C', sources(), "PG_CONFIG=$ENV{PG_CONFIG}", "CC=$compiler", "COPT=$flags $more{$compiler}" ]);
}

my ($sources, $build, $root) = (sources(), map { PostgreSQL::Test::Utils::tempdir() } 1 .. 2);
my @make = ('make', '-s', '-C', $build, '-f', "$sources/Makefile", "PG_CONFIG=$ENV{PG_CONFIG}", 'with_llvm=no');
runs_ok('it is built in another folder', \@make);
ok(!glob("$sources/src/*.o $sources/*.so"), 'nothing is built in the folder of the sources');
runs_ok('it is installed from there', [ @make, "DESTDIR=$root", 'install' ]);
my ($installed) = run_command([ 'find', $root, '-type', 'f', '-printf', '%f\n' ]);
is(join(' ', sort split /\n/, $installed), 'gid--1.0.sql gid.control gid.so', 'all files are installed');
done_testing();
