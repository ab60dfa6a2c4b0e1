#!/usr/bin/perl
# Runs the tests of pg_regress in sql/ and those of the isolation tester in specs/.  Its
# arguments select single tests, for example sql/kind and specs/lock.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

my $node = new_server('main');
$node->start;
if (@ARGV)
{
	my @sql = grep { $_ ne 'setup' } map { m{^sql/(.*)} } @ARGV;
	regress_ok($node, [ 'setup', @sql ], [ map { m{^specs/(.*)} } @ARGV ]);
}
else { regress_ok($node, [ names_in('REGRESS') ], [ names_in('ISOLATION') ]) }
done_testing();
