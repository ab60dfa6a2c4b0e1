#!/usr/bin/perl
# Clocks that step, and servers whose clocks differ.  The servers run under faketime, and
# the test sets their clocks.  check/generator.pl tests random steps, also with
# gid.instant_source = clock and within transactions.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;
use FakeClock;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'faketime is not installed' unless $FakeClock::library;

sub set_clock { return FakeClock::set(@_) }

sub start_under_faketime
{
	my $node = FakeClock::start(@_);

	$node->safe_psql(
		'postgres', q{
		CREATE EXTENSION gid;
		CREATE TABLE minted (n serial, step text, id gid(o) DEFAULT gid_new('o'), medallion int);
	});
	return $node;
}

# Mints ids in a number of transactions of one session.
sub mint
{
	my ($session, $step, $transactions) = @_;

	$session->query("INSERT INTO minted (step) VALUES ('$step'), ('$step')")
	  foreach 1 .. $transactions // 3;
	return;
}

sub counts
{
	return scalar $_[0]->query('SELECT minted, clock_steps, overflows FROM gid_generator()');
}

# For each step: how many hours its ids are ahead of the server's current clock.
my $steps = q{
	SELECT step, count(*), count(DISTINCT gid_medallion(id)) AS medallions,
		   round(extract(epoch FROM avg(gid_instant(id) - clock_timestamp())) / 3600) AS hours_ahead
	FROM minted GROUP BY step ORDER BY min(n)};
my $order = q{
	SELECT count(*) - count(DISTINCT id), count(*) FILTER (WHERE id <= before)
	FROM (SELECT id, lag(id) OVER (PARTITION BY gid_medallion(id) ORDER BY n) AS before FROM minted) o};

# --- Unpinned -------------------------------------------------------------

# The steps are so large that they do not depend on how long the test takes.
my $node = start_under_faketime('unpinned', q{gid.max_clock_skew = '20 min'});
my $session = $node->background_psql('postgres');
mint($session, 'at first');
is(counts($session), '6|0|0', 'unpinned: no step is counted at first');

set_clock($node, -600);
mint($session, 'minutes back', 5);
is(counts($session), '16|1|0', 'unpinned: a step of minutes is counted once');
is( $session->query(
		q{SELECT count(DISTINCT gid_medallion(id)), max(gid_instant(id)) > clock_timestamp() FROM minted}),
	'1|t',
	'unpinned: after a step of minutes the generator keeps its instant');
is($session->query($order), '0|0', 'unpinned: ids increase over a step of minutes');

set_clock($node, -3600);
mint($session, 'an hour back', 5);
is(counts($session), '26|2|0', 'unpinned: a step of an hour is counted once');
is( $session->query(
		q{SELECT count(DISTINCT gid_medallion(id)), max(gid_instant(id)) <= clock_timestamp() FROM minted WHERE step = 'an hour back'}),
	'1|t',
	'unpinned: ids have the new time and one medallion');
is($session->query('SELECT count(DISTINCT gid_medallion(id)) FROM minted'),
	'2', 'unpinned: the medallion is a new one');
is($session->query($order), '0|0', 'unpinned: no id is minted twice, and the ids of each medallion increase');
is( () = slurp_file($node->logfile) =~ /LOG:  clock moved backwards by \d+\.\d+ s/g,
	1,
	'unpinned: only this step is logged');

is( $session->query($steps),
	"at first|6|1|1\nminutes back|10|1|1\nan hour back|10|1|0",
	'unpinned: after each step ids have the right time');
$session->quit;

# Statements of one message step the clock: the transaction begins, and the clock is set back before its reading.
# In the next message, the clock is set back before the transaction's ids, and another transaction follows.
my $file = FakeClock::file($node);
my $step = sub { my ($seconds) = @_; return "COPY (SELECT '$seconds') TO PROGRAM 'cat >$file.new && mv $file.new $file'" };
$session = $node->background_psql('postgres');
set_clock($node, -7200);
$session->query_safe($step->(-10800) . q{ \; BEGIN \; SELECT gid_observe(gid_lower_bound('o', '2026-01-01'))});
set_clock($node, -3600);
like($session->query_safe($step->(-5400) . q{ \; SELECT gid_new('o') \; COMMIT \; SELECT gid_instant(gid_new('o')) <= clock_timestamp()}),
	qr/^t$/m, 'unpinned: a transaction does not take its start if its message has read an earlier clock');
$session->quit;

$node->stop;

# --- Pinned ---------------------------------------------------------------

$node = start_under_faketime('pinned', 'gid.node = 7');
$session = $node->background_psql('postgres');
mint($session, 'at first');
set_clock($node, -3600);
mint($session, 'an hour back', 5);
is(counts($session), '16|1|0', 'pinned: a step of an hour is counted once');
is($session->query($order), '0|0', 'pinned: ids increase, and no id is minted twice');
is( $session->query($steps),
	"at first|6|1|1\nan hour back|10|1|1",
	'pinned: the generator keeps its instant');
is($session->query('SELECT count(DISTINCT gid_medallion(id)), min(gid_node(id)) FROM minted'),
	'1|7', 'pinned: all ids have one medallion');
is( () = slurp_file($node->logfile) =~ /WARNING:  clock moved backwards by \d+\.\d+ s/g,
	1,
	'pinned: the step causes one warning');
$session->quit;

# --- Two servers, one 5 seconds behind the other ----------------------------

my $behind = $node;
my $ahead = start_under_faketime('ahead');
set_clock($behind, -5);
set_clock($ahead, 0);
my $receiver = $behind->background_psql('postgres');
my $sender = $ahead->background_psql('postgres');
my $last = '';
my $wrong = 0;
foreach my $message (1 .. 50)
{
	my $sent = $sender->query(q{SELECT gid_new('o')});

	# Observe in a new transaction, or in a transaction that has minted.
	$receiver->query(q{BEGIN; SELECT gid_new('o')}) if $message % 2;
	$receiver->query("SELECT gid_observe('$sent')");
	my $answer = $receiver->query(q{SELECT gid_new('o')});
	$receiver->query('COMMIT') if $message % 2;

	$wrong++ unless $answer gt $sent && $answer gt $last;
	$last = $answer;
	$sender->query("SELECT gid_observe('$answer')");
	$wrong++ unless $sender->query(q{SELECT gid_new('o')}) gt $answer;
}
is($wrong, 0, 'two servers: ids that are minted after gid_observe() are larger than the observed id');
is($receiver->query('SELECT clock_steps FROM gid_generator()'),
	'0', 'two servers: an observed id is not counted as a step');

set_clock($ahead, 3600);
my $sent = $sender->query(q{SELECT gid_new('o')});
my $before = $behind->safe_psql('postgres', 'SELECT clock_timestamp()');
my ($rc, $out, $err) = $behind->psql('postgres', "SELECT gid_observe('$sent')");
like($err, qr/ERROR:  gid "$sent" is too far ahead of the clock/,
	'two servers: an id too far ahead is rejected');
my ($made, $clock) = $err =~ /DETAIL:  Its time is (.*), the clock is at (.*), and /;
is( $behind->safe_psql('postgres',
		"SELECT timestamptz '$made' = gid_instant('$sent'), timestamptz '$clock' BETWEEN '$before' AND clock_timestamp()"),
	't|t',
	'two servers: the detail contains both times');
$_->quit foreach $receiver, $sender;
$_->stop foreach $behind, $ahead;

done_testing();
