#!/usr/bin/perl
# Tests text and binary input and output in a server under valgrind; with --long, runs
# all tests of pg_regress.
#
# PostgreSQL is not built for valgrind.  Therefore palloc's chunks are not
# distinguished, and valgrind also reports errors of PostgreSQL, such as padding that
# it writes.  An error counts if the extension is in its stack, or in the stack of the
# allocation.
#
# When: src/*.c
# Packages: valgrind libc6-dbg

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use PostgreSQL::Test::Utils;
use Test::More;

# Returns the errors that have a frame in this library, with their locations.
sub errors_of
{
	my ($library) = @_;
	my @found;

	foreach my $error (map { slurp_file($_) =~ m{<error>.*?</error>}gs } glob "$work/log/*.xml")
	{
		next unless $error =~ m{<obj>[^<]*/\Q$library\E</obj>};
		push @found, $error =~ m{<(?:what|text)>([^<]*)</},
		  map { "\t$_" } $error =~ m{<fn>([^<]*</fn>\s*<dir>[^<]*</dir>\s*<file>[^<]*</file>\s*<line>\d+)}g;
	}
	return join "\n", @found;
}

build('clean', 'COPT=-O1 -g');
my $node = new_server('main');
wrap_server(qw(valgrind --quiet --trace-children=no --track-origins=yes --num-callers=40 --xml=yes),
	"--xml-file=$work/log/%p.xml");
$node->start;
if (is_long()) { regress_ok($node, [ names_in('REGRESS') ], [ names_in('ISOLATION') ]) }
else { regress_ok($node, [qw(setup text corrupt binary)]) }
add_canary($node);
ask_canary($node, 16);
$node->stop;
my @watched = glob "$work/log/*.xml";
note(@watched . ' processes ran under valgrind');
is(errors_of('gid.so'), '', 'no error with gid.so in its stack');
isnt(errors_of('canary.so'), '', 'an error in an extension is reported');
done_testing();
