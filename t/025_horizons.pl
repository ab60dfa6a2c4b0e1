#!/usr/bin/perl
# Three servers write one table, replicate to each other, and keep a table of horizons.
# Pollers on each server, and on a standby of one server, read each row once, as
# doc/settled.md describes.  A fourth server joins, whose clock is behind.  Before
# PostgreSQL 16, the test uses one server and its standby.

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

my $tmp = PostgreSQL::Test::Utils::tempdir();
my $horizons = slurp_file("$tree/examples/outbox/horizons.sql");
my $announce = q{UPDATE horizons SET settled = greatest(settled, gid_settled('e')) WHERE server = current_setting('gid.node')::int};
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

sub add_poller
{
	my ($n) = @_;

	add_server($n, qq{
		shared_preload_libraries = 'gid'
		gid.max_clock_skew = '1 h'
		max_wal_senders = 20
		max_replication_slots = 20}, qq{
		CREATE TABLE events (id gid(e) PRIMARY KEY DEFAULT gid_new('e'));
		CREATE TABLE polled (how text, id gid(e), PRIMARY KEY (how, id));
		$horizons
		CREATE PUBLICATION everything FOR TABLE events, horizons});
	return;
}

# Runs a script until the file $tmp/end exists.
sub pgbench
{
	my ($n, $script, $clients) = @_;

	return IPC::Run::start([ 'sh', '-c', 'until [ -e "$0" ]; do "$@" || exit; done', "$tmp/end",
			qw(pgbench --no-vacuum -t 10 -c), $clients, '-f', "$tmp/$script", $server{$n}->connstr('postgres') ],
		'>>', "$work/log/$script.log", '2>&1');
}

my $order = q{SELECT count(*), md5(string_agg(id::text, ' ' ORDER BY id)) FROM};

# A poller reads a row only after all horizons have passed it, and never goes back.  So a
# row that it passed without reading is missing at the end.
sub none_is_missed
{
	my ($name) = @_;

	all_arrives();
	foreach my $n (servers())
	{
		$server{$n}->poll_query_until('postgres', q{SELECT max(id) < gid_settled('e') FROM events}) or die "the horizon of server $n does not rise";
		on($n, $announce);
	}
	all_arrives();
	on($_, poll('horizons')) foreach servers();
	foreach my $n (servers())
	{
		is(on($n, "$order polled WHERE how = 'horizons'"), on($n, "$order events"),
			"$name: the poller on server $n misses no row below the horizons");
	}
	return;
}

add_poller(1);
my $several = $server{1}->pg_version >= 16;
if ($several)
{
	add_poller($_) foreach 2, 3;
}
my @servers = servers();
on($_, 'DELETE FROM horizons WHERE server NOT IN (' . join(',', @servers) . ')') foreach @servers;
foreach my $to (@servers)
{
	subscribe($_, $to, 'off') foreach others($to);
}
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
foreach my $n (@servers)
{
	push @load, pgbench($n, 'write', 4), pgbench($n, 'announce', 1), map { pgbench($n, "poll_$_", 1) } keys %bound;
}

# Each poller without the horizons must have passed rows that it has not read.
my $has_missed = q{
	SELECT count(*) FILTER (WHERE n < (SELECT count(*) FROM events WHERE id <= last)) = } . ($several ? 2 : 1) . q{
		AND (SELECT count(*) > 1000 FROM events)
	FROM (SELECT max(id) AS last, count(*) AS n FROM polled WHERE how <> 'horizons' GROUP BY how) p};
my $end = time + $PostgreSQL::Test::Utils::timeout_default;
do { poll_standby($_) foreach keys %read }
  until time > $end
  || $standby->safe_psql('postgres', "SELECT count(*) FROM events WHERE id <= '$read{none}[-1]'") >= @{ $read{none} }
  && !grep { on($_, $has_missed) ne 't' } @servers;
append_to_file("$tmp/end", '');
is(scalar(grep { !$_->finish } @load), 0, 'all servers have written and polled');

none_is_missed('under load');
$server{1}->wait_for_catchup($standby);
poll_standby($_) foreach keys %read;

my $rows = on(1, 'SELECT count(*) FROM events');
foreach my $n (@servers)
{
	on($n, poll($_)) foreach 'none', 'own';
	is(on($n, 'SELECT count(*) FROM events'), $rows, "server $n has all rows");
	cmp_ok(on($n, "SELECT count(*) FROM polled WHERE how = 'none'"), '<', $rows, "server $n: a poller without a bound misses rows");
	cmp_ok(on($n, "SELECT count(*) FROM polled WHERE how = 'own'"), '<', $rows, "server $n: a poller below its own horizon misses rows")
	  if $several;
}
my @ids = split /\n/, on(1, 'SELECT id FROM events ORDER BY id');
shift @{ $read{$_} } foreach keys %read;
ok("@{ $read{horizons} }" eq "@ids", 'standby: a poller below the horizons misses no row');
cmp_ok(scalar @{ $read{none} }, '<', $rows, 'standby: a poller without the horizons misses rows');
note("$rows rows; missed without a bound: ", join(', ', map { $rows - on($_, q{SELECT count(*) FROM polled WHERE how = 'none'}) } @servers),
	'; below its own horizon: ', join(', ', map { $rows - on($_, q{SELECT count(*) FROM polled WHERE how = 'own'}) } @servers),
	'; on the standby ', $rows - @{ $read{none} });

$standby->stop;

# --- A fourth server joins, whose clock is half an hour behind --------------------

if ($several)
{
	my $insert = 'INSERT INTO events SELECT FROM generate_series(1, 10)';

	my $later = on(1, q{SELECT gid_random('e', now() + interval '30 min')});
	on($_, "SELECT gid_observe_server('$later')", $insert) foreach @servers;
	none_is_missed('half an hour ahead');

	on(1, 'INSERT INTO horizons VALUES (4)');
	add_poller(4);
	on(4, 'TRUNCATE horizons');
	foreach my $n (@servers)
	{
		subscribe(4, $n, 'off');
		subscribe($n, 4, $n == 1 ? 'on' : 'off');
	}
	$server{4}->wait_for_subscription_sync($server{1}, 'from_1_to_4');
	on($_, $announce) foreach servers();
	all_arrives();

	my $above = q{SELECT id > (SELECT max(settled) FROM horizons) FROM gid_new('e') id};
	is(on(4, $above), 'f', 'server 4 mints below the horizons of the others');
	on(4, 'SELECT gid_observe_server(max(settled)) FROM horizons');
	is(on(4, $above), 't', 'after gid_observe_server() server 4 mints above the horizons');
	on($_, $insert) foreach 4, @servers;
	none_is_missed('with a fourth server');
}

$_->stop foreach values %server;
done_testing();
