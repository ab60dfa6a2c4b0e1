#!/usr/bin/perl
# The ids, invalid texts and bounds of vectors/, with which clients in other languages are
# tested, too.  check/codec.pl compares millions of random texts with the numbers of Python.
#
# Does not depend on the version of PostgreSQL.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');

# The bytes, the text and the compact text of each id must be converted to each other.
my @files = glob "$tree/vectors/*.tsv";
cmp_ok(scalar @files, '>=', 2, 'there are vectors');
foreach my $file (@files)
{
	my (undef, @rows) = split /\n/, slurp_file($file);

	is($node->safe_psql('postgres', qq{
		CREATE TEMPORARY TABLE vector (canonical text, hex text, compact text, kind text, unix_ms text);
		COPY vector FROM '$file' (FORMAT csv, DELIMITER E'\\t', HEADER);
		SELECT count(*), count(*) FILTER (WHERE canonical::gid::bytea = decode(hex, 'hex')
			AND compact::gid = canonical::gid AND (canonical::gid)::text = canonical AND gid_compact(canonical::gid) = compact
			AND gid_kind(canonical::gid) = kind AND extract(epoch FROM gid_timestamp(canonical::gid)) * 1000 = unix_ms::numeric),
			count(*) FILTER (WHERE canonical::gid < previous::gid)
		FROM (SELECT *, lag(canonical) OVER (ORDER BY canonical COLLATE "C") AS previous FROM vector) v}),
		scalar(@rows) . '|' . scalar(@rows) . '|0', "$file: all ids are right");
}

# Invalid ids and their errors, and the bounds of times in microseconds.
sub rows_of
{
	my ($file) = @_;
	my (undef, @lines) = split /\n/, slurp_file("$tree/vectors/$file");
	return map { [ split /\t/ ] } @lines;
}

foreach my $row (rows_of('refused.txt'))
{
	my ($text, $reason) = @$row;
	my ($rc, $out, $err) = $node->psql('postgres', "SELECT '$text'::gid");
	is($err =~ /^DETAIL:  (.*)$/m && $1, $reason, "refused.txt: '$text'");
}
foreach my $row (rows_of('bounds.txt'))
{
	my ($kind, $instant, $lower, $upper) = @$row;
	my $at = "timestamptz 'epoch' + $instant / 1000000 * interval '1 s' + $instant % 1000000 * interval '1 us'";
	is($node->safe_psql('postgres', "SELECT gid_lower_bound('$kind', $at), gid_upper_bound('$kind', $at)"),
		"$lower|$upper", "bounds.txt: $kind, $instant");
}

$node->stop;
done_testing();
