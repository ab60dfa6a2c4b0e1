# The scripts behind doc/: the probability of equal ids agrees with what is
# counted, and the picture is what its script draws; and scripts count right.

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

# A section of script/check may source roots.sh, and must not lose the count.
command_like([ 'bash', '-c', '. "$0/lib.sh"; passed=3; . "$0/roots.sh"; report', $script ],
	qr/^3 passed, 0 failed$/m, 'what was counted is not lost');

done_testing();
