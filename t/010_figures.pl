#!/usr/bin/perl
# The figures of doc/: the drawing of the layout is what its program draws, and
# ids collide as often as the formula says.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use PostgreSQL::Test::Utils;
use Test::More;

command_like([ $python, "$tree/check/collisions.py", '1' ],
	qr/^ *100000 +10 /m, 'collisions are as many as the formula says');
command_ok([ $python, "$tree/doc/layout.py", '--check' ],
	'the drawing is what its program draws');
done_testing();
