#!/usr/bin/perl
# Three servers with different nodes write one table at the same time and replicate to each
# other: no conflict occurs, all end with the same rows, and each id shows its server.
# Pollers on each server, and on a standby of one server, read each row once below a table
# of horizons, as doc/settled.md describes.  A fourth server joins, whose clock is behind,
# one is lost, and one is removed, as doc/servers/logical-replication.md describes.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use IPC::Run ();

my $tmp = PostgreSQL::Test::Utils::tempdir();
my $horizons = slurp_file("$tree/examples/outbox/horizons.sql");
my $page = slurp_file("$tree/doc/servers/logical-replication.md");
my %server;

sub servers { return sort keys %server }

# All but one.
sub others { my ($n) = @_; return grep { $_ != $n } servers() }

sub on { my ($n, @queries) = @_; return $server{$n}->safe_psql('postgres', join(';', @queries)) }

# A block of doc/servers/logical-replication.md that contains this text, for the table events, and for a server in
# place of server 1.
sub block_with
{
	my ($text, $n) = @_;
	my ($block) = grep { /\Q$text\E/ } $page =~ /^```\w*\n(.*?)^```$/msg;

	return $block =~ s/orders/events/gr =~ s/(gid\.node = |_to_|from_)1(?!\d)/$1$n/gr;
}

sub add_server
{
	my ($n) = @_;
	my $node = $server{$n} = PostgreSQL::Test::Cluster->new("server_$n");

	$node->init(allows_streaming => 'logical');
	$node->append_conf(
		'postgresql.conf', block_with('gid.node', $n) . q{
		shared_preload_libraries = 'gid'
		gid.max_clock_skew = '1 h'
		max_connections = 50
		wal_retrieve_retry_interval = '100ms'
		autovacuum = off
		log_statement = none
	});
	$node->start;
	on($n, qq{
		CREATE EXTENSION gid;
		CREATE TABLE events (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), body text, server int DEFAULT $n);
		CREATE TABLE polled (how text, id gid(e), PRIMARY KEY (how, id));
		$horizons
		CREATE PUBLICATION everything FOR TABLE events, horizons WITH (publish_via_partition_root)});
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

sub are_the_same
{
	my ($name) = @_;
	my $rows = q{SELECT count(*), md5(string_agg(e::text, ' ' ORDER BY id)) FROM events e};

	all_arrives();
	my ($first, @others) = servers();
	is(on($_, $rows), on($first, $rows), "$name: server $_ has the rows of server $first") foreach @others;
	return;
}

# Counts the conflicts in a server's log.  The statistics of a subscription also count
# lost connections as errors.
sub conflicts
{
	my ($n) = @_;

	return scalar(() = slurp_file($server{$n}->logfile) =~ /duplicate key|conflict detected/g);
}

# --- Writers and pollers -----------------------------------------------------------

my ($announce) = slurp_file("$tree/doc/settled.md") =~ /^(DO \$\$\nBEGIN\n    UPDATE horizons.*?^END \$\$);/ms or die;
my %bound = (
	horizons => '(SELECT min(settled) FROM horizons)',
	own => q{gid_settled('e')},
	none => q{gid_upper_bound('e', 'infinity')});

# Transactions of different lengths, a tenth of which are rolled back.
append_to_file("$tmp/write", q{
	\set wait random(0, 3)
	\set wait :wait * :wait * 20
	\set outcome random(1, 10)
	BEGIN;
	INSERT INTO events DEFAULT VALUES;
	\sleep :wait ms
	INSERT INTO events DEFAULT VALUES;
	\if :outcome = 1
		ROLLBACK;
	\else
		COMMIT;
	\endif
});
append_to_file("$tmp/announce", "$announce;\n\\sleep 50 ms\n");

# A poll is one statement, which stores the ids that it read.
sub poll
{
	my ($how) = @_;

	return qq{
		INSERT INTO polled SELECT '$how', id FROM events
		WHERE id > (SELECT coalesce(max(id), gid_lower_bound('e', '-infinity')) FROM polled WHERE how = '$how')
			AND id < $bound{$how}
		ORDER BY id;
	};
}
append_to_file("$tmp/poll_$_", poll($_) . "\\sleep 20 ms\n") foreach keys %bound;

# Runs a script until the file $tmp/end exists.
sub pgbench
{
	my ($n, $script, $clients) = @_;

	return IPC::Run::start([ 'sh', '-c', 'until [ -e "$0" ]; do "$@" || exit; done', "$tmp/end",
			qw(pgbench --no-vacuum -t 10 -c), $clients, '-f', "$tmp/$script", $server{$n}->connstr('postgres') ],
		'>>', "$work/log/$script.log", '2>&1');
}

# A poller reads a row only after all horizons have passed it, and never goes back.  So a
# row that it passed without reading is missing at the end.
sub none_is_missed
{
	my ($name) = @_;
	my $order = q{SELECT count(*), md5(string_agg(id::text, ' ' ORDER BY id)) FROM};

	are_the_same($name);
	foreach my $n (servers())
	{
		$server{$n}->poll_query_until('postgres', q{SELECT max(id) < gid_settled('e') FROM events}) or die "the horizon of server $n does not rise";
		on($n, $announce);
	}
	all_arrives();
	foreach my $n (servers())
	{
		on($n, poll('horizons'));
		is(on($n, "$order polled WHERE how = 'horizons'"), on($n, "$order events"),
			"$name: the poller on server $n misses no row below the horizons");
	}
	return;
}

# --- Under load -----------------------------------------------------------------

add_server(1);
skip_allowed('origin = none requires PostgreSQL 16') if $server{1}->pg_version < 16;
add_server($_) foreach 2, 3;
foreach my $to (servers())
{
	subscribe($_, $to, 'off') foreach others($to);
}
is(on(1, q{SELECT string_agg(reason, ', ' ORDER BY reason) FROM gid_uncovered('events')}),
	join(', ', map { "the subscription from_${_}_to_1 inserts rows of another server" } 2, 3),
	'gid_uncovered() names the subscriptions');
$server{1}->backup('copy');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($server{1}, 'copy', has_streaming => 1);
$standby->start;

# A standby cannot store the ids that were read, so the test keeps them.
my %read = map { $_ => [ $standby->safe_psql('postgres', q{SELECT gid_lower_bound('e', '-infinity')}) ] } 'horizons', 'none';

sub poll_standby
{
	my ($how) = @_;

	push @{ $read{$how} }, split /\n/,
	  $standby->safe_psql('postgres',
		"SELECT id FROM events WHERE id > '$read{$how}[-1]' AND id < $bound{$how} ORDER BY id");
	return;
}

my @load;
foreach my $n (servers())
{
	push @load, pgbench($n, 'write', 4), pgbench($n, 'announce', 1), map { pgbench($n, "poll_$_", 1) } keys %bound;
}

# Each poller without the horizons must have passed rows that it has not read.
my $has_missed = q{
	SELECT count(*) FILTER (WHERE n < (SELECT count(*) FROM events WHERE id <= last)) = 2
		AND (SELECT count(*) > 1000 FROM events)
	FROM (SELECT max(id) AS last, count(*) AS n FROM polled WHERE how <> 'horizons' GROUP BY how) p};
my $end = time + $PostgreSQL::Test::Utils::timeout_default;
do { poll_standby($_) foreach keys %read }
  until time > $end
  || $standby->safe_psql('postgres', "SELECT count(*) FROM events WHERE id <= '$read{none}[-1]'") >= @{ $read{none} }
  && !grep { on($_, $has_missed) ne 't' } servers();
append_to_file("$tmp/end", '');
is(scalar(grep { !$_->finish } @load), 0, 'all servers have written and polled');

none_is_missed('under load');
$server{1}->wait_for_catchup($standby);
poll_standby($_) foreach keys %read;

my $rows = on(1, 'SELECT count(*) FROM events');
foreach my $n (servers())
{
	on($n, poll($_)) foreach 'none', 'own';
	foreach my $how ('none', 'own')
	{
		my $polled = on($n, "SELECT count(*) FROM polled WHERE how = '$how'");
		cmp_ok($polled, '<', $rows, "server $n: a poller with the bound \"$how\" misses rows");
	}
	is(conflicts($n), 0, "server $n: nothing conflicted");
}
my @ids = split /\n/, on(1, 'SELECT id FROM events ORDER BY id');
shift @{ $read{$_} } foreach keys %read;
ok("@{ $read{horizons} }" eq "@ids", 'standby: a poller below the horizons misses no row');
cmp_ok(scalar @{ $read{none} }, '<', $rows, 'standby: a poller without the horizons misses rows');
$standby->stop;

is(on(1, 'SELECT count(DISTINCT server), bool_and(gid_node(id) = server) FROM events'), '3|t', 'the node of each id is that of its server');
is(on(1, 'SELECT max(first) < min(last) FROM (SELECT min(id) AS first, max(id) AS last FROM events GROUP BY server) s'),
	't', 'the servers wrote at the same time');

# A transaction that begins after the commit of another has larger ids, on every
# server.
my @turns = map { on($_, q{INSERT INTO events (body) VALUES ('in turn') RETURNING id}) } (1 .. 3) x 20;
is_deeply([ map { s/\n.*//rs } @turns ], [ sort map { s/\n.*//rs } @turns ], 'ids that servers mint in turn are in order');
are_the_same('in turn');

# --- A table is added ---------------------------------------------------------------

# Subscriptions are on the server that they end with.
sub change
{
	my ($what, @subscriptions) = @_;

	on(/(\d+)$/, "ALTER SUBSCRIPTION $_ $what") foreach @subscriptions;
	return;
}

on($_, q{CREATE TABLE notes (id gid(n) PRIMARY KEY DEFAULT gid_new('n')) PARTITION BY RANGE (id);
	ALTER PUBLICATION everything ADD TABLE notes}) foreach servers();
change('REFRESH PUBLICATION WITH (copy_data = false)', map { my $from = $_; map { "from_${from}_to_$_" } others($from) } servers());
on($_, 'CREATE TABLE notes_later PARTITION OF notes DEFAULT') foreach servers();
on($_, 'INSERT INTO notes DEFAULT VALUES') foreach servers();
all_arrives();
is(on($_, 'SELECT count(*) FROM notes'), 3, "server $_ has all rows of a new table, and of a partition that was added later") foreach servers();
on($_, 'DROP TABLE notes') foreach servers();

# --- Equal ids conflict -----------------------------------------------------------

my @between = qw(from_3_to_1 from_3_to_2 from_1_to_3);
my $id = on(1, q{SELECT gid_new('e')});
change('DISABLE', @between);
on(1, "INSERT INTO events (id, body) VALUES ('$id', 'of server 1')");
on(3, "INSERT INTO events (id, body) VALUES ('$id', 'of server 3'), (DEFAULT, 'of server 3')");
$server{1}->wait_for_catchup('from_1_to_2');
my %log = map { $_ => -s $server{$_}->logfile } servers();
change('ENABLE', @between);

my $finished = qr/message type "INSERT" for .* "public\.events" in transaction \d+, finished at ([0-9A-F]+\/[0-9A-F]+)/;
my %skip;
foreach my $n (servers())
{
	my $conflict = $server{$n}->pg_version < 18
	  ? qr/ERROR:  duplicate key value violates unique constraint "events_pkey"/
	  : qr/ERROR:  conflict detected on relation "public\.events": conflict=insert_exists/;

	$server{$n}->wait_for_log(qr/$conflict.*$finished/s, $log{$n});
	slurp_file($server{$n}->logfile, $log{$n}) =~ /$conflict.*?$finished/s;
	$skip{$n} = $1;
	ok($skip{$n}, "server $n: one id inserted twice is a conflict");
}
is(on(3, "SELECT body FROM events WHERE id = '$id'"), 'of server 3', 'in a conflict each server keeps its own row');

# The row of server 1 is to stay.
on(3, block_with('DELETE', 3) =~ s/id = '.*'/id >= '$id'/r);
on(1, "ALTER SUBSCRIPTION from_3_to_1 SKIP (lsn = '$skip{1}')");
on(2, "ALTER SUBSCRIPTION from_3_to_2 SKIP (lsn = '$skip{2}')");
on(3, q{INSERT INTO events (body) VALUES ('of server 3')});
are_the_same('after the conflict');
is( on(2, "SELECT body FROM events WHERE id >= '$id' ORDER BY id"),
	"of server 1\nof server 3", 'after the conflict both rows exist, with different ids');

# --- A fourth joins, whose clock is half an hour behind -----------------------------

my $insert = 'INSERT INTO events (body) SELECT n FROM generate_series(1, 100) n';
my $later = on(1, q{SELECT gid_random('e', now() + interval '30 min')});
on($_, "SELECT gid_observe_server('$later')", $insert) foreach servers();
none_is_missed('half an hour ahead');

# No server writes, so that server 4 gets all rows from server 1.
on(1, 'INSERT INTO horizons VALUES (4)');
add_server(4);
on(4, 'TRUNCATE horizons');
subscribe($_, 4, $_ == 1 ? 'on' : 'off') foreach 2, 3, 1;
$server{4}->wait_for_subscription_sync($server{1}, 'from_1_to_4');
subscribe(4, $_, 'off') foreach 1 .. 3;
on($_, $announce) foreach servers();
all_arrives();

my $above = q{SELECT id > (SELECT max(settled) FROM horizons) FROM gid_new('e') id};
is(on(4, $above), 'f', 'server 4 mints below the horizons of the others');
on(4, 'SELECT gid_observe_server(max(settled)) FROM horizons');
is(on(4, $above), 't', 'after gid_observe_server() server 4 mints above the horizons');
on($_, $insert) foreach servers();
none_is_missed('with a fourth server');

# Each changes what it wrote.
on($_, qq{
	UPDATE events SET body = 'changed' WHERE gid_node(id) = $_ AND gid_offset(id) % 2 = 0;
	DELETE FROM events WHERE gid_node(id) = $_ AND gid_offset(id) % 3 = 1}) foreach servers();
are_the_same('after changes');

# --- One is lost ------------------------------------------------------------------

# The last rows of server 3 reached servers 1 and 4, but not server 2.
change('DISABLE', 'from_3_to_2');
on(3, $insert);
$server{3}->wait_for_catchup("from_3_to_$_") foreach 1, 4;
$server{3}->stop('immediate');
delete $server{3};

foreach my $n (servers())
{
	my $slot = "from_${n}_to_3";

	$server{$n}->poll_query_until('postgres', "SELECT NOT active FROM pg_replication_slots WHERE slot_name = '$slot'")
	  or die "$slot is in use";
	on($n, block_with('slot_name = NONE', $n));
}

my $of_lost = q{FROM events WHERE gid_node(id) = 3 AND id >= now() - interval '1 day'};
my %has = map { $_ => on($_, "SELECT count(*) $of_lost") } servers();
is($has{1} - $has{2}, 100, 'the nodes of the ids show which rows of the lost server are missing on server 2');
on(1, block_with('\copy (SELECT', 1));
# This trigger raises an error.
on(2, 'CREATE TRIGGER raises BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()');
on(2, block_with('\copy lost', 2));
on(2, 'DROP TRIGGER raises ON events');
on($_, $insert) foreach servers();
are_the_same('without the lost one');
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
on($_, $insert) foreach servers();
are_the_same('without the fourth');
is(on(1, $slots) . on(2, $slots), 'from_1_to_2from_2_to_1', 'no server keeps WAL for server 4');

$_->stop foreach values %server;
done_testing();
