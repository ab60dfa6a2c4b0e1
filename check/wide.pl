#!/usr/bin/perl
# The limits of a pinned medallion: a server that allows as many backends as there are
# slots, and a server that allows one more; all nodes; and 5,000 connections that mint
# at the same time.
#
# A backend requires up to 2 MB.
#
# When: src/server_clock.* src/compat.h src/settings.c

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use PostgreSQL::Test::Utils;
use Test::More;

my $slots = 16384;
my $connections = 5000;
my $node = new_server('main', q{shared_preload_libraries = 'gid'}, 'gid.node = 1023', 'autovacuum = off',
	"max_connections = $slots", 'max_wal_senders = 1', 'max_locks_per_transaction = 10', 'max_files_per_process = 64');
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION gid;
	CREATE TABLE minted (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), node text DEFAULT current_setting('gid.node'))});

# Mints an id, and returns the error if there is one.
sub mint
{
	my (undef, undef, $error) = $node->psql('postgres', "\\set VERBOSITY verbose\nSELECT gid_new('o')");
	return $error;
}

sub restart_with
{
	$node->append_conf('postgresql.conf', $_[0]);
	$node->restart;
	return;
}

# Other processes have slots as well.  The error contains the total number.
my ($configured) = mint() =~ /configured for (\d+)\./;
cmp_ok($configured, '>', $slots, 'a server that allows more backends than slots cannot mint');
my $limit = 2 * $slots - $configured;
restart_with('max_connections = ' . ($limit + 1));
like(mint(), qr/ERROR:  53400: .*configured for 16385\./s, 'a server that allows one backend more than slots cannot mint');
restart_with("max_connections = $limit");
is(mint(), '', 'a server that allows as many backends as slots can mint');

# The only WAL sender has the last slot.
is($node->safe_psql('postgres', q{SELECT gid_medallion(gid_new('o'))}, replication => 'database'),
	2**24 - 1, 'the last slot of the last node has the largest medallion');

# pgbench opens all connections before the first one mints.
append_to_file("$work/mint.sql", "INSERT INTO minted DEFAULT VALUES;\n");
sub mint_at_once
{
	my ($name) = @_;

	$node->safe_psql('postgres', 'TRUNCATE minted');
	local %ENV = environment_of($node);
	return runs_ok($name,
		[ 'sh', '-c', "ulimit -n \$(($connections + 100)) && exec pgbench -n -c $connections -j 2 -t 1 -f $work/mint.sql" ]);
}

sub of_minted
{
	my ($expression, $value, $name) = @_;
	return is($node->safe_psql('postgres', "SELECT $expression FROM minted"), $value, $name);
}

my ($memory) = slurp_file('/proc/meminfo') =~ /^MemAvailable: +(\d+) kB/m;
my ($open_files) = run_command([ 'sh', '-c', 'ulimit -H -n' ]);
SKIP:
{
	skip "$memory kB of memory are not enough for $connections connections", 7 if $memory < $connections * 2048;
	skip "$open_files files can be open, and there are $connections connections", 7
	  if $open_files ne 'unlimited' && $open_files < $connections + 100;

	mint_at_once("$connections connections at once mint, pinned");
	of_minted('count(*)', $connections, 'each connection has minted an id');
	of_minted('count(DISTINCT gid_medallion(id))', $connections, 'each connection has its own slot');
	of_minted('min(gid_node(id)) = 1023 AND max(gid_node(id)) = 1023', 't', 'all ids are of one node');
	of_minted(q{gid_settled('o') > max(id)}, 't', 'gid_settled() is above all ids');
	restart_with('gid.node = -1');
	mint_at_once("$connections connections at once mint, not pinned");
	of_minted('count(*)', $connections, 'each connection has minted an id again');
}

# A session gets a new node some time after the reload, so this is repeated.
$node->safe_psql('postgres', 'TRUNCATE minted');
my $end = time + $PostgreSQL::Test::Utils::timeout_default;
while (time < $end)
{
	my @missing = split /\n/, $node->safe_psql('postgres',
		'SELECT n FROM generate_series(0, 1023) n WHERE n::text NOT IN (SELECT node FROM minted)');
	last unless @missing;
	$node->safe_psql('postgres', join "\n", map {
			"ALTER SYSTEM SET gid.node = $_; SELECT pg_reload_conf(), pg_sleep(0.005); INSERT INTO minted DEFAULT VALUES;"
	} @missing);
}
# What was minted before the first reload is not pinned.
$node->safe_psql('postgres', q{DELETE FROM minted WHERE node = '-1'});
of_minted('count(DISTINCT gid_node(id))', 1024, 'each of 1,024 nodes mints');
of_minted('bool_and(gid_node(id)::text = node)', 't', 'the ids contain the node');
done_testing();
