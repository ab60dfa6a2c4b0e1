#!/usr/bin/perl
# Tests which roles can install gid and set its parameters.  The default privileges of the
# server were revoked.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

my $node = new_server('main');
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE ROLE owner LOGIN;
	CREATE ROLE reader LOGIN;
	CREATE ROLE trusted LOGIN;
	CREATE DATABASE shop OWNER owner;
});
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
$node->safe_psql('shop', 'ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
	ALTER DEFAULT PRIVILEGES REVOKE USAGE ON TYPES FROM PUBLIC');

# Runs statements as a role.  Returns the rows, then warnings, notices and errors.
sub answer
{
	my ($role, $statements, %options) = @_;

	local $ENV{PGOPTIONS} = $options{options} // '';
	my ($rc, $out, $err) =
	  $node->psql('shop', $statements, extra_params => [ '-U', $role ]);
	return join "\n", grep { length } $out, $err;
}

#
# Installing
#

like(answer('reader', 'CREATE EXTENSION gid'),
	qr/permission denied to create extension "gid"/,
	'a role without privileges on the database cannot install gid');
is(answer('owner', 'CREATE EXTENSION gid'), '', 'the owner of the database can install gid');
is(answer('reader', q{
	CREATE TEMP TABLE note (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), ids gid[]);
	INSERT INTO note DEFAULT VALUES RETURNING gid_kind(id)}), 'o', 'every role can use gid');

$node->safe_psql('postgres', 'CREATE DATABASE bare OWNER owner');
$node->safe_psql('bare', 'DROP EXTENSION plpgsql');
is($node->safe_psql('bare', q{CREATE EXTENSION gid; SELECT gid_kind(gid_new('o'))}, extra_params => [ '-U', 'owner' ]),
	'o', 'gid does not require PL/pgSQL');

# An update adds the functions that a database lacks after pg_upgrade from 17 or earlier.
my ($share) = run_command([ $ENV{PG_CONFIG}, '--sharedir' ]);
my $version = $node->safe_psql('bare', q{SELECT extversion FROM pg_extension WHERE extname = 'gid'});
append_to_file("$share/extension/gid--$version--next.sql", q{
	CREATE FUNCTION gid_complete_update() RETURNS void AS 'MODULE_PATHNAME' LANGUAGE c;
	SELECT gid_complete_update();
	DROP FUNCTION gid_complete_update();
});
my $members = q{SELECT count(*) FROM pg_amproc WHERE amproc::text IN ('uuid_skipsupport', 'gid_gist_strategy') AND amproclefttype <> 'uuid'::regtype};
my $all = $node->pg_version >= 18 ? 2 : 0;
is($node->safe_psql('bare', $members), $all, 'support functions of newer versions of PostgreSQL: a new database has them');
$node->safe_psql('bare', q{ALTER OPERATOR FAMILY gid_ops USING btree DROP FUNCTION 6 (gid, gid);
	ALTER OPERATOR FAMILY gid_ops USING gist DROP FUNCTION 12 ("any", "any")}) if $all;
is($node->safe_psql('bare', "ALTER EXTENSION gid UPDATE TO 'next'; $members", extra_params => [ '-U', 'owner' ]),
	$all, 'support functions of newer versions of PostgreSQL: an update by the owner adds them');
unlink "$share/extension/gid--$version--next.sql";

#
# Parameters
#
# They exist after the library is loaded.  The first call of a function loads it.
# sql/settings.sql tests them in a session that has loaded it.

my $load = q{SELECT gid_kind(gid_new('o'))};

# Before that, PostgreSQL does not know the parameters.
my $unknown = qr/unrecognized configuration parameter "gid\.node"/;
like(answer($superuser, 'SHOW gid.node'), $unknown, 'gid.node: SHOW fails in a session that has not loaded gid');
# Since PostgreSQL 17, ALTER SYSTEM accepts unknown names.
like(answer($superuser, 'ALTER SYSTEM SET gid.node = 7'),
	$node->pg_version < 17 ? $unknown : qr/^$/, 'gid.node: ALTER SYSTEM fails before version 17');
is(answer($superuser, 'ALTER SYSTEM RESET ALL'), '', 'ALTER SYSTEM RESET ALL removes the setting');
is(answer($superuser, q{SELECT count(*) FROM pg_settings WHERE name LIKE 'gid.%'}), '0', 'pg_settings does not contain parameters of gid in such a session');
is(answer($superuser, q{SELECT node IS NULL FROM gid_generator(); SHOW gid.node}), "t\n-1", 'gid.node: SHOW works after a call of a function');
my $may_not = qr/permission denied to set parameter "gid\.instant_source"/;
like(answer('reader', 'ALTER ROLE reader SET gid.instant_source = clock'), $may_not,
	'gid.instant_source: ALTER ROLE is denied in a session that has not loaded gid');
like(answer('owner', 'ALTER DATABASE shop SET gid.instant_source = clock'), $may_not, 'gid.instant_source: ALTER DATABASE is denied in a session that has not loaded gid');
is(answer('reader', "$load; ALTER ROLE reader SET gid.instant_source = clock"), 'o', 'gid.instant_source: ALTER ROLE works after a call of a function');
is(answer('owner', "$load; ALTER DATABASE shop SET gid.instant_source = clock"), 'o', 'gid.instant_source: ALTER DATABASE works after a call of a function');
is(answer('reader', "$load; SHOW gid.instant_source"), "o\nclock", 'gid.instant_source: the next session has the setting');
is(answer($superuser, 'ALTER ROLE reader RESET gid.instant_source; ALTER DATABASE shop RESET gid.instant_source'), '', 'gid.instant_source: RESET works in a session that has not loaded gid');

my $not_now = qr/parameter "gid\.node" cannot be changed now/;
like(answer($superuser, "$load; ALTER ROLE reader SET gid.node = 5"), $not_now, 'gid.node: ALTER ROLE is denied');
like(answer($superuser, "$load; ALTER DATABASE shop SET gid.node = 5"), $not_now, 'gid.node: ALTER DATABASE is denied');
# Before the library is loaded, any name with a dot can be set.  Loading must undo this.
like(answer('reader', "SET gid.node = 5; $load; SHOW gid.node"),
	qr/^o\n-1\n.*WARNING:  $not_now/s, 'gid.node: SET before the library is loaded has no effect');
like(answer($superuser, "$load; SHOW gid.node", options => '-c gid.node=5'),
	qr/^o\n-1\n.*WARNING:  $not_now/s, 'gid.node: a connection option has no effect');
$node->append_conf('postgresql.conf', 'gid.node = 5');
$node->restart;
is(answer('reader', q{SELECT gid_node(gid_new('o')); SHOW gid.node}), "5\n5", 'gid.node: postgresql.conf sets it');

my $denied = qr/permission denied to set parameter "gid\.max_clock_skew"/;
like(answer('reader', "SET gid.max_clock_skew = '1h'; $load; SHOW gid.max_clock_skew"),
	qr/^o\n10s\n.*WARNING:  $denied/s, 'gid.max_clock_skew: SET before the library is loaded has no effect');
like(answer('reader', "$load; SHOW gid.max_clock_skew", options => '-c gid.max_clock_skew=1h'),
	qr/^o\n10s\n.*WARNING:  $denied/s, 'gid.max_clock_skew: a connection option has no effect');
is(answer($superuser, "$load; SET gid.max_clock_skew = '1h'; SHOW gid.max_clock_skew"),
	"o\n1h", 'gid.max_clock_skew: a superuser can set it');
is(answer($superuser, 'GRANT SET ON PARAMETER gid.max_clock_skew TO trusted'), '', 'gid.max_clock_skew: SET can be granted');
is(answer('trusted', "SET gid.max_clock_skew = '1h'; $load; SHOW gid.max_clock_skew"),
	"o\n1h", 'gid.max_clock_skew: a role with the grant can set it');

is(answer('reader', "SET gid.instant_source = clock; $load; SHOW gid.instant_source"), "o\nclock", 'gid.instant_source: every role can set it');
like(answer('reader', "SET gid.instant_source = wall; $load; SHOW gid.instant_source"),
	qr/^o\ntransaction\n.*WARNING:  invalid value for parameter "gid\.instant_source": "wall"/s, 'gid.instant_source: an invalid value before the library is loaded has no effect');

done_testing();
