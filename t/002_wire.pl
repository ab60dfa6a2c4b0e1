#!/usr/bin/perl
# Binary COPY rejects invalid values; sql/binary.sql reads and writes others.  Soft errors
# work in the versions of PostgreSQL that have them.

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
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION gid;
	CREATE DOMAIN order_id AS gid(o);
	CREATE TABLE any_kind (id gid);
	CREATE TABLE segment (id gid(segment));
	CREATE TABLE by_domain (id order_id);
	CREATE TABLE in_array (id gid(o)[])});
my $tmp = PostgreSQL::Test::Utils::tempdir();

# Writes a file for binary COPY that has one row with one value.
sub binary_file
{
	my ($name, $value) = @_;
	my $path = "$tmp/$name";

	open my $file, '>:raw', $path or die "$path: $!";
	print $file "PGCOPY\n\377\r\n\0", pack('NN', 0, 0), pack('n', 1),
	  pack('N', length $value), $value, pack('n', 0xFFFF);
	close $file;
	return $path;
}

# Returns the error of COPY with the SQLSTATE, or '' if COPY succeeds.
sub copy_error
{
	my ($table, $path) = @_;
	my ($rc, $out, $err) = $node->psql('postgres',
		"\\set VERBOSITY verbose\nCOPY $table FROM '$path' (FORMAT binary)");

	return '' if $rc == 0 && $err eq '';
	my ($message) = $err =~ /ERROR:  (.*)/;
	my ($detail) = $err =~ /DETAIL:  (.*)/;
	return "$message " . ($detail // '');
}

my $segment = pack('H*', 'c0019ad0fea2a64effffffffffffffff');
my %malformed = (
	'no byte' => ['', 'A gid is 16 bytes, not 0.'],
	'15 bytes' => [ substr($segment, 0, 15), 'A gid is 16 bytes, not 15.' ],
	'17 bytes' => [ $segment . "\0", 'A gid is 16 bytes, not 17.' ],
	'a megabyte' => [ $segment x 65536, 'A gid is 16 bytes, not 1048576.' ],
	'no high bit' => [
		"\x7f" . substr($segment, 1),
		'The first byte is 0x7f; in a gid it is 0x80 or above.'
	]);
foreach my $what (sort keys %malformed)
{
	my ($value, $detail) = @{ $malformed{$what} };

	is( copy_error('any_kind', binary_file('malformed', $value)),
		"22P03: invalid binary value for type gid $detail",
		"binary COPY rejects $what");
}

my $refused = '22023: gid of kind "segment" does not match type gid(o) '
  . 'The value "8H24TMQEGM-21Kj8kUFQLRhg" is an id of kind "segment".';
my $path = binary_file('segment', $segment);
is(copy_error('any_kind', $path), '', 'binary COPY accepts any kind for a column of gid');
is(copy_error('segment', $path), '', 'binary COPY accepts the right kind');
is(copy_error('by_domain', $path), $refused,
	'binary COPY rejects the wrong kind for a domain');
my $oid = $node->safe_psql('postgres', q{SELECT 'gid'::regtype::oid});
is( copy_error(
		'in_array',
		binary_file(
			'array',
			pack('NNNNNN', 1, 0, $oid, 1, 1, 16) . $segment)),
	$refused,
	'binary COPY rejects the wrong kind in an array');
$node->safe_psql('postgres', 'CREATE TABLE o (id gid(o))');
is(copy_error('o', $path), $refused, 'binary COPY rejects the wrong kind');
is( $node->safe_psql(
		'postgres', 'SELECT * FROM any_kind UNION ALL SELECT * FROM segment'),
	"8H24TMQEGM-21Kj8kUFQLRhg\n8H24TMQEGM-21Kj8kUFQLRhg",
	'the values are stored unchanged');

# Soft errors require PostgreSQL 16.  COPY ... ON_ERROR ignore requires 17.
SKIP:
{
	skip_allowed 'soft errors require PostgreSQL 16', 4
	  if $node->pg_version < 16;

	is( $node->safe_psql(
			'postgres', q{
		SELECT pg_input_is_valid('8H24TMQEGM-21Kj8kUFQLRhg', 'gid'),
			   pg_input_is_valid('QiAcFZD6ehhV4ow9br8SvJ', 'gid'),
			   pg_input_is_valid('', 'gid'), pg_input_is_valid('8H24TMQEGM-21Kj8kUFQLRh0', 'gid'),
			   pg_input_is_valid('8H24TMQEGM-21Kj8kUFQLRhg', 'gid(segment)'),
			   pg_input_is_valid('8H24TMQEGM-21Kj8kUFQLRhg', 'gid(o)'),
			   pg_input_is_valid('8H24TMQEGM-21Kj8kUFQLRhg', 'order_id'),
			   pg_input_is_valid('{8H24TMQEGM-21Kj8kUFQLRhg,x}', 'gid[]')}),
		't|t|f|f|t|f|f|f',
		'pg_input_is_valid() detects invalid text and wrong kinds');
	is( $node->safe_psql(
			'postgres', q{
		SELECT * FROM pg_input_error_info('8H24TMQEGM-21Kj8kUFQLRh0', 'gid')}),
		'invalid input syntax for type gid: "8H24TMQEGM-21Kj8kUFQLRh0"'
		  . '|The character at position 24 is not a base-58 digit.'
		  . '|The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".|22P02',
		'pg_input_error_info() describes invalid text');
	is( $node->safe_psql(
			'postgres', q{
		SELECT message, sql_error_code FROM pg_input_error_info('8H24TMQEGM-21Kj8kUFQLRhg', 'gid(o)')}),
		'gid of kind "segment" does not match type gid(o)|22023',
		'pg_input_error_info() describes a wrong kind');

	skip_allowed 'COPY ... ON_ERROR requires PostgreSQL 17', 1
	  if $node->pg_version < 17;

	append_to_file("$tmp/mixed",
		"8H24TMQEGM-21Kj8kUFQLRhg\nnonsense\n74ggbzxuMf-2uAmM7FwXntwW\nQiAcFZD6ehhV4ow9br8SvK\n");
	$node->safe_psql('postgres',
		"TRUNCATE segment; COPY segment FROM '$tmp/mixed' (ON_ERROR ignore)");
	is( $node->safe_psql('postgres', 'SELECT id FROM segment'),
		"8H24TMQEGM-21Kj8kUFQLRhg\n8H24TMQEGM-21Kj8kUFQLRhh",
		'COPY ... ON_ERROR ignore skips invalid values and wrong kinds');
}

$node->stop;
done_testing();
