#!/usr/bin/perl
# A table is distributed by id over servers of postgres_fdw.  The hash of an id selects
# the server of the row.  A query is sent only to servers that can have matching rows.
# Remote servers evaluate conditions on ids, ORDER BY, joins and aggregates, as far as the
# option "extensions" of the server allows.  check/plans.pl compares the rows that queries
# of foreign tables return.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

my @far = (0 .. 2);
my %server;

# The remote servers are databases of one server, which has the node 1.  The local server
# has the node 9.
foreach ([ 'far', 1 ], [ 'near', 9 ])
{
	my ($name, $node) = @$_;

	$server{$name} = PostgreSQL::Test::Cluster->new($name);
	$server{$name}->init;
	$server{$name}->append_conf('postgresql.conf', "gid.node = $node\nlog_statement = none\nautovacuum = off");
	$server{$name}->start;
}

sub on { my ($database, @queries) = @_; return $server{far}->safe_psql($database, join(';', @queries)) }

# One session, because each connects to all servers.
my $near = $server{near}->background_psql('postgres');
sub near { return $near->query_safe(join(';', @_)) }

# Each remote server has one partition, and rejects rows of other partitions.
foreach my $n (@far)
{
	$server{far}->safe_psql('postgres', "CREATE DATABASE far_$n");
	on("far_$n", qq{
		CREATE EXTENSION gid;
		CREATE TABLE orders (
			id gid(o) PRIMARY KEY DEFAULT gid_new('o'), customer gid(c), n int) PARTITION BY HASH (id);
		CREATE TABLE orders_$n PARTITION OF orders FOR VALUES WITH (MODULUS 3, REMAINDER $n);
		CREATE TABLE lines ("order" gid(o), item text) PARTITION BY HASH ("order");
		CREATE TABLE lines_$n PARTITION OF lines FOR VALUES WITH (MODULUS 3, REMAINDER $n);
		CREATE INDEX ON lines ("order")});
}

near(q{
	CREATE EXTENSION gid;
	CREATE EXTENSION postgres_fdw;
	CREATE TABLE orders (id gid(o) NOT NULL DEFAULT gid_new('o'), customer gid(c), n int) PARTITION BY HASH (id);
	CREATE TABLE lines ("order" gid(o), item text) PARTITION BY HASH ("order")});
foreach my $n (@far)
{
	my ($host, $port) = ($server{far}->host, $server{far}->port);

	near(qq{
		CREATE SERVER far_$n FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
			host '$host', port '$port', dbname 'far_$n',
			extensions 'gid', use_remote_estimate 'true', batch_size '100');
		CREATE USER MAPPING FOR CURRENT_USER SERVER far_$n;
		CREATE FOREIGN TABLE orders_$n PARTITION OF orders FOR VALUES WITH (MODULUS 3, REMAINDER $n) SERVER far_$n;
		CREATE FOREIGN TABLE lines_$n PARTITION OF lines FOR VALUES WITH (MODULUS 3, REMAINDER $n) SERVER far_$n});
}

# --- Storing rows ---------------------------------------------------------------

near(q{
	INSERT INTO orders (customer, n) SELECT gid_new('c'), n FROM generate_series(1, 2000) n;
	INSERT INTO orders (id, customer, n)
	SELECT set_byte(gid_send(gid_random('o', now() - n * interval '1 h')), 7, 239)::gid, gid_new('c'), n FROM generate_series(2, 1001) n;
	INSERT INTO lines SELECT id, 'line ' || l FROM orders, generate_series(1, 2) l;
	CREATE TABLE orders_here AS SELECT * FROM orders;
	ANALYZE});
on("far_$_", 'ANALYZE') foreach @far;

is(near('SELECT count(*), count(DISTINCT id) FROM orders'), '3000|3000', 'all rows are stored');
foreach my $n (@far)
{
	my $rows = 'SELECT count(*), md5(string_agg(o::text, $$ $$ ORDER BY id)) FROM';

	cmp_ok(on("far_$n", 'SELECT count(*) FROM orders'), '>', 900, "far_$n has about a third of the rows");
	is( on("far_$n", "$rows orders o"),
		near("$rows orders_here o WHERE satisfies_hash_partition('orders'::regclass, 3, $n, id)"),
		"far_$n has the rows of its partition");
}

my @id = map { on("far_$_", 'SELECT id FROM orders WHERE n = (SELECT max(n) FROM orders)') } @far;
my ($rc, $out, $err) = $server{far}->psql('far_1', "INSERT INTO orders_1 (id) VALUES ('$id[0]')");
like($err, qr/new row for relation "orders_1" violates partition constraint/,
	'a server rejects a row that belongs to another server');
($rc, $out, $err) = $server{near}->psql('postgres', "INSERT INTO orders (id) VALUES ('$id[1]')");
like($err, qr/duplicate key value violates unique constraint "orders_1_pkey"/, 'an id is unique across servers');

# --- Remote queries --------------------------------------------------------------

sub plan_of
{
	my ($query, $settings) = @_;
	near('DISCARD ALL', $settings // ());
	return near("EXPLAIN (VERBOSE, COSTS OFF) $query");
}

# Returns the SQL that a plan sends.
sub sent { return $_[0] =~ /^ *Remote SQL: (.*)$/mg }

# The query is sent to this number of servers.  The remote SQL matches the pattern, and
# the local server filters nothing.
sub is_sent
{
	my ($name, $query, $servers, $pattern, $settings) = @_;
	my $plan = plan_of($query, $settings);
	my @sent = sent($plan);

	is(scalar(grep { /$pattern/ } @sent), $servers, "$name: sent to the right number of servers: $servers") or diag($plan);
	is(scalar(@sent), $servers, "$name: not sent to other servers");
	unlike($plan, qr/Filter:/, "$name: nothing is filtered locally");
	return;
}

# The parts of most queries, and the operators in remote SQL.
my $of = 'SELECT id, n FROM orders WHERE';
my $by_id = 'ORDER BY id';
my ($equal, $less, $not_less) = map { qr/$_/ } '=', '<', '>=';

is_sent('=', "$of id = '$id[1]'", 1, qr/WHERE \(\(id $equal '$id[1]'\)\)/);
# A condition with an array is sent if the type gid[] belongs to the extension.  It does on
# PostgreSQL 17.  On 15 it does not, and the local server evaluates the condition.
my $has_array = near(q{
	SELECT count(*) FROM pg_depend
	WHERE classid = 'pg_type'::regclass AND objid = 'gid[]'::regtype AND deptype = 'e'});
ok($has_array || $server{near}->pg_version < 17, 'gid[] belongs to the extension');
foreach ([ "= ANY ('{$id[0],$id[2]}')", 0, 2 ], [ "IN ('$id[0]', '$id[1]', '$id[2]')", 0, 1, 2 ])
{
	my ($condition, @servers) = @$_;
	my $array = join(',', @id[@servers]);
	my $query = "$of id $condition $by_id";

	if ($has_array)
	{
		is_sent($condition, $query, scalar @servers, qr/id $equal ANY \('\{$array\}'::pg_catalog\.gid\[\]\)/);
		next;
	}
	is_deeply([ sent(plan_of($query)) ], [ map { "SELECT id, n FROM public.orders_$_" } @servers ], "$condition: only these servers are queried");
}
is_sent('OR', "$of id = '$id[0]' OR id = '$id[2]' $by_id", 2, qr/id $equal /);
my ($low, $high) = split /\|/, near(q{SELECT min(id), max(id) FROM orders_here WHERE n BETWEEN 100 AND 200});
is_sent('a range', "$of id >= '$low' AND id < '$high' $by_id", 3,
	qr/\(\(id $not_less '$low'\)\) AND \(\(id $less '$high'\)\) ORDER BY id ASC/);

# The planner replaces a time with a bound, which is an id.
my $time = near(q{SELECT date_trunc('hour', now()) - interval '300 h'});
my $bound = near("SELECT gid_lower_bound('o', '$time')");
is_sent('a time', "$of id >= timestamptz '$time' $by_id", 3, qr/WHERE \(\(id $not_less '$bound'\)\) ORDER BY/);
is_sent('a time on the left', "$of timestamptz '$time' > id $by_id", 3, qr/WHERE \(\(id $less '$bound'\)\) ORDER BY/);

# postgres_fdw does not send now(), because the clocks of servers differ.  A subquery is
# evaluated locally, and its value is sent.
my $recent = "$of id >= now() - interval '300.5 h' $by_id";
my $plan = plan_of($recent);
is(scalar(() = $plan =~ /Filter: \(orders_\d\.id >= _gid_lower_bound\('o'::text, \(now\(\)/g), 3, 'now(): the condition is evaluated locally');
# The time of a date depends on the session's time zone.
like(plan_of("$of id >= date '2020-01-01'"),
	qr/Filter: \(orders_1\.id >= _gid_lower_bound\('o'::text, \('2020-01-01'::date\)/, 'a date: the condition is evaluated locally');
is_sent('now() in a subquery', "$of id >= (SELECT now() - interval '300.5 h') $by_id", 3,
	qr/WHERE \(\(id $not_less _gid_lower_bound\('o'::text, \$1::timestamp with time zone\)\)\) ORDER BY/);
like(
	near("SET plan_cache_mode = force_generic_plan; PREPARE since(timestamptz) AS $of id >= \$1;"
		  . "EXPLAIN (VERBOSE, COSTS OFF) EXECUTE since('$time')"),
	qr/Remote SQL: .* $not_less _gid_lower_bound\('o'::text, \$1::timestamp with time zone\)/,
	'a parameter: the condition is sent');

is_sent($_->[0], "$of $_->[0] $by_id", 3, $_->[1]) foreach
	[ 'gid_node(id) = 9', qr/WHERE \(\(gid_node\(id\) = 9\)\)/ ],
	[ 'gid_offset(id) % 7 = 0', qr/WHERE \(\(\(gid_offset\(id\) % 7\) = 0\)\)/ ],
	[ "gid_timestamp(id) >= '$time'", qr/WHERE \(\(gid_timestamp\(id\) >= '/ ],
	[ "gid_instant(id) < '$time'", qr/WHERE \(\(gid_instant\(id\) < '/ ],
	[ 'gid_prefix(customer) = 227', qr/WHERE \(\(gid_prefix\(customer\) = 227\)\)/ ],
	[ 'gid_transaction(id) < id', qr/WHERE \(\(gid_transaction\(id\) $less id\)\)/ ],
	[ 'id::uuid IS NOT NULL', qr/WHERE \(\(id::uuid IS NOT NULL\)\)/ ];

# These forms have no operator in SQL that could name its schema.  PostgreSQL 19
# would write "<>" if the column could not be NULL.
is_sent($_->[0], "$of $_->[0] AND n < 40 $by_id", 3, $_->[1]) foreach
	[ "customer IS DISTINCT FROM '$id[0]'", qr/\(\(customer IS DISTINCT FROM '$id[0]'::pg_catalog\.gid\)\)/ ],
	[ "CASE id WHEN '$id[2]' THEN n < 0 ELSE n % 5 = 0 END", qr/\(\(CASE id WHEN '$id[2]'::pg_catalog\.gid THEN / ];

# A comparison of text uses a collation, which can differ on the remote server.
like(plan_of("$of gid_kind(customer) = 'c'"), qr/Filter: \(gid_kind\(/, 'comparisons of text are local');

# The executor prunes servers if the id is a parameter.
my $generic = "SET plan_cache_mode = force_generic_plan; PREPARE one(gid) AS $of id = \$1";
like(near($generic, "EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE one('$id[2]')"),
	qr/Subplans Removed: 2\n.*Foreign Scan on public\.orders_2 .*\n.*\n *Remote SQL: .*id $equal \$1::pg_catalog\.gid/,
	'a parameter: one server is queried');

# --- Order, joins, aggregates ----------------------------------------------------

is_sent('ORDER BY', "SELECT id FROM orders $by_id", 3, qr/ORDER BY id ASC NULLS LAST$/);
is_sent('ORDER BY DESC', "SELECT id FROM orders $by_id DESC LIMIT 20", 3, qr/ORDER BY id DESC NULLS FIRST$/);
like(plan_of("SELECT id FROM orders $by_id"), qr/^Merge Append\n(?!.*Sort\n)/s, 'ORDER BY: sorted results are merged');
my $wise = 'SET enable_partitionwise_join = on; SET enable_partitionwise_aggregate = on';
my $join = q{
	SELECT o.id, count(*) FROM orders o JOIN lines l ON l."order" = o.id WHERE o.n < 100 GROUP BY o.id ORDER BY o.id};
is_sent('a join and an aggregate', $join, 3,
	qr/SELECT r\d+\.id, count\(\*\) FROM \(public\.\w+ r\d+ INNER JOIN public\.\w+ r\d+ ON .* $equal .*GROUP BY 1/, $wise);
is_sent('an aggregate', 'SELECT "order", count(*) FROM lines GROUP BY 1 ORDER BY 1', 3,
	qr/SELECT "order", count\(\*\) FROM public\.lines_\d GROUP BY 1/, $wise);

# Each row of a local table queries one server.
near('DISCARD ALL', 'CREATE TABLE wanted (id gid(o)); ANALYZE wanted', 'INSERT INTO wanted VALUES ' . join ',', map { "('$_')" } @id);
my $wanted = q{
	SELECT w.id, o.n FROM wanted w, LATERAL (SELECT n FROM orders WHERE orders.id = w.id OFFSET 0) o ORDER BY w.id};
$plan = near("EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF, SUMMARY OFF) $wanted");
is(scalar(() = $plan =~ /Foreign Scan on public\.orders_\d .*loops=1\)\n.*\n *Remote SQL: .* $equal /g),
	3, 'ids from a table: each id queries one server');

# --- Changes ------------------------------------------------------------------

is_deeply([ sent(plan_of("UPDATE orders SET n = -n WHERE id = '$id[0]'")) ],
	["UPDATE public.orders_0 SET n = (- n) WHERE ((id = '$id[0]'))"], 'UPDATE is one remote statement');
is(scalar(grep { /^DELETE FROM public\.orders_\d WHERE \(\(id $less '$bound'\)\)$/ } sent(plan_of("DELETE FROM orders WHERE id < timestamptz '$time'"))),
	3, 'DELETE by time is one remote statement');

# --- Minting ------------------------------------------------------------------

# The local server mints in one transaction, also if several servers store the rows.
is( near(q{BEGIN}, q{
		WITH made AS (INSERT INTO orders (n) SELECT 1 FROM generate_series(1, 100) RETURNING id, tableoid)
		SELECT count(*), count(DISTINCT tableoid), count(DISTINCT gid_transaction(id)), min(gid_node(id)), max(gid_node(id))
		FROM made}, q{ROLLBACK}),
	'100|3|1|9|9', 'a default mints on the local server');
# A client that is connected to a remote server mints there.  Most of these ids belong to
# other servers.
($rc, $out, $err) = $server{far}->psql('far_0', 'BEGIN; INSERT INTO orders DEFAULT VALUES; ROLLBACK;' x 30, on_error_stop => 0);
like($err, qr/no partition of relation "orders" found for row/, 'a remote server can mint ids that belong to another server');

on('far_0', q{
	CREATE TABLE notes (id gid(n) PRIMARY KEY DEFAULT gid_new('n'), body text, about gid(200)[], old gid);
	CREATE SCHEMA made_there;
	CREATE TABLE made_there.notes (LIKE notes INCLUDING ALL);
	CREATE FUNCTION mint() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		NEW.id := COALESCE(NEW.id, gid_new('n'));
		RETURN NEW;
	END $$;
	CREATE TRIGGER mint BEFORE INSERT ON made_there.notes FOR EACH ROW EXECUTE FUNCTION mint()});
near(q{
	CREATE SCHEMA plain; CREATE SCHEMA with_defaults; CREATE SCHEMA made_there;
	IMPORT FOREIGN SCHEMA public LIMIT TO (notes) FROM SERVER far_0 INTO plain;
	IMPORT FOREIGN SCHEMA public LIMIT TO (notes) FROM SERVER far_0 INTO with_defaults OPTIONS (import_default 'true');
	IMPORT FOREIGN SCHEMA made_there FROM SERVER far_0 INTO made_there});
is( near(q{
		SELECT attname, format_type(atttypid, atttypmod), attnotnull FROM pg_attribute
		WHERE attrelid = 'plain.notes'::regclass AND attnum > 0 ORDER BY attnum}),
	"id|gid(n)|t\nbody|text|f\nabout|gid(200)[]|f\nold|gid|f", 'imported columns have their kinds');
($rc, $out, $err) = $server{near}->psql('postgres', q{INSERT INTO plain.notes (body) VALUES ('without')});
like($err, qr/null value in column "id" of relation "notes" violates not-null constraint/,
	'imported without defaults: the local server sends NULL');
is(near(q{INSERT INTO with_defaults.notes (body) VALUES ('with') RETURNING gid_kind(id), gid_node(id)}),
	'n|9', 'imported with defaults: the local server mints');
is(near(q{INSERT INTO made_there.notes (body) VALUES ('there') RETURNING gid_kind(id), gid_node(id)}),
	'n|1', 'a trigger on the remote server mints');
($rc, $out, $err) = $server{near}->psql('postgres', q{INSERT INTO with_defaults.notes (id) VALUES (gid_new('o'))});
like($err, qr/gid of kind "o" does not match type gid\(n\)/, 'the local server checks kinds');

# --- A partition moves to another server ---------------------------------------------

on('far_2', 'CREATE TABLE orders_0 PARTITION OF orders FOR VALUES WITH (MODULUS 3, REMAINDER 0)');
my ($copies, $replaces) = map { s/parcels/orders/gr =~ s/gid\(p\) NOT NULL, kg int/gid(o) NOT NULL, customer gid(c), n int/r =~ s/far1/far_2/r =~ s/MODULUS 2/MODULUS 3/r }
  slurp_file("$tree/doc/servers/postgres_fdw.md") =~ /^(BEGIN;.*?)^(ALTER.*?^COMMIT;\n)/ms;
near($copies);
($rc, $out, $err) = $server{near}->psql('postgres', q{SET lock_timeout = '10ms'; INSERT INTO orders DEFAULT VALUES});
like($err, qr/lock timeout/, 'while a partition moves, no row is inserted into the old one');
near($replaces);
on('far_0', 'DROP TABLE orders_0');
is(near('SELECT count(*) FROM (TABLE orders INTERSECT TABLE orders_here) o'), '3000', 'a partition that moved has its rows');
$near->quit;
$_->stop foreach values %server;
done_testing();
