#!/usr/bin/perl
# Logical replication in text and in binary: rows arrive as they are, with arrays of gids.
# A gid of another kind than the subscriber's column is an error there, which changes
# nothing until the column is corrected.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
$publisher->init(allows_streaming => 'logical');
$publisher->start;
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->append_conf('postgresql.conf', "log_error_verbosity = verbose\nwal_retrieve_retry_interval = '100ms'");
$subscriber->start;

sub publish { return $publisher->safe_psql('postgres', join ';', @_) }

my @databases = qw(as_text as_binary);
my $rows = q{
	INSERT INTO orders (customer, tags)
	SELECT gid_new('c'), ARRAY[gid_new('c'), NULL, gid_random('c')] FROM generate_series(1, 1000) n};
my $content = q{SELECT md5(string_agg(o::text || id::bytea, ' ' ORDER BY id)), count(*) FROM orders o};

sub arrives
{
	my ($name) = @_;

	foreach my $database (@databases)
	{
		$publisher->wait_for_catchup($database);
		is($subscriber->safe_psql($database, $content), publish($content), "$database: $name");
	}
	return;
}

my $table = q{CREATE EXTENSION gid; CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), };
publish("$table customer gid, tags gid[])", $rows, 'CREATE PUBLICATION everything FOR ALL TABLES');
foreach my $database (@databases)
{
	my $options = 'binary = ' . ($database eq 'as_binary' ? 'on' : 'off');
	my $from = $publisher->connstr . ' dbname=postgres';

	$subscriber->safe_psql('postgres', "CREATE DATABASE $database");
	$subscriber->safe_psql($database, "$table customer gid(c), tags gid(c)[])");
	isnt($subscriber->safe_psql($database, q{SELECT 'gid'::regtype::oid}), publish(q{SELECT 'gid'::regtype::oid}),
		"$database: the types have different numbers");
	$subscriber->safe_psql($database, "CREATE SUBSCRIPTION $database CONNECTION '$from' PUBLICATION everything WITH ($options)");
	$subscriber->wait_for_subscription_sync($publisher, $database, $database);
}
arrives('the first copy has all rows');

foreach ([ 'customer', 'gid', q{gid_new('o')} ], [ 'tags', 'gid[]', q{ARRAY[gid_new('o')]} ])
{
	my ($column, $type, $value) = @$_;
	my %before = map { $_ => $subscriber->safe_psql($_, $content) } @databases;
	my %errors = map { split /\|/ } split /\n/, $subscriber->safe_psql('postgres', 'SELECT subname, apply_error_count FROM pg_stat_subscription_stats');
	my $log = -s $subscriber->logfile;

	# One transaction has rows that a subscriber accepts and one that it rejects.
	publish('BEGIN', $rows, "INSERT INTO orders ($column) VALUES ($value)", $rows, 'COMMIT');
	foreach my $database (@databases)
	{
		# A worker that has failed twice has retried.
		$subscriber->poll_query_until('postgres', "SELECT apply_error_count > $errors{$database} + 1 FROM pg_stat_subscription_stats WHERE subname = '$database'")
		  or die "$database does not fail";
		is($subscriber->safe_psql($database, $content), $before{$database}, "$database, $column: no row is changed");
	}
	# A worker can start before the one that failed has ended.
	my %messages = map { $_ => 1 } grep { !/terminating|could not|origin with ID \d+ is already active/ } slurp_file($subscriber->logfile, $log) =~ /ERROR:  (.*)/g;
	is(join("\n", sort keys %messages), '22023: gid of kind "o" does not match type gid(c)', "$column: the errors have both kinds");
	$subscriber->safe_psql($_, "ALTER TABLE orders ALTER $column TYPE $type") foreach @databases;
	arrives("$column: after the correction all rows arrive");
}

# Between a column of uuid that contains gids and a column of gid.  Columns read each other's bytes, but not text, and
# before PostgreSQL 16 the first copy is text.
my $copies = $publisher->pg_version >= 16 ? 'on' : 'off';
my $from = $publisher->connstr . ' dbname=postgres';
$subscriber->safe_psql('postgres', 'CREATE DATABASE bytes');
$subscriber->safe_psql('bytes', 'CREATE EXTENSION gid');
foreach ([ 'uuid', 'gid(o)' ], [ 'gid(o)', 'uuid' ])
{
	my ($sent, $received) = @$_;
	my $name = 'from_' . substr $sent, 0, 3;
	my $insert = "INSERT INTO $name SELECT gid_new('o')::uuid" . ($sent eq 'uuid' ? '' : '::gid') . ', n FROM generate_series(1, 10) n';
	my $bytes = "SELECT md5(string_agg(uuid_send(id::uuid)::text || n, ' ' ORDER BY id)), count(*) FROM $name";
	my $log = -s $subscriber->logfile;

	publish("CREATE TABLE $name (id $sent PRIMARY KEY, n int)", $copies eq 'on' ? $insert : (), "CREATE PUBLICATION $name FOR TABLE $name");
	$subscriber->safe_psql('bytes', "CREATE TABLE $name (id $received PRIMARY KEY, n int)");
	$subscriber->safe_psql('bytes', "CREATE SUBSCRIPTION $name CONNECTION '$from' PUBLICATION $name WITH (binary, copy_data = $copies)");
	$subscriber->wait_for_subscription_sync($publisher, $name, 'bytes');
	publish($insert, "UPDATE $name SET n = -n WHERE n < 5", "DELETE FROM $name WHERE n = -1");
	$publisher->wait_for_catchup($name);
	is($subscriber->safe_psql('bytes', $bytes), publish($bytes), "$sent to $received in binary: the rows arrive");
	$subscriber->safe_psql('bytes', "ALTER SUBSCRIPTION $name SET (binary = off)");
	publish($insert);
	my $message = $sent eq 'uuid' ? qr/22P02: invalid input syntax for type gid: "[0-9a-f-]{36}"/ : qr/22P02: invalid input syntax for type uuid: /;
	$subscriber->wait_for_log($message, $log);
	pass("$sent to $received in text: an error");
	$subscriber->safe_psql('bytes', "DROP SUBSCRIPTION $name");
}

$_->stop foreach $subscriber, $publisher;
done_testing();
