#!/usr/bin/perl
# gid-move moves a table's key to gid, and undoes it, while other roles write, and loses no rows.
# Every kind of object depends on the key, and gid-move is killed at each step.
#
# Packages: python3-psycopg

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin", "$FindBin::RealBin/../../t";
use Gid;
use Move;

use IPC::Run ();
use List::Util qw(max pairmap);

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
# gid-move waits for less than deadlock_timeout, but a busy machine can delay it.
$node->append_conf('postgresql.conf', "wal_level = logical\nlc_messages = 'C'\nlog_statement = none\ndeadlock_timeout = 10s");
$node->start;
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
delete $ENV{PGAPPNAME};	# so that pgbench has its own

$as = 'shop_owner';

sub sql { return $node->safe_psql($db, $_[0]) }

# Creates a database.  The role shop_owner can create schemas in it.
sub new_database
{
	($db) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $db");
	$node->safe_psql($db, "CREATE EXTENSION gid; GRANT CREATE ON DATABASE $db TO shop_owner; CREATE SCHEMA IF NOT EXISTS shop AUTHORIZATION shop_owner");
	return;
}

# The command succeeds at last.  Before that, the connection is broken before each statement, and other commands are tried.
sub moves_killed_ok
{
	local $Move::how = 'each';
	my ($succeeded, $said) = gid_move(@_);
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	ok($succeeded && $said =~ /^killed [1-9]/, "gid-move $_[0], " . ($said =~ s/\n.*//sr)) or diag($said);
	return;
}

sub dump_of
{
	IPC::Run::run([ "$bindir/pg_dump", $db ], '>', \my $text) or die 'pg_dump';
	return $text;
}

# Drops the old keys by the statements that status prints.
sub drop_old_keys
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my @drops = (gid_move('status'))[1] =~ /^  (ALTER TABLE .*;)$/mg;
	cmp_ok(scalar @drops, '>', 0, 'status prints how to drop the old keys');
	return sql("SET ROLE shop_owner; @drops");
}

# Returns every definition in the database.  The order of columns is ignored.
sub definitions
{
	IPC::Run::run([ "$bindir/pg_dump", '--schema-only', '-N', 'gid_move', '-N', 'gid_before', $db ], '>', \my $text) or die 'pg_dump';
	return join "\n", sort map { s/,$//r } grep { !/^(?:--|\\|$)/ } split /\n/, $text;
}

# The same, with the old type in place of gid.
sub definitions_as
{
	my ($type, $default) = @_;
	my $text = definitions();
	$text =~ s/\bgid\(c\) DEFAULT gid_new\('c'::text\)/$type DEFAULT $default/;
	$text =~ s/\bgid\(c\)/$type/g;
	$text =~ s/ = ANY \( SELECT/ IN ( SELECT/g;
	return join "\n", sort split /\n/, $text;
}

# --- Writers -----------------------------------------------------------------------

my %writers;

sub begin_writer
{
	my ($who, $path, $key) = @_;
	local $ENV{PGOPTIONS} = "-c search_path=$path,reports,public";
	local $ENV{PGAPPNAME} = $who;
	$writers{$who} = IPC::Run::start(
		[ "$bindir/pgbench", '-n', '-U', 'shop_writer', '-c', 2, '-R', 50, '-T', 86400, '-D', "who='$who'", '-D', "fresh=$key",
		  '-f', "$tree/move/t/writer.pgbench", $db ], '<', '/dev/null', '>', "$work/log/$who.log", '2>&1');
	return;
}

sub end_writers
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	foreach my $who (@_)
	{
		$writers{$who}->kill_kill;
		my $log = slurp_file("$work/log/$who.log");
		is(join('', $log =~ /^.*(?:ERROR|aborted).*$/mg), '', "$who: programs get no errors");
		$node->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = '$who'") or die "$who does not end";
	}
	return;
}

sub wait_for_writer
{
	my ($who) = @_;
	my $written = "SELECT count(*) FROM shop.book WHERE name LIKE '% $who %'";
	$node->poll_query_until($db, "SELECT ($written) > 20 + " . sql($written)) or die "$who writes nothing";
	return;
}

sub nothing_lost
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(sql(q{
		WITH found AS (
			SELECT c.name, r.name AS referrer, (SELECT count(*) FROM shop."Orders" o WHERE o.customer_id = c.id) AS orders,
			(SELECT count(*) FROM shop."Orders" o WHERE o.paid_by = c.id) AS paid
			FROM shop.customers c LEFT JOIN shop.customers r ON r.id = c.referred_by WHERE c.name LIKE 'pgbench%')
		SELECT count(*) FROM shop.book b FULL JOIN found f USING (name) WHERE b IS NULL OR f IS NULL
		OR b.orders <> f.orders OR b.paid <> f.paid OR b.referrer IS DISTINCT FROM f.referrer}), 0, 'all rows that programs wrote are stored');
	is(sql(q{SELECT sum(n) FROM (
		SELECT count(*) FROM shop.customers WHERE name LIKE 'customer %' UNION ALL
		SELECT count(*) FROM shop."Orders" WHERE total > 7 UNION ALL SELECT count(*) FROM shop.invoices WHERE amount = 5) AS t (n)}), 1000 * 5,
		'all rows from before the move are stored');
	return;
}

# --- Moving and undoing ----------------------------------------------------------

$node->safe_psql('postgres', 'CREATE ROLE shop_owner LOGIN; CREATE ROLE shop_writer LOGIN; CREATE ROLE shop_reader LOGIN');
new_database('everything');
sql('DROP SCHEMA shop');
$node->command_ok([ 'psql', '-X', '-q', '-d', $db, '-v', 'rows=1000', '-f', "$tree/move/t/schema.sql" ], 'the schema can be created');
my $before = definitions();
my @plan = (qw(shop.customers --kind c --from uuid --time created_at --published));

like((gid_move('plan', @plan))[1], qr/^gid-move: .* fire the trigger touch of customers.*GRANT SET ON PARAMETER/ms, 'plan rejects triggers that the backfill would fire');
sql('GRANT SET ON PARAMETER session_replication_role TO shop_owner');
my $planned = (gid_move('plan', @plan, '--sql'))[1] =~ s/\n +/ /gr;
is($? >> 8, 4, 'plan finds only what must be written differently');
like($planned, qr/can read only some columns of a table cannot read its view in gid_before: invoices, visits$/m, 'plan notes privileges on columns');
is(definitions(), $before, 'plan changes nothing');
is(sql("SELECT to_regnamespace('gid_move')"), '', 'plan leaves no schema');

begin_writer('old', 'gid_before,shop', 'gen_random_uuid()');
wait_for_writer('old');
moves_killed_ok('start', @plan);
moves_killed_ok('undo', 'shop.customers');
is(definitions(), $before, 'after undo everything is as it was');

moves_ok('start', @plan);
my %dumps = (start => dump_of());

# After Ctrl-C, gid-move's server process can continue to build an index for a while.
my $blocker = $node->background_psql($db);
$blocker->query_safe('BEGIN; LOCK TABLE shop.profiles IN ROW EXCLUSIVE MODE');
$SIG{INT} = 'DEFAULT';	# a shell that runs this in the background lets it ignore SIGINT
@ENV{qw(PGDATABASE PGUSER)} = ($db, $as);
my $builder = IPC::Run::start([ $python, "$tree/move/gid-move", 'backfill', 'shop.customers' ], '<', '/dev/null', '>', \my $built, '2>', \my $failed);
delete @ENV{qw(PGDATABASE PGUSER)};
$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'gid-move' AND query ~ 'INDEX.*profiles_pkey' AND wait_event_type = 'Lock'");
$builder->signal('INT');
$builder->finish;
is($builder->result(0), 3, 'after Ctrl-C, the exit status says that the command can succeed later');
like($failed, qr/interrupted\. Run the same command again to continue\./, 'gid-move says how to continue');
$node->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'gid-move'");
is(sql('SELECT count(*) FROM pg_index WHERE NOT indisvalid'), 1, 'the interrupted backfill left an invalid index');
$blocker->quit;

moves_killed_ok('backfill', 'shop.customers');
is(sql('SELECT count(*) FROM pg_index WHERE NOT indisvalid'), 0, 'the next backfill builds all indexes');
is(sql('SELECT count(*) FROM shop.customers WHERE updated_at IS NOT NULL AND name !~ $$7$|^pgbench$$'), 0, 'the backfill fired no trigger');
wait_for_writer('old');
$dumps{backfill} = dump_of();
moves_killed_ok('switch', 'shop.customers');
begin_writer('new', 'shop', "gid_new('c')");
wait_for_writer('old');
wait_for_writer('new');
$dumps{switch} = dump_of();
end_writers('new');
moves_killed_ok('undo', 'shop.customers');
is(definitions(), $before, 'after undo everything is as it was');
wait_for_writer('old');
nothing_lost();

moves_ok('start backfill switch', @plan);
begin_writer('new', 'shop', "gid_new('c')");
wait_for_writer($_) foreach qw(old new);
end_writers(qw(old new));
nothing_lost();
moves_killed_ok('finish', 'shop.customers');
nothing_lost();
is(sql('SELECT count(*) FROM shop.customers WHERE name ~ $$^customer$$ AND id__old IS NULL'), 0, 'finish keeps the old keys');
like(sql('SET enable_seqscan = off; EXPLAIN SELECT FROM shop.customers WHERE id__old = gen_random_uuid()'), qr/customers_pkey__old/, 'an index finds them');
drop_old_keys();
is(definitions_as('uuid', 'gen_random_uuid()'), $before, 'all definitions are the same, except for the type');
is(sql('SELECT count(*) FROM shop.customers WHERE name ~ $$^customer$$ AND gid_timestamp(id) <> date_trunc($$ms$$, created_at)'), 0, 'ids contain the creation times of the rows');
is(sql("SELECT to_regnamespace('gid_before')"), '', 'the schema gid_before is dropped');
is(sql(q{SELECT string_agg(name, ', ') FROM (
	SELECT attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relkind <> 'i'
	UNION SELECT relname FROM pg_class UNION SELECT conname FROM pg_constraint) AS names (name)
	WHERE name ~ '__(new|old)'}), '', 'no temporary name is left');
my $after = definitions();
like((gid_move('status'))[1], qr/customers\.id: begun [^,]+, undone.*customers\.id: begun [^,]+, finished/s, 'status lists both moves');

# A dump that was made during a move can be restored, and the move then goes on or is undone.  pg_restore -j can create
# indexes in another order.
$dumps{reversed} = $dumps{backfill};
my $first = join '', $dumps{reversed} =~ /^CREATE UNIQUE INDEX \w+__old .*;\n/mg;
$dumps{reversed} =~ s/^CREATE UNIQUE INDEX \w+__old .*;\n//mg;
$dumps{reversed} =~ s/^(?=ALTER TABLE ONLY .*\n +ADD CONSTRAINT)/$first/m;
foreach ([ 'start', 'backfill switch finish' ], [ 'backfill', 'switch finish' ], [ 'backfill', 'switch undo' ], [ 'reversed', 'undo' ], [ 'switch', 'undo' ])
{
	my ($stage, $commands) = @$_;
	$db = "$stage " . $commands =~ s/.* //r;
	$node->safe_psql('postgres', qq{CREATE DATABASE "$db"; GRANT CREATE ON DATABASE "$db" TO shop_owner});
	IPC::Run::run([ qw(psql -X -q -o /dev/null -v ON_ERROR_STOP=1 -d), $db ], '<', \$dumps{$stage}) or die 'psql';
	moves_ok($commands, 'shop.customers');
	drop_old_keys() if $commands =~ /finish/;
	is(definitions(), $commands =~ /undo/ ? $before : $after, "a dump after $stage, restored: all definitions are as they must be");
	nothing_lost();
}

# Other roles can have created operators for types that PostgreSQL's own operators take only after a conversion, and the
# owner functions like built-in ones.
new_database('hostile');
sql('DROP SCHEMA shop');
$node->command_ok([ 'psql', '-X', '-q', '-d', $db, '-v', 'rows=10', '-f', "$tree/move/t/schema.sql" ], 'the schema can be created');
sql('SET ROLE shop_owner; CREATE FUNCTION shop.now() RETURNS timestamptz LANGUAGE plpgsql AS $$ BEGIN RAISE $r$hidden by pg_catalog$r$; END $$');
sql('CREATE EXTENSION intarray') if sql(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'intarray'});
sql(q{SET search_path = pg_catalog;
	DO $do$ DECLARE o text; l regtype; r regtype; types regtype[] := '{"\"char\"",name,text,varchar,bool,int2,int4,int8,oid,float8,numeric,regclass,regtype,
		int2vector,int2[],int4[],int8[],oid[],text[],name[],timestamptz,interval}'; BEGIN
	FOREACH l IN ARRAY types LOOP FOREACH r IN ARRAY types LOOP
		EXECUTE format('CREATE FUNCTION public.hostile(%s, %s) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE ''hostile''; END $$', l, r);
		FOREACH o IN ARRAY '{=,<>,<,>,<=,>=,&&,@>,<@,||,~,~*,!~,+,-,*,/,&,|}'::text[] LOOP
			CONTINUE WHEN to_regoperator(format('%s(%s,%s)', o, l, r)) IS NOT NULL OR to_regoperator(format('public.%s(%s,%s)', o, l, r)) IS NOT NULL;
			EXECUTE format('CREATE OPERATOR public.%s (FUNCTION = public.hostile, LEFTARG = %s, RIGHTARG = %s)', o, l, r);
		END LOOP; END LOOP; END LOOP; END $do$});
moves_ok('start backfill switch undo start backfill switch finish', @plan);

# --- A table with many references --------------------------------------------------------

# Creates tables that refer twice to a hub of 1,000 rows.
sub new_hub
{
	my ($name, $count) = @_;
	new_database($name);
	return sql("SET ROLE shop_owner; SET search_path = shop, public; GRANT USAGE ON SCHEMA shop TO shop_writer;
		CREATE TABLE hub (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n int) WITH (autovacuum_enabled = off);
		INSERT INTO hub (n) SELECT generate_series(1, 1000); CREATE SEQUENCE written START 1001;
		DO \$\$ BEGIN FOR n IN 1 .. $count LOOP
			EXECUTE format('CREATE TABLE t%1\$s (a uuid NOT NULL REFERENCES hub, b uuid REFERENCES hub); CREATE INDEX ON t%1\$s (a);
				INSERT INTO t%1\$s SELECT id, id FROM hub LIMIT 10', n);
		END LOOP; END \$\$;
		CREATE VIEW v AS SELECT id, b FROM hub JOIN t1 ON a = id; CREATE POLICY p ON t1 USING (a IN (SELECT id FROM hub));
		GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA shop TO shop_writer; GRANT USAGE ON SEQUENCE written TO shop_writer");
}

# Runs gid-move while a role that owns nothing reads and writes.  Another program has a lock on one of the tables: until it
# ends, gid-move must release its other locks again and again.
sub nobody_waits
{
	my ($command, $path, @arguments) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	local $ENV{PGOPTIONS} = "-c search_path=$path,public";
	my $probe = IPC::Run::start([ "$bindir/pgbench", qw(-n -U shop_writer -R 100 -T 86400 -l), "--log-prefix=$work/probe-$db-$command", '-f', "$work/probe.pgbench", $db ],
		'<', '/dev/null', '>', "$work/log/probe.log", '2>&1');
	$node->poll_query_until('postgres', "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'pgbench'");
	my $program = $node->background_psql($db);
	my $pid = $program->query_safe('BEGIN; LOCK TABLE shop.t10 IN ROW EXCLUSIVE MODE; SELECT pg_backend_pid()');
	begin_move($command, 'shop.hub', @arguments);
	$node->poll_query_until('postgres', "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'gid-move' AND $pid = ANY (pg_blocking_pids(pid))")
	  or die 'gid-move does not wait';
	my $written = sql('SELECT last_value + 20 FROM shop.written');
	ok($node->poll_query_until($db, "SELECT last_value > $written FROM shop.written"), "$command in $db: programs write while gid-move waits for a lock");
	$program->quit;
	my ($succeeded, $said) = end_move();
	ok($succeeded, "gid-move $command") or diag($said);

	# pgbench writes the last lines of its log when its connection ends.
	$node->safe_psql('postgres', "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pgbench'");
	$probe->finish;
	my @times = slurp_file(glob "$work/probe-$db-$command.*") =~ /^\d+ \d+ (\d+) \d+ \d+ \d+ (\d+)$/mg;	# in us since it was due: at its end, and when it began
	my $longest = max(pairmap { ($a - $b) / 1e6 } @times);
	note("The longest of " . @times / 2 . " transactions took $longest s.");
	cmp_ok($longest, '<', 1, "$command in $db: no program waits") if is_long();
	return is(join('', slurp_file("$work/log/probe.log") =~ /^.*ERROR.*$/mg), '', "$command in $db: no program gets an error");
}

append_to_file("$work/probe.pgbench", "SELECT 1 FROM hub LIMIT 1;\nINSERT INTO hub (n) VALUES (nextval('written')) RETURNING id \\gset\nINSERT INTO t2 (a) VALUES (':id');\n");
new_hub('hub', is_long() ? 120 : 15);
foreach my $command (qw(start backfill switch))
{
	nobody_waits($command, 'gid_before,shop', $command eq 'start' ? qw(--kind h --from uuid) : $command eq 'backfill' ? qw(--batch 1) : ());
	$node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = 'hub'}) or die 'the programs do not end';
	$node->safe_psql('postgres', "CREATE DATABASE after_$command TEMPLATE hub; GRANT CREATE ON DATABASE after_$command TO shop_owner");
}
cmp_ok(sql('SELECT count(DISTINCT xmin::text) FROM shop.hub WHERE n <= 1000'), '>', 5, 'a table without statistics is filled in batches');
nobody_waits('finish', 'shop');
foreach (qw(start backfill switch)) { $db = "after_$_"; nobody_waits('undo', 'gid_before,shop') }

new_hub('stages', 2);
{
	local $Move::how = is_long() ? 1 : 8;
	my ($succeeded, $said) = gid_move('undo', qw(shop.hub --kind h --from uuid));
	ok($succeeded, 'undo restores all definitions, where gid-move was killed') or diag($said);
}

SKIP:
{
	skip_allowed('keys WITHOUT OVERLAPS require PostgreSQL 18', 1) if $node->pg_version < 18;
	$db = 'hostile';	# has btree_gist
	sql('SET ROLE shop_owner; CREATE TABLE shop.prices (id uuid, during tstzrange, PRIMARY KEY (id, during WITHOUT OVERLAPS))');
	like((gid_move('plan', 'shop.prices', qw(--kind p --column id --from uuid)))[1],
		qr/^gid-move: constraint prices_pkey on table prices depends on prices, and cannot be moved/m, 'plan rejects a key WITHOUT OVERLAPS');
}

done_testing();
