#!/usr/bin/perl
# The codec returns what a slow and simple one returns (check/codec_test.c): built by gcc
# and by clang with sanitizers, without 128-bit integers, under valgrind, and on an
# emulated big-endian machine.
#
# When: src/codec.* src/layout.h src/io.c check/codec*
# Packages: clang libclang-rt-dev valgrind libc6-dbg gcc-s390x-linux-gnu libc6-dev-s390x-cross
# Packages: qemu-user

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use Test::More;

my @sanitizers = split / /, '-O1 -fsanitize=address,undefined -fno-sanitize-recover=all';
my $count = is_long() ? 5_000_000 : 100_000;

# Compiles the test, and runs it with this number of random ids.
sub is_right
{
	my ($name, $ids, $run, @compile) = @_;
	my $program = "$work/" . $name =~ s/\W+/_/gr;

	chdir $tree;
	must_run(@compile, qw(-g -std=gnu99 -Wall -Wextra -Werror -Isrc check/codec_test.c src/codec.c -o), $program);
	runs_ok($name, [ @$run, $program, $ids ], show => qr/wrong|right/);
	return;
}

is_right('gcc, with sanitizers', $count, [], 'gcc', @sanitizers);
is_right('clang, with sanitizers', $count, [], 'clang', @sanitizers);
is_right('gcc, without 128-bit integers', $count, [], 'gcc', @sanitizers, '-U__SIZEOF_INT128__');
is_right('gcc, with the optimization of PostgreSQL', $count, [], 'gcc', '-O2');
is_right('a big-endian machine', $count, ['qemu-s390x'], 's390x-linux-gnu-gcc', '-O2', '-static');
is_right('gcc, under valgrind', 1000, [qw(valgrind -q --error-exitcode=9 --leak-check=full --track-origins=yes)], 'gcc', '-O1');
done_testing();
