# Servers, each with its own node, that replicate to each other.

package Nodes;

use strict;
use warnings;

use Exporter qw(import);
use IPC::Run ();
use PostgreSQL::Test::Cluster;

our @EXPORT = qw(%server servers others on add_server subscribe all_arrives start_pgbench);

our %server;

sub servers { return sort keys %server }

# All but one.
sub others { my ($n) = @_; return grep { $_ != $n } servers() }

sub on { my ($n, @queries) = @_; return $server{$n}->safe_psql('postgres', join(';', @queries)) }

# Starts a server with these further settings, and runs statements there.
sub add_server
{
	my ($n, $settings, $statements) = @_;
	my $node = $server{$n} = PostgreSQL::Test::Cluster->new("server_$n");

	$node->init(allows_streaming => 'logical');
	$node->append_conf(
		'postgresql.conf', qq{
		gid.node = $n
		max_connections = 50
		max_worker_processes = 20
		max_logical_replication_workers = 12
		wal_retrieve_retry_interval = '100ms'
		autovacuum = off
		log_statement = none
		$settings
	});
	$node->start;
	on($n, "CREATE EXTENSION gid; $statements");
	return;
}

sub subscribe
{
	my ($from, $to, $copy) = @_;
	my $connection = $server{$from}->connstr . ' dbname=postgres';

	on($to, qq{
		CREATE SUBSCRIPTION from_${from}_to_$to CONNECTION '$connection' PUBLICATION everything
		WITH (origin = none, copy_data = $copy)});
	return;
}

# Waits until each server has what each other one has written so far.
sub all_arrives
{
	foreach my $from (servers())
	{
		$server{$from}->wait_for_catchup("from_${from}_to_$_") foreach others($from);
	}
	return;
}

sub start_pgbench
{
	my ($n, @options) = @_;

	return IPC::Run::start([ 'pgbench', '--no-vacuum', @options, $server{$n}->connstr('postgres') ], '>', \my $out, '2>', \my $err);
}

1;
