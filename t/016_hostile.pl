#!/usr/bin/perl
# A hostile search_path does not change what gid does.
#
# Mallory owns a schema that is first in the path of all roles, even before pg_catalog.  It
# contains twins: functions and operators with the names of others, which raise an error
# when they are called.
#
# PostgreSQL resolves the names in a user's statement with that user's path.  This test
# covers the other names: those that functions of the examples and of gid-move contain, and
# those that the planner uses.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use List::Util qw(uniq);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $hostile = 'SET search_path = mallory, public, pg_catalog;';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE mallory LOGIN');

sub as
{
	my ($role, $statements) = @_;

	return $node->safe_psql('shop', $statements, extra_params => [ '-U', $role ]);
}

sub fails
{
	my ($role, $statements, $expected, $name) = @_;

	my ($rc, $out, $err) =
	  $node->psql('shop', $statements, extra_params => [ '-U', $role ]);
	like($err, $expected, $name);
	return;
}

# Creates twins of the functions and operators in pg_catalog that meet a condition.  PostgreSQL
# prefers a twin if its arguments match a call better than those in pg_catalog.  So there is
# one for each combination of types that can be converted to the declared types.
sub plant_twins
{
	my ($database, $condition) = @_;

	$node->safe_psql($database, 'CREATE SCHEMA mallory AUTHORIZATION mallory; GRANT USAGE ON SCHEMA mallory TO PUBLIC');
	$node->psql($database, qq{
		SET search_path = pg_catalog;
		CREATE FUNCTION mallory.caught() RETURNS int IMMUTABLE LANGUAGE plpgsql AS
		\$\$ BEGIN RAISE EXCEPTION 'mallory was called'; END \$\$;
		WITH RECURSIVE types AS (
			SELECT oid AS type FROM pg_type WHERE typname = ANY ('{bool,bytea,text,uuid,int4,int8,numeric,float8,bit,timestamp,timestamptz,interval,gid}')),
		fits AS (
			SELECT d.oid AS declared, type FROM types, pg_type d
			WHERE d.oid = type OR d.typname ~ '^any(element|nonarray|compatible|compatiblenonarray)?\$'
				OR EXISTS (SELECT FROM pg_cast WHERE castsource = type AND casttarget = d.oid AND castcontext = 'i')),
		named AS (
			SELECT NULL AS operator, proname AS name, string_to_array(proargtypes::text, ' ')::oid[] AS declared, prorettype AS result
			FROM pg_proc p WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a') AND ($condition)
			UNION ALL SELECT p.oprname, 'twin_' || p.oid, array_remove(ARRAY[oprleft, oprright], 0), oprresult
			FROM (SELECT *, oprname AS proname FROM pg_operator) p WHERE oprnamespace = 'pg_catalog'::regnamespace AND ($condition)),
		twins AS (
			SELECT *, '{}'::oid[] AS arguments FROM named
			UNION ALL SELECT operator, name, t.declared, result, arguments || type
			FROM twins t JOIN fits f ON f.declared = t.declared[cardinality(arguments) + 1])
		SELECT format('CREATE FUNCTION mallory.%I(%s) RETURNS %s IMMUTABLE LANGUAGE plpgsql AS %L', name, list,
				CASE WHEN result::regtype::text ~ '^any' THEN arguments[1] ELSE result END::regtype, 'BEGIN PERFORM mallory.caught(); END'),
			format('CREATE OPERATOR mallory.%s (FUNCTION = mallory.%I, %s RIGHTARG = %s)', operator, name,
				'LEFTARG = ' || arguments[cardinality(arguments) - 1]::regtype || ',', arguments[cardinality(arguments)]::regtype)
		FROM twins, array_to_string(arguments::regtype[], ', ') AS list WHERE cardinality(arguments) = cardinality(declared)
		\\gexec
	}, on_error_stop => 0, extra_params => [ '-U', 'mallory' ]);
	return;
}

# No object of another role depends on an object of mallory, except on the schema.
sub is_untouched
{
	my ($name, $database) = @_;

	is( $node->safe_psql(
			$database, q{
		SET search_path = pg_catalog;
		WITH hers AS (
			SELECT classid, objid FROM pg_shdepend JOIN pg_database d ON d.oid = dbid
			WHERE datname = current_database() AND refobjid = 'mallory'::regrole AND deptype = 'o')
		SELECT pg_describe_object(classid, objid, objsubid) || ' uses ' || pg_describe_object(refclassid, refobjid, refobjsubid)
		FROM pg_depend WHERE deptype = 'n' AND refclassid <> 'pg_namespace'::regclass
		  AND (refclassid, refobjid) IN (SELECT * FROM hers)
		  AND (classid, objid) NOT IN (SELECT * FROM hers)}),
		'',
		$name);
	return;
}

# --- Functions outside of pg_catalog ------------------------------------------------

# Creates the functions of the examples and of gid-move, with mallory's schema in the path
# of the role that creates them.
foreach my $case (
	[ 'managed', '', 'examples/managed/gid.sql' ],
	[
		'sealed',
		'CREATE EXTENSION gid; CREATE EXTENSION pgcrypto; CREATE DOMAIN sealed_order_id AS uuid; CREATE ROLE web',
		'examples/sealed/sealed.sql', 'examples/sealed/orders.sql'
	],
	[ 'formats', 'CREATE EXTENSION gid', 'move/gid_move/formats.sql' ])
{
	my ($name, $before, @files) = @$case;
	my $statements = join '', map { slurp_file("$tree/$_") =~ s/^(?:CREATE (?:EXTENSION|DOMAIN|ROLE)|INSERT) .*;$//mgr } @files;
	my $words = join ',', uniq(map { "'$_'" } $statements =~ /\b([a-z_0-9]+)\(/g);

	SKIP:
	{
		skip 'pgcrypto is not installed', 3
		  if $before =~ /pgcrypto/ && !$node->safe_psql('postgres', q{SELECT 1 FROM pg_available_extensions WHERE name = 'pgcrypto'});
		$node->safe_psql('postgres', "CREATE DATABASE $name");
		$node->safe_psql($name, $before);
		plant_twins($name, qq{proname ~ '^\\W' OR proname IN ($words)});
		cmp_ok($node->safe_psql($name, q{SELECT count(*) FROM pg_proc WHERE pronamespace = 'mallory'::regnamespace}), '>', 500, "$name: there are twins");

		my ($rc, $out, $err) = $node->psql($name, "SET search_path = public, mallory; $statements");
		is($err, '', "$name: the functions can be created");
		is_untouched("$name: no function depends on an object of mallory", $name);
	}
}

# --- Stored expressions ---------------------------------------------------------------

# The owner creates all objects before mallory creates twins.
$node->safe_psql('postgres', q{CREATE DATABASE shop OWNER owner; ALTER DATABASE shop SET search_path = mallory, public, pg_catalog});
$node->safe_psql('shop', 'GRANT ALL ON SCHEMA public TO owner');
as('owner', q{
	CREATE EXTENSION gid;
	SET search_path = public;
	CREATE TABLE customer (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), n int4);
	CREATE TABLE orders (
		id       gid(o) PRIMARY KEY DEFAULT gid_new('o') CHECK (id > '2020-01-01 00:00+00'::timestamptz),
		customer gid(c) REFERENCES customer
	);
	CREATE TABLE event (id gid(e) DEFAULT gid_new('e'), n int4) PARTITION BY RANGE (id);
	CREATE TABLE event_old PARTITION OF event FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('e', '2026-01-01 00:00+00'));
	CREATE TABLE event_new PARTITION OF event FOR VALUES FROM (gid_lower_bound('e', '2026-01-01 00:00+00')) TO (MAXVALUE);
	CREATE VIEW recent AS SELECT * FROM orders WHERE id >= now() - interval '1 hour' AND now() >= id;
	CREATE VIEW this_year AS SELECT * FROM event WHERE id >= '2026-01-01 00:00+00'::timestamptz;
	CREATE MATERIALIZED VIEW newest AS SELECT max(id) AS newest FROM orders WHERE id > '2020-01-01 00:00+00'::timestamptz;
	CREATE FUNCTION new_order(gid) RETURNS bool IMMUTABLE LANGUAGE sql
	BEGIN ATOMIC SELECT $1 = $1 AND $1 <> gid_lower_bound('o', 'infinity') AND $1 > '2020-01-01 00:00+00'::timestamptz; END;
	CREATE INDEX orders_new ON orders (new_order(id), customer) WHERE id >= '2020-01-01 00:00+00'::timestamptz});

plant_twins('shop', 'oid >= 16384');
foreach my $call (
	q{SELECT gid_lower_bound('o', 'infinity'::timestamptz)},
	q{SELECT id = id FROM (SELECT pg_catalog.gid_new('o') AS id) i},
	q{SELECT id >= now() FROM (SELECT pg_catalog.gid_new('o') AS id) i},
	q{SELECT max(id) FROM (SELECT pg_catalog.gid_new('o') AS id UNION ALL SELECT pg_catalog.gid_new('o')) i})
{
	fails('owner', "$hostile $call", qr/mallory was called/, "an unqualified name finds the twin: $call");
}

# The statements below run with mallory first in the path.
as('owner', "$hostile INSERT INTO customer (n) SELECT generate_series(1, 2000);
	INSERT INTO orders (customer) SELECT id FROM customer;
	INSERT INTO event (n) SELECT generate_series(1, 100)");
my $by_index = "$hostile SET enable_seqscan = off; SET enable_bitmapscan = off;";
my $old = q{'2020-01-01 00:00+00'::timestamptz};

fails('owner', "$hostile INSERT INTO orders (customer) SELECT pg_catalog.gid_new('c')",
	qr/violates foreign key/, 'foreign keys work');
fails('owner', "$hostile INSERT INTO orders (id) SELECT pg_catalog.gid_random('o', '2019-01-01'::timestamptz)",
	qr/violates check constraint/, 'check constraints work');
is(as('owner', "$by_index SELECT count(*) FROM recent"), '2000', 'a view with a condition on time works');
like(as('owner', "$by_index EXPLAIN (COSTS OFF) SELECT * FROM recent"),
	qr/Index\ Cond:\ \(\(id\ OPERATOR\(pg_catalog\.>=\)\ pg_catalog\.gid_lower_bound\('o'::text,\ \(now\(\)
		.*\(id\ OPERATOR\(pg_catalog\.<\)\ pg_catalog\.gid_upper_bound\(/x,
	'the view uses the index, with the operators and functions of gid');
is(as('owner', "$by_index SELECT count(*) FROM this_year"), '100', 'a view of partitions with a condition on time works');
unlike(as('owner', "$hostile EXPLAIN (COSTS OFF) SELECT * FROM this_year"),
	qr/event_old/, 'the view reads only matching partitions');
like(as('owner', "$by_index EXPLAIN (COSTS OFF) SELECT id FROM orders WHERE id OPERATOR(pg_catalog.<) $old"),
	qr/Index Cond: \(id OPERATOR\(pg_catalog\.<\) '/, 'a query has a constant as its index condition');

# The owner and a superuser run maintenance commands.  Starting with PostgreSQL 17, these
# use their own search_path, pg_catalog and pg_temp.
foreach my $role ('owner', $superuser)
{
	as($role, "$hostile
		CREATE UNIQUE INDEX CONCURRENTLY again ON orders (id);
		REINDEX TABLE orders;
		CLUSTER orders USING orders_pkey;
		VACUUM ANALYZE orders;
		ANALYZE event;
		REFRESH MATERIALIZED VIEW newest;
		DROP INDEX again");
	is(as('owner', "$by_index SELECT count(*) FROM orders WHERE new_order(id)"), '2000', "$role can rebuild indexes and materialized views");
}

is_untouched('no default, check, view or index depends on an object of mallory', 'shop');

# If a function does not exist, for example in an older version of the extension, the
# planner does not replace comparisons.
$node->safe_psql('shop', 'ALTER FUNCTION pg_catalog.gid_lower_bound(text, pg_catalog.timestamptz) RENAME TO gid_ground');
is(as('owner', "$by_index SELECT count(*) FROM recent"), '2000', 'a comparison works without the function that computes the bound');
like(as('owner', "$by_index EXPLAIN (COSTS OFF) SELECT * FROM recent"),
	qr/Filter: .*id OPERATOR\(pg_catalog\.>=\) \(now\(\)/, 'the planner does not replace the comparison');

# The extension belongs to the superuser, even if the owner of the database installed it.
fails('owner', 'ALTER TYPE pg_catalog.gid RENAME TO id', qr/must be owner/, 'the owner of the database cannot alter the extension');

$node->stop;
done_testing();
