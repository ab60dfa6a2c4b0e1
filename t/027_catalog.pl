#!/usr/bin/perl
# What it means that gid is in pg_catalog: which functions and operators of other roles a
# call can run, what works with a user's own objects that have names of gid, and what
# pg_dump, DROP OWNED, template databases and psql do.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

my $node = new_server('main');
$node->start;
my $tmp = PostgreSQL::Test::Utils::tempdir();
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');

sub as { my ($role, $db, @statements) = @_; return $node->safe_psql($db, join(';', @statements), extra_params => [ '-U', $role ]) }

sub error_of { my ($role, $db, $statement) = @_; return ($node->psql($db, $statement, extra_params => [ '-U', $role ]))[2] }

as($superuser, 'postgres', (map { "CREATE ROLE $_ LOGIN" } qw(owner heir reader)), map { "CREATE DATABASE $_ OWNER owner" } qw(shop names restored part));

# --- Functions and operators of other roles -----------------------------------------

# For each function and operator of gid: calls in which one argument has another type, from
# which PostgreSQL converts.  NULL without a type stands for a literal.  For each call, the
# owner creates a function or an operator with the types of the call, in every schema in
# which the owner can create.  One has the name of the superuser, and is first in the default
# path.  The superuser then calls with a safe path, and with the default.
as('owner', 'shop', 'CREATE EXTENSION gid', "CREATE SCHEMA $superuser", 'CREATE DOMAIN public.order_id AS gid(o)');
my $calls = q{
	SET search_path = pg_catalog, pg_temp;
	CREATE FUNCTION pg_temp.what_runs(place text, name text, types text[], query text, OUT safe text, OUT usual text) LANGUAGE plpgsql AS $$
	DECLARE
		schema regnamespace;
	BEGIN
		SET LOCAL ROLE owner;
		FOR schema IN SELECT oid FROM pg_namespace WHERE has_schema_privilege(oid, 'CREATE') LOOP
			EXECUTE format('CREATE FUNCTION %s.%I(%s) RETURNS boolean LANGUAGE plpgsql AS %L', schema,
				CASE place WHEN 'operator' THEN 'code' ELSE name END, array_to_string(types, ', '), 'BEGIN RAISE ''of the owner''; END');
			CONTINUE WHEN place = 'function';
			EXECUTE format('CREATE OPERATOR %s.%s (FUNCTION = %1$s.code, LEFTARG = %3$s, RIGHTARG = %4$s)', schema, name, types[1], types[2]);
		END LOOP;
		RESET ROLE;
		EXECUTE query;
		safe := 'of gid';
		SET LOCAL search_path = "$user", public;
		EXECUTE query;
		RAISE 'of gid';
	EXCEPTION WHEN OTHERS THEN
		safe := coalesce(safe, SQLERRM);
		usual := SQLERRM;
	END $$;
	WITH members (object, place, name, types) AS (
		SELECT objid::regprocedure::text, 'function', proname, ARRAY(SELECT unnest(proargtypes)::regtype)
		FROM pg_depend JOIN pg_extension e ON e.oid = refobjid JOIN pg_proc p ON p.oid = objid
		WHERE (classid, refclassid, extname) = ('pg_proc'::regclass, 'pg_extension'::regclass, 'gid')
		  AND NOT proargtypes::oid[] && '{internal,cstring,cstring[]}'::regtype[]::oid[]
		UNION ALL
		SELECT objid::regoperator::text, 'operator', oprname, ARRAY[oprleft, oprright]::regtype[]
		FROM pg_depend JOIN pg_extension e ON e.oid = refobjid JOIN pg_operator o ON o.oid = objid
		WHERE (classid, refclassid, extname) = ('pg_operator'::regclass, 'pg_extension'::regclass, 'gid')),
	forms (type, form, own) AS (
		SELECT casttarget::regtype, format('`%s`', castsource::regtype), castsource::regtype::text
		FROM pg_cast WHERE castcontext = 'i' AND castsource <> casttarget AND castsource::regtype::text !~ '^pg_|"'
		UNION ALL VALUES ('gid'::regtype, 'a domain', 'public.order_id')
		UNION ALL SELECT DISTINCT t, form, own FROM members, unnest(types) t, (VALUES ('a literal', 'text'), ('its type', NULL)) v (form, own)),
	calls AS (
		SELECT object, place, name, type, form, array_agg(called ORDER BY n) AS types,
			   array_agg(CASE WHEN n = i AND form = 'a literal' THEN 'NULL' ELSE 'NULL::' || called END ORDER BY n) AS arguments
		FROM members m, unnest(types) WITH ORDINALITY a (type, i) JOIN forms USING (type), unnest(types) WITH ORDINALITY b (t, n),
			 LATERAL (SELECT CASE WHEN n = i AND own IS NOT NULL THEN own ELSE t::text END AS called) c
		GROUP BY object, place, name, types, type, i, form, own)
	SELECT object, place, type, form, safe, usual
	FROM calls, pg_temp.what_runs(place, name, types, CASE place
		WHEN 'function' THEN format('SELECT %I(%s)', name, array_to_string(arguments, ', '))
		ELSE format('SELECT %s %s %s', arguments[1], name, arguments[2]) END)};
my (%unsafe, %usual);
foreach (map { [ split /\|/ ] } split /\n/, as($superuser, 'shop', $calls))
{
	my ($object, $place, $type, $form, $safe, $usual) = @$_;

	next if $safe =~ /is not unique$/;		# a literal that gid itself does not accept
	$unsafe{"$object, $form"} = $safe if $safe ne 'of gid';
	$usual{$type}{$place}{$form} ||= $usual eq 'of the owner';
}
is_deeply(\%unsafe, {}, 'with the path pg_catalog, pg_temp, all functions and operators are of gid');

# The page lists the others.  Only internal functions have arguments of other types.
my ($section) = slurp_file("$tree/doc/security.md") =~ /^## Functions of other roles\n(.*?)^## /ms;
my %short = ('timestamp with time zone' => 'timestamptz', 'timestamp without time zone' => 'timestamp', 'character varying' => 'varchar', character => 'char');
my @unsafe = map {
	my $type = $_;
	my @cells = map { my $forms = $usual{$type}{$_}; join ', ', grep { $forms->{$_} } sort keys %$forms } qw(function operator);
	sprintf('| `%s` | %s | %s |', $type, @cells) =~ s/`\K[^`]+(?=`)/$short{$&} \/\/ $&/ger =~ s/  \|/ |/gr
} qw(gid), 'timestamp with time zone', qw(text bigint tstzrange uuid regclass name);
is(join("\n", grep { /^\| `/ } split /\n/, $section), join("\n", @unsafe), 'doc/security.md lists what the default path can run');

# --- Objects of a user with names of gid -----------------------------------------------

# sql/extension.sql has the types that must not exist before.  Columns of PostGIS are called
# gid.  An administrator's privileges on functions of gid are in a dump, too.
as('owner', 'names', q{
	CREATE SEQUENCE gid;
	CREATE SCHEMA gid CREATE VIEW gid_kinds AS SELECT 'own' AS kind;
	CREATE FUNCTION gid(n int) RETURNS int LANGUAGE sql RETURN n;
	CREATE FUNCTION gid(item text) RETURNS text LANGUAGE sql RETURN 'own ' || item;
	CREATE FUNCTION gid_new(kind text) RETURNS text LANGUAGE sql RETURN kind;
	CREATE FUNCTION gid_new(kind varchar) RETURNS varchar LANGUAGE sql RETURN kind;
	CREATE TABLE geo AS SELECT 1 AS gid;
	CREATE INDEX gid_kind ON geo (gid);
	CREATE EXTENSION gid;
	ALTER SEQUENCE gid RENAME TO numbers;
	CREATE TABLE gid AS SELECT 1 AS n, gid_new('o')::gid(o) AS id;
	CREATE DOMAIN gid.gid AS text;
	CREATE TABLE typed AS SELECT gid AS r, 'text'::gid.gid AS d, gid_new('o')::gid(o) AS id FROM gid;
	ALTER TABLE typed ADD CHECK ((r).id IS DISTINCT FROM id);
	CREATE MATERIALIZED VIEW own AS SELECT public.gid_new('o') AS text, gid_new('o') AS id FROM gid});
as($superuser, 'names', 'REVOKE EXECUTE ON FUNCTION gid_random(text) FROM PUBLIC', 'GRANT EXECUTE ON FUNCTION gid_random(text) TO reader',
	'GRANT EXECUTE ON FUNCTION gid_observe_server(gid) TO reader');
my $own = q{
	SELECT gid, geo.gid FROM geo WHERE gid = 1;
	SELECT pg_typeof(public.gid_new('o')), pg_typeof(gid_new('o')), pg_typeof(gid_new('o'::varchar)), gid(1), public.gid('x');
	SELECT pg_typeof(r), (r).n, pg_typeof(d), pg_typeof(typed.id), pg_typeof(NULL::gid), pg_typeof(t) FROM typed, public.gid t;
	SELECT r.n, v.text, k.kind FROM own v, gid.gid_kinds k, json_populate_record(NULL::public.gid, '{"n": 7}') r;
	SELECT role, has_function_privilege(role, 'gid_random(text)', 'EXECUTE'), has_function_privilege(role, 'gid_observe_server(gid)', 'EXECUTE'),
		has_function_privilege(role, 'gid_kind(gid)', 'EXECUTE') FROM unnest('{heir,reader}'::name[]) role};
my $expected = "1|1\ntext|gid|character varying|1|own x\npublic.gid|1|gid.gid|gid|gid|public.gid\n7|o|own\nheir|f|f|t\nreader|t|t|t";
is(as($superuser, 'names', $own), $expected, 'each name means what doc/reference.md says');

sub restores
{
	my ($role, $db, @options) = @_;

	$node->command_ok([ 'pg_dump', @options, '-f', "$tmp/dump", 'names' ], "pg_dump @options");
	return run_log([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($db), '-U', $role, '-f', "$tmp/dump" ]);
}

ok(restores($superuser, 'restored'), 'a dump can be restored');
is(as($superuser, 'restored', $own), $expected, 'the restored database is the same');
as($superuser, 'part', 'DROP SCHEMA public');
ok(!restores('owner', 'part', qw(-O -x -n public -n gid)), 'a dump of schemas does not contain the extension');
as('owner', 'part', 'DROP SCHEMA public, gid CASCADE');
ok(restores('owner', 'part', qw(-O -x -n public -n gid -e gid)), '-e gid adds it');
as('owner', 'part', 'DROP SCHEMA public, gid CASCADE');
is(as('owner', 'part', q{SELECT gid_kind(gid_new('o'))}), 'o', 'DROP SCHEMA public does not drop it');

# --- Owners, templates, psql -------------------------------------------------------------

as('owner', 'part', 'DROP OWNED BY owner');
is(error_of('owner', 'part', 'CREATE EXTENSION gid'), '', 'DROP OWNED drops gid');
as($superuser, 'part', 'REASSIGN OWNED BY owner TO heir', 'CREATE SCHEMA kept', 'CREATE TABLE kept.kept (id gid(o))');
like(error_of('owner', 'part', 'DROP EXTENSION gid'), qr/must be owner of extension gid/, 'REASSIGN OWNED changes the owner of the extension');
is(as($superuser, 'part', q{SELECT proowner::regrole FROM pg_proc WHERE proname = 'gid_new'}), $superuser, 'a superuser still owns its functions');
like(error_of('heir', 'part', 'DROP OWNED BY heir'), qr/column id of table kept\.kept depends on type gid/, 'DROP OWNED does not drop what others use');

as($superuser, 'template1', 'CREATE EXTENSION gid');
as($superuser, 'postgres', 'CREATE DATABASE copied OWNER owner');
is(as('owner', 'copied', q{CREATE EXTENSION IF NOT EXISTS gid; SELECT gid_kind(gid_new('o'))}), 'o', 'a database has gid if template1 has it');
like(error_of('owner', 'copied', q{COMMENT ON EXTENSION gid IS ''}), qr/must be owner/, 'a superuser owns this extension, so dumps restore without comments');

unlike(as('owner', 'copied', "\\dT\n\\df\n\\do\n"), qr/gid/, 'psql lists gid only for a pattern');
like(as('owner', 'copied', "\\dT gid\n\\df gid_new\n\\do >= gid timestamptz\n\\dx+ gid\n"),
	qr/^pg_catalog\|gid\|.*^pg_catalog\|gid_new\|.*^pg_catalog\|>=\|gid\|.*^function gid_new\(text\)$/ms, 'psql lists gid for a pattern');

done_testing();
