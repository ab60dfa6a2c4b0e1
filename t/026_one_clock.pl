#!/usr/bin/perl
# Roles that own nothing cannot affect a server that preloads gid, or the sessions of
# other roles.  The second part tests the server's clock if the system's clock is wrong.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;
use FakeClock;

use IPC::Run ();

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
# With the default of gid.max_clock_skew, a slow machine would catch up with ids that are ahead.
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'gid'\nmax_prepared_transactions = 10\ngid.max_clock_skew = '10 min'\n");
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE shop');
$node->safe_psql($_, 'CREATE EXTENSION gid') foreach 'postgres', 'shop';
$node->safe_psql(
	'postgres', q{
	CREATE ROLE mallory LOGIN;
	CREATE ROLE alice LOGIN;
	CREATE ROLE monitor LOGIN IN ROLE pg_read_all_stats;
	CREATE TABLE event (id gid(e) PRIMARY KEY DEFAULT gid_new('e'));
	GRANT SELECT, INSERT ON event TO alice;
});
my $started = $node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()');
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
my $parallel = ($node->pg_version < 16 ? 'force_parallel_mode' : 'debug_parallel_query') . ' = on';

sub run_as
{
	my ($role, $statements, $database) = @_;
	my ($rc, $out, $err) = $node->psql($database // 'postgres', "\\set VERBOSITY verbose\n$statements", extra_params => [ '-U', $role ]);

	return "$out$err";
}

sub session_of
{
	my ($role, $database) = @_;

	return $node->background_psql($database // 'postgres', on_error_stop => 0, extra_params => [ '-U', $role ]);
}

# After an attack, the server must not have crashed, and its horizon must move.
sub is_unharmed
{
	my ($name) = @_;

	is($node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()'), $started, "$name: the server was not restarted");
	unlike(slurp_file($node->logfile), qr/was terminated by signal/, "$name: no process crashed");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM gid_unsettled()}), '0', "$name: nothing delays the horizon");
	is($node->safe_psql('postgres', q{INSERT INTO event DEFAULT VALUES;
		SELECT count(*) FROM event WHERE id >= gid_settled('e')}), '0', "$name: the horizon moves");
	return;
}

# --- Without a snapshot -----------------------------------------------------------

my $domain = q{CREATE DOMAIN pg_temp.d AS bigint CHECK (gid_settled('e') IS NOT NULL);};
my $no_snapshot = qr/ERROR:  55000: gid_settled\(\) requires a snapshot/;
like(run_as('mallory', "$domain DO \$\$ DECLARE v pg_temp.d; BEGIN $_ END \$\$"), $no_snapshot, "a domain is checked after $_")
  foreach 'COMMIT; GET DIAGNOSTICS v = ROW_COUNT;', 'ROLLBACK; GET DIAGNOSTICS v = ROW_COUNT;',
  'COMMIT; DECLARE w pg_temp.d; BEGIN NULL; END;', 'COMMIT AND CHAIN; DECLARE w pg_temp.d; BEGIN NULL; END;';
like(run_as('mallory', "$domain CREATE PROCEDURE pg_temp.p(INOUT v pg_temp.d) LANGUAGE plpgsql AS
		\$\$ BEGIN COMMIT; GET DIAGNOSTICS v = ROW_COUNT; END \$\$; CALL pg_temp.p(NULL)"),
	$no_snapshot, 'a domain is checked in a procedure that commits');
is_unharmed('without a snapshot');

# --- In a parallel worker ---------------------------------------------------------

# t/019_reference.pl calls the other functions there.
like(run_as('mallory', "SET gid.instant_source = $_; SET $parallel;
		CREATE FUNCTION pg_temp.f() RETURNS text LANGUAGE plpgsql PARALLEL SAFE AS \$\$ BEGIN RETURN gid_new('e'); END \$\$; SELECT pg_temp.f()"),
	qr/ERROR:  25000: cannot mint gids in a parallel worker.*PARALLEL RESTRICTED/s, "gid_new() in a parallel worker, $_") foreach 'transaction', 'clock';

# --- Every function, in every place where a function can be called ------------------

my %example = (
	text => q{'o'}, integer => '239', bigint => '7', boolean => 'true', uuid => q{'ef000000-0000-0000-0000-000000000000'},
	bytea => q{'\xb0000000000000000000000000000000'}, gid => q{gid 'A4KfAp7ios-43YaBsMaYc8FF'},
	'timestamp with time zone' => 'now()', tstzrange => 'tstzrange(now(), NULL)', interval => q{'1 day'}, regclass => q{'pg_class'}, name => q{'oid'}, 'gid[]' => q{'{}'});
my @calls = map { s/\(text,text\)/('o', '000000064B5E2-10000ABCDEF')/r =~ s/(?<=[(,])([a-z][^,)]*)(?=[,)])/$example{$1} \/\/ die "no example of $1"/ger } split /\n/, $node->safe_psql(
	'postgres', q{
	SELECT p.oid::regprocedure, proretset FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
	WHERE e.extname = 'gid' AND d.classid = 'pg_proc'::regclass AND prokind = 'f' AND proargtypes::text !~ '\m(2281|2275|1263)\M'
		AND prorettype <> 'internal'::regtype ORDER BY 1});
cmp_ok(scalar @calls, '>', 50, 'the test calls ' . @calls . ' functions');
my $script = q{\c shop
	SET client_min_messages = error; GRANT CREATE ON SCHEMA public TO mallory; SET ROLE mallory;
	CREATE TABLE many WITH (parallel_workers = 1) AS SELECT generate_series(1, 1000) AS n;
};
# COPY reads a file.  If its row were in the script and psql received an error before it
# sent the row, psql would execute the row as a statement.
my $row = PostgreSQL::Test::Utils::tempdir() . '/row';
append_to_file($row, "3\n");
foreach my $n (0 .. $#calls)
{
	my ($call, $is_set) = split /\|/, $calls[$n];
	my $workers = $call =~ /new|observe|settled|generator/ ? 1 : 0;	# to build the index of the table
	my $value = $is_set eq 't' ? "(SELECT count(*) FROM $call)::text" : "($call)::text";

	$script .= qq{
	CREATE FUNCTION f$n() RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS \$f\$ BEGIN RETURN $value; END \$f\$;
	CREATE DOMAIN d$n AS bigint CHECK (f$n() IS NOT NULL OR true);
	DO \$\$ DECLARE v d$n; BEGIN COMMIT; GET DIAGNOSTICS v = ROW_COUNT; END \$\$;
	DO \$\$ DECLARE v d$n; BEGIN v := 1; COMMIT; v := 2; ROLLBACK; v := 3; END \$\$;
	SET $parallel; SELECT f$n(); RESET ${\($parallel =~ s/ .*//r)};
	CREATE TABLE t$n (n d$n, v text DEFAULT f$n()) WITH (parallel_workers = $workers);
	CREATE FUNCTION trigger$n() RETURNS trigger LANGUAGE plpgsql AS \$f\$ BEGIN PERFORM f$n(); RETURN NULL; END \$f\$;
	CREATE CONSTRAINT TRIGGER c AFTER INSERT ON t$n DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION trigger$n();
	INSERT INTO t$n VALUES (1), (2);
\\copy t$n (n) from '$row'
	BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT f$n() FROM t$n; INSERT INTO t$n VALUES (4); COMMIT; FETCH ALL FROM c; CLOSE c;
	BEGIN; INSERT INTO t$n VALUES (5); PREPARE TRANSACTION 'p$n'; ROLLBACK PREPARED 'p$n';
	CREATE INDEX ON t$n ((f$n() || v)); ANALYZE t$n; REINDEX TABLE t$n; REINDEX TABLE CONCURRENTLY t$n; VACUUM FULL t$n;
	CREATE INDEX i$n ON many ((f$n() || n::text)); DROP INDEX IF EXISTS i$n;
	BEGIN; SET LOCAL statement_timeout = 1; SELECT f$n() FROM generate_series(1, 1000000); ROLLBACK; ROLLBACK;
	};
}
my ($rc, $out, $err) = $node->psql('postgres', $script, on_error_stop => 0);
my @unexpected = grep { /ERROR|error:/ && !/requires? a snapshot|in a parallel worker|statement timeout|permission denied|too far ahead|PREPARE|prepared|is aborted|cursor "c"|without an outer snapshot|cannot call COMMIT|shared_preload|skip support/ }
  split /\n/, $err;
is("@unexpected[0 .. ($#unexpected < 5 ? $#unexpected : 5)]", '', 'no unexpected errors');
is_unharmed('every function');

# --- An observed id affects only the session ----------------------------------------

my ($mallory, $alice) = (session_of('mallory'), session_of('alice'));
my $in_shop = session_of('alice', 'shop');
my $is_ahead = q{SELECT gid_instant(gid_new('e')) > clock_timestamp()};
my $early = q{SELECT gid_random('e', clock_timestamp() + interval '9.9 min')};
my $observed;
$_->query_safe($is_ahead) foreach $mallory, $alice, $in_shop;

sub observes
{
	$observed = $mallory->query_safe($early);
	$mallory->query_safe("SELECT gid_observe('$observed')");
	return;
}

sub leads_nobody
{
	my ($name) = @_;

	is($mallory->query_safe("SELECT gid_new('e') > '$observed'"), 't', "$name: the ids of the session are ahead");
	is(join(' ', map { $_->query_safe($is_ahead) } $alice, $in_shop, session_of('alice'), session_of('alice', 'shop')),
		'f f f f', "$name: the ids of other sessions are not ahead");
	return;
}

observes();
leads_nobody('after gid_observe()');
$mallory->query_safe(q{DO $$ BEGIN FOR i IN 1 .. 100 LOOP PERFORM gid_new('e'); COMMIT; END LOOP; END $$});
leads_nobody('after a thousand transactions of the session');
$mallory->query_safe('SET gid.instant_source = clock');
observes();
leads_nobody('with gid.instant_source = clock');
$mallory->query_safe(q{BEGIN; SELECT gid_new('e'); SELECT gid_settled('e'); SAVEPOINT s; SELECT gid_new('e'); ROLLBACK TO s; SELECT gid_new('e'); ROLLBACK});
leads_nobody('after a transaction that polls and is rolled back');
is(run_as('alice', q{INSERT INTO event DEFAULT VALUES; SELECT count(*) FROM event WHERE id >= gid_settled('e')}), '0', 'the horizon moves');

like(run_as('mallory', q{SELECT gid_observe_server(gid_random('e', now()))}), qr/ERROR:  42501: permission denied for function gid_observe_server/,
	'gid_observe_server(): denied to a role without EXECUTE');
$node->safe_psql('postgres', 'GRANT EXECUTE ON FUNCTION gid_observe_server(gid) TO monitor');
like(run_as('monitor', q{SELECT gid_observe_server(gid_random('e', now() + interval '11 min'))}), qr/ERROR:  22008: .* too far ahead of the clock/,
	'gid_observe_server(): an id beyond gid.max_clock_skew is rejected');
is(run_as('monitor', "SELECT gid_observe_server(($early)); $is_ahead"), "\nt", 'gid_observe_server(): a role with EXECUTE can call it');
is($in_shop->query_safe($is_ahead), 't', 'gid_observe_server(): affects all databases');

# --- The cost of gid_settled(), with many transactions ------------------------------

# Mallory nests savepoints.  The insert of another role is between their xids, so some of
# the xids are above the xmax of a snapshot, and some below.
my $lookups = q{SELECT pg_stat_force_next_flush(); SELECT blks_hit + blks_read FROM pg_stat_slru WHERE name ~* '^subtrans'};
my $nested = 'SAVEPOINT s\; INSERT INTO pg_temp.own VALUES (1)\; ';	# one message to the server
my $deep = session_of('mallory');
$deep->query_safe('CREATE TEMP TABLE own (n int); BEGIN; INSERT INTO own VALUES (1)');
$deep->query_safe($nested x 5000 . 'SELECT');
run_as('alice', 'INSERT INTO event DEFAULT VALUES');
$deep->query_safe($nested x 500 . 'SELECT');
my $asks = session_of('alice');
my ($read_before) = $asks->query_safe($lookups) =~ /(\d+)$/;
$asks->query_safe(q{SELECT gid_settled('e')}) foreach 1 .. 10;
my ($read_after) = $asks->query_safe($lookups) =~ /(\d+)$/;
cmp_ok($read_after - $read_before, '<=', 10 * 1100, 'nested savepoints of another role: a call reads pg_subtrans about a thousand times at most');
is(run_as('alice', q{INSERT INTO event DEFAULT VALUES; SELECT count(*) FROM event WHERE id >= gid_settled('e')}), '0',
	'nested savepoints of another role: the horizon moves');
# No transaction ends, so each call checks all these savepoints.
$deep->query_safe("ROLLBACK; BEGIN; $nested SELECT");
my $horizon = $asks->query_safe(q{SELECT gid_settled('e')});
$deep->query_safe($nested x 900 . 'SELECT');
$horizon = $asks->query_safe(q{SELECT gid_settled('e')});
is($asks->query_safe(qq{SELECT gid_settled('e') > '$horizon'}), 't', '900 nested savepoints of another role: the horizon moves while no transaction ends');
$_->quit foreach $deep, $asks;

# --- A role cannot keep the server ahead of the clock -------------------------------

$node->safe_psql('postgres', "SELECT gid_observe_server(($early))");
$node->safe_psql('postgres', q{CREATE TABLE lead AS SELECT gid_instant(gid_settled('e')) AS horizon, clock_timestamp() AS clock});
my @busy = map {
	IPC::Run::start(
		[ 'psql', '-XAtq', '-U', 'mallory', '-d', $node->connstr('postgres') ],
		'<', \qq{DO \$\$ DECLARE began timestamptz := clock_timestamp(); BEGIN
			WHILE clock_timestamp() < began + interval '0.5 s' LOOP PERFORM $_; COMMIT; END LOOP; END \$\$},
		'>', '/dev/null', '2>', \my $err)
} (q{gid_new('e')}) x 3, (q{gid_settled('e')}) x 3;
ok(!(grep { !IPC::Run::finish($_) } @busy), 'three sessions mint and three call gid_settled(), as fast as they can');
is($node->safe_psql('postgres', q{
		SELECT CASE WHEN l.horizon > l.clock AND (n.horizon - l.horizon < (n.clock - l.clock) / 2 OR n.horizon <= n.clock)
			THEN 'decreases' ELSE (l, n)::text END
		FROM lead l, (SELECT gid_instant(gid_settled('e')) AS horizon, clock_timestamp() AS clock) n}),
	'decreases', 'the lead of the server decreases by at least half of the elapsed time');
is($node->safe_psql('postgres', q{SELECT gid_settled('e') AS horizon \gset
	\connect
	SELECT gid_new('e') AS id \gset
	\connect
	SELECT gid_instant(gid_new('e')) - gid_instant(:'horizon') < '1 ms'}), 't', 'new sessions raise the floor by microseconds while it is ahead of the clock');
$_->quit foreach $mallory, $alice, $in_shop;

# --- The order of transactions while the server is ahead of the clock ---------------

$node->safe_psql('postgres', "SELECT gid_observe_server(($early))");
my $last = run_as('alice', q{BEGIN;
	DO $$ BEGIN
		FOR i IN 1 .. 2000 LOOP
			SET gid.instant_source = clock; PERFORM gid_new('e');
			SET gid.instant_source = transaction; PERFORM gid_new('e');
		END LOOP;
	END $$;
	SELECT gid_new('e'); COMMIT});
is(run_as('mallory', "SELECT gid_new('e') > '$last', gid_instant('$last') > now()"), 't|t',
	'transactions after a transaction with many instants get later ids');

# --- gid_unsettled does not reveal more than PostgreSQL ---------------------------

$alice = session_of('alice');
$alice->query_safe(q{BEGIN; INSERT INTO event DEFAULT VALUES});
my $pid = $alice->query_safe('SELECT pg_backend_pid()');
$node->safe_psql('postgres', 'REVOKE SELECT ON pg_database, pg_prepared_xacts FROM PUBLIC');
my $shown = q{SELECT u.pid, u.since IS NOT NULL, a.xact_start IS NOT NULL FROM gid_unsettled() u JOIN pg_stat_activity a USING (pid)};
is(run_as('mallory', $shown), "$pid|f|f", 'gid_unsettled: shows no more of other roles than pg_stat_activity');
is(run_as($_, $shown), "$pid|t|t", "gid_unsettled: shows $_ when the transaction began") foreach 'alice', 'monitor', $superuser;
$alice->query_safe(q{PREPARE TRANSACTION 'of alice'});
$shown = q{SELECT u.pid, u.prepared_name, u.since <> p.prepared, u.database FROM gid_unsettled() u JOIN pg_prepared_xact() p ON p.gid = u.prepared_name};
is(run_as('mallory', $shown), '|of alice||postgres', 'gid_unsettled: shows no more of prepared transactions than pg_prepared_xact()');
is(run_as($_, $shown), '|of alice|t|postgres', "gid_unsettled: shows $_ the first id of a prepared transaction") foreach 'alice', 'monitor', $superuser;
$alice->query_safe(q{ROLLBACK PREPARED 'of alice'});
$alice->quit;

# --- Pinned: the next session with the same slot ----------------------------------------------

$node->append_conf('postgresql.conf', "gid.node = 5\n");
$node->restart;
is(run_as('mallory', "SELECT gid_observe(($early)); SELECT gid_node(gid_new('e')); $is_ahead"), "\n5\nt", 'pinned: a session is ahead') foreach 1 .. 5;
is(run_as('alice', $is_ahead), 'f', 'pinned: the next session with its slot is not ahead') foreach 1 .. 5;
$node->stop;

# --- A clock that steps ---------------------------------------------------------------

SKIP:
{
	skip 'faketime is not installed', 23 unless $FakeClock::library;

	$node->append_conf('postgresql.conf', "gid.node = -1\ngid.max_clock_skew = '10 s'\nautovacuum = off\nlog_statement = none\n");
	FakeClock::set($node, 0);
	FakeClock::restart($node);
	$node->safe_psql('postgres', q{DROP TABLE event; CREATE TABLE event (id gid(e) DEFAULT gid_new('e'), n int)});
	my $at = sub { my ($minutes) = @_; FakeClock::set($node, 60 * $minutes); return };
	my $session = sub {
		my $s = $node->background_psql('postgres');
		$s->query_safe($_) foreach @_;
		return $s;
	};

	my $pin = sub {
		my ($number) = @_;
		$node->append_conf('postgresql.conf', "gid.node = $number\n");
		$node->reload;
		$node->poll_query_until('postgres', 'SHOW gid.node', $number) or die 'the node did not change';
		return;
	};

	# The clock is set back twice in one transaction, and gid_settled() is called in between.
	foreach my $mode ('clock', 'transaction')
	{
		my $base = $mode eq 'clock' ? 600 : 1200;
		$at->($base + 60);
		my $writer = $session->("SET gid.instant_source = $mode", 'SET gid.max_clock_skew = 0', 'BEGIN', 'INSERT INTO event (n) VALUES (1)');
		$at->($base + 30);
		my $horizon = $node->safe_psql('postgres', q{SELECT gid_settled('e')});
		foreach ([ 0, 2 ], [ 40, 3 ], [ 10, 4 ])
		{
			$at->($base + $_->[0]);
			$writer->query_safe("INSERT INTO event (n) VALUES ($_->[1])");
		}
		$writer->query_safe('COMMIT');
		is($node->safe_psql('postgres', "SELECT count(*) FILTER (WHERE id < '$horizon'), count(*) FROM event"),
			'0|4', "$mode: no id is below a horizon that was returned while its transaction ran");
		$node->safe_psql('postgres', 'TRUNCATE event');
		$writer->quit;
	}

	# A small step: the next id is larger than committed ids.
	$at->(3000);
	my $writer = $session->('SET gid.instant_source = clock', 'BEGIN', 'INSERT INTO event (n) VALUES (1)');
	FakeClock::set($node, 60 * 3000 + 3);
	$writer->query_safe('INSERT INTO event (n) VALUES (2)');
	$writer->query_safe('COMMIT');
	FakeClock::set($node, 60 * 3000 + 1);
	$writer->query_safe(q{SET gid.instant_source = transaction; DO $$ BEGIN FOR i IN 1 .. 2000 LOOP PERFORM gid_new('e'); COMMIT; END LOOP; END $$});
	my $held = $writer->query_safe(q{SELECT gid_new('e')});
	is($node->safe_psql('postgres', "SELECT gid_new('e') > '$held'"), 't', 'a small step: a new session mints later ids than 2,000 transactions of another');
	is($node->safe_psql('postgres', q{SELECT bool_and(gid_new('e') > id) FROM event}), 't', 'a small step: a new session mints later ids than a session that used the clock');
	$writer->quit;

	# A large step back, after a session was slightly ahead of the last gid_settled().
	foreach my $number (-1, 7)
	{
		$pin->($number);
		$at->(3600 + 100 * ($number + 1));
		$node->safe_psql('postgres', q{TRUNCATE event; SELECT gid_settled('e')});
		my $ahead = $session->('SET client_min_messages = error', 'INSERT INTO event (n) VALUES (1)');
		$at->(3500 + 100 * ($number + 1));
		$ahead->query_safe('INSERT INTO event (n) VALUES (2)') foreach 1 .. 10;
		$node->safe_psql('postgres', 'INSERT INTO event (n) VALUES (3)');
		is($node->safe_psql('postgres', q{SELECT gid_settled('e') \g /dev/null
			SELECT count(*), count(*) FILTER (WHERE id >= gid_settled('e')) FROM event}), '12|0', "node $number: after a large step back, the rows settle");
		is($node->safe_psql('postgres', 'SELECT count(DISTINCT gid_medallion(id)) FROM event WHERE n = 2'), '1', "node $number: the step is followed once");
		$ahead->quit;
	}
	$pin->(-1);

	# The clock is ten years ahead, and then right again.
	$at->(4000);
	$pin->(7);
	FakeClock::set($node, 86400 * 3650);
	my $wrong = $session->('SET client_min_messages = error', q{SELECT gid_new('e')});
	$at->(5000);
	$wrong->query_safe(q{DO $$ BEGIN FOR i IN 1 .. 100 LOOP PERFORM gid_new('e'); COMMIT; END LOOP; END $$});
	is($wrong->query_safe(q{SELECT gid_instant(gid_new('e')) > now() + interval '9 years'}), 't', 'pinned: a session keeps the instant of a wrong clock');
	is($node->safe_psql('postgres', q{SELECT gid_instant(gid_new('e')) <= clock_timestamp()}), 't', 'pinned: other sessions do not follow this session');
	is($node->safe_psql('postgres', q{SELECT gid_instant(gid_settled('e')) <= clock_timestamp()}), 't', 'pinned: the horizon does not follow this session');
	like(slurp_file($node->logfile), qr/HINT:  When the clock is right, restart the server/, 'pinned: the warning has a hint');
	$wrong->quit;

	# A session gives up its pinned medallion, and uses it again.
	FakeClock::restart($node);
	$at->(6000);
	my $turn = sub {
		my ($s, $number, $minutes) = @_;
		$at->($minutes);
		$pin->($number);
		foreach (1 .. 100 * $PostgreSQL::Test::Utils::timeout_default)
		{
			last if $s->query('SHOW gid.node') eq $number;
			select undef, undef, undef, 0.01;
		}
		return $s->query_safe(q{SELECT gid_medallion(id) || ' ' || gid_instant(id) FROM gid_new('e') id});
	};
	my $turns = $session->('SET client_min_messages = error', q{SELECT gid_new('e')});
	my @pinned = ($turn->($turns, 7, 6060), $turn->($turns, -1, 6000), $turn->($turns, 7, 6060));
	isnt($pinned[2], $pinned[0], 'pinned, unpinned, and pinned again: the session uses another instant');
	$turns->quit;

	# A session starts after the earlier session with its slot.
	$at->(6100);
	my $earlier = $node->safe_psql('postgres', q{SELECT gid_new('e')});
	$at->(6000);
	my $next = '';
	foreach (1 .. 500)    # starting with PostgreSQL 16, a free slot is used after all others
	{
		$next = $node->safe_psql('postgres', "SELECT gid_medallion(id) = gid_medallion('$earlier'), id > '$earlier' FROM gid_new('e') id");
		last if $next =~ /^t/;
	}
	is($next, 't|t', 'pinned: the next session with the same slot mints later ids, although the clock was set back');

	# After a wrong clock and a restart, gid_observe_server() helps for any lead.
	$pin->(-1);
	FakeClock::set($node, 0);
	FakeClock::restart($node);
	FakeClock::set($node, 7200);
	my $cancelled = $node->background_psql('postgres', on_error_stop => 0);
	$cancelled->query_safe(q{SELECT gid_new('e')});
	FakeClock::set($node, 0);
	$cancelled->query(q{SELECT pg_cancel_backend(pg_backend_pid()), gid_new('e')});
	my $medallion = $cancelled->query('SELECT medallion FROM gid_generator()');
	is($cancelled->query("SELECT gid_medallion(id) = $medallion, gid_instant(id) <= clock_timestamp() FROM gid_new('e') id"), 't|t',
		'a session follows a step once, also if the query that detected the step is cancelled');
	$cancelled->quit;
	FakeClock::set($node, 0, time);
	$node->psql('postgres', q{DO $$ BEGIN FOR i IN 1 .. 100 LOOP PERFORM gid_new('e'); COMMIT; END LOOP; END $$},
		timeout => $PostgreSQL::Test::Utils::timeout_default, timed_out => \my $waits);
	ok(!$waits, 'transactions do not wait for a clock that stands');
	FakeClock::set($node, 86400 * 400);
	$node->safe_psql('postgres', 'INSERT INTO event DEFAULT VALUES');
	my $cursor = $node->safe_psql('postgres', q{SELECT gid_settled('e')});
	FakeClock::set($node, 0);
	FakeClock::restart($node);
	is($node->safe_psql('postgres', "SELECT gid_new('e') > '$cursor'"), 'f', 'after a restart, the server no longer uses the time of a wrong clock');
	$node->safe_psql('postgres', "SET gid.max_clock_skew = '500d'; SELECT gid_observe_server('$cursor')");
	is($node->safe_psql('postgres', "SELECT gid_new('e') > '$cursor'"), 't', 'after gid_observe_server() with the newest cursor, new ids are larger');
	$node->stop;
}

done_testing();
