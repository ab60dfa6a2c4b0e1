#!/usr/bin/perl
# Logical replication in text and in binary: a gid of another kind than the
# subscriber's column is an error there, which changes nothing until the column is
# corrected. Then the rows arrive as they are, with arrays of gids.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
$publisher->init(allows_streaming => 'logical');
$publisher->append_conf('postgresql.conf', "max_connections = 30\nlog_statement = none");
$publisher->start;

# The log must contain SQLSTATEs.
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->append_conf(
	'postgresql.conf', q{
	max_logical_replication_workers = 12
	max_worker_processes = 20
	log_error_verbosity = verbose
	log_statement = none
	wal_retrieve_retry_interval = '100ms'
});
$subscriber->start;

# The publisher's columns "customer" and "tags" take any kind, a subscriber's
# those given.
sub tables
{
	my ($kind) = @_;

	return qq{
		CREATE EXTENSION gid;
		CREATE TABLE orders (
			id gid(o) PRIMARY KEY DEFAULT gid_new('o'),
			customer $kind,
			tags ${kind}[],
			body text
		);
		CREATE TABLE events (id gid(segment) DEFAULT gid_new('segment'), tags ${kind}[], n int)};
}

sub publish { return $publisher->safe_psql('postgres', join ';', @_) }

# The rows, with the bytes of their ids, must be the same on both servers.
my $content = q{
	SELECT md5(string_agg(o::text || id::bytea, ' ' ORDER BY id)), count(*) FROM orders o;
	SELECT md5(string_agg(e::text || id::bytea, ' ' ORDER BY id, n)), count(*) FROM events e};

sub arrives
{
	my ($name, $database) = @_;

	$publisher->wait_for_catchup($database);
	is($subscriber->safe_psql($database, $content), publish($content), $name);
	return;
}

# Creates a database with these tables, and a subscription in text or binary format.
sub subscribe
{
	my ($database, $tables, $binary) = @_;
	my $from = $publisher->connstr . ' dbname=postgres';

	$subscriber->safe_psql('postgres', "CREATE DATABASE $database");
	$subscriber->safe_psql($database, $tables);
	isnt(
		$subscriber->safe_psql($database, q{SELECT 'gid'::regtype::oid}),
		publish(q{SELECT 'gid'::regtype::oid}),
		"$database: the types have different numbers");
	$subscriber->safe_psql($database,
		"CREATE SUBSCRIPTION $database CONNECTION '$from' PUBLICATION everything WITH (binary = $binary)");
	return;
}

my $some_orders = q{
	INSERT INTO orders (customer, tags, body)
	SELECT gid_new('c'), ARRAY[gid_new('c'), NULL, gid_random('c')], n FROM generate_series(1, 1000) n};
my $some_events = q{
	INSERT INTO events (tags, n) SELECT CASE WHEN n % 2 = 0 THEN ARRAY[gid_new('c')] END, n FROM generate_series(1, 100) n};

publish(tables('gid'), $some_orders, $some_events, 'CREATE PUBLICATION everything FOR ALL TABLES');

# Binary is the 16 bytes: a value's mark, its length, and the id.
publish(q{SELECT pg_create_logical_replication_slot('spy', 'pgoutput')});
my $id = publish(q{INSERT INTO orders DEFAULT VALUES RETURNING id});
is( publish(qq{
		SELECT count(*) FROM pg_logical_slot_get_binary_changes('spy', NULL, NULL,
			'proto_version', '1', 'publication_names', 'everything', 'binary', 'on')
		WHERE position('\\x6200000010'::bytea || gid '$id'::bytea IN data) > 0}),
	'1',
	'the publisher sends 16 bytes in binary format');
publish(q{SELECT pg_drop_replication_slot('spy')});

# Waits until a worker has failed twice, so that it has retried, and checks that no
# row has changed.
sub is_refused
{
	my ($name, $database, $before, $log) = @_;
	my $error = qr/ERROR:  22023: gid of kind "o" does not match type gid\(c\)/;

	$subscriber->wait_for_log(qr/$error.*$error/s, $log);
	cmp_ok(scalar(() = slurp_file($subscriber->logfile, $log) =~ /$error/g), '>=', 2,
		"$name: each error has both kinds");
	is($subscriber->safe_psql($database, $content), $before, "$name: no row is changed");
	return;
}

# Publishes in one transaction a row that a subscriber accepts and one that it rejects.
sub refuses
{
	my ($name, $database, $column, $publish) = @_;
	my $before = $subscriber->safe_psql($database, $content);
	my $log = -s $subscriber->logfile;

	publish('BEGIN', $some_orders, $publish, $some_events, 'COMMIT');
	is_refused($name, $database, $before, $log);

	$subscriber->safe_psql($database,
		"ALTER TABLE orders ALTER $column TYPE gid" . ($column eq 'tags' ? '[]' : ''));
	arrives("$name: after the correction all rows arrive", $database);
	return;
}

foreach ([ 'kind_as_text', 'off' ], [ 'kind_as_binary', 'on' ])
{
	my ($database, $binary) = @$_;
	my $log = -s $subscriber->logfile;

	# One row of another kind is enough to reject the copy of a table.
	publish(q{UPDATE orders SET customer = id WHERE id = (SELECT max(id) FROM orders)});
	subscribe($database, tables('gid(c)'), $binary);
	$subscriber->poll_query_until($database,
		q{SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel WHERE srrelid = 'events'::regclass})
	  or die 'events are not copied';
	is_refused("$database: the first copy", $database,
		"|0\n" . publish($content) =~ s/.*\n//r, $log);
	publish(q{UPDATE orders SET customer = NULL WHERE gid_kind(customer) = 'o'});
	$subscriber->wait_for_subscription_sync($publisher, $database, $database);
	arrives("$database: the first copy: after the correction all rows arrive", $database);

	refuses("$database: an insert", $database, 'customer',
		q{INSERT INTO orders (customer) VALUES (gid_new('o'))});
	refuses("$database: an update of an array", $database, 'tags',
		q{UPDATE orders SET tags = tags || gid_new('o') WHERE id = (SELECT min(id) FROM orders)});
	$subscriber->safe_psql($database, "DROP SUBSCRIPTION $database");
	publish(q{UPDATE orders SET customer = NULL, tags = NULL});
}

$_->stop foreach $subscriber, $publisher;
done_testing();
