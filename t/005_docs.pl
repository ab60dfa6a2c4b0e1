#!/usr/bin/perl
# Runs every SQL block of README.md, doc/ and move/ in order, in one database for each page.
# Errors must be those that the block shows.  A block of output must be the output of
# psql for the block before it.  Pages mark output that requires several servers.  All
# other blocks are in a program that a test runs, or are marked:
#
#	<!-- run -->, <!-- start -->	above a block that examples/shop.py runs
#	<!-- block: REASON -->		above a block
#	<!-- blocks: REASON -->		in a section, or before the first one for the whole page
#
# The reason says which program runs the block.
#
# Packages: postgresql-NN-cron

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use File::Find;
use Math::BigInt;

# JIT would take longer than the queries of the pages, and does not change their results.  A job requires a node.
my $node = new_server('main', q{timezone = 'UTC'}, 'jit = off', 'shared_preload_libraries = gid', 'gid.node = 1');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');

my $id = qr/(?<![1-9A-Za-z-])[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}(?![1-9A-Za-z-])/;

# The value of some digits of base 58, without its last bits.
sub first_byte
{
	my ($digits, $bits) = @_;
	my $number = Math::BigInt->new(0);

	$number = $number * 58 + index('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', $_) foreach split //, $digits;
	return $number >> $bits;
}

# Removes blanks at the ends of lines.  The rest of an id differs each time, so ids become
# their kind and byte 7, a number for each id of the page, and their place in id order.
sub lines_of
{
	my ($output, $number) = @_;
	my @ids = $output =~ /$id/g;
	my %place = map { $_ => 1 } @ids;
	my $place = 0;

	$place{$_} = ++$place foreach sort keys %place;
	$number->{$_} //= keys %$number foreach @ids;
	$output =~ s{$id}{sprintf '<id %s, byte 7 %s, number %s, place %s>',
		first_byte(substr($&, 0, 10), 48), first_byte(substr($&, 11), 64), $number->{$&}, $place{$&}}ge;
	return [ map { s/\s+$//r } grep { /\S/ } split /\n/, $output ];
}

# Returns the label and the text of every block in a page.
sub blocks_of
{
	my ($text) = @_;
	my @blocks;

	push @blocks, [ $1, $2 ] while $text =~ /^```(\w*)\n(.*?)^```$/msg;
	return @blocks;
}

my @pages = ("$tree/README.md", sort glob("$tree/{doc/{*,*/*},move/*}.md"));
my ($runs, $quotations) = (0, 0);

foreach my $page (@pages)
{
	my ($name) = $page =~ m{^\Q$tree\E/(.+)\.md$};
	my $text = slurp_file($page);
	my @blocks;

	while ($text =~ /^```sql\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?/msg)
	{
		push @blocks, { statements => $1, output => $2 };
	}

	# Output is compared, or marked as not compared.
	my $shown = () = $text =~ /^```text$/mg;
	my $compared = grep { defined $_->{output} } @blocks;
	my $marked = () = $text =~ /^<!-- not compared: .+ -->\n+```text$/mg;
	is($compared + $marked, $shown, "all output in $name is compared or marked");
	my @unlabelled = map { $_->[1] } grep { $_->[0] eq '' } blocks_of($text);
	is(scalar(grep { /^ERROR: |^\(\d+ rows?\)$|^-+\+-|^ *->  /m } @unlabelled), 0,
		"all output in $name is labelled");

	next if $name =~ /benchmarks/ || !@blocks;	# the blocks of benchmarks are not run
	$runs += @blocks;

	# One psql runs all blocks, each in its own session, and prints a mark after each.
	#
	# Its last query: PostgreSQL resolves the names in a string body with the search_path of
	# each caller, which can have other functions first.  A body that qualifies each call and
	# each operator requires no search_path.
	my $mark = '--- end of a block ---';
	my $script = join "\n\\echo $mark\n\\warn $mark\n\\c \"$name\"\n\\set ON_ERROR_STOP off\n",
	  qq{CREATE DATABASE "$name";}, map({ "\\pset tuples_only off\n\\pset format aligned\n$_->{statements}" } @blocks), q{
		\pset tuples_only on
		\pset format unaligned
		SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_language l ON l.oid = prolang
		WHERE p.oid >= 16384 AND lanname NOT IN ('c', 'internal') AND (prosecdef OR prosqlbody IS NULL AND
			regexp_replace(prosrc, 'OPERATOR\(pg_catalog\.[^)]+\)|:=|\mpg_catalog\.\w+\(', ';', 'g') ~ '[-+*/<>=~!@#%^&|?]|\w\s*\(')
		  AND coalesce(array_to_string(proconfig, ' '), '') !~ (CASE WHEN prosecdef THEN 'search_path=.*pg_temp' ELSE 'search_path=' END);
		\echo complete};
	my ($rc, $printed, $raised) = $node->psql('postgres', $script, on_error_stop => 0);
	my (undef, @printed) = split /^$mark\n/m, $printed;
	my (undef, @raised) = split /^$mark\n/m, $raised, @blocks + 2;
	my (%number, %printed_number);
	foreach my $n (0 .. $#blocks)
	{
		my ($statements, $output) = @{ $blocks[$n] }{ 'statements', 'output' };
		my @expected = $statements =~ /^-- (ERROR:  .*)$/mg;
		my @errors = map { s/^psql:.*?:\d+: //r } grep { /ERROR:/ } split /\n/, $raised[$n];

		is_deeply(\@errors, \@expected,
			sprintf('block %d of %s has the errors that it shows', $n + 1, $name));
		is_deeply(lines_of($printed[$n], \%number), lines_of($output, \%printed_number),
			sprintf('block %d of %s has the output that it shows', $n + 1, $name))
		  if defined $output;
	}
	is("$printed[@blocks]$raised[@blocks]", 'complete',
		"functions of $name with a string as body, and those with SECURITY DEFINER, have a search_path");
}

# The jobs of pg_cron, in the database of their page.
my ($version) = $node->pg_version =~ /^(\d+)/;
my ($jobs) = slurp_file("$tree/doc/recipes.md") =~ /^```\n(SELECT cron\..*?)^```$/ms;
SKIP: {
	skip_allowed('Debian does not have pg_cron with this PostgreSQL', 1) if lacks("postgresql-$version-cron");
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'gid, pg_cron'\ncron.database_name = 'doc/recipes'");
	$node->restart;
	$node->safe_psql('doc/recipes', "CREATE EXTENSION pg_cron; $jobs");
	is($node->safe_psql('doc/recipes', 'SELECT command FROM cron.job ORDER BY jobid \gexec'), '', 'the commands of the jobs run, and have nothing to do');
}

$node->stop;
cmp_ok($runs, '>=', 100, 'pages have at least 100 blocks of SQL');

# Every link must lead to an existing file and heading.
sub anchors_of
{
	my ($file) = @_;

	return map { lc(s/[^\w\- ]//gr) =~ tr/ /-/r } slurp_file($file) =~ /^#+ +(.*?) *$/mg;
}

foreach my $page (@pages, "$tree/CONTRIBUTING.md", "$tree/RELEASING.md", glob("$tree/{clients,examples}/{*,*/*}.md"))
{
	my ($folder) = $page =~ m{(.*)/};
	my @broken;

	foreach my $link (slurp_file($page) =~ /\]\(([^)\s]+)\)/g)
	{
		next if $link =~ /^\w+:/;
		my ($path, $anchor) = split /#/, $link;
		my $file = $path eq '' ? $page : "$folder/$path";
		push @broken, $link
		  unless -e $file && (!defined $anchor || grep { $_ eq $anchor } anchors_of($file));
	}
	is_deeply(\@broken, [], 'links of ' . substr($page, length($tree) + 1) . ' are valid');
}

# The lines of a block must be in one program, in the same order.  Indentation is ignored.
my @programs;
find(
	sub {
		$File::Find::prune = 1 if $_ eq 'node_modules';
		push @programs, slurp_file($_) =~ s/\s+/ /gr if -f && !/\.md$/;
	},
	map { "$tree/$_" } qw(examples clients t move/t));
my $all = join ' ', @programs;

sub has_lines
{
	my ($program, @lines) = @_;

	foreach (@lines)
	{
		return 0 unless $program =~ /(?<![\w.])\Q$_\E(?!\w)/g;
	}
	return 1;
}

foreach my $page (@pages)
{
	my ($name) = $page =~ m{^\Q$tree\E/(.+)\.md$};
	my $text = slurp_file($page);
	my $is_run = $name eq 'doc/clients' || $all =~ m{shop\.py \Q@{[ $name =~ s,.*/,,r ]}\E\b};
	my ($n, $of_page) = 0;

	my @marks = $text =~ /^ *<!-- blocks?: (.+) -->$/mg;
	my $program = qr{\b(?:check|clients|examples|move|script|t)/[\w./-]*\w};
	is_deeply([ grep { !/$program/ } @marks ], [], "marks of $name say which program runs the blocks");
	is_deeply([ grep { !-e "$tree/$_" } map { /$program/g } @marks ], [], "marks of $name name existing programs");
	foreach my $section (split /^(?=## )/m, $text)
	{
		my $of_section = $section =~ /^<!-- blocks: /m;

		$of_page //= $of_section;
		while ($section =~ /^( *)(<!-- (?:run|start|block: [^\n]+) -->\n\1)?```(\w*)\n(.*?)^\1```$/msg)
		{
			my ($mark, $language, $block) = ($2, $3, $4);

			next if $language eq 'text' || $language eq 'json' && $is_run || $language eq 'sql' && !($name =~ /managed|sealed|settled/ && $block =~ /^CREATE (?!EXTENSION)/);
			next if ++$n && ($mark && ($mark =~ /block: / || $is_run) || ($of_page || $of_section) && $language ne 'sql');
			my @lines = grep { /\S/ } map { s/^\s+|\s+$//gr =~ s/\s+/ /gr } split /\n/, $block;
			ok((grep { has_lines($_, @lines) } @programs) > 0,
				"block $n of $name that is not SQL is in a program")
			  or diag(join "\n", @lines);
		}
	}
	$quotations += $n;
}
cmp_ok($quotations, '>=', 100, 'pages have at least 100 blocks that are not SQL');

done_testing();
