#!/usr/bin/perl
# The text form against an independent base-58 library, 100,000 ids each way.
# Graft's rule is the oracle: bs58 of 7 bytes, a dash, bs58 of 9 bytes; and for
# the compact form bs58 of all 16.  It also runs every vector of vectors/.  And it asks
# the server for the bounds and the reasons that clients in other languages are tested
# with.
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

my $oracle = "$tree/t/base58_oracle.py";
my $tmp = PostgreSQL::Test::Utils::tempdir();
my $ids = 100_000;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');

# The library writes bytes and text.  gid_in() and the casts must agree.
command_ok([ $python, $oracle, 'make', $ids, "$tmp/made" ],
	"the oracle writes $ids ids");
$node->safe_psql('postgres',
	qq{CREATE TABLE made (hex text, canonical text, compact text);
	   COPY made FROM '$tmp/made'});
is( $node->safe_psql(
		'postgres', q{
	SELECT count(*), count(*) FILTER (WHERE canonical::gid::bytea = decode(hex, 'hex')),
		   count(*) FILTER (WHERE compact::gid::bytea = decode(hex, 'hex')),
		   count(*) FILTER (WHERE decode(hex, 'hex')::gid::text = canonical),
		   count(*) FILTER (WHERE gid_compact(decode(hex, 'hex')::gid) = compact)
	FROM made}),
	join('|', ($ids) x 5),
	'gid reads and writes the same text as the oracle');
is( $node->safe_psql(
		'postgres', q{
	SELECT count(*) FROM (
		SELECT canonical::gid < lag(canonical::gid) OVER (ORDER BY decode(hex, 'hex')) AS wrong,
			   canonical::gid < lag(canonical::gid) OVER (ORDER BY canonical COLLATE "C") AS wrong_text,
			   canonical::gid < lag(canonical::gid) OVER (ORDER BY compact COLLATE "C") AS wrong_compact
		FROM made) o WHERE wrong OR wrong_text OR wrong_compact}),
	'0',
	'bytes, text, compact text and gids have the same order');

# The library reads ids that the server minted.
$node->safe_psql(
	'postgres', qq{
	CREATE TABLE printed AS
	SELECT CASE n % 4 WHEN 0 THEN gid_new('segment') WHEN 1 THEN gid_random((128 + n % 127)::text)
		   WHEN 2 THEN gid_random((128 + n % 127)::text, '1970-01-01'::timestamptz + random() * interval '8900 years')
		   ELSE set_byte(uuid_send(gen_random_uuid()), 0, 128 + n % 128)::gid END AS id
	FROM generate_series(1, $ids) n;
	COPY (SELECT encode(gid_send(id), 'hex'), id, gid_compact(id) FROM printed) TO '$tmp/printed'});
command_like([ $python, $oracle, 'check', "$tmp/printed" ],
	qr/^$ids right$/, "the oracle reads $ids ids of the server");

# All vectors: COPY in, COPY out, byte for byte; and the oracle agrees on each.
my @files = glob "$tree/vectors/*.tsv";
cmp_ok(scalar @files, '>=', 2, 'there are vectors');
foreach my $file (@files)
{
	my (undef, @rows) = map { [ split /\t/ ] } split /\n/, slurp_file($file);
	my $texts = join '', map { "$_->[0]\n" } @rows;

	foreach my $column (0, 2)
	{
		append_to_file("$tmp/in", join('', map { "$_->[$column]\n" } @rows));
		$node->safe_psql(
			'postgres', qq{
			CREATE TEMPORARY TABLE vector (line serial, id gid);
			COPY vector (id) FROM '$tmp/in';
			COPY (SELECT id FROM vector ORDER BY line) TO '$tmp/out'});
		is(slurp_file("$tmp/out"), $texts, "$file: " . @rows . " ids of column $column come back");
		unlink "$tmp/in", "$tmp/out";
	}
	append_to_file("$tmp/table", join('', map { "$_->[1]\t$_->[0]\t$_->[2]\n" } @rows));
	command_like([ $python, $oracle, 'check', "$tmp/table" ],
		qr/^${\ scalar @rows} right$/, "$file: the oracle agrees");
	unlink "$tmp/table";
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
