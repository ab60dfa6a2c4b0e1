# Writers and pollers that run with pgbench, while a test stops their server or moves its
# clock.  A test has a table event, and pollers that read it.  This module must not depend
# on how they find the horizon.

package Torture;

use strict;
use warnings;

use Gid;

use Exporter qw(import);
use IPC::Run ();

our @EXPORT = qw(%writer $end read_all start_again stop torture wait_for_rows);

my $seed = $ENV{GID_SEED} || int rand 1e9;    # script/debian can set it to nothing
my $tmp = PostgreSQL::Test::Utils::tempdir();
my $logs = 0;
note("GID_SEED=$seed");
srand $seed;

my $functions = q{
	CREATE FUNCTION put(rows int) RETURNS void LANGUAGE sql
	AS $$ INSERT INTO event SELECT FROM generate_series(1, rows) $$;
	CREATE PROCEDURE many(transactions int) LANGUAGE plpgsql AS $$
	BEGIN
		FOR i IN 1 .. transactions LOOP
			PERFORM put(1);
			IF random() < 0.1 THEN ROLLBACK; ELSE COMMIT; END IF;
		END LOOP;
	END $$;
	CREATE FUNCTION subtransactions(n int) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		FOR i IN 1 .. n LOOP
			BEGIN
				PERFORM put(1), CASE WHEN random() < 0.3 THEN 1 / 0 END;
			EXCEPTION WHEN division_by_zero THEN NULL;
			END;
		END LOOP;
	END $$;
};

our $end = '\if :one_in_five = 1
	ROLLBACK;
	\else
	COMMIT;
	\endif';
our %writer = (
	single => 'INSERT INTO event DEFAULT VALUES;',
	bulk => 'SELECT put(:some * 10);',
	procedure => 'CALL many(:some);',
	subtransactions => "BEGIN; SELECT subtransactions(60 + :some);\n$end",
	savepoints => qq{
		BEGIN; SAVEPOINT a; SELECT put(1); ROLLBACK TO a; SAVEPOINT b; SELECT put(1); RELEASE b;
		\\sleep :some ms
		$end},
	prepared => q{
		BEGIN; SELECT put(1); SELECT pg_current_xact_id() AS name \gset
		PREPARE TRANSACTION ':name'; CALL many(:some);
		\sleep :some ms
		COMMIT PREPARED ':name';},
	slow => qq{
		BEGIN; INSERT INTO other VALUES (1);
		\\sleep :long ms
		SELECT put(1);
		$end},
	late => qq{
		BEGIN;
		\\sleep :some ms
		SELECT put(1);
		$end},
	stored_later => q{
		BEGIN; SELECT new_id() AS id \gset
		\sleep :some ms
		INSERT INTO event VALUES (':id'); PREPARE TRANSACTION ':id'; CALL many(2); COMMIT PREPARED ':id';},
	parallel => qq{
		SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
		BEGIN; SELECT put(1); SELECT count(*) FROM other;
		$end},
	reader => q{
		BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM other;
		\sleep :long ms
		COMMIT;},
	killer => q{
		\sleep :long ms
		SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE application_name = 'writer' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1;},
	# Ends what a killed session or a stopped server left behind.
	janitor => q{
		\sleep :long ms
		SELECT coalesce(min(gid), '') AS name, count(*) > 0 AS is_found FROM pg_prepared_xacts
		WHERE age(transaction) > 2000 AND database = current_database() \gset
		\if :is_found
		COMMIT PREPARED ':name';
		\endif});
my $values = q{
	\set some random(1, 10)
	\set long random(1, 300)
	\set one_in_five random(1, 5)
};

# A poll in one statement, of the ids that a query returns.
sub read_all
{
	my ($query) = @_;
	return qq{
		WITH new AS MATERIALIZED ($query),
		kept AS (INSERT INTO polled SELECT ':me', id FROM new)
		UPDATE poller SET upto = greatest(upto, (SELECT id FROM new ORDER BY id DESC LIMIT 1)) WHERE name = ':me';};
}

# Runs a command again and again until stop(NAME), or until the test has ended.  The command
# can contain the shell's variable $seed, which increases.
sub start_again
{
	my ($name, $command, $log) = @_;
	return IPC::Run::start([ 'sh', '-c', "seed=$seed; until [ -e '$tmp/$name.end' ] || [ ! -d '$tmp' ]; do seed=\$((seed + 1)); $command || sleep 0.1; done" ],
		'<', '/dev/null', '>&', $log);
}

# Runs pgbench on whichever of these servers is not a standby.  Each has a log of its own:
# two would overwrite each other's lines.
sub start_pgbench
{
	my ($nodes, $name, @options) = @_;
	local %ENV = (
		environment_of($nodes->[0]), PGAPPNAME => $name, PGTARGETSESSIONATTRS => 'read-write',
		PGHOST => join(',', map { $_->host } @$nodes), PGPORT => join(',', map { $_->port } @$nodes));

	return start_again($name, "pgbench -n -T 2 --random-seed=\$seed @options", "$work/log/pgbench" . ++$logs . '.log');
}

sub stop
{
	my ($name, @started) = @_;

	append_to_file("$tmp/$name.end", '');
	$_->finish foreach @started;
	unlink "$tmp/$name.end";
	return;
}

sub wait_for_rows
{
	my ($node, $count) = @_;
	return $node->poll_query_until('postgres', "SELECT count(*) > $count FROM event") || die 'no rows are written';
}

# Writes and polls during an action, which returns the server that has the rows at the
# end, and until the controls have missed rows.  Then each poller reads the rest.
#
#	schema		SQL that creates the table event, and the function new_id()
#	writers, pollers, controls	scripts of pgbench by name
#	last		the script of a poller that reads the rest
#	horizon, unsettled, least	SQL: the horizon, what delays it, and the least id
#	options		of pgbench, for the writers and the pollers
#	allowed		matches errors that are no failures
sub torture
{
	my ($what, $nodes, $action, %option) = @_;
	my ($pollers, $controls) = @option{ 'pollers', 'controls' };
	my @pollers = (sort(keys %$pollers), sort keys %$controls);
	my %script = (%{ $option{writers} }, %$pollers, %$controls);
	my @options = @{ $option{options} // [] };

	$logs = 0;
	foreach my $name (keys %script)
	{
		unlink "$tmp/$name";
		append_to_file("$tmp/$name", $values . $script{$name});
	}
	$nodes->[0]->safe_psql('postgres', "$option{schema}; $functions");
	$nodes->[0]->safe_psql('postgres', "INSERT INTO poller VALUES ('$_', $option{least})") foreach @pollers;
	my @writing = (
		start_pgbench($nodes, 'writer', '-c', 22, @options, map { "-f $tmp/$_@" . (/single|procedure|late/ ? 6 : 2) } sort keys %{ $option{writers} }),
		start_pgbench($nodes, 'writer', '-C', "-f $tmp/single", @options));
	my @polling = map { start_pgbench($nodes, 'poller', "-D me=$_ -f $tmp/$_", @options) } @pollers;
	my $node = $action->();
	my $names = join ', ', map { "'$_'" } keys %$controls;
	$node->poll_query_until('postgres', qq{
		SELECT bool_and((SELECT count(*) FROM event WHERE id <= upto) > (SELECT count(*) FROM polled p WHERE p.name = poller.name))
		FROM poller WHERE name IN ($names)});
	stop('writer', @writing);
	stop('poller', @polling);

	$node->safe_psql('postgres', "COMMIT PREPARED '$_'")
	  foreach split /\n/, $node->safe_psql('postgres', 'SELECT gid FROM pg_prepared_xacts WHERE database = current_database()');
	is($node->safe_psql('postgres', "SELECT count(*) FROM $option{unsettled}"), '0', "$what: nothing delays the horizon at the end");
	$node->poll_query_until('postgres', "SELECT $option{horizon} > (SELECT id FROM event ORDER BY id DESC LIMIT 1)") or die 'the horizon does not rise';
	must_run('pgbench', '-n', '-t', 1, '-D', "me=$_", '-f', "$tmp/$option{last}", $node->connstr('postgres')) foreach @pollers;

	my %missed = map { split /\|/ } split /\n/, $node->safe_psql('postgres', q{
		SELECT name, (SELECT count(*) FROM event) - (SELECT count(*) FROM polled p WHERE p.name = poller.name) FROM poller});
	is($missed{$_}, '0', "$what: the poller \"$_\" misses no row") foreach sort keys %$pollers;
	cmp_ok($missed{$_}, '>', 0, "$what: the poller \"$_\" misses rows") foreach sort keys %$controls;
	note($node->safe_psql('postgres', 'SELECT count(*) FROM event'), ' rows; ', join ', ', map { "$_ missed $missed{$_}" } sort keys %$controls);

	my $allowed = $option{allowed} // qr/terminating connection|the database system is|recovery/;
	my @errors = grep { /ERROR|FATAL/ && !/terminating background worker|prepared transaction with identifier/ && !/$allowed/ }
	  map { split /\n/, slurp_file("$work/log/pgbench$_.log") } 1 .. $logs;
	is(join("\n", splice @errors, 0, 5), '', "$what: no other errors");
	return $node;
}

1;
