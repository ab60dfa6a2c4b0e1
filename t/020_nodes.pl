#!/usr/bin/perl
# Three servers with different nodes write one table at the same time and replicate
# to each other: no conflict occurs, all three end with the same rows, and each id
# shows its server and its time.  A fourth server joins, one is lost, and one is removed,
# as doc/servers/logical-replication.md describes.
#
# With --long, the test writes ten times as many rows, three million.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;
use Nodes;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $factor = is_long() ? 10 : 1;
$PostgreSQL::Test::Utils::timeout_default = 1800 if is_long();
my $tmp = PostgreSQL::Test::Utils::tempdir();

# What a server writes says in columns whose it is, and when its transaction began.
sub add_writer
{
	my ($n) = @_;

	add_server($n, "shared_buffers = 64MB\nmax_wal_size = 4GB", qq{
		CREATE TABLE loaded (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), body text,
			server int DEFAULT $n, began timestamptz DEFAULT now());
		CREATE PUBLICATION everything FOR ALL TABLES});
	return;
}

my $rows = q{SELECT count(*), md5(string_agg(l::text, ' ' ORDER BY id)) FROM loaded l};

sub are_the_same
{
	my ($name, $at_least) = @_;

	all_arrives();
	my ($first, @others) = servers();
	my $expected = on($first, $rows);
	cmp_ok($expected =~ s/\|.*//r, '>=', $at_least, "$name: server $first has the rows");
	is(on($_, $rows), $expected, "$name: server $_ has the same rows") foreach @others;
	return;
}

# Counts the conflicts in a server's log.  The statistics of a subscription also count
# lost connections as errors.
sub conflicts
{
	my ($n) = @_;

	return scalar(() = slurp_file($server{$n}->logfile) =~ /duplicate key|conflict detected/g);
}

# In a round, a client writes 100 rows in two transactions.
append_to_file("$tmp/round", q{
	INSERT INTO loaded (body) SELECT 'one of many' FROM generate_series(1, 99);
	INSERT INTO loaded (body) VALUES ('alone');
});

sub start_load
{
	my ($n, $rounds) = @_;

	return start_pgbench($n, '-c', 4, '-t', $rounds / 4, '-f', "$tmp/round");
}

add_writer(1);
skip_allowed('origin = none requires PostgreSQL 16') if $server{1}->pg_version < 16;
add_writer($_) foreach 2, 3;
foreach my $to (servers())
{
	subscribe($_, $to, 'off') foreach others($to);
}

# --- All write ------------------------------------------------------------------

my $rounds = 800 * $factor;
my @locks = map { $server{$_}->background_psql('postgres') } servers();
$_->query_safe('BEGIN; LOCK loaded') foreach @locks;
my %load = map { $_ => start_load($_, $rounds) } servers();
$server{$_}->poll_query_until('postgres', 'SELECT count(*) = 4 FROM pg_locks WHERE NOT granted') or die 'a writer has not begun' foreach servers();
$_->quit foreach @locks;
ok(IPC::Run::finish($load{$_}), "server $_ wrote") foreach servers();
are_the_same('after the load', 3 * 100 * $rounds);

is( on(1, q{SELECT server, gid_node(id), count(*) FROM loaded GROUP BY 1, 2 ORDER BY 1, 2}),
	join("\n", map { "$_|$_|" . 100 * $rounds } servers()),
	'the node of each id is that of its server');
is(on(1, 'SELECT max(first) < min(last) FROM (SELECT min(id) AS first, max(id) AS last FROM loaded GROUP BY server) s'),
	't', 'the servers wrote at the same time');
is(conflicts($_), 0, "server $_: nothing conflicted") foreach servers();

# --- Order --------------------------------------------------------------------------

foreach my $n (servers())
{
	is( on($n, q{
			SELECT count(*), count(*) FILTER (WHERE began < previous), count(*) FILTER (WHERE gid_instant(id) <> began)
			FROM (SELECT id, began, lag(began) OVER (ORDER BY id) AS previous FROM loaded) o}),
		on(1, 'SELECT count(*) FROM loaded') . '|0|0',
		"server $n: ids are in the order in which transactions began");
}

# A transaction that begins after the commit of another has larger ids, on every
# server.
my @turns = map { on($_, q{INSERT INTO loaded (body) VALUES ('in turn') RETURNING id}) } (1 .. 3) x 20;
is_deeply([ map { s/\n.*//rs } @turns ], [ sort map { s/\n.*//rs } @turns ], 'ids that servers mint in turn are in order');
are_the_same('in turn', 60);

# Each changes what it wrote.
on($_, qq{
	UPDATE loaded SET body = 'changed' WHERE gid_node(id) = $_ AND gid_offset(id) % 100 = 0;
	DELETE FROM loaded WHERE gid_node(id) = $_ AND gid_offset(id) % 100 = 1}) foreach servers();
are_the_same('after changes', 1000);

# --- Equal ids conflict -----------------------------------------------------------

# Changes a server without publishing the change, by a replication origin.
my $by_hand = q{
	SELECT pg_replication_origin_create('by hand') WHERE pg_replication_origin_oid('by hand') IS NULL;
	SELECT pg_replication_origin_session_setup('by hand')};

# Subscriptions are on the server that they end with.
sub change
{
	my ($what, @subscriptions) = @_;

	on(/(\d+)$/, "ALTER SUBSCRIPTION $_ $what") foreach @subscriptions;
	return;
}

my @between = qw(from_3_to_1 from_3_to_2 from_1_to_3);
my $id = on(1, q{SELECT gid_new('o')});
change('DISABLE', @between);
on($_, "INSERT INTO loaded (id, body) VALUES ('$id', 'of server $_')") foreach 1, 3;
$server{1}->wait_for_catchup('from_1_to_2');
my %log = map { $_ => -s $server{$_}->logfile } servers();
change('ENABLE', @between);

my $finished = qr/message type "INSERT" for .* "public\.loaded" in transaction \d+, finished at ([0-9A-F]+\/[0-9A-F]+)/;
my %skip;
foreach my $n (servers())
{
	my $conflict = $server{$n}->pg_version < 18
	  ? qr/ERROR:  duplicate key value violates unique constraint "loaded_pkey"/
	  : qr/ERROR:  conflict detected on relation "public\.loaded": conflict=insert_exists/;

	$server{$n}->wait_for_log(qr/$conflict.*$finished/s, $log{$n});
	slurp_file($server{$n}->logfile, $log{$n}) =~ /$conflict.*?$finished/s;
	$skip{$n} = $1;
	ok($skip{$n}, "server $n: one id inserted twice is a conflict");
}
is(on(3, "SELECT body FROM loaded WHERE id = '$id'"), 'of server 3', 'in a conflict each server keeps its own row');

# The row of server 1 is to stay.
on(3, $by_hand, "DELETE FROM loaded WHERE id = '$id'");
on(1, "ALTER SUBSCRIPTION from_3_to_1 SKIP (lsn = '$skip{1}')");
on(2, "ALTER SUBSCRIPTION from_3_to_2 SKIP (lsn = '$skip{2}')");
on(3, q{INSERT INTO loaded (body) VALUES ('of server 3')});
are_the_same('after the conflict', 1000);
is( on(2, "SELECT body FROM loaded WHERE id >= '$id' ORDER BY id"),
	"of server 1\nof server 3", 'after the conflict both rows exist, with different ids');

# --- A fourth joins ---------------------------------------------------------------

# Nobody writes, so that what server 1 has is all there is.
add_writer(4);
subscribe($_, 4, 'off') foreach 2, 3;
subscribe(1, 4, 'on');
$server{4}->wait_for_subscription_sync($server{1}, 'from_1_to_4');
subscribe(4, $_, 'off') foreach 1 .. 3;
are_the_same('with a fourth', 1000);
on($_, q{INSERT INTO loaded (body) SELECT 'of four' FROM generate_series(1, 100)}) foreach servers();
are_the_same('the fourth writes', 1000);
is( on(4, q{SELECT gid_node(id), count(*) FROM loaded WHERE body = 'of four' GROUP BY 1 ORDER BY 1}),
	join("\n", map { "$_|100" } servers()),
	'each of the four has written');

# --- One is lost ------------------------------------------------------------------

# The last rows of server 3 reached servers 1 and 4, but not server 2.
change('DISABLE', 'from_3_to_2');
on(3, q{INSERT INTO loaded (body) SELECT 'last words' FROM generate_series(1, 100)});
$server{3}->wait_for_catchup("from_3_to_$_") foreach 1, 4;
$server{3}->stop('immediate');
delete $server{3};

foreach my $n (servers())
{
	my $slot = "from_${n}_to_3";

	change('DISABLE', "from_3_to_$n");
	change('SET (slot_name = NONE)', "from_3_to_$n");
	on($n, "DROP SUBSCRIPTION from_3_to_$n");
	$server{$n}->poll_query_until('postgres', "SELECT NOT active FROM pg_replication_slots WHERE slot_name = '$slot'")
	  or die "$slot is in use";
	on($n, "SELECT pg_drop_replication_slot('$slot')");
}

my $of_lost = q{FROM loaded WHERE gid_node(id) = 3 AND id >= now() - interval '1 day'};
my %has = map { $_ => on($_, "SELECT count(*) $of_lost") } servers();
is($has{1} - $has{2}, 100, 'the nodes of the ids show which rows of the lost server are missing on server 2');
my $columns = 'id, body, server, began';
on(1, "COPY (SELECT $columns $of_lost) TO '$tmp/lost'");
on(2, $by_hand,
	"CREATE TEMPORARY TABLE lost AS SELECT $columns FROM loaded LIMIT 0",
	"COPY lost FROM '$tmp/lost'",
	"INSERT INTO loaded ($columns) SELECT $columns FROM lost ON CONFLICT DO NOTHING");
on($_, q{INSERT INTO loaded (body) SELECT 'of those left' FROM generate_series(1, 100)}) foreach servers();
are_the_same('without the lost one', 1000);
is(on(2, "SELECT count(*) $of_lost"), $has{1}, 'server 2 has the rows of the lost server');
my $slots = 'SELECT string_agg(slot_name, $$ $$ ORDER BY slot_name) FROM pg_replication_slots';
foreach my $n (servers())
{
	is(on($n, $slots), join(' ', map { "from_${n}_to_$_" } others($n)), "server $n keeps nothing for the lost one");
}
is(conflicts(4), 0, 'server 4: no conflict');

# --- One is taken out ---------------------------------------------------------------

all_arrives();
on(4, map { "DROP SUBSCRIPTION from_${_}_to_4" } 1, 2);
on($_, "DROP SUBSCRIPTION from_4_to_$_") foreach 1, 2;
is(on(4, $slots), '', 'server 4 keeps no WAL for others');
$server{4}->stop;
delete $server{4};
on($_, q{INSERT INTO loaded (body) SELECT 'of two' FROM generate_series(1, 100)}) foreach servers();
are_the_same('without the fourth', 1000);
is(on(1, $slots) . on(2, $slots), 'from_1_to_2from_2_to_1', 'no server keeps WAL for server 4');

$_->stop foreach values %server;
done_testing();
