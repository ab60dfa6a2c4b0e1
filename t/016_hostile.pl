#!/usr/bin/perl
# The functions of the examples and of gid-move depend on no object of another role, even
# if a schema of this role is in the search_path when they are created.
#
# Mallory owns a schema with twins: functions and operators with the names of those in
# pg_catalog, which PostgreSQL prefers where they match a call better.  sql/planner.sql
# tests the names that the planner uses.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use List::Util qw(uniq);

my $node = new_server('main');
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE mallory LOGIN');

# Creates twins of the operators in pg_catalog, and of the functions that meet a condition:
# one for each combination of types that can be converted to the declared types.
sub plant_twins
{
	my ($database, $condition) = @_;

	$node->safe_psql($database, 'CREATE SCHEMA mallory AUTHORIZATION mallory; GRANT USAGE ON SCHEMA mallory TO PUBLIC');
	$node->psql($database, qq{
		SET search_path = pg_catalog;
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
				CASE WHEN result::regtype::text ~ '^any' THEN arguments[1] ELSE result END::regtype, 'BEGIN END'),
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

done_testing();
