#!/usr/bin/perl
# The pictures and charts of doc/ are the output of their programs, and each measured
# figure is on one page only.
#
# Does not depend on the version of PostgreSQL.

use strict;
use warnings;
use utf8;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use Encode qw(decode_utf8);
use PostgreSQL::Test::Utils;
use Test::More;

command_ok([ $python, "$tree/doc/pictures.py", '--check' ],
	'the pictures are the output of doc/pictures.py');
command_ok([ $python, "$tree/bench/pages.py", '--check' ],
	'the charts and README.md show the figures of the tables, and an existing command prints each table');

# Finds figures of speed and size in the text of pages.  Round figures are ignored,
# because they can be settings or limits.
my %pages;
foreach my $page (glob "$tree/README.md $tree/doc/*.md $tree/doc/*/*.md $tree/clients/*/README.md")
{
	my $text = decode_utf8(slurp_file($page));
	my $name = substr($page, length($tree) + 1);

	$text =~ s/^```.*?^```$|`[^`\n]*`//msg;
	while ($text =~ m{(?<![\w.,/])(1/\d+ of the (?:time|size)|[\d,.]*\d ?(?:ns|µs|ms|kB|MB|GB|×|%))(?!\w)}g)
	{
		my $figure = $1;

		$pages{$figure}{$name} = 1 unless $figure =~ /^\d0*(?!\d|,|\.|\/)/;
	}
}
cmp_ok(scalar keys %pages, '>', 5, 'pages have more than 5 figures');
is_deeply([ map { "$_: " . join ', ', sort keys %{ $pages{$_} } } grep { keys %{ $pages{$_} } > 1 } sort keys %pages ],
	[], 'no figure is on two pages');
done_testing();
