#!/usr/bin/perl
# The figures of doc/: pictures and tables are what their programs write, and no
# measured figure is on two pages.
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

command_ok([ $python, "$tree/doc/layout.py", '--check' ],
	'the drawing is what its program draws');
command_ok([ $python, "$tree/bench/pages.py", '--check' ],
	'the charts are those of the tables, and a command that exists prints each table');

# Figures of speed and size in the text of a page, except round ones, which can
# be settings or limits.
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
cmp_ok(scalar keys %pages, '>', 5, 'pages have figures');
is_deeply([ map { "$_: " . join ', ', sort keys %{ $pages{$_} } } grep { keys %{ $pages{$_} } > 1 } sort keys %pages ],
	[], 'no figure is on two pages');

# The one figure of the README.
my ($times) = slurp_file("$tree/doc/benchmarks.md") =~ /<!-- results: minting -->.*?^\| `uuidv7\(\)` \|[^|]*\|[^|]*\| ([\d.]+)/ms;
like(slurp_file("$tree/README.md"), qr{1/@{[ sprintf '%.0f', $times ]} of the time of `uuidv7\(\)`}, 'README has the ratio of minting');
done_testing();
