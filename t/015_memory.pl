#!/usr/bin/perl
# A backend's memory does not grow with the number of ids that it mints, reads, writes,
# sorts or hashes.
#
# One backend runs each statement with few ids, and another with ten times as many.  The
# second must not use more memory.  The measure is the peak of a backend's address
# space.  Shared buffers do not count, because they are mapped at the start.
#
# With --long there are ten times as many ids.
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

plan skip_all => 'the kernel does not report the peak of memory'
  unless -r '/proc/self/status' && slurp_file('/proc/self/status') =~ /^VmPeak:/m;

my $factor = is_long() ? 10 : 1;
my $rows = 1_000_000 * $factor;
my $tmp = PostgreSQL::Test::Utils::tempdir();

# The allowed difference in kB, for longer lists of temporary blocks.  This is less than
# a byte for each additional id (a million or more), and nine bytes for each transaction.
my $allowed = 768;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf(
	'postgresql.conf', q{
	log_statement = none
	autovacuum = off
	shared_buffers = 128MB
	max_wal_size = 8GB
	jit = off
	work_mem = 1MB
	maintenance_work_mem = 1MB
	hash_mem_multiplier = 1
	enable_indexscan = off
	enable_indexonlyscan = off
	max_parallel_workers_per_gather = 0
	max_parallel_maintenance_workers = 0
});
$node->start;

# Creates ids that are spread over days, as in a real table, but out of order.
sub fill
{
	my ($n) = @_;

	$node->safe_psql(
		'postgres', qq{
		CREATE UNLOGGED TABLE gids_$n (id gid(o));
		INSERT INTO gids_$n SELECT gid_random('o', '2026-01-01'::timestamptz + n * 7919 % $n * interval '1 s')
		FROM generate_series(1::bigint, $n) n;
		CREATE UNLOGGED TABLE empty_$n (id gid(o), new gid(c) DEFAULT gid_new('c'));
		COPY gids_$n TO '$tmp/text_$n';
		COPY gids_$n TO '$tmp/binary_$n' (FORMAT binary)});
	return;
}

$node->safe_psql('postgres', 'CREATE EXTENSION gid');
fill($_) foreach $rows / 10, $rows;

# Returns the peak of memory in kB.
sub peak
{
	my ($statement) = @_;
	my $session = $node->background_psql('postgres');
	my $pid = $session->query_safe('SELECT pg_backend_pid()');

	$session->query_safe($statement);
	my ($peak) = slurp_file("/proc/$pid/status") =~ /^VmPeak:\s+(\d+) kB/m;
	$session->quit;
	return $peak;
}

# Returns how many kB a statement uses more for $n ids than for a tenth of them.  {n} in
# the statement is replaced by the number.
sub growth
{
	my ($statement, $n) = @_;
	my ($small, $large) = map { peak($statement =~ s/\{n\}/$_/gr) } $n / 10, $n;

	note("$small kB, $large kB: $statement");
	return $large - $small;
}

sub is_flat
{
	my ($name, $statement, $n) = @_;

	cmp_ok(growth($statement, $n), '<=', $allowed, "$name, $n times, uses no more memory than " . $n / 10 . ' times');
	return;
}

my $series = 'FROM (SELECT generate_series(1, {n})) n';

# Each row has ten ids, because generating a row takes longer than minting an id.
my $minted = 'SELECT ' . join(', ', ("count(gid_new('o'))") x 10) . " $series";

is_flat('gid_new in ten columns', $minted, $rows);
is_flat('gid_new by the clock in ten columns', "SET gid.instant_source = clock; $minted", $rows);
is_flat('gid_random', "SELECT count(gid_random('o')) $series", $rows);
is_flat('gid_new in transactions',
	q{DO $$ BEGIN FOR i IN 1..{n} LOOP PERFORM gid_new('o'); COMMIT; END LOOP; END $$}, $rows / 10);
is_flat('text', "SELECT count(gid_new('o')::text::gid(o)) $series", $rows);
is_flat('COPY in text', "COPY empty_{n} (id) FROM '$tmp/text_{n}'", $rows);
is_flat('COPY out text', "COPY gids_{n} TO '/dev/null'", $rows);
is_flat('COPY in binary', "COPY empty_{n} (id) FROM '$tmp/binary_{n}' (FORMAT binary)", $rows);
is_flat('COPY out binary', "COPY gids_{n} TO '/dev/null' (FORMAT binary)", $rows);
is_flat('sort', 'SELECT id FROM gids_{n} ORDER BY id OFFSET {n}', $rows);
is_flat('hash aggregate',
	'SET enable_sort = off; SELECT count(*) FROM (SELECT id FROM gids_{n} GROUP BY id OFFSET 0) g', $rows);
is_flat('btree', 'CREATE INDEX ON gids_{n} (id)', $rows);

# The test must detect a leak.  These statements keep ids: the first one in an array, the
# second one in the memory of a sort.
cmp_ok(growth("SELECT array_agg(gid_new('o')) IS NULL $series", $rows),
	'>', 10 * $allowed, 'the test detects a statement that keeps its ids');
cmp_ok(growth("SET work_mem = '1GB'; SELECT id FROM gids_{n} ORDER BY id OFFSET {n}", $rows),
	'>', 10 * $allowed, 'the test detects a sort in memory');

$node->stop;
done_testing();
