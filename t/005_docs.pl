# Every SQL block of the README and of doc/ runs, one after the other in one
# database for each page, and fails only where it says so, with the error that
# it shows.  Where a block of output follows, that is what psql shows.  What is
# quoted of the examples is what they have.  In a folder of pages, what its
# README makes is there for the others.

use strict;
use warnings;

use File::Find;
use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $tree = "$FindBin::RealBin/..";
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "timezone = 'UTC'");
$node->start;

# What is shown, without the blanks at the ends of lines, and with a word in
# place of each id: they are others each time.
sub lines_of
{
	my ($output) = @_;
	my $base58 = '[1-9A-HJ-NP-Za-km-z]';

	$output =~ s/\b${base58}{10}-${base58}{13}\b/<id>/g;
	return [ map { s/\s+$//r } grep { /\S/ } split /\n/, $output ];
}

# In each folder its README, in upper case, is the first.
my @pages = ("$tree/README.md", sort glob("$tree/doc/*.md"), sort glob("$tree/doc/*/*.md"));

foreach my $page (@pages)
{
	my ($name) = $page =~ m{^\Q$tree\E/(?:doc/)?(.+)\.md$};
	my $readme = $name =~ s{[^/]+$}{README}r;
	my $template = $name =~ m{/} && $name ne $readme ? $readme : 'template1';
	my $text = slurp_file($page);
	my @blocks;

	while ($text =~ /^```sql\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?/msg)
	{
		push @blocks, { statements => $1, output => $2 };
	}

	next if $name =~ /^(benchmarks|reference)$/;	# these have none
	$node->safe_psql('postgres', qq{CREATE DATABASE "$name" TEMPLATE "$template"});
	cmp_ok(scalar @blocks, '>=', 1, "$name has SQL blocks");
	foreach my $n (0 .. $#blocks)
	{
		my ($statements, $output) = @{ $blocks[$n] }{ 'statements', 'output' };
		my @expected = $statements =~ /^-- (ERROR:  .*)$/mg;
		my ($rc, $out, $err) = $node->psql(
			$name,
			"\\pset tuples_only off\n\\pset format aligned\n$statements",
			on_error_stop => 0);
		my @errors =
		  map { s/^psql:<stdin>:\d+: //r } grep { /ERROR:/ } split /\n/, $err;

		is_deeply(\@errors, \@expected,
			sprintf('block %d of %s does what it says', $n + 1, $name));
		is_deeply(lines_of($out), lines_of($output),
			sprintf('block %d of %s shows what it says', $n + 1, $name))
		  if defined $output;
	}
}

$node->stop;

# Every line that a page quotes stands in an example, whatever its indentation.
my $examples = '';
find(
	sub {
		$File::Find::prune = 1 if $_ eq 'node_modules';
		$examples .= slurp_file($_) if -f;
	},
	"$tree/examples");
$examples =~ s/\s+/ /g;

foreach my $page (@pages)
{
	my ($name) = $page =~ m{^\Q$tree\E/doc/(.+)\.md$};
	my $n = 0;

	next unless defined $name && $name =~ m{^(clients|graft|managed|sealed|moving/.*)$};
	foreach my $block (slurp_file($page) =~ /^```(?:(?:c|java|js|python|sh)\n|sql\n(?=CREATE (?!EXTENSION)))(.*?)^```$/msg)
	{
		my @lines = map { s/^\s+|\s+$//gr =~ s/\s+/ /gr } split /\n/, $block;
		my @strange = grep { index($examples, $_) < 0 } @lines;

		is_deeply(\@strange, [], sprintf('quotation %d of %s is right', ++$n, $name));
	}
	cmp_ok($n, '>=', $name =~ m{/|^sealed$} ? 1 : 5, "$name has quotations");
}

done_testing();
