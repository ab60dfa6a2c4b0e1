#!/usr/bin/perl
# The codec returns what the numbers of Python give (check/codec_cases.py): built by gcc
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

use File::Compare;
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

my @sanitizers = split / /, '-O1 -fsanitize=address,undefined -fno-sanitize-recover=all';

# Writes the questions, with this number of random ids.
sub questions
{
	my ($name, $random) = @_;
	my @command = ($python, "$tree/check/codec_cases.py", 'make', $random, glob "$tree/vectors/*.tsv");

	IPC::Run::run(\@command, '>', "$work/$name") or die 'codec_cases.py failed';
	return "$work/$name";
}

my $all = questions('questions', is_long() ? 5_000_000 : 100_000);
my $some = "$work/some";
must_run('sh', '-c', "shuf -n 50000 --random-source=$all $all > $some");

# Compiles the test, answers the questions, and returns the answers.
sub answers
{
	my ($name, $questions, $run, @compile) = @_;
	my ($program, $answers) = map { "$work/" . $name =~ s/\W+/_/gr . ".$_" } 'test', 'answers';

	chdir $tree;
	must_run(@compile, qw(-g -std=gnu99 -Wall -Wextra -Werror -Isrc check/codec_test.c src/codec.c -o), $program);
	ok(IPC::Run::run([ @$run, $program ], '<', $questions, '>', $answers), "$name answers");
	return $answers;
}

my $right = answers('gcc, with sanitizers', $all, [], 'gcc', @sanitizers);
runs_ok('all answers are right', [ $python, "$tree/check/codec_cases.py", 'check', $all, $right ], show => qr/wrong/);

sub same_ok
{
	my ($name, @rest) = @_;
	is(compare(answers($name, $all, @rest), $right), 0, "$name: the same answers");
	return;
}

same_ok('clang, with sanitizers', [], 'clang', @sanitizers);
same_ok('gcc, without 128-bit integers', [], 'gcc', @sanitizers, '-U__SIZEOF_INT128__');
same_ok('gcc, with the optimization of PostgreSQL', [], 'gcc', '-O2');
same_ok('a big-endian machine', ['qemu-s390x'], 's390x-linux-gnu-gcc', '-O2', '-static');
answers('gcc, under valgrind', $some, [qw(valgrind -q --error-exitcode=9 --leak-check=full --track-origins=yes)], 'gcc', '-O1');
done_testing();
