#!/usr/bin/perl
# A timeout ends every statement soon: planning, however long the query is, and the loops
# over ids in ANALYZE, sorts, page splits of GiST, and gid_settled().

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use Time::HiRes qw(time);

# In seconds.  The statements below are cancelled after 0.01 s.  A search of the whole query
# for each comparison takes hours, a linear one some seconds on a slow machine.
use constant LIMIT => 100;

my $node = new_server('main', 'shared_preload_libraries = gid', 'max_stack_depth = 2MB', 'autovacuum = off');
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION gid;
	CREATE TABLE g (id gid(o), n int);
	INSERT INTO g SELECT gid_random('o'), n FROM generate_series(1, 300000) n;
	ALTER TABLE g ALTER id SET STATISTICS 10000;
	CREATE TABLE split (id gid(o));
	CREATE INDEX ON split USING gist (id);
	CREATE ROLE stranger LOGIN;
	GRANT SELECT ON g TO stranger});

# Runs a statement with a timeout.  Returns its SQLSTATE, and how many seconds it took.
sub outcome_of
{
	my ($role, $statement) = @_;
	my $started = time;

	my ($status, $out, $error) = $node->psql('postgres', "\\set VERBOSITY sqlstate\nSET statement_timeout = 10;\n$statement;",
		extra_params => [ '-U', $role ], timeout => 3 * LIMIT);
	return ($error =~ /ERROR:  (\w{5})/ ? $1 : 'success', time - $started);
}

my $some_id = $node->safe_psql('postgres', 'SELECT id FROM g LIMIT 1');
my %long = (
	'IN (SELECT ...) under OR' => join(' OR ', map { "id IN (SELECT id FROM g OFFSET $_)" } 1 .. 3000),
	'IN (SELECT ...) under AND' => 'n < 0 OR (' . join(' AND ', map { "id IN (SELECT id FROM g OFFSET $_)" } 1 .. 3000) . ')',
	'EXISTS under OR' => join(' OR ', map { "EXISTS (SELECT FROM g x WHERE x.id = g.id AND x.n > $_)" } 1 .. 3000),
	'constants beside EXISTS' => join(' OR ', 'EXISTS (SELECT FROM g x WHERE x.id = g.id OFFSET 0)', map { "(id > '$some_id' AND n = $_)" } 1 .. 12000),
	'times beside EXISTS' => join(' OR ', 'EXISTS (SELECT FROM g x WHERE x.id = g.id OFFSET 0)', map { "(id > now() AND n = $_)" } 1 .. 12000),
	'a union' => join(' OR ', map { "id IN (SELECT id FROM (" . join(' UNION ', ('SELECT id FROM g') x 100) . ") u WHERE id > '$some_id')" } 1 .. 30),
	'nested sub-selects' => 'id < ' . join('', ('(SELECT max(id) FROM g WHERE id < ') x 300) . "'$some_id'" . ')' x 300);
foreach my $name (sort keys %long)
{
	my ($state, $seconds) = outcome_of('stranger', "EXPLAIN SELECT FROM g WHERE $long{$name}");
	like($state, qr/^(57014|success)$/, "planning, $name: cancelled, or done");
	cmp_ok($seconds, '<', LIMIT, "planning, $name: within @{[ LIMIT ]} s");
}

my %work = (
	'ANALYZE' => 'ANALYZE g',
	'a sort' => 'SELECT id FROM g CROSS JOIN generate_series(1, 100) ORDER BY id OFFSET 100000000',
	'a grouped sort' => 'SET enable_hashagg = off; SELECT count(*) FROM (SELECT DISTINCT id FROM g CROSS JOIN generate_series(1, 100)) d',
	'page splits' => q{INSERT INTO split SELECT gid_random('o') FROM generate_series(1, 100000000)},
	'minting' => q{SELECT count(gid_new('o')) FROM generate_series(1, 1000000000)},
	'gid_settled' => q{SELECT count(gid_settled('o')) FROM generate_series(1, 1000000000)});
foreach my $name (sort keys %work)
{
	my ($state, $seconds) = outcome_of('postgres', $work{$name});
	is($state, '57014', "$name: cancelled");
	cmp_ok($seconds, '<', LIMIT, "$name: within @{[ LIMIT ]} s");
}

# A fast shutdown does not wait for the planner.
my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->query_until(qr/begin/, "\\echo begin\nEXPLAIN SELECT FROM g WHERE " . join(' UNION ALL SELECT FROM g WHERE ', ($long{'IN (SELECT ...) under OR'}) x 20) . ";\n");
ok($node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_activity WHERE query ~ '^EXPLAIN' AND state = 'active'}), 'a session plans');
my $started = time;
$node->stop('fast');
cmp_ok(time - $started, '<', LIMIT, 'a fast shutdown ends planning');
eval { $session->quit };
done_testing();
