#!/usr/bin/perl
# The codec returns the same results as a slow, simple codec (check/codec_test.c): built
# by gcc and by clang with sanitizers, without 128-bit integers, under valgrind, and on
# an emulated big-endian machine.
#
# 1 minute.
# Packages: libclang-rt-dev valgrind libc6-dbg gcc-s390x-linux-gnu libc6-dev-s390x-cross
# Packages: qemu-user

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use PostgreSQL::Test::Utils;
use Test::More;

my ($many, $few) = is_long() ? (20_000_000, 1_000_000) : (1_000_000, 100_000);
my @sanitizers = split / /, '-O1 -fsanitize=address,undefined -fno-sanitize-recover=all';

# Compiles the test, and returns the program.
my $programs = 0;
sub compiled
{
	my $program = "$work/codec_test." . ++$programs;

	chdir $tree;
	must_run(@_, qw(-g -std=gnu99 -Wall -Wextra -Werror -Isrc check/codec_test.c src/codec.c -o), $program);
	return $program;
}

sub codec_ok
{
	my ($name, $count, @command) = @_;
	return tap_ok($name, @command, $count, glob "$tree/vectors/*.tsv");
}

codec_ok("$_, with sanitizers", $many, compiled($_, @sanitizers)) foreach qw(gcc clang);
codec_ok('gcc, without 128-bit integers', $few, compiled('gcc', @sanitizers, '-U__SIZEOF_INT128__'));
codec_ok('gcc, under valgrind', $few / 4,
	qw(valgrind -q --error-exitcode=9 --leak-check=full --track-origins=yes), compiled('gcc', '-O1'));

# The same on a big-endian machine.
my @here = compiled('gcc', '-O2');
my @there = ('qemu-s390x', compiled('s390x-linux-gnu-gcc', '-O2', '-static'));
codec_ok('gcc, with the optimization of PostgreSQL', $few, @here);
codec_ok('s390x', $few, @there);
my ($here) = run_command([ @here, $few, glob "$tree/vectors/*.tsv" ]);
my ($there) = run_command([ @there, $few, glob "$tree/vectors/*.tsv" ]);
my ($checksum) = $here =~ /^# checksum (\w+)$/m;
like($there, qr/on a big-endian machine/, 's390x is big-endian');
like($there, qr/^# checksum $checksum$/m, 's390x writes the same texts');
done_testing();
