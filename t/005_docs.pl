# Every SQL block of the README and of doc/ runs, one after the other in one
# database for each page, and fails only where it says so, with the error that
# it shows.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $tree = "$FindBin::RealBin/..";
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

foreach my $page ("$tree/README.md", glob "$tree/doc/*.md")
{
	my ($name) = $page =~ m{([^/]+)\.md$};
	my @blocks = slurp_file($page) =~ /^```sql\n(.*?)^```$/msg;

	next if $name =~ /^(benchmarks|reference)$/;	# these have none
	$node->safe_psql('postgres', qq{CREATE DATABASE "$name"});
	cmp_ok(scalar @blocks, '>=', 1, "$name has SQL blocks");
	foreach my $n (0 .. $#blocks)
	{
		my @expected = $blocks[$n] =~ /^-- (ERROR:  .*)$/mg;
		my ($rc, $out, $err) =
		  $node->psql($name, $blocks[$n], on_error_stop => 0);
		my @errors =
		  map { s/^psql:<stdin>:\d+: //r } grep { /ERROR:/ } split /\n/, $err;

		is_deeply(\@errors, \@expected,
			sprintf('block %d of %s does what it says', $n + 1, $name));
	}
}

$node->stop;
done_testing();
