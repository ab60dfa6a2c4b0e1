# The scripts behind doc/: the probability of equal ids agrees with what is
# counted, and the picture is what its script draws.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

my $tree = "$FindBin::RealBin/..";
my $python = -x '/usr/bin/python3' ? '/usr/bin/python3' : 'python3';
my $script = "$tree/script";

command_like([ $python, "$script/simulate", '1' ],
	qr/^ *100000 +10 /m, 'collisions are as many as the formula says');
command_ok([ $python, "$script/picture", '--check' ],
	'the picture is what the script draws');

done_testing();
