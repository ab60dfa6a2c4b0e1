# Who may install gid, and what a hostile search_path can do to it: nothing.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres',
	'CREATE ROLE owner LOGIN; CREATE ROLE mallory LOGIN; CREATE DATABASE shop OWNER owner');
$node->safe_psql('shop', 'CREATE SCHEMA mallory AUTHORIZATION mallory');

# The owner of the database installs it; somebody else does not.
my ($rc, $out, $err) = $node->psql('shop', 'CREATE EXTENSION gid SCHEMA public',
	extra_params => [ '-U', 'mallory' ]);
like($err, qr/permission denied to create extension "gid"/,
	'a stranger cannot install it');

# Mallory prepares a schema: everything that the script names, it shadows.
$node->safe_psql(
	'shop', q{
	CREATE DOMAIN mallory.timestamptz AS text;
	CREATE DOMAIN mallory.uuid AS text;
	CREATE DOMAIN mallory.bytea AS text;
	CREATE DOMAIN mallory.integer AS text;
	CREATE FUNCTION mallory.btequalimage(oid) RETURNS boolean LANGUAGE sql AS 'SELECT false';
	CREATE FUNCTION mallory.gid_eq(anyelement, anyelement) RETURNS boolean LANGUAGE sql AS 'SELECT true';
	CREATE FUNCTION mallory.gid_cmp(anyelement, anyelement) RETURNS pg_catalog.int4 LANGUAGE sql AS 'SELECT 0';
	CREATE OPERATOR mallory.= (FUNCTION = mallory.gid_eq, LEFTARG = anyelement, RIGHTARG = anyelement);
	GRANT ALL ON SCHEMA mallory TO owner, PUBLIC},
	extra_params => [ '-U', 'mallory' ]);

foreach my $schema ('public', 'mallory')
{
	my $owner = [ '-U', 'owner' ];

	$node->safe_psql('shop',
		"SET search_path = mallory, public; CREATE EXTENSION gid SCHEMA $schema",
		extra_params => $owner);
	is( $node->safe_psql(
			'shop', q{
		SELECT count(*) FROM pg_depend e
		JOIN pg_depend d ON d.classid = e.classid AND d.objid = e.objid
		JOIN pg_extension x ON x.oid = e.refobjid AND extname = 'gid'
		LEFT JOIN pg_proc p ON d.refclassid = 'pg_proc'::regclass AND p.oid = d.refobjid
		LEFT JOIN pg_type t ON d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid
		LEFT JOIN pg_operator o ON d.refclassid = 'pg_operator'::regclass AND o.oid = d.refobjid
		WHERE e.refclassid = 'pg_extension'::regclass AND e.deptype = 'e'
		  AND 'mallory'::regrole IN (p.proowner, t.typowner, o.oprowner)}),
		'0',
		"in schema $schema: nothing of it depends on anything of mallory's");
	is( $node->safe_psql(
			'shop', qq{
		SELECT count(*) FROM pg_amproc JOIN pg_proc p ON p.oid = amproc
		WHERE amproclefttype = '$schema.gid'::regtype AND proname ~ 'btequalimage'
		  AND pronamespace = 'pg_catalog'::regnamespace}),
		'1',
		"in schema $schema: the class uses PostgreSQL's own function");

	# Under a hostile path, what gid and PostgreSQL do for a table stays right:
	# keys, foreign keys, checks of kind, order, min and max.
	my $hostile = 'SET search_path = mallory, public, pg_catalog;';
	$node->safe_psql(
		'shop', qq{
		CREATE TABLE public.customer (id $schema.gid(c) PRIMARY KEY DEFAULT $schema.gid_new('c'), n int4);
		CREATE TABLE public.orders (id $schema.gid(o) PRIMARY KEY DEFAULT $schema.gid_new('o'),
			customer $schema.gid(c) REFERENCES public.customer);
		$hostile
		INSERT INTO public.customer (n) SELECT pg_catalog.generate_series(1, 1000);
		INSERT INTO public.orders (customer) SELECT id FROM public.customer},
		extra_params => $owner);
	is( $node->safe_psql(
			'shop', qq{
		$hostile
		SELECT count(DISTINCT id) FROM public.customer;
		SELECT count(*) FROM (SELECT id <> lag(id) OVER (ORDER BY id) AS differs FROM public.customer) d WHERE differs;
		SELECT $schema.gid_timestamp(min(id)) <= $schema.gid_timestamp(max(id)) FROM public.customer},
			extra_params => $owner),
		"1000\n999\nt",
		"in schema $schema: distinct, order, min and max under a hostile path");
	foreach my $case (
		[ 'INSERT INTO public.customer (id) SELECT id FROM public.customer', 'duplicate key value' ],
		[ "INSERT INTO public.orders (customer) SELECT $schema.gid_new('c')", 'violates foreign key' ],
		[ "INSERT INTO public.orders (customer) SELECT id FROM public.orders", 'does not fit type' ])
	{
		my ($statement, $expected) = @$case;

		(undef, undef, $err) =
		  $node->psql('shop', "$hostile $statement", extra_params => $owner);
		like($err, qr/$expected/, "in schema $schema: $expected");
	}
	$node->safe_psql('shop',
		'DROP TABLE public.orders, public.customer; DROP EXTENSION gid',
		extra_params => $owner);
}

# What mallory could put in the way of the script stops it, and is not used.
$node->safe_psql('shop', 'CREATE TABLE mallory.gid ()',
	extra_params => [ '-U', 'mallory' ]);
(undef, undef, $err) = $node->psql('shop', 'CREATE EXTENSION gid SCHEMA mallory',
	extra_params => [ '-U', 'owner' ]);
like($err, qr/type "gid" already exists/, 'a type in the way is an error');

$node->stop;
done_testing();
