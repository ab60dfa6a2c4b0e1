#!/usr/bin/perl
# Tests gid_settled() and gid_unsettled with single statements.  check/torture.pl tests
# them under load.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use IPC::Run ();

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "max_prepared_transactions = 10\nmax_connections = 120\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');
my (undef, undef, $message) = $node->psql('postgres', "\\set VERBOSITY verbose\nSELECT gid_settled('e')");
like($message, qr/ERROR:  55000: gid must be loaded via "shared_preload_libraries"/, 'not preloaded: gid_settled() raises an error');
like($message, qr/HINT:  Add gid to "shared_preload_libraries" and restart the server\./, 'not preloaded: the error has a hint');
is($node->safe_psql('postgres', 'SELECT count(*) FROM gid_unsettled()'), '0', 'not preloaded: gid_unsettled returns no rows');

# A library that is preloaded later, and does not call the hooks of earlier ones.
my ($includes) = run_command([ $ENV{PG_CONFIG}, '--includedir-server' ]);
append_to_file("$work/unchained.c", q{
	#include "postgres.h"
	#include "fmgr.h"
	#include "storage/ipc.h"
	PG_MODULE_MAGIC;
	static void start(void) {}
	void _PG_init(void) { shmem_startup_hook = start; }
});
must_run('gcc', qw(-fPIC -shared), "-I$includes", '-o', "$work/unchained.so", "$work/unchained.c");
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'gid, $work/unchained.so'\n");
$node->restart;
is($node->safe_psql('postgres', q{CREATE TABLE unchained AS SELECT gid_new('e'); SELECT count(*) FROM unchained}), '1', 'memory is missing: gid_new() works');
(undef, undef, $message) = $node->psql('postgres', "\\set VERBOSITY verbose\nSELECT gid_settled('e')");
like($message, qr/ERROR:  55000: gid must be loaded/, 'memory is missing: gid_settled() raises an error');

$node->append_conf('postgresql.conf', "shared_preload_libraries = 'gid'\n");
$node->restart;
$node->safe_psql(
	'postgres', q{
	CREATE TABLE event (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), n int);
	CREATE TABLE other (n int);
	CREATE FUNCTION settled() RETURNS SETOF int LANGUAGE sql STABLE
	AS $$ SELECT n FROM event WHERE id < gid_settled('e') ORDER BY id $$;
});

sub session { return $node->background_psql('postgres', on_error_stop => 0) }

# One session inserts single rows, and another one polls.
my ($inserter, $poller) = (session(), session());
sub insert { return $inserter->query_safe("INSERT INTO event (n) VALUES ($_[0])") }
sub settled { return $poller->query_safe(q{SELECT string_agg(n::text, ' ' ORDER BY id) FROM event WHERE id < gid_settled('e')}) }

# --- Consecutive transactions ---------------------------------------------

insert(1);
is(settled(), '1', 'committed rows are below the horizon');
is($node->safe_psql('postgres', q{SELECT gid_kind(gid_settled('log')), gid_settled('200')::uuid < gid_settled('a')::uuid, gid_settled(NULL::text) IS NULL}),
	'log|t|t', 'the horizon works for a kind by name and by number');
is($node->safe_psql('postgres', q{SELECT gid_instant(gid_settled('e')) >= now()}),
	't', 'on an idle server the horizon is at the clock');
(undef, undef, $message) = $node->psql('postgres', q{SELECT gid_settled('blob')});
like($message, qr/gid kind: "blob"/, 'an unknown kind is an error');

# --- A transaction that began earlier and commits later -------------------

my $slow = session();
$slow->query_safe('BEGIN');
$slow->query_safe('INSERT INTO event (n) VALUES (2)');
insert(3);
is(settled(), '1', 'an open transaction with an earlier id delays the horizon');
is($node->safe_psql('postgres', q{SELECT string_agg(n::text, ' ' ORDER BY id) FROM event WHERE id < now()}),
	'1 3', 'without the horizon a poller would miss the row');
is($node->safe_psql('postgres', q{SELECT count(*), bool_and(a.query ~ 'INSERT' AND since <= now() AND prepared_name IS NULL)
	FROM gid_unsettled() u JOIN pg_stat_activity a USING (pid)}), '1|t', 'gid_unsettled shows the backend that delays the horizon');
is($slow->query_safe(q{SELECT count(*) FROM event WHERE id < gid_settled('e')}), '1', 'a transaction delays its own horizon, too');
$slow->query_safe('COMMIT');
is(settled(), '1 2 3', 'after its commit both rows are below the horizon, in id order');

$slow->query_safe('BEGIN');
$slow->query_safe('SAVEPOINT s');
$slow->query_safe('INSERT INTO event (n) VALUES (4)');
$slow->query_safe('ROLLBACK TO s');
insert(5);
is(settled(), '1 2 3', 'a savepoint that minted and was rolled back delays the horizon');
$slow->query_safe('ROLLBACK');
is(settled(), '1 2 3 5', 'a transaction that was rolled back does not delay the horizon');

# --- Transactions that do not delay the horizon ---------------------------

$slow->query_safe('BEGIN');
$slow->query_safe('INSERT INTO other VALUES (1)');
insert(6);
is(settled(), '1 2 3 5 6', 'a long writer that has minted nothing does not delay the horizon');
$slow->query_safe('COMMIT');

# A poller that never commits, on a server where no transaction gets an xid any more.
$slow->query_safe('BEGIN');
$slow->query_safe("SELECT gid_new('e')");
insert(17);
$poller->query_safe('BEGIN');
is(settled(), '1 2 3 5 6', 'a poller in a long transaction: an open transaction that has only minted delays the horizon');
$slow->query_safe('COMMIT');
is(settled(), '1 2 3 5 6 17', 'a poller in a long transaction: the next statement has its own horizon for the same snapshot');
$poller->query_safe('COMMIT');
$node->safe_psql('postgres', 'DELETE FROM event WHERE n = 17');

$slow->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ');
$slow->query_safe('SELECT count(*) FROM event');
insert(7);
is(settled(), '1 2 3 5 6 7', 'a long reader does not delay the horizon');

# --- Snapshots ------------------------------------------------------------

is($slow->query_safe(q{SELECT string_agg(n::text, ' ' ORDER BY id) FROM event WHERE id < gid_settled('e')}),
	'1 2 3 5 6', 'REPEATABLE READ: the horizon belongs to the snapshot');
insert(8);
is($slow->query_safe(q{SELECT count(*) FROM event WHERE id >= gid_settled('e')}),
	'0', 'REPEATABLE READ: no visible row is above the horizon');
my $exported = $slow->query_safe('SELECT pg_export_snapshot()');
my $importer = session();
$importer->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ');
$importer->query_safe("SET TRANSACTION SNAPSHOT '$exported'");
is($importer->query_safe('SELECT count(*) FROM settled()'), '5', 'an imported snapshot has its own horizon');
$_->query_safe('COMMIT') foreach $slow, $importer;

# Makes so many calls that gid_settled() must remove samples.  It can store 600, and adds
# one for each call, because the calls are more than 1 ms apart.  Before the calls, a
# transaction is prepared that has minted nothing, and its end is no longer recorded.
my $known = $node->safe_psql('postgres', q{
	SELECT gid_instant(gid_settled('e'));
	BEGIN; INSERT INTO other VALUES (0); PREPARE TRANSACTION 'idle';
	INSERT INTO other SELECT 0; INSERT INTO other SELECT 0; INSERT INTO other SELECT 0});
$slow->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ');
$slow->query_safe('SELECT count(*) FROM event');
$node->safe_psql(
	'postgres', q{
	CREATE PROCEDURE ask(times int) LANGUAGE plpgsql AS $$
	BEGIN
		FOR i IN 1 .. times LOOP
			INSERT INTO other VALUES (i);
			PERFORM gid_settled('e'), pg_sleep(0.001);
			COMMIT;
		END LOOP;
	END $$;
	CREATE TABLE later (id gid(e) DEFAULT gid_new('e'));
	CALL ask(1);
	INSERT INTO later VALUES (DEFAULT);
	CALL ask(700)});
my $old = $slow->query_safe(q{SELECT gid_settled('e')});
isnt($old, '', 'an old snapshot has a horizon after many calls');
is($node->safe_psql('postgres', "SELECT count(*) FROM later WHERE id < '$old'"), '0', 'no row that the snapshot does not see is below its horizon');
$slow->query_safe('COMMIT');
is($node->safe_psql('postgres', "SELECT gid_instant(h) >= '$known'::timestamptz - (now() - '$known') / 8 - interval '2 ms', (SELECT count(*) FROM later WHERE id < h) FROM gid_settled('e') h"),
	't|0', 'a prepared transaction that has minted nothing delays the horizon in proportion to its age');
$node->safe_psql('postgres', q{COMMIT PREPARED 'idle'});
is($node->safe_psql('postgres', q{SELECT count(*) FROM later WHERE id < gid_settled('e')}), '1', 'rows that the snapshot does not see are below the horizon of others');

# A cursor keeps its horizon, also after other commits and calls of gid_settled().
$slow->query_safe('BEGIN');
$slow->query_safe(q{DECLARE c CURSOR FOR SELECT n FROM event WHERE id < gid_settled('e') ORDER BY id});
is($slow->query_safe('FETCH 2 FROM c'), "1\n2", 'a cursor: it returns its first rows');
foreach my $n (9, 10)
{
	insert($n);
	is($slow->query_safe('SELECT max(n) FROM settled() n'), $n, "a cursor: another statement reads up to $n");
}
is($slow->query_safe('FETCH ALL FROM c'), "3\n5\n6\n7\n8", 'a cursor: it reads up to its own horizon');
$slow->query_safe('COMMIT');

# While a transaction is being prepared, it is in the process array twice, and therefore
# also in snapshots.
my ($writer, $prepared, $reader) = map { session() } 1 .. 3;
my $both = q{(SELECT gid_settled('e')) || ' ' || (SELECT count(*) FROM event WHERE id < (SELECT gid_settled('e')))};
$writer->query_safe('BEGIN; INSERT INTO event (n) VALUES (100)');
$prepared->query_safe('BEGIN; INSERT INTO other VALUES (1)');
$node->safe_psql('postgres', 'INSERT INTO other VALUES (2)');
$reader->query_safe("BEGIN; DECLARE c CURSOR FOR SELECT $both");
$writer->query_safe('COMMIT');
$node->safe_psql('postgres', q{ALTER SYSTEM SET synchronous_standby_names = 'nobody'});
$node->reload;
$node->poll_query_until('postgres', 'SHOW synchronous_standby_names', 'nobody') or die;
$node->safe_psql('postgres', 'CHECKPOINT');	# transactions wait after the checkpointer has read it, too
$prepared->query_until(qr/^/, "PREPARE TRANSACTION 'twice';\n");
$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'}) or die;
my $newer = $reader->query_safe("SELECT $both");
my ($older) = $reader->query_safe('FETCH c') =~ /^(\S+)/;
$node->safe_psql('postgres', 'ALTER SYSTEM RESET synchronous_standby_names');
$node->reload;
$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_prepared_xacts}) or die;
is($node->safe_psql('postgres', qq{SELECT count(*) FILTER (WHERE id < '$older'), count(*) FROM event WHERE n = 100;
	SET synchronous_commit = local; ROLLBACK PREPARED 'twice'; DELETE FROM event WHERE n = 100}),
	'0|1', 'a cursor: its horizon is below invisible rows, also while a transaction is being prepared');
isnt($older, $newer =~ s/ .*//r, 'the horizon of a cursor is not that of a newer snapshot');
$_->quit foreach $writer, $prepared, $reader;

# --- Parallel plans --------------------------------------------------------

$node->safe_psql(
	'postgres', q{
	CREATE TABLE scanned (id gid(e) DEFAULT gid_new('e'), n int);
	INSERT INTO scanned (n) SELECT n FROM generate_series(1, 1000) n;
	ANALYZE scanned;
});
is($node->safe_psql('postgres', q{
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
	SELECT count(*) FROM event WHERE id < (SELECT gid_settled('e'))}), '9', 'gid_settled() works in a subquery, with parallel workers');
my $leader = session();
my ($first, $explained) = $leader->query_safe(q{
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET min_parallel_index_scan_size = 0;
	BEGIN; INSERT INTO event (n) VALUES (0) RETURNING id;
	EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT count(*) FROM scanned}) =~ /^(\S+)\n(.*)/s;
is($node->safe_psql('postgres', "SELECT gid_settled('e') <= '$first'"), 't', 'a parallel worker that ends does not end the claim of its leader');
like($explained, qr/Workers Launched: [1-9]/, 'there was a parallel worker');
$leader->quit;

# --- Prepared transactions ------------------------------------------------

my $first_id = $node->safe_psql('postgres', q{
	BEGIN; INSERT INTO event (n) VALUES (11) RETURNING gid_instant(id); SELECT pg_sleep(0.01) \g /dev/null
	PREPARE TRANSACTION 'held'});
insert(12);
is(settled(), '1 2 3 5 6 7 8 9 10', 'a prepared transaction delays the horizon');
my ($alert) = slurp_file("$tree/doc/operations.md") =~ /^(SELECT [^;]* AS behind\b[^;]*);/m or die;
my $alerts = "SELECT count(*) FROM ($alert) alert";
is($node->safe_psql('postgres', $alerts =~ s/1 minute/1 us/r), '1', 'the query of doc/operations.md returns a row if the horizon is behind');
is($node->safe_psql('postgres', $alerts), '0', 'and none if it is less behind than the limit');
is($node->safe_psql('postgres', 'SELECT pid IS NULL, since, prepared_name, database FROM gid_unsettled()'),
	"t|$first_id|held|postgres", 'gid_unsettled shows the first id, the name and the database of the prepared transaction');
$node->safe_psql('postgres', 'INSERT INTO other VALUES (2)') foreach 1 .. 10;
is(settled(), '1 2 3 5 6 7 8 9 10', 'the prepared transaction still delays the horizon after its backend ended other transactions');
my $stops_at = $node->safe_psql('postgres', q{SELECT 'held', gid_instant(gid_settled('e'))});
is($node->safe_psql('postgres', 'SELECT prepared_name, since FROM gid_unsettled()'),
	$stops_at, 'gid_unsettled still shows its name, and where it stops the horizon');
$node->safe_psql('postgres', q{COMMIT PREPARED 'held'});
is(settled(), '1 2 3 5 6 7 8 9 10 11 12', 'after COMMIT PREPARED the horizon is not delayed');
$node->safe_psql('postgres', q{BEGIN; INSERT INTO event (n) VALUES (13); PREPARE TRANSACTION 'over restart'});
$node->restart;
($inserter, $poller) = (session(), session());
my $page = slurp_file("$tree/doc/settled.md");
is($node->safe_psql('postgres', q{SELECT gid_settled('e') IS NULL}), 't', 'after a restart the horizon is NULL while an older prepared transaction exists');
is($node->safe_psql('postgres', $alerts), '1', 'and the query of doc/operations.md returns a row');
is($node->safe_psql('postgres', 'SELECT prepared_name, since FROM gid_unsettled()'), 'over restart|', 'gid_unsettled shows that prepared transaction');
$node->safe_psql('postgres', q{ROLLBACK PREPARED 'over restart'});
insert(14);
is(settled(), '1 2 3 5 6 7 8 9 10 11 12 14', 'after COMMIT PREPARED the horizon is known');

# --- Cursors of two kinds that are ahead of the clock -----------------------

# The clock is behind the cursor of the lower kind, as after a failover.
my ($waits) = $page =~ /^(SELECT pg_sleep_until.*?)^```/ms or die;
my ($observes) = $page =~ /^(BEGIN;\nSET LOCAL gid\.max_clock_skew.*?)^```/ms or die;
foreach ([ '1 s', $waits ], [ '9 s', $observes ])
{
	my ($ahead, $recipe) = @$_;
	my $early = session();

	$node->safe_psql('postgres', 'DROP TABLE IF EXISTS cursors; CREATE TABLE cursors (consumer text, shard int, position gid NOT NULL)');
	$node->safe_psql('postgres', $recipe);
	$early->query_safe('BEGIN');
	my $above = q{gid_new('e') > (SELECT position FROM cursors WHERE consumer = 'of events')};
	is($node->safe_psql('postgres', qq{INSERT INTO cursors VALUES ('new', -1, gid_lower_bound('z', '-infinity')),
		('of events', -1, gid_random('e', clock_timestamp() + '$ahead')), ('of orders', -1, gid_random('o', clock_timestamp()));
		SELECT $above}), 'f', "cursors ahead by $ahead: a new id is smaller");
	$node->safe_psql('postgres', $recipe);
	is($node->safe_psql('postgres', "SELECT $above") . $early->query_safe("SELECT $above"), 'tt', "cursors ahead by $ahead: after the recipe of the page, all new ids are larger");
	$early->quit;
}

# --- The worker in SQL -------------------------------------------------------

# What another consumer deletes after the cursor is locked leaves an empty batch.
my ($takes, $reads) = $page =~ /^(SELECT coalesce\(gid_settled.*?SKIP LOCKED \\gset\n)(.*?^COMMIT;\n)/ms or die;
my $worker = session();
$node->safe_psql('postgres', q{
	CREATE TABLE events (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), account int, amount int, balance int, shard int DEFAULT 0);
	INSERT INTO events DEFAULT VALUES;
	TRUNCATE cursors;
	INSERT INTO cursors VALUES ('by sql', 0, gid_lower_bound('e', '-infinity'))});
$worker->query_safe($takes);
$node->safe_psql('postgres', 'DELETE FROM events');
is($worker->query_safe($reads), '', 'the worker in SQL: a batch can be empty');
$node->safe_psql('postgres', 'INSERT INTO events DEFAULT VALUES');
isnt($worker->query_safe("$takes$reads"), '', 'the worker in SQL: it reads the next rows');
is($node->safe_psql('postgres', 'SELECT count(*) FROM events, cursors WHERE id = position'), '1', 'the worker in SQL: it moves the cursor');
$worker->quit;

# --- gid_observe_server() -------------------------------------------------

my @sessions = map { session() } 1 .. 3;
$_->query_safe("SELECT gid_new('e')") foreach @sessions;
my $ahead = $sessions[0]->query_safe(q{SELECT id FROM gid_random('e', now() + interval '9 s') id, gid_observe_server(id)});
my @ids = map { scalar $_->query_safe("SELECT gid_new('e')") } @sessions, session();
is($node->safe_psql('postgres', "SELECT bool_and(id::gid > '$ahead'), array_agg(id ORDER BY n) = array_agg(id ORDER BY id)
	FROM unnest('{" . join(',', @ids) . "}'::text[]) WITH ORDINALITY i (id, n)"),
	't|t', 'after gid_observe_server() all sessions mint later ids, in one order');
is($node->safe_psql('postgres', 'SELECT clock_steps FROM gid_generator()'), '0', 'gid_observe_server() is not counted as a step of the clock');
insert(15);
is(settled(), '1 2 3 5 6 7 8 9 10 11 12 14 15', 'the horizon covers ids that are ahead of the clock');
$sessions[0]->query_safe('BEGIN');
$ahead = $sessions[0]->query_safe(q{SELECT o.id FROM gid_new('e') first, gid_random('e', now() + interval '9 s') o (id), gid_observe_server(o.id)});
is($sessions[0]->query_safe("SELECT gid_new('e') > '$ahead'"), 't', 'gid_observe_server() also affects a transaction of the session that has minted');
$sessions[0]->query_safe('COMMIT');
$_->quit foreach @sessions, $slow, $importer;

# --- Shared memory ----------------------------------------------------------

my ($kilobytes) = slurp_file("$tree/doc/operations.md") =~ /Preloading requires (\d+) kB of shared memory, and 128 bytes for each backend/;
my $fixed = $node->safe_psql('postgres', q{
	SELECT (SELECT sum(size) FROM pg_shmem_allocations WHERE name LIKE 'gid %') - 128 * (2 + sum(setting::int)) FROM pg_settings
	WHERE name IN ('max_connections', 'max_worker_processes', 'max_wal_senders',
		CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'autovacuum_max_workers' ELSE 'autovacuum_worker_slots' END)});
cmp_ok(abs($fixed / 1024 - $kilobytes), '<', 0.6, 'the shared memory is what doc/operations.md says');

# --- A command that is not MVCC-safe ----------------------------------------

# It holds a partition, with half of the rows, when the poll begins.
$node->safe_psql('postgres', q{
	CREATE TABLE halves (id gid(e) DEFAULT gid_new('e'), half int) PARTITION BY LIST (half);
	CREATE TABLE half_0 PARTITION OF halves FOR VALUES IN (0);
	CREATE TABLE half_1 PARTITION OF halves FOR VALUES IN (1);
	INSERT INTO halves SELECT gid_new('e'), n % 2 FROM generate_series(1, 20) n;
	CREATE FUNCTION reads(horizon gid) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT count(*) FROM halves WHERE id < horizon); END';
	CREATE FUNCTION sees(horizon gid) RETURNS bigint STABLE LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT count(*) FROM halves WHERE id < horizon); END'});
foreach ([ 'a plain statement', 'SELECT count(*) FROM halves WHERE id < :horizon', '20' ], [ 'a VOLATILE function', 'SELECT reads(:horizon)', '20' ],
	[ 'EXECUTE', 'EXECUTE p(:horizon)', '10' ], [ 'a STABLE function', 'SELECT sees(:horizon)', '10' ],
	[ 'a cursor', 'BEGIN; DECLARE c CURSOR FOR SELECT count(*) FROM halves WHERE id < :horizon; FETCH c; COMMIT', '10' ])
{
	my ($how, $poll, $expected) = @$_;
	my ($alters, $polls) = (session(), session());

	$polls->query_safe('SET plan_cache_mode = force_generic_plan; PREPARE p(gid) AS SELECT count(*) FROM halves WHERE id < $1');
	$alters->query_safe('BEGIN; ALTER TABLE half_1 SET UNLOGGED');
	my $horizon = $polls->query_safe(q{SELECT gid_settled('e')});
	$polls->query_until(qr/^/, $poll =~ s/:horizon/'$horizon'/r . ";\n");
	$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_locks WHERE relation = 'half_1'::regclass AND NOT granted}) or die;
	$alters->query_safe('COMMIT');
	like($polls->query_safe('SELECT 1'), qr/^$expected\n/, "while ALTER TABLE rewrites a partition, $how reads $expected of 20 rows");
	$node->safe_psql('postgres', 'ALTER TABLE half_1 SET LOGGED');
	$_->quit foreach $alters, $polls;
}

# A partition is attached, and gets a row, while a poll is planned.  Then partition 1 gets a row.
foreach ([ 'one statement misses the row', 2, '0|21' ], [ 'ask first, then read: both rows are left to the next poll', 3, '0|22' ])
{
	my ($name, $number, $expected) = @$_;
	my ($locks, $polls) = (session(), session());

	$locks->query_safe('BEGIN; LOCK TABLE half_0');
	my $horizon = $number == 2 ? q{gid_settled('e')} : "'" . $polls->query_safe(q{SELECT gid_settled('e')}) . "'";
	$polls->query_until(qr/^/, "SELECT count(*) FILTER (WHERE half = $number), count(*) FROM halves WHERE id < $horizon;\n");
	$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_locks WHERE relation = 'half_0'::regclass AND NOT granted}) or die;
	$node->safe_psql('postgres', "CREATE TABLE half_$number (LIKE halves INCLUDING ALL); ALTER TABLE halves ATTACH PARTITION half_$number FOR VALUES IN ($number)");
	$node->safe_psql('postgres', "INSERT INTO halves (half) VALUES ($_)") foreach $number, 1;
	$locks->query_safe('COMMIT');
	like($polls->query_safe('SELECT 1'), qr/^\Q$expected\E\n/, "while a partition is attached: $name");
	$_->quit foreach $locks, $polls;
}

# --- Many transactions at the same time -----------------------------------

# Eighty transactions have minted.  They stay open while they wait for a lock, then end.
insert(999);
my $script = PostgreSQL::Test::Utils::tempdir() . '/many.sql';
append_to_file($script, q{
	BEGIN;
	INSERT INTO event (n) VALUES (1000 + :client_id);
	SELECT pg_advisory_xact_lock_shared(58);
	COMMIT;
});
my $holder = session();
$old = session();
$holder->query_safe('SELECT pg_advisory_lock(58)');
my $many = IPC::Run::start(
	[ 'pgbench', '-n', '-c', 80, '-t', 1, '-f', $script, '-d', $node->connstr('postgres') ],
	'>', '/dev/null', '2>', '/dev/null');
$node->poll_query_until('postgres', q{SELECT count(*) = 80 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted})
  or die 'calls of gid_settled() do not wait for each other';
$old->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ');
$old->query_safe('SELECT count(*) FROM event');
my $horizon = $node->safe_psql('postgres', q{SELECT gid_settled('e')});
$holder->query_safe('SELECT pg_advisory_unlock(58)');
$many->finish;
is($node->safe_psql('postgres', "SELECT count(*) FILTER (WHERE id < '$horizon'), count(*) FROM event WHERE n >= 1000"),
	'0|80', 'eighty open transactions: the horizon is below all their rows');
my $of_old = $old->query_safe(q{SELECT gid_settled('e')});
is($node->safe_psql('postgres', "SELECT count(*) FILTER (WHERE id < '$of_old') FROM event WHERE n >= 1000"),
	'0', 'eighty transactions that ended after a snapshot was taken: its horizon is below all their rows');
is($old->query_safe(q{SELECT count(*) FILTER (WHERE id >= gid_settled('e')), max(n) FROM event}),
	'0|999', 'the horizon is above all visible rows');
$_->quit foreach $holder, $old;
$node->safe_psql('postgres', 'DELETE FROM event WHERE n >= 999');

# --- Standby --------------------------------------------------------------

$node->backup('copy');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'copy', has_streaming => 1);
$standby->start;
# A client can mint on a standby, and store the ids on the primary.
my $mints = $standby->background_psql('postgres');
my @minted = map { split / /, $mints->query_safe("SELECT string_agg($_\::text, ' ') FROM generate_series(1, 100)") }
  q{gid_new('e')}, q{gid_random('e')}, q{gid_random('e', now())};
my $sent = $node->safe_psql('postgres', 'INSERT INTO event (n) VALUES (0) RETURNING id');
push @minted, $mints->query_safe("SELECT gid_new('e') FROM gid_observe('$sent')");
cmp_ok($minted[-1], 'gt', $sent, 'standby: ids that are minted after gid_observe() are larger than the observed id');
is($node->safe_psql('postgres', 'WITH i AS (INSERT INTO event (id) VALUES ' . join(', ', map { "('$_')" } @minted) . ' RETURNING id) SELECT count(DISTINCT id) FROM i'),
	'301', 'the primary stores all ids that the standby minted');
$node->safe_psql('postgres', q{BEGIN; INSERT INTO event (n) VALUES (17); PREPARE TRANSACTION 'over promotion'});
$node->safe_psql('postgres', slurp_file("$tree/examples/outbox/horizons.sql") . 'DELETE FROM horizons WHERE server > 1');
$node->safe_psql('postgres', 'CREATE TABLE after_that ()');
$node->wait_for_catchup($standby);
(undef, undef, $message) = $standby->psql('postgres', "\\set VERBOSITY verbose\nSELECT gid_settled('e')");
like($message, qr/ERROR:  55000: recovery is in progress/, 'standby: gid_settled() raises an error');
# In a snapshot that was taken in recovery, xip does not contain the prepared transaction.
# The table has a later xid, so the transaction is not above xmax either.
my $before = $standby->background_psql('postgres');
$before->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM event');
$node->stop('fast');
$standby->promote;
is($before->query(q{SELECT gid_settled('e') IS NULL}), 't', 'promoted: for a snapshot from before the promotion the horizon is NULL');
cmp_ok($mints->query_safe('INSERT INTO event (n) VALUES (0) RETURNING id'), 'gt', $minted[-1], 'promoted: the ids of a session of the standby increase');
$_->quit foreach $before, $mints;
$standby->safe_psql('postgres', q{ROLLBACK PREPARED 'over promotion'});
is($standby->safe_psql('postgres', q{INSERT INTO event (n) VALUES (16); SELECT max(n) FROM event WHERE id < gid_settled('e')}),
	'16', 'promoted: for a new snapshot the horizon is known');

# A job that announces the horizon, without the number of the old primary.
my ($job) = $page =~ /^(DO \$\$\nBEGIN\n    UPDATE horizons.*?^END \$\$;)/ms or die;
my ($gives) = $page =~ /`(UPDATE horizons SET server = 8 .*?)`/ or die;
foreach my $number (-1, 8)
{
	$standby->append_conf('postgresql.conf', "gid.node = $number");
	$standby->reload;
	$standby->poll_query_until('postgres', "SELECT current_setting('gid.node') = '$number'") or die 'no new gid.node';
	(undef, undef, $message) = $standby->psql('postgres', $job);
	like($message, qr/ERROR:  the table "horizons" has no row for gid\.node $number\n/, "promoted, with gid.node = $number: the job that announces the horizon raises an error");
}
my $is_read = 'SELECT count(*) FROM event WHERE n = 16 AND id < (SELECT min(settled) FROM horizons)';
is($standby->safe_psql('postgres', $is_read), '0', 'promoted: pollers wait');
is($standby->safe_psql('postgres', "$gives; $job $is_read"), '1', 'promoted, with the row of the old primary: pollers read new rows');
$standby->safe_psql('postgres', q{SET gid.max_clock_skew = '1 d'; SELECT gid_observe_server(gid_random('e', now() + '1 h'))});
is($standby->safe_psql('postgres', $alerts), '1', 'the query of doc/operations.md returns a row if the horizon is ahead of the clock');
$standby->stop;

done_testing();
