#!/usr/bin/perl
# A hostile search_path does not change what gid does.
#
# Mallory owns a schema that is first in the path of all roles, even before pg_catalog.  It
# contains a twin of every function, aggregate and operator of the extension.  Each twin
# raises an error when it is called.  The functions of the examples and of gid-move are
# created among twins of all functions and operators that they call (Twins.pm).
#
# PostgreSQL resolves the names in a user's statement with that user's path.  This test
# covers the other names: those that PostgreSQL resolves once and stores, and those that
# the planner uses.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;
use Twins;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $hostile = 'SET search_path = mallory, public, pg_catalog;';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
$node->safe_psql(
	'postgres', q{
	CREATE ROLE owner LOGIN;
	CREATE ROLE mallory LOGIN;
	CREATE DATABASE shop OWNER owner;
	ALTER DATABASE shop SET search_path = mallory, public, pg_catalog;
	\c shop
	CREATE SCHEMA mallory AUTHORIZATION mallory;
	GRANT ALL ON SCHEMA public TO mallory;
});

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

# No object of another role depends on an object of mallory, except on the schema.
sub is_untouched
{
	my ($name, $database) = @_;

	is( $node->safe_psql(
			$database // 'shop', q{
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

as('mallory', q{
	GRANT ALL ON SCHEMA mallory TO PUBLIC;
	CREATE FUNCTION mallory.caught() RETURNS pg_catalog.int4 IMMUTABLE LANGUAGE plpgsql AS
	$$ BEGIN RAISE EXCEPTION 'mallory was called'; END $$});

#
# Functions outside of pg_catalog
#

# Creates the functions of the examples and of gid-move, with mallory's schema in the path
# of the role that creates them.
foreach my $case (
	[ 'managed', '', 'examples/managed/gid.sql' ],
	[
		'sealed',
		'CREATE EXTENSION gid; CREATE EXTENSION pgcrypto; CREATE DOMAIN sealed_order_id AS uuid;',
		'examples/sealed/sealed.sql', 'examples/sealed/orders.sql'
	],
	[ 'formats', 'CREATE EXTENSION gid;', 'move/gid_move/formats.sql' ])
{
	my ($name, $before, @files) = @$case;
	my $statements = join '', map { slurp_file("$tree/$_") =~ s/^CREATE (?:EXTENSION|DOMAIN|ROLE) .*;$//mgr } @files;

	SKIP:
	{
		skip 'pgcrypto is not installed', 2
		  if $before =~ /pgcrypto/ && !$node->safe_psql('postgres', q{SELECT 1 FROM pg_available_extensions WHERE name = 'pgcrypto'});
		$node->safe_psql('postgres', "CREATE DATABASE $_") foreach "${name}_model", $name;
		$node->safe_psql('postgres', 'CREATE ROLE web') if $name eq 'sealed';
		$node->safe_psql("${name}_model", $before . $statements);
		$node->safe_psql($name, "$before CREATE SCHEMA mallory AUTHORIZATION mallory; GRANT USAGE ON SCHEMA mallory TO PUBLIC");
		plant_twins($node, "${name}_model", $name, 'mallory', 'mallory');

		my ($rc, $out, $err) = $node->psql($name, "SET search_path = public, mallory; $statements");
		is($err, '', "$name: the functions can be created") or next;
		is_untouched("$name: no function depends on an object of mallory", $name);
	}
}

as('owner', 'CREATE EXTENSION gid');

#
# Stored expressions
#

# The owner creates all objects before mallory creates twins.
as('owner', q{
	SET search_path = public;
	CREATE TABLE customer (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), n int4);
	CREATE TABLE orders (
		id       gid(o) PRIMARY KEY DEFAULT gid_new('o') CHECK (id > '2020-01-01 00:00+00'::timestamptz),
		customer gid(c) REFERENCES customer ON UPDATE CASCADE ON DELETE CASCADE,
		made     timestamptz GENERATED ALWAYS AS (gid_timestamp(id)) STORED
	);
	CREATE TABLE event (id gid(e) DEFAULT gid_new('e'), n int4) PARTITION BY RANGE (id);
	CREATE TABLE event_old PARTITION OF event FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('e', '2026-01-01 00:00+00'));
	CREATE TABLE event_new PARTITION OF event FOR VALUES FROM (gid_lower_bound('e', '2026-01-01 00:00+00')) TO (MAXVALUE);
	CREATE VIEW recent AS SELECT * FROM orders WHERE id >= now() - interval '1 hour' AND now() >= id;
	CREATE VIEW this_year AS SELECT * FROM event WHERE id >= '2026-01-01 00:00+00'::timestamptz;
	CREATE MATERIALIZED VIEW newest AS
		SELECT max(id) AS newest, count(DISTINCT customer) AS customers FROM orders
		WHERE id > '2020-01-01 00:00+00'::timestamptz;
	CREATE FUNCTION new_order(gid) RETURNS bool IMMUTABLE LANGUAGE sql
	BEGIN ATOMIC SELECT $1 = $1 AND $1 <> gid_lower_bound('o', 'infinity') AND $1 > '2020-01-01 00:00+00'::timestamptz; END;
	CREATE INDEX orders_new ON orders (new_order(id), customer) WHERE id >= '2020-01-01 00:00+00'::timestamptz;
	CREATE INDEX orders_hash ON orders USING hash (customer);
	CREATE INDEX orders_brin ON orders USING brin (id, id gid_minmax_multi_ops, id gid_bloom_ops)});

# Creates twins of all objects of the extension, and of types.  A statement of the owner that
# looks up a name finds the twin first.
as('mallory', q{
	CREATE DOMAIN mallory.timestamptz AS pg_catalog.text;
	CREATE DOMAIN mallory.uuid AS pg_catalog.text;
	CREATE DOMAIN mallory.integer AS pg_catalog.text;
	SET search_path = public, pg_catalog;
	SELECT format('CREATE FUNCTION mallory.%I(%s) RETURNS %s IMMUTABLE LANGUAGE plpgsql AS %L',
		proname, pg_get_function_identity_arguments(oid), prorettype::regtype, 'BEGIN PERFORM mallory.caught(); END')
	FROM pg_proc WHERE prokind = 'f' AND oid >= 16384 AND pronamespace = 'pg_catalog'::regnamespace
	  AND proname NOT IN ('gid_generator', 'gid_unsettled')
	  AND NOT ARRAY[prorettype] || proargtypes::oid[] && ARRAY['internal', 'cstring', 'cstring[]']::regtype[]::oid[] \gexec
	SELECT format('CREATE OPERATOR mallory.%s (FUNCTION = mallory.%I, LEFTARG = %s, RIGHTARG = %s)',
		oprname, proname, oprleft::regtype, oprright::regtype)
	FROM pg_operator JOIN pg_proc p ON p.oid = oprcode WHERE pg_operator.oid >= 16384 AND oprnamespace = 'pg_catalog'::regnamespace \gexec
	SELECT format('CREATE AGGREGATE mallory.%I(gid) (SFUNC = mallory.%I, STYPE = gid)', p.proname, t.proname)
	FROM pg_proc p JOIN pg_aggregate ON aggfnoid = p.oid JOIN pg_proc t ON t.oid = aggtransfn
	WHERE p.oid >= 16384 AND p.pronamespace = 'pg_catalog'::regnamespace \gexec
	CREATE FUNCTION mallory.now() RETURNS pg_catalog.timestamptz
	LANGUAGE sql AS 'SELECT mallory.caught()::text::pg_catalog.timestamptz'});
is( as('mallory', q{
		SELECT (SELECT count(*) FROM pg_operator WHERE oprnamespace = 'mallory'::regnamespace) >= 14,
			(SELECT count(*) FROM pg_proc WHERE pronamespace = 'mallory'::regnamespace) > 50}),
	't|t', 'mallory can create a twin of every object');
foreach my $call (
	q{SELECT gid_lower_bound('o', 'infinity'::pg_catalog.timestamptz)},
	q{SELECT id = id FROM (SELECT pg_catalog.gid_new('o') AS id) i},
	q{SELECT id >= pg_catalog.now() FROM (SELECT pg_catalog.gid_new('o') AS id) i},
	q{SELECT max(id) FROM (SELECT pg_catalog.gid_new('o') AS id UNION ALL SELECT pg_catalog.gid_new('o')) i})
{
	fails('owner', "$hostile $call", qr/mallory was called/, "an unqualified name finds the twin: $call");
}

# The statements below run with mallory first in the path.
as('owner', "$hostile INSERT INTO public.customer (n) SELECT pg_catalog.generate_series(1, 2000);
	INSERT INTO public.orders (customer) SELECT id FROM public.customer;
	INSERT INTO public.event (n) SELECT pg_catalog.generate_series(1, 100);
	INSERT INTO public.event
	SELECT pg_catalog.gid_random('e', '2025-06-01 00:00+00'::pg_catalog.timestamptz), n FROM public.customer LIMIT 7");

# The type must be qualified, because mallory has created a type of the same name.
my $old = "'2020-01-01 00:00+00'::pg_catalog.timestamptz";
my $older = "'2019-01-01 00:00+00'::pg_catalog.timestamptz";

my $by_index = "$hostile SET enable_seqscan = off; SET enable_bitmapscan = off;";

sub is_under_attack
{
	my ($statements, $expected, $name) = @_;

	is(as('owner', "$by_index $statements"), $expected, $name);
	return;
}

sub plan_is_under_attack
{
	my ($statements, $expected, $name) = @_;

	like(as('owner', "$by_index EXPLAIN (COSTS OFF) $statements"), $expected, $name);
	return;
}

fails('owner', "$hostile INSERT INTO public.customer (id) SELECT id FROM public.customer",
	qr/duplicate key value/, 'primary keys work');
fails('owner', "$hostile INSERT INTO public.orders (customer) SELECT pg_catalog.gid_new('c')",
	qr/violates foreign key/, 'foreign keys work');
fails('owner', "$hostile INSERT INTO public.orders (customer) SELECT id FROM public.orders",
	qr/does not match type/, 'kinds are enforced');
fails('owner', "$hostile INSERT INTO public.orders (id) SELECT pg_catalog.gid_random('o', $older)",
	qr/violates check constraint/, 'check constraints work');
is_under_attack(q{
	UPDATE public.customer SET id = pg_catalog.gid_new('c') WHERE n <= 10;
	DELETE FROM public.customer WHERE n > 1990;
	SELECT count(*) FROM public.orders}, '1990', 'foreign keys cascade');
is_under_attack(q{
	SELECT count(*) FROM (SELECT DISTINCT id FROM public.customer ORDER BY id) d;
	SELECT count(*) FROM (SELECT id FROM public.customer GROUP BY id) g;
	SELECT count(*) FROM (
		SELECT id OPERATOR(pg_catalog.>) pg_catalog.lag(id) OVER (ORDER BY id) AS up FROM public.customer) d WHERE up;
	SELECT count(*) FROM public.customer c JOIN public.orders o ON c.id OPERATOR(pg_catalog.=) o.customer},
	"1990\n1990\n1989\n1990", 'DISTINCT, GROUP BY, ORDER BY and joins work');
is_under_attack('SELECT pg_catalog.min(id) OPERATOR(pg_catalog.<) pg_catalog.max(id) FROM public.customer',
	't', 'min() and max() work');
plan_is_under_attack('SELECT pg_catalog.max(id) FROM public.customer',
	qr/Index Only Scan Backward using customer_pkey/, 'max() uses the index');

is_under_attack('SELECT count(*) FROM public.recent', '1990', 'a view with a condition on time works');
plan_is_under_attack('SELECT * FROM public.recent',
	qr/Index\ Cond:\ \(\(id\ OPERATOR\(pg_catalog\.>=\)\ pg_catalog\.gid_lower_bound\('o'::text,\ \(pg_catalog\.now\(\)
		.*\(id\ OPERATOR\(pg_catalog\.<\)\ pg_catalog\.gid_upper_bound\(/x,
	'the view uses the index, with the operators and functions of gid');
is_under_attack('SELECT count(*) FROM public.this_year', '100', 'a view of partitions with a condition on time works');
unlike(as('owner', "$hostile EXPLAIN (COSTS OFF) SELECT * FROM public.this_year"),
	qr/event_old/, 'the view reads only matching partitions');
is_under_attack("SELECT count(*) FROM public.orders WHERE id OPERATOR(pg_catalog.>=) $old",
	'1990', 'a query with a condition on time works');
plan_is_under_attack("SELECT id FROM public.orders WHERE id OPERATOR(pg_catalog.<) $old",
	qr/Index Cond: \(id OPERATOR\(pg_catalog\.<\) '/, 'the query has a constant as its index condition');

# The owner and a superuser run maintenance commands.  Starting with PostgreSQL 17, these
# use their own search_path, pg_catalog and pg_temp.
foreach my $role ('owner', $superuser)
{
	as($role, "$hostile
		CREATE INDEX again ON public.orders (id);
		CREATE UNIQUE INDEX CONCURRENTLY again_concurrently ON public.orders (id);
		CREATE INDEX again_partial ON public.orders (customer) WHERE id OPERATOR(pg_catalog.<) $old;
		REINDEX TABLE public.orders;
		CLUSTER public.orders USING orders_pkey;
		VACUUM ANALYZE public.orders;
		ANALYZE public.event;
		REFRESH MATERIALIZED VIEW public.newest;
		DROP INDEX public.again, public.again_concurrently, public.again_partial");
	is_under_attack(q{
		SELECT newest OPERATOR(pg_catalog.=) pg_catalog.max(id), customers FROM public.newest, public.orders GROUP BY newest, customers;
		SELECT count(*) FROM public.orders WHERE public.new_order(id)},
		"t|1990\n1990", "$role can rebuild indexes and materialized views");
}

is_untouched('no default, check, view or index depends on an object of mallory');

# If a function does not exist, for example in an older version of the extension, the
# planner does not replace comparisons.
$node->safe_psql('shop', 'ALTER FUNCTION pg_catalog.gid_lower_bound(text, pg_catalog.timestamptz) RENAME TO gid_ground');
is_under_attack('SELECT count(*) FROM public.recent', '1990', 'a comparison works without the function that computes the bound');
plan_is_under_attack('SELECT * FROM public.recent',
	qr/Filter: .*id OPERATOR\(pg_catalog\.>=\) \(pg_catalog\.now\(\)/, 'the planner does not replace the comparison');

# The extension belongs to the superuser, even if the owner of the database installed it.
foreach my $statement (
	'ALTER FUNCTION pg_catalog.gid_upper_bound(text, pg_catalog.timestamptz) RENAME TO gid_before',
	'CREATE FUNCTION pg_catalog.gid_explain(text) RETURNS int4 LANGUAGE sql AS $$ SELECT 0 $$',
	'ALTER OPERATOR pg_catalog.= (pg_catalog.gid, pg_catalog.gid) SET (RESTRICT = NONE)',
	'ALTER TYPE pg_catalog.gid RENAME TO id')
{
	fails('owner', $statement, qr/must be owner|permission denied for schema pg_catalog/, "the owner of the database cannot: $statement");
}
fails('mallory', 'ALTER EXTENSION gid ADD FUNCTION mallory.caught()',
	qr/must be owner of extension gid/, 'mallory cannot add objects to the extension');

$node->stop;
done_testing();
