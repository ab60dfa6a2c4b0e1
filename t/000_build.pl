#!/usr/bin/perl
# clang and gcc build the extension without warnings.  It can also be built in another
# folder, and "make install" installs it from there.  There is no circle of calls between
# files of src/.  It compiles where PostgreSQL simulates atomic numbers of 64 bits.
#
# Packages: binutils clang

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

# PG_FUNCTION_ARGS adds parameters that are not used.  PostgreSQL was built with gcc, and
# clang does not know some of the flags that it recorded.
my $flags = '-Wextra -Wshadow -Werror -Wno-unused-parameter';
my %more = (
	gcc => '',
	clang => '-Wno-ignored-attributes -Wno-unknown-warning-option '
	  . '-Wno-ignored-optimization-argument -Wno-unused-command-line-argument');

# Copies the sources to a new folder.
sub sources
{
	my $copy = PostgreSQL::Test::Utils::tempdir();

	must_run('cp', '-R', glob("$tree/{src,Makefile,META.json,gid*}"), $copy);
	unlink glob "$copy/src/*.{o,bc} $copy/*.so";
	return $copy;
}

foreach my $compiler (sort keys %more)
{
	runs_ok("$compiler builds the extension",
		[ 'make', '-s', '-C', sources(), "PG_CONFIG=$ENV{PG_CONFIG}", "CC=$compiler", "COPT=$flags $more{$compiler}" ]);
}

# PostgreSQL's headers without these numbers, as on ARM before version 7.
my $headers = PostgreSQL::Test::Utils::tempdir();
must_run('cp', '-R', (run_command([ $ENV{PG_CONFIG}, '--includedir-server' ]))[0] . '/.', $headers);
must_run('sed', '-i', '/HAVE_GCC__[A-Z]*_INT64_CAS/d', "$headers/pg_config.h");
must_run('truncate', '-s', '0', glob "$headers/port/atomics/arch-*.h");
append_to_file("$headers/port/atomics.h", "#ifndef PG_HAVE_ATOMIC_U64_SIMULATION\n#error \"atomic numbers are not simulated\"\n#endif\n");
runs_ok('it compiles with simulated atomic numbers',
	[ qw(gcc -fsyntax-only -Werror -D_GNU_SOURCE -DGID_VERSION="X"), "-I$headers", glob "$tree/src/*.c" ]);

my ($sources, $build, $root) = (sources(), map { PostgreSQL::Test::Utils::tempdir() } 1 .. 2);
my @make = ('make', '-s', '-C', $build, '-f', "$sources/Makefile", "PG_CONFIG=$ENV{PG_CONFIG}", 'with_llvm=no');
runs_ok('the extension can be built in another folder', \@make);
ok(!glob("$sources/src/*.o $sources/*.so"), 'the build writes no files to the folder of the sources');

# Which functions a file defines, and which it uses, according to the compiler.
my (%file_of, %calls);
my %symbols = map { my ($file) = m{.*/(.*)\.o}; ("$file.c" => (run_command([ 'nm', $_ ]))[0]) } glob "$build/src/*.o";
foreach my $file (keys %symbols) { $file_of{$_} = $file foreach $symbols{$file} =~ / T (\S+)$/mg }
foreach my $file (keys %symbols)
{
	foreach my $function (grep { $file_of{$_} } $symbols{$file} =~ / U (\S+)$/mg)
	{
		push @{ $calls{$file}{ $file_of{$function} } }, $function;
	}
}
cmp_ok(scalar keys %calls, '>=', 15, 'files use functions of others');
# Leave out files that use no remaining file, then those that no remaining file uses.
while (my @files = grep { !grep { $calls{$_} } keys %{ $calls{$_} } } keys %calls) { delete @calls{@files} }
while (my @files = grep { my $file = $_; !grep { $_->{$file} } values %calls } keys %calls) { delete @calls{@files} }
my @circles = map { my $file = $_; map { "$file uses @{ $calls{$file}{$_} } of $_" } grep { $calls{$_} } sort keys %{ $calls{$file} } } sort keys %calls;
is(join("\n", @circles), '', 'no circle of calls between files of src/');

runs_ok('the extension can be installed from there', [ @make, "DESTDIR=$root", 'install' ]);
my ($installed) = run_command([ 'find', $root, '-type', 'f', '-printf', '%f\n' ]);
is(join(' ', sort split /\n/, $installed), join(' ', (sort map { s{.*/}{}r } glob "$tree/gid--*.sql"), 'gid.control gid.so'), 'all files are installed');
done_testing();
