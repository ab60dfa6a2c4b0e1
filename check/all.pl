#!/usr/bin/perl
# Runs all tests of t/ and move/t/.  Use it to test another version of PostgreSQL or another
# architecture, as in "script/debian 17 check/all.pl".  Without --long, tests that say "Does
# not depend on the version of PostgreSQL" are left out.
#
# When: src/compat.h

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";

# The packages that the tests require.
BEGIN
{
	chdir "$FindBin::RealBin/..";
	$ENV{GID_FILES} = join ' ', glob '{,move/}t/*.pl';
}

use Gid;

note((run_command([ $ENV{PG_CONFIG}, '--version' ]))[0]);
chdir $tree;
foreach my $test (glob '{,move/}t/*.pl')
{
	next if depends_on_no_version($test);
	tap_ok($test, $^X, $test);
}
done_testing();
