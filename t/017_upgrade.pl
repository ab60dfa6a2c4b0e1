#!/usr/bin/perl
# After an update from any older version, the extension is the same as a new one of
# the newest version.  The scripts of released versions are unchanged.
#
# This compares every column of every catalog row of the extension.  On PostgreSQL 18 and
# newer, the test also uses artificial older versions, because no older version exists
# yet.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use Digest::SHA qw(sha256_hex);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $tmp = PostgreSQL::Test::Utils::tempdir();
my %scripts = map { s/.*\///r => slurp_file($_) } glob("$tree/gid--*.sql");
my $control = slurp_file("$tree/gid.control");
my ($version) = $control =~ /^default_version = '(.*)'$/m;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

# Digests make the output of a failure short.
my $installed = $node->config_data('--sharedir') . '/extension';
is_deeply(
	{ map { s/.*\///r => sha256_hex(slurp_file($_)) } glob("$installed/gid--*.sql") },
	{ map { $_ => sha256_hex($scripts{$_}) } keys %scripts },
	'the installed scripts are those of the tree');

#
# The same extension
#

# Describes every object of the extension, by name: its catalog row as JSON, its comment
# and its initial privileges.  An OID that refers to another row is replaced by the name
# of that row.  PostgreSQL knows which columns contain such OIDs.
my $fingerprint = q{
	CREATE FUNCTION pg_temp.described(catalog regclass, key text, object oid) RETURNS jsonb LANGUAGE plpgsql AS $$
	DECLARE
		result jsonb;
		reference record;
	BEGIN
		EXECUTE format('SELECT to_jsonb(c) - ''oid'' FROM %s c WHERE %I = $1', catalog, key) INTO result USING object;
		IF catalog = 'pg_catalog.pg_proc'::regclass THEN
			-- The body of an SQL function is a tree that contains OIDs.
			result := result || jsonb_build_object('prosqlbody', pg_get_function_sqlbody(object));
		END IF;
		FOR reference IN
			SELECT fkcols[1] AS name, result->fkcols[1] AS value, pktable FROM pg_get_catalog_foreign_keys()
			WHERE fktable = catalog AND cardinality(fkcols) = 1 AND result ? fkcols[1]
		LOOP
			result := result || jsonb_build_object(reference.name, (
				SELECT jsonb_agg(CASE WHEN number ~ '^[1-9]\d*$'
					THEN (pg_identify_object(reference.pktable, number::oid, 0)).identity ELSE number END)
				FROM jsonb_array_elements_text(CASE jsonb_typeof(reference.value)
					WHEN 'array' THEN reference.value ELSE jsonb_build_array(reference.value) END) AS number));
		END LOOP;
		RETURN result;
	END $$;

	SET search_path = '';
	WITH RECURSIVE part (catalog, object) AS (
		SELECT 'pg_catalog.pg_extension'::regclass::oid, oid FROM pg_extension WHERE extname = 'gid'
		UNION
		SELECT classid, objid FROM pg_depend JOIN part ON (refclassid, refobjid) = (catalog, object)
		WHERE deptype IN ('e', 'i', 'a'))
	SELECT name.type || ' ' || name.identity, E'\t', jsonb_build_object(
		'row', pg_temp.described(catalog, 'oid', object),
		'aggregate', pg_temp.described('pg_catalog.pg_aggregate', 'aggfnoid', object),
		'comment', obj_description(object, relname),
		'privileges', (SELECT initprivs FROM pg_init_privs WHERE (classoid, objoid) = (catalog, object)))
	FROM part JOIN pg_class c ON c.oid = catalog, pg_identify_object(catalog, object, 0) AS name};

sub fingerprint
{
	my ($database) = @_;

	return { map { split /\|\t\|/ } split /\n/, $node->safe_psql($database, $fingerprint) };
}

# Returns the names of the objects that differ between two fingerprints.
sub differences
{
	my ($a, $b) = @_;

	return join ', ', sort grep { ($a->{$_} // '') ne ($b->{$_} // '') } keys %{ { %$a, %$b } };
}

$node->safe_psql('postgres', 'CREATE EXTENSION gid');
my $fresh = fingerprint('postgres');
is( scalar(keys %$fresh),
	$node->safe_psql(
		'postgres', q{
		SELECT count(*) FROM (
			SELECT classid, objid FROM pg_depend JOIN pg_extension e ON (refclassid, refobjid) = (e.tableoid, e.oid)
			WHERE extname = 'gid' AND deptype = 'e'
			UNION SELECT tableoid, oid FROM pg_extension WHERE extname = 'gid'
			UNION SELECT tableoid, oid FROM pg_type WHERE typelem = 'gid'::regtype
			UNION SELECT tableoid, oid FROM pg_amop WHERE 'gid'::regtype IN (amoplefttype, amoprighttype)
			UNION SELECT p.tableoid, p.oid FROM pg_amproc p JOIN pg_opclass ON opcfamily = amprocfamily WHERE opcintype = 'gid'::regtype) part}),
	'a fingerprint contains all objects');
is(scalar(grep { /"(?:oid|\w+namespace|\w+owner)": \["?\d/ } values %$fresh), 0, 'a fingerprint contains no OIDs');

$node->safe_psql('postgres', 'ALTER OPERATOR = (gid, gid) SET (RESTRICT = NONE)');
is(differences($fresh, fingerprint('postgres')), 'operator pg_catalog.=(pg_catalog.gid,pg_catalog.gid)', 'the test detects a difference');

#
# Updates
#

# Returns the fingerprint after an update from an older version that is in use.
sub updated
{
	my ($from) = @_;
	my $database = "from_$from";

	$node->safe_psql('postgres', "CREATE DATABASE \"$database\"");
	$node->safe_psql($database, "CREATE EXTENSION gid VERSION '$from'");
	is( $node->safe_psql(
			$database, qq{
		CREATE TABLE item (id gid(o) PRIMARY KEY DEFAULT gid_new('o'));
		INSERT INTO item SELECT FROM generate_series(1, 1000);
		CREATE TABLE before AS SELECT id::text FROM item;
		ALTER EXTENSION gid UPDATE;
		INSERT INTO item DEFAULT VALUES;
		SET enable_seqscan = off;
		SELECT count(*) FROM item JOIN before ON item.id = before.id::gid}),
		'1000',
		"from $from: rows and indexes stay");
	return fingerprint($database);
}

# Returns the versions that can be updated to the newest version.
sub sources
{
	return split /\n/, $node->safe_psql('postgres', qq{
		SELECT source FROM pg_extension_update_paths('gid')
		WHERE target = '$version' AND path IS NOT NULL ORDER BY 1});
}

is( $node->safe_psql('postgres', qq{
		SELECT source FROM pg_extension_update_paths('gid') WHERE target = '$version' AND path IS NULL}),
	'',
	'every version has an update to the newest');
foreach my $from (sources())
{
	is(differences($fresh, updated($from)), '', "from $from: the extension is the same as a new one");
}

SKIP:
{
	skip_allowed 'extensions in other folders require PostgreSQL 18', 7 if $node->pg_version < 18;

	# All three versions lack two functions that their updates add.  The update of 0.8 does
	# not add a comment, and the update of 0.7 does not grant EXECUTE.
	my ($function, $comment) =
	  $scripts{"gid--$version.sql"} =~ /^(CREATE FUNCTION gid_version\(\)\n.*?;\n)\n(COMMENT ON .*?;\n)/ms;
	my ($explain) = $scripts{"gid--$version.sql"} =~ /^(CREATE FUNCTION gid_explain\(.*?\nEND;\n\nCOMMENT ON .*?;\n)/ms;
	my $grant = 'GRANT EXECUTE ON FUNCTION gid_version(), gid_explain(gid) TO PUBLIC;';
	my $older = $scripts{"gid--$version.sql"} =~ s/\Q$function\E\n\Q$comment\E//r =~ s/\Q$explain\E//r;
	my %files = (
		'gid.control' => $control,
		"gid--$version.sql" => $scripts{"gid--$version.sql"},
		'gid--0.9.sql' => $older,
		"gid--0.9--$version.sql" => $function . $comment . $explain . $grant,
		'gid--0.8.sql' => $older,
		"gid--0.8--$version.sql" => $function . $explain . $grant,
		'gid--0.7.sql' => $older,
		"gid--0.7--$version.sql" => $function . $comment . $explain);

	mkdir "$tmp/share";
	mkdir "$tmp/share/extension";
	append_to_file("$tmp/share/extension/$_", $files{$_}) foreach keys %files;
	$node->append_conf('postgresql.conf', "extension_control_path = '$tmp/share'");
	$node->restart;

	is_deeply([ sources() ], [ '0.7', '0.8', '0.9' ], 'three artificial older versions exist');
	is(differences($fresh, updated('0.9')), '', 'the update of 0.9 creates the right objects');
	is(differences($fresh, updated('0.8')), 'function pg_catalog.gid_version()', 'the test detects that the update of 0.8 does not');
	is(differences($fresh, updated('0.7')), 'function pg_catalog.gid_explain(pg_catalog.gid), function pg_catalog.gid_version()',
		'the test detects that the update of 0.7 does not grant EXECUTE');
}
$node->stop;

#
# Releases
#

my $changelog = slurp_file("$tree/CHANGELOG.md");
is((slurp_file("$tree/META.json") =~ /"version": "([\d.]+)"/)[0],
	($changelog =~ /^## ([\d.]+)/m)[0], 'META.json has the newest version of the changelog');
like($changelog, qr/\A.*?^## \Q$version\E\.\d+ /ms, 'gid.control has the newest version of the changelog');

my %released = reverse slurp_file("$tree/t/released.sha256") =~ /^([0-9a-f]{64})  (\S+)$/mg;
my @versions = $changelog =~ /^## (\d+\.\d+)\.\d+ \((?!unreleased)/mg;

unlike(join("\n", values %scripts), qr/\bIN\s+SCHEMA\b/i, 'no script changes the privileges of all functions in pg_catalog');
is_deeply(
	{ map { $_ => sha256_hex($scripts{$_} // '') } keys %released },
	\%released, 'released scripts are unchanged');
is_deeply(
	[ sort keys %released ],
	[ sort grep { my ($of) = /--([\d.]+)\.sql$/; grep { $_ eq $of } @versions } keys %scripts ],
	'all released scripts are checked');

done_testing();
