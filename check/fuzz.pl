#!/usr/bin/perl
# libFuzzer finds no input for which the codec has an error, or returns another result
# than the slow codec (check/codec_fuzzer.c).
#
# 1 minute.
# Packages: libclang-rt-dev

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use PostgreSQL::Test::Utils;
use Test::More;

my $seconds = is_long() ? 900 : 60;
my $corpus = "$work/corpus";

chdir $tree;
must_run(qw(clang -g -O1 -std=gnu99 -Wall -Wextra -Werror -Isrc -fno-sanitize-recover=all),
	'-fsanitize=fuzzer,address,undefined',
	qw(check/codec_fuzzer.c src/codec.c -o), "$work/codec_fuzzer");

# The seeds: every vector, in text, in compact text and in bytes.
mkdir $corpus;
foreach my $file (glob 'vectors/*.tsv')
{
	my (undef, @lines) = split /\n/, slurp_file($file);
	foreach (@lines)
	{
		my ($text, $hex, $compact) = split /\t/;
		my %form = (text => $text, compact => $compact, bytes => pack 'H*', $hex);
		append_to_file("$corpus/$hex-$_", $form{$_}) foreach keys %form;
	}
}

runs_ok('the fuzzer finds nothing',
	[ "$work/codec_fuzzer", $corpus, '-max_len=64', "-max_total_time=$seconds", "-artifact_prefix=$work/log/",
	  '-print_final_stats=1' ], show => qr/^seen |number_of_executed_units/);

# Fewer would prove nothing.
my %seen = slurp_file("$work/log/the_fuzzer_finds_nothing.log") =~ /^seen (.*): (\d+)$/mg;
foreach my $status ('ok', 'length wrong', 'dash wrong', 'not base 58', 'overflow', 'no high bit')
{
	cmp_ok($seen{$status}, '>=', 1000, "1000 inputs and more: $status");
	cmp_ok($seen{"$status, compact"}, '>=', 1000, "1000 inputs and more: $status, compact")
	  unless $status eq 'length wrong';
}
done_testing();
