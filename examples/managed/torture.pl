# Pollers that ask in plain SQL miss no row, while writers of every habit run, the server is
# killed and restarted, sessions are terminated, and the clock steps.  All but the workers
# connect to pgbouncer.  Two pollers are wrong, and must miss rows.
#
#	torture.pl FOLDER		with events.sql, crash.sql, worker.py and worker.js of doc/managed.md

use strict;
use warnings;

use Gid;
use FakeClock;
use Torture;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

my ($folder) = @ARGV;
my %worker = (printer => "python3 -B $folder/worker.py", 'printer in node' => "node $folder/worker.js");
my $node = FakeClock::start('managed', 'max_connections = 100', 'max_prepared_transactions = 40');

sub query { return $node->safe_psql(@_) }
sub as_owner { return must_run('psql', qw(-X -q -v ON_ERROR_STOP=1 -U owner), @_) }

# Kills the postmaster.  All of its processes must notice that it is gone.
sub crash
{
	my $end = time + $PostgreSQL::Test::Utils::timeout_default;
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;

	$node->kill9;
	sleep 0.01 while time < $end && kill 0, $postmaster;
	until (FakeClock::restart($node, fail_ok => 1)) { time < $end or die 'the server does not start again' }
	return;
}

sub start_worker
{
	my ($name) = @_;
	local %ENV = (environment_of($node), PGUSER => 'app');
	return start_again('worker', "$worker{$name} >>'$folder/$name'", "$work/log/worker.log");
}

sub state_of
{
	my $errors = ($node->psql('postgres', "\\set VERBOSITY sqlstate\n$_[0]", extra_params => [qw(-U app)], on_error_stop => 0))[2];
	return $errors =~ /ERROR:  (\w{5})/ ? $1 : '';
}

# The functions belong to a role that is no superuser.  The role that writes and polls owns nothing.
query('postgres', 'CREATE ROLE owner LOGIN CREATEDB; CREATE ROLE app LOGIN; ALTER DATABASE postgres OWNER TO owner');
as_owner('-f', 'gid.sql', '-f', "$folder/events.sql", '-c', 'CREATE DATABASE other', $node->connstr('postgres'));
as_owner('-f', 'gid.sql', $node->connstr('other'));
query('other', q{BEGIN; SELECT gid.gid_new('e'); PREPARE TRANSACTION 'of another database'});
is(query('other', 'SELECT prepared_name FROM gid.gid_unsettled()'), 'of another database', 'a prepared transaction has a claim');

is(state_of($_), '42501', "the role cannot: $_")
  foreach q{SELECT setval('gid.floor', 1)}, q{SELECT nextval('gid.floor')}, 'CREATE FUNCTION gid.gid_new() RETURNS int RETURN 1';
query('postgres', q{CREATE SCHEMA mine AUTHORIZATION app; SET ROLE app;
	CREATE FUNCTION mine.forged(bigint, integer) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE 'forged'; END $$;
	CREATE FUNCTION mine.setval(text, bigint) RETURNS bigint RETURN mine.forged(1, 2);
	CREATE FUNCTION mine.set_config(text, text, boolean) RETURNS bigint RETURN mine.forged(1, 2);
	CREATE OPERATOR mine.<< (FUNCTION = mine.forged, LEFTARG = bigint, RIGHTARG = integer);
	CREATE OPERATOR mine.+ (FUNCTION = mine.forged, LEFTARG = bigint, RIGHTARG = integer)});
is(state_of(q{SET search_path = mine, pg_temp, pg_catalog; CREATE TEMP VIEW pg_locks AS SELECT mine.forged(1, 2);
	SELECT gid.gid_new('e'); CALL gid.gid_settled('e', NULL);}), '', 'the role cannot replace what the functions call');

# While the clock is behind, the floor is the instant of the next id, and of its claim.
query('postgres', q{CALL gid.gid_settled('e', NULL)});
FakeClock::set($node, -3600);
is(state_of(q{BEGIN; SELECT pg_advisory_xact_lock(gid.lock_of(last_value)) FROM gid.floor; PREPARE TRANSACTION 'lock';
	DO $$ DECLARE id uuid := gid.gid_new('e'); BEGIN
		ASSERT (SELECT gid.micros_of(since) = last_value - 1 AND id >= gid.from_micros('e', last_value, '00000000-0000-0000-0000-000000000000')
			FROM gid.gid_unsettled(), gid.floor);
	END $$; COMMIT PREPARED 'lock'}), '', 'an exclusive lock of a role makes a claim lower');

append_to_file("$folder/pgbouncer.ini", "[databases]\n* = host='@{[ $node->host ]}' port=@{[ $node->port ]} user=app pool_size=12\n[pgbouncer]\n"
	. "pool_mode = transaction\nauth_type = any\nunix_socket_dir = $folder\nlisten_port = 6432\nserver_login_retry = 1\nlogfile = $folder/log\n");
my $pgbouncer = IPC::Run::start([ qw(setpriv --pdeathsig KILL pgbouncer -q), "$folder/pgbouncer.ini" ], '<', '/dev/null', '>&', "$work/log/pgbouncer.log");

# gid-move leaves no setting in the server connection, which the next client gets.
my $pooled = "host=$folder port=6432 dbname=postgres user=app";
sleep 0.01 until -S "$folder/.s.PGSQL.6432" || !$pgbouncer->pumpable;
my $path = query('postgres', 'SHOW search_path', connstr => $pooled);
like((run_command([ "$tree/move/gid-move", 'status', '-d', $pooled ]))[1], qr/goes through a pooler/, 'gid-move rejects a pooler');
is(query('postgres', 'SHOW search_path', connstr => $pooled), $path, 'and sets nothing before');
my @workers = map { start_worker($_) } sort keys %worker;

my $after = q{(SELECT upto FROM poller WHERE name = ':me')};
torture('managed', [$node], sub {
	my ($ahead, $highest) = (0, 0);
	foreach my $round (1 .. 8)
	{
		foreach (1 .. 20)
		{
			$ahead += (0.001, 0.1, 3)[ rand 3 ] * (rand(2.2) - 1);
			$highest = $ahead if $ahead > $highest;
			FakeClock::set($node, $ahead);
			sleep rand 0.2;
		}
		wait_for_rows($node, $round * 1000);
		FakeClock::restart($node), next if $round % 2;
		# The floor will be lost, so the clock must not be behind.
		FakeClock::set($node, $ahead = $highest + 0.1);
		crash();
	}
	FakeClock::set($node, $highest + 60);
	return $node;
},
	schema => q{
		GRANT SELECT, INSERT ON events TO app;
		GRANT SELECT, INSERT, UPDATE ON cursors TO app;
		CREATE VIEW event AS TABLE events;
		CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql AS $$ SELECT gid.gid_new('e') $$;
		CREATE FUNCTION horizon() RETURNS uuid LANGUAGE plpgsql AS $$ DECLARE horizon uuid; BEGIN
			PERFORM FROM generate_series(1, 30000);
			CALL gid.gid_settled('e', horizon);
			RETURN horizon;
		END $$;
		CREATE TABLE other (n int);
		CREATE TABLE poller (name text PRIMARY KEY, upto uuid NOT NULL);
		CREATE TABLE polled (name text, id uuid, PRIMARY KEY (name, id));
		GRANT ALL ON event, other, poller, polled TO app},
	writers => { %writer, canceller => q{
		\sleep :long ms
		SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE '%poll_events%' AND pid <> pg_backend_pid();}},
	pollers => { poll_events => read_all("SELECT id FROM poll_events($after, 1000000)") },
	controls => {
		same_statement => read_all("SELECT id FROM event WHERE id > $after AND id < (SELECT horizon())"),
		no_horizon => read_all("SELECT id FROM event WHERE id > $after") },
	allowed => qr/FATAL|canceling statement/, options => ["-U app -h '$folder' -p 6432"], last => 'poll_events',
	horizon => 'horizon()', unsettled => 'gid.gid_unsettled()', least => q{gid.gid_lower_bound('e', '-infinity')});

my $last = '(SELECT id FROM events ORDER BY id DESC LIMIT 1)';
ok($node->poll_query_until('postgres', "SELECT count(*) = 2 AND bool_and(position = $last) FROM cursors"), 'the workers have read to the end');
my @ids = split /\n/, query('postgres', 'SELECT id FROM events');
foreach my $name (sort keys %worker)
{
	my %is_printed = map { /^(\S+) .*/ => 1 } split /\n/, slurp_file("$folder/$name");
	is(scalar(grep { !$is_printed{$_} } @ids), 0, qq{the worker "$name" misses no row});
}

query('other', "COMMIT PREPARED 'of another database'");
as_owner('-c', 'ALTER SEQUENCE gid.floor SET LOGGED', $node->connstr('other'));
my $horizon = query('other', q{CALL gid.gid_settled('e', NULL)});
my $ahead = query('postgres', 'SELECT extract(epoch FROM max(gid.gid_timestamp(position))) FROM cursors') - Time::HiRes::time();
FakeClock::set($node, $ahead - 20);
crash();
is(query('postgres', "SELECT gid.gid_new('e') < $last"), 't', 'after a crash, ids are below the cursors if the clock is behind');
query('postgres', q{INSERT INTO cursors VALUES ('of a higher kind', -1, gid.gid_lower_bound('z', '-infinity'))});
must_run('psql', qw(-X -q -v ON_ERROR_STOP=1 -U app -f), "$folder/crash.sql", $node->connstr('postgres'));
is(query('postgres', "SELECT gid.gid_new('e') > $last"), 't', 'unless they wait for the clock');
is(query('other', "SELECT gid.gid_new('e') > '$horizon'"), 't', 'or the sequence is logged');

# To the type, while the clock is behind the cursors.
$ahead = query('postgres', "SELECT extract(epoch FROM gid.gid_timestamp(id)) FROM $last AS id") - Time::HiRes::time();
FakeClock::set($node, $ahead - 3);
$node->append_conf('postgresql.conf', q{shared_preload_libraries = 'gid'});
$node->stop;
stop('worker', @workers);
FakeClock::restart($node);
query('postgres', 'DROP VIEW event');
my $early = $node->background_psql('postgres', extra_params => [qw(-U app)]);
$early->query_safe('BEGIN');
as_owner(map({ ('-c', $_) } map { split /^(?=SELECT|ALTER)/m } slurp_file("$tree/doc/managed.md") =~ /^```sql\n(CREATE EXTENSION gid;\n.*?)^```.*?^```sql\n(.*?)^```/ms), $node->connstr('postgres'));
$early->query_safe(q{INSERT INTO events (what) VALUES ('early'); COMMIT});
$early->quit;
@workers = map { start_worker($_) } sort keys %worker;
ok($node->poll_query_until('postgres', "SELECT count(*) = 2 FROM cursors WHERE position = $last"), 'the workers read to the end, on the type');
like(slurp_file("$folder/$_"), qr/ early$/m, qq{the worker "$_" misses no row of a transaction that began before the move}) foreach sort keys %worker;

$node->stop;
stop('worker', @workers);
$pgbouncer->kill_kill;
done_testing();
