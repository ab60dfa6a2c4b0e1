#!/usr/bin/perl
# 32 clients mint in several ways at the same time, and no id is minted twice: unpinned,
# and pinned with gid.instant_source = clock, also with short connections.
# Compares the ids that clients received, also in transactions that were rolled back,
# with the stored ids.  check/torture.pl kills the server under load.
#
# Mints thirty times as many ids with --long, and a third on a server with assertions.
#
# Does not depend on the version of PostgreSQL.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

my $ids = is_long() ? 9_000_000 : 300_000;
$ids /= 3 if check_pg_config('#define USE_ASSERT_CHECKING 1');
my $tmp = PostgreSQL::Test::Utils::tempdir();

my $node = new_server('main', q{
	max_connections = 100
	max_prepared_transactions = 40
	max_wal_size = 8GB
	autovacuum = off
	work_mem = 256MB
});
$node->start;

append_to_file("$tmp/lines", "copy\n" x 1000);
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION gid;
	CREATE SEQUENCE nth;
	CREATE TABLE minted (
		id   gid(o) DEFAULT gid_new('o'),
		xid  xid8 DEFAULT pg_current_xact_id(),
		nth  bigint DEFAULT nextval('nth'),
		how  text
	);
	CREATE TABLE told (id gid(o), how text);
	CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$
	BEGIN
		FOR i IN 1..20 LOOP
			INSERT INTO minted (how) SELECT 'loop' FROM generate_series(1, 5);
			COMMIT;
		END LOOP;
	END $$;
});

# What a client executes, by name and weight.  The total is 240, and 60 of these mint 1,000
# ids each.
my %scripts = (
	'single@120' => q{INSERT INTO minted (how) VALUES ('single') RETURNING id \gset
		INSERT INTO told VALUES (':id', 'single');},
	'bulk@30' => q{WITH i AS (INSERT INTO minted (how) SELECT 'bulk' FROM generate_series(1, 1000) RETURNING id)
		SELECT min(id) AS first, max(id) AS last FROM i \gset
		INSERT INTO told VALUES (':first', 'bulk'), (':last', 'bulk');},
	'copy@30' => q{COPY minted (how) FROM ':lines';},
	'loop@10' => q{CALL commits();},
	'savepoint@20' => q{BEGIN;
		INSERT INTO minted (how) VALUES ('savepoint'), ('savepoint');
		SAVEPOINT a;
		INSERT INTO minted (how) VALUES ('savepoint') RETURNING id AS lost \gset
		ROLLBACK TO a;
		INSERT INTO minted (how) VALUES ('savepoint') RETURNING id \gset
		COMMIT;
		INSERT INTO told VALUES (':lost', 'lost'), (':id', 'savepoint');},
	'rollback@10' => q{BEGIN;
		INSERT INTO minted (how) VALUES ('rollback') RETURNING id AS lost \gset
		ROLLBACK;
		INSERT INTO told VALUES (':lost', 'lost');},
	'prepared@20' => q{BEGIN;
		INSERT INTO minted (how) SELECT 'prepared' FROM generate_series(1, 9);
		INSERT INTO minted (how) VALUES ('prepared') RETURNING id \gset
		PREPARE TRANSACTION 'of client :client_id';
		COMMIT PREPARED 'of client :client_id';
		INSERT INTO told VALUES (':id', 'prepared');});
append_to_file("$tmp/" . s/@.*//r, $scripts{$_}) foreach keys %scripts;

sub query { return $node->safe_psql('postgres', $_[0]) }

# Tests that a query returns no row.
sub is_none
{
	my ($name, $query) = @_;

	is(query("SELECT count(*) FROM ($query) q"), '0', $name);
	return;
}

sub mints_under_load
{
	my ($name, $ids) = @_;

	my @pgbench = ('pgbench', '--no-vacuum', '-D', "lines=$tmp/lines", '-j', '2', $node->connstr('postgres'));

	$node->command_ok([ @pgbench, '-c', '32', '-t', int($ids / 32 / 250) + 1, map { ('-f', "$tmp/$_") } keys %scripts ],
		"$name: load from 32 clients");
	$node->command_ok([ @pgbench, '-C', '-c', '16', '-t', '32', '-f', "$tmp/single", '-f', "$tmp/savepoint" ],
		"$name: 512 short connections");
	cmp_ok(query('SELECT count(*) FROM minted'), '>=', 0.5 * $ids, "$name: enough ids");	# the scripts are chosen at random
	is(query(q{SELECT string_agg(DISTINCT how, ' ' ORDER BY how) FROM told}),
		'bulk lost prepared savepoint single', "$name: clients minted in every way");
	is_none("$name: no id was minted twice, including rolled back transactions", q{
		SELECT FROM (SELECT id FROM minted UNION ALL SELECT id FROM told WHERE how = 'lost') u GROUP BY id HAVING count(*) > 1});
	is_none("$name: every id whose commit a client knows of is stored", q{
		SELECT FROM told WHERE how <> 'lost' AND NOT EXISTS (SELECT FROM minted WHERE minted.id = told.id)});
	is_none("$name: each generator's ids increase", q{
		SELECT FROM (SELECT id <= lag(id) OVER (PARTITION BY gid_medallion(id) ORDER BY nth) AS wrong FROM minted) o WHERE wrong});
	return;
}

mints_under_load('unpinned', $ids);
is(query(q{SELECT count(*) FROM (SELECT xid IS DISTINCT FROM lag(xid) OVER (ORDER BY id) AS begins FROM minted) b WHERE begins}),
	query('SELECT count(DISTINCT xid) FROM minted'), 'unpinned: the ids of a transaction are adjacent');
like(query(q{
	SELECT count(DISTINCT xid), count(DISTINCT transaction), count(*)
	FROM (SELECT DISTINCT xid, gid_transaction(id) AS transaction FROM minted) p}),
	qr/^(\d+)\|\1\|\1$/, 'unpinned: gid_transaction groups exactly by transaction');
cmp_ok(query('SELECT count(DISTINCT gid_medallion(id)) FROM minted'),
	'>', 512, 'unpinned: each connection has drawn a medallion');

query('TRUNCATE minted, told');
$node->append_conf('postgresql.conf', "gid.node = 1023\ngid.instant_source = clock");
$node->restart;
mints_under_load('pinned, clock', $ids / 2);
is(query('SELECT count(DISTINCT gid_transaction(id)) > count(DISTINCT xid) FROM minted'),
	't', 'pinned, clock: transactions have several instants');
is(query('SELECT DISTINCT gid_node(id) FROM minted'),
	'1023', 'pinned, clock: every id contains the node');
cmp_ok(query('SELECT count(DISTINCT gid_medallion(id)) FROM minted'),
	'<', 200, 'pinned, clock: later connections used the slots of earlier ones');

done_testing();
