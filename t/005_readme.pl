# Every SQL block of the README runs, one after the other in one database, and
# fails only where it says so, with the error that it shows.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

my $readme = slurp_file("$ENV{TESTDIR}/README.md");
my @blocks = $readme =~ /^```sql\n(.*?)^```$/msg;
cmp_ok(scalar @blocks, '>=', 3, 'the README has SQL blocks');

my $n = 0;
foreach my $block (@blocks)
{
	my @expected = $block =~ /^-- (ERROR:  .*)$/mg;
	my ($rc, $out, $err) = $node->psql('postgres', $block, on_error_stop => 0);
	my @errors = map { s/^psql:<stdin>:\d+: //r } grep { /ERROR:/ } split /\n/, $err;

	$n++;
	is_deeply(\@errors, \@expected, "block $n of the README does what it says");
}

$node->stop;
done_testing();
