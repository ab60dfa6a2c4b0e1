#!/usr/bin/perl
# gid-move moves keys of every format.
# If it cannot move a table, it rejects the table with the reason.
#
# Packages: python3-psycopg
#
# Does not depend on the version of PostgreSQL.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin", "$FindBin::RealBin/../../t";
use Gid;
use Move;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "shared_preload_libraries = pg_stat_statements\nautovacuum_naptime = 1\nmax_connections = 40\nlc_messages = 'C'\nlog_statement = none\nclient_min_messages = error");
$node->start;
@ENV{qw(PGHOST PGPORT)} = ($node->host, $node->port);

my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->set_query_timer_restart;
sub sql { return $session->query_safe("DISCARD ALL; SET search_path = public, formats;\n$_[0]") }

sql("CREATE ROLE owner LOGIN; GRANT CREATE ON DATABASE postgres TO owner; CREATE EXTENSION gid; CREATE SCHEMA formats;
	GRANT ALL ON SCHEMA public, formats TO owner; GRANT SET ON PARAMETER session_replication_role TO owner");
# What a role sets does not change what gid-move does.
$node->safe_psql('postgres', $_) foreach "SET allow_in_place_tablespaces = on; CREATE TABLESPACE other LOCATION ''", 'GRANT CREATE ON TABLESPACE other TO owner',
	map { "ALTER ROLE owner SET $_" } 'quote_all_identifiers = on', 'default_tablespace = other', 'lock_timeout = 999999', 'statement_timeout = 999999', 'transform_null_equals = on',
	"TimeZone = 'Asia/Kolkata'", "DateStyle = 'SQL, DMY'", 'default_transaction_read_only = on', "default_transaction_isolation = 'serializable'",
	$node->pg_version < 17 ? () : 'transaction_timeout = 999999';
$node->command_ok([ 'psql', '-X', '-q', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1', '-c', 'SET search_path = formats, public',
	'-f', "$tree/move/gid_move/formats.sql" ], 'the functions of all formats can be created');

my ($known, $errors) = run_command([ qw(psql -X -q -A -t -d postgres -v ON_ERROR_STOP=1 -c), 'SET search_path = formats, public; SET known.keys = ' . (is_long() ? 10000 : 2000),
	'-f', "$tree/move/t/known.sql" ]);
is($errors, '', 'known.sql runs without errors');
ok(!/^not/, s/^(?:not )?ok - //r) foreach split /\n/, $known;

$as = 'owner';

# --- Formats -----------------------------------------------------------------------

my $at = "timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.000321 s'";
my $id = "gid_random('k', $at)";
my $time_of_id = "gid_timestamp(id) + (gid_payload(id) >> 54 & 1023) * interval '1 us'";

# Name, type of the column, a key, its gid, and arguments.
my @formats = (
	[ 'uuid', 'uuid DEFAULT gen_random_uuid()', 'gen_random_uuid()', "gid_of_uuid('k', key, at)", qw(--from uuid --time at) ],
	[ 'uuid without a time', 'uuid', 'gen_random_uuid()', "gid_of_uuid('k', key, $time_of_id)", qw(--from uuid) ],
	[ 'uuid', 'varchar(36)', 'gen_random_uuid()::text', "gid_of_uuid('k', key::uuid, at)", qw(--from uuid --time at) ],
	[ 'uuid7', 'text', "uuid7_of($id)::text", "gid_of_uuid7('k', key::uuid)", qw(--from uuid7) ],
	[ 'bytes', 'uuid', "($id)::uuid", 'key::gid', qw(--from bytes) ],
	[ 'uuid7', 'uuid', "uuid7_of($id)", "gid_of_uuid7('k', key)", qw(--from uuid7) ],
	[ 'ulid', 'text COLLATE "C"', "ulid_of($id)", "gid_of_ulid('k', key)", qw(--from ulid) ],
	[ 'ulid', 'char(26)', "ulid_of($id)", "gid_of_ulid('k', key::text)", qw(--from ulid) ],
	[ 'ulid', 'uuid', "ulid_uuid_of($id)", "gid_of_ulid('k', key)", qw(--from ulid) ],
	[ 'number', 'bigint GENERATED ALWAYS AS IDENTITY', 'n', "gid_of_number('k', key, at)", qw(--time at) ],
	[ 'number', 'serial', 'n', "gid_of_number('k', key, at)", qw(--from number --time at) ],
	[ 'number without a time', 'bigint DEFAULT nextval(\'numbers\')', 'n', "gid_of_number('k', key, $time_of_id)" ],
	[ 'ksuid', 'text COLLATE "C"', "ksuid_of($id)", "gid_of_ksuid('k', key)", qw(--from ksuid) ],
	[ 'typeid', 'text', "typeid_of($id, 'user')", "gid_of_typeid('k', key, 'user')", qw(--from typeid --prefix user) ]);

sql('CREATE SEQUENCE numbers START 1000; ALTER SEQUENCE numbers OWNER TO owner');
foreach my $format (@formats)
{
	my ($name, $type, $key, $gid, @arguments) = @$format;

	subtest "$name as $type" => sub {
		sql("DROP TABLE IF EXISTS child, parent, original CASCADE; DROP SCHEMA IF EXISTS gid_move CASCADE;
			SET ROLE owner;
			CREATE TABLE parent (id $type PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), name text NOT NULL);
			CREATE TABLE child (parent_id @{[ $type =~ s/ (?:DEFAULT|GENERATED).*//r =~ s/serial/int/r ]} NOT NULL REFERENCES parent, name text);
			INSERT INTO parent (id, at, name) OVERRIDING SYSTEM VALUE SELECT $key, $at, n FROM generate_series(1, 200) n;
			INSERT INTO child SELECT id, name FROM parent, generate_series(1, 3);
			CREATE TABLE original AS SELECT id AS key, name FROM parent;
			SELECT setval(pg_get_serial_sequence('parent', 'id'), 1000);");
		moves_ok('start backfill switch', 'parent', '--kind', 'k', @arguments) or return;
		is(sql("SELECT count(*) FROM original JOIN parent USING (name) WHERE id = $gid AND parent.id__old = key"), 200, 'each row has the gid of its key');
		is(sql('SELECT count(*) FROM parent p JOIN child c ON c.parent_id = p.id WHERE c.name = p.name'), 600, 'references lead to the same rows');

		# Old and new programs insert rows between switch and finish.
		my $old = $key =~ s/\bn\b/400/gr;
		sql("INSERT INTO parent (id, name) VALUES (gid_new('k'), 'new'); INSERT INTO child (parent_id, name) SELECT id, name FROM parent WHERE name = 'new';
			SET search_path = gid_before, public, formats;
			INSERT INTO parent (id, name) OVERRIDING SYSTEM VALUE VALUES ($old, 'old'); INSERT INTO child (parent_id, name) SELECT id, name FROM parent WHERE name = 'old';
			INSERT INTO child (parent_id, name) SELECT id, 'both' FROM parent WHERE name = 'new'");
		sql("INSERT INTO child (parent_id, name) SELECT id, 'both' FROM parent WHERE name = 'old'");
		is(sql('SELECT count(*) FROM parent p JOIN child c ON c.parent_id = p.id AND c.parent_id__old = p.id__old'), 604, 'old and new programs can write');

		moves_ok('finish', 'parent') or return;
		is(sql('SELECT count(*) FROM parent p JOIN child c ON c.parent_id = p.id WHERE c.name IN (p.name, $$both$$)'), 604, 'finish keeps all rows');
	};
}

# --- Tables that are rejected -------------------------------------------------------------

# refused_like TABLES, PATTERN, ARGUMENTS: gid-move plan must reject things for this reason.
sub refused_like
{
	my ($tables, $pattern, @arguments) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	sql("DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public; $tables");
	my ($succeeded, $said) = gid_move('plan', 's.things', '--kind', 't', @arguments);
	ok(!$succeeded, 'plan fails') or diag($said);
	like($said, $pattern, $tables =~ s/\s+/ /gr);
	is(sql("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^gid_move_scratch'"), 0, 'plan leaves no schema');
	return;
}

sql('CREATE ROLE other; DROP TABLE child, parent; DROP SCHEMA gid_move CASCADE; GRANT owner TO other');
my $things = 'CREATE TABLE things (id uuid PRIMARY KEY, at timestamptz, n int)';
my @uuid = qw(--from uuid);

refused_like('CREATE TABLE things (id uuid, n int, PRIMARY KEY (n, id)) PARTITION BY HASH (n)', qr/things is partitioned/, @uuid, qw(--column id));
refused_like("$things; CREATE TABLE more () INHERITS (things)", qr/things is inherited/, @uuid);
refused_like("$things; ALTER TABLE things ADD label text GENERATED ALWAYS AS ('thing ' || id) STORED", qr/generated column label of table things depends on things/, @uuid);
refused_like("$things; CREATE TABLE logs (id uuid); CREATE RULE log AS ON DELETE TO things DO ALSO INSERT INTO logs VALUES (OLD.id)", qr/rule log on table things depends on things/, @uuid);
refused_like("$things; ALTER TABLE things ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY", qr/FORCE ROW LEVEL SECURITY.*ALTER TABLE.*owner then see all rows/s, @uuid);
refused_like("$things; CREATE TABLE parts (thing uuid REFERENCES things, n int) PARTITION BY LIST (n)",
	qr/s\.parts is partitioned\.\n.*partitioned\.sql of gid-move/, @uuid);
refused_like("$things; CREATE TABLE parts (thing uuid REFERENCES things); RESET ROLE; CREATE PUBLICATION few FOR TABLE parts (thing) WITH (publish = 'insert')",
	qr/publication of table parts in publication few depends on parts, and cannot be moved\.\n.*without a list of columns/, @uuid);
refused_like("$things; RESET ROLE; CREATE PUBLICATION more FOR TABLE things", qr/publication more would stop.*: things\.\n  On each subscriber: .*ALTER TABLE s\.things ADD things_id__new gid\(t\); Then use --published/, @uuid);
refused_like("$things; RESET ROLE; CREATE PUBLICATION whole FOR ALL TABLES", qr/publication whole would stop.*\n  It is FOR ALL TABLES.*BEGIN; DROP PUBLICATION whole; CREATE PUBLICATION whole FOR TABLES IN SCHEMA s; COMMIT;/, @uuid);
sql('DROP PUBLICATION few, more, whole');
refused_like('CREATE TABLE things (id serial PRIMARY KEY); CREATE TABLE parts (n int DEFAULT nextval($$things_id_seq$$))', qr/default value for column n of table parts also uses things_id_seq.*\n  ALTER SEQUENCE things_id_seq OWNED BY NONE;/);
refused_like("$things; CREATE SCHEMA IF NOT EXISTS s2; DROP TABLE IF EXISTS s2.parts; CREATE TABLE s2.parts (thing uuid REFERENCES things); CREATE INDEX i ON s2.parts (thing); CREATE INDEX i ON things (id, n)",
	qr/Two tables, views or indexes of this move are called i\.\n  Rename one/, @uuid);
sql('DROP SCHEMA s2 CASCADE');
refused_like("CREATE TABLE things (id bigint PRIMARY KEY, EXCLUDE USING gist (int8range(id, id + 5) WITH &&))", qr/index things_int8range_excl depends on things, and cannot be moved/);
refused_like("$things; ALTER TABLE things ADD EXCLUDE USING hash (id WITH =)", qr/constraint things_id_excl on table things depends on things, and cannot be moved/, @uuid);
refused_like("$things; CREATE VIEW v AS SELECT id FROM things; RESET ROLE; ALTER VIEW v OWNER TO other", qr/owner cannot create the view s\.v again, which belongs to other\.\n.*OWNER TO owner;/, @uuid);
refused_like("$things; CREATE VIEW v AS SELECT id FROM things; CREATE RULE r AS ON INSERT TO v DO INSTEAD NOTHING", qr/rule r on view v depends on v, and cannot be moved/, @uuid);
refused_like("$things; CREATE VIEW v AS SELECT id FROM things; ALTER VIEW v ALTER id SET DEFAULT gen_random_uuid()", qr/default value for column id of view v depends on v, and cannot be moved/, @uuid);
refused_like("$things; CREATE VIEW v AS SELECT id FROM things; CREATE FUNCTION f(v) RETURNS int LANGUAGE sql AS 'SELECT 1'", qr/function f\(v\) depends on v, and cannot be moved/, @uuid);
refused_like("$things; CREATE STATISTICS st ON id, n FROM things", qr/statistics object \S*st depends on things, and cannot be moved\.\n  DROP STATISTICS s\.st;/, @uuid);
refused_like("$things; CREATE TABLE history (old things, n int)", qr/column old of table history depends on things, and/, @uuid);
refused_like("$things; CREATE RULE more AS ON UPDATE TO things DO ALSO NOTIFY changes", qr/rule more on table things depends on things, and/, @uuid);
refused_like("$things; RESET ROLE; SET allow_system_table_mods = on; INSERT INTO pg_seclabel VALUES ('s.things'::regclass, 'pg_class'::regclass, 1, 'anon', 'MASKED')",
	qr/the security label of column id of table things depends on things, and/, @uuid);
sql('SET allow_system_table_mods = on; DELETE FROM pg_seclabel');
refused_like("$things; CREATE TABLE parts (thing uuid); INSERT INTO parts VALUES (gen_random_uuid()); ALTER TABLE parts ADD FOREIGN KEY (thing) REFERENCES things NOT VALID",
	qr/1 rows of s\.parts have a thing that refers to no row of s\.things.*\n.*DELETE FROM s\.parts.*UPDATE s\.parts/, @uuid);
refused_like("$things; ALTER TABLE things ADD UNIQUE (n, id); CREATE TABLE parts (n int, thing uuid, FOREIGN KEY (n, thing) REFERENCES things (n, id)); INSERT INTO parts VALUES (NULL, gen_random_uuid())",
	qr/1 rows of s\.parts have a thing that refers to no row of s\.things/, @uuid);
refused_like('CREATE TABLE things (id text PRIMARY KEY); CREATE INDEX i ON things (id text_pattern_ops)', qr/index i does not work.*\n.*DROP INDEX CONCURRENTLY s\.i;/, qw(--from ulid));
refused_like('CREATE TABLE things (id bigint PRIMARY KEY, other int REFERENCES things); CREATE INDEX i ON things (COALESCE(other, id::int, 0))',
	qr/^gid-move: After switch, the index i would mean something else: it casts things\.id to integer; it mixes things\.other with .*\n.*\n  DROP INDEX CONCURRENTLY s\.i; .* Create it again after the move, for gid\.\n\z/m);
refused_like('CREATE TABLE things (id int PRIMARY KEY); CREATE VIEW v AS SELECT id::bigint FROM things', qr/view v would mean something else: it casts things\.id to bigint/);
refused_like("$things; ALTER TABLE things ADD CHECK (id < 'ffffffff-0000-0000-0000-000000000000'::uuid)", qr/constraint things_id_check on table things would mean something else: it compares things\.id \(<\) with.*\n.*\n  ALTER TABLE s\.things DROP CONSTRAINT things_id_check;/, @uuid);
refused_like("$things; CREATE VIEW v AS SELECT coalesce(id, gen_random_uuid()) AS id FROM things", qr/view v would mean something else: it mixes things\.id with.*\n.*\n  If it compares .*\n(?!  Or accept)/, @uuid);
refused_like("$things; CREATE FUNCTION f() RETURNS uuid BEGIN ATOMIC SELECT id FROM things; END", qr/function f\(\) depends on things, and cannot be moved\.\n  Write a body that is BEGIN ATOMIC as text/, @uuid);
refused_like("$things; ALTER TABLE things ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON things USING (id = current_setting('a.b')::uuid)", qr/policy p on table things would mean something else: it compares things\.id \(=\).*current_setting.*as_key/s, @uuid);
refused_like("$things; CREATE VIEW v AS SELECT id FROM things; CREATE TABLE others (thing uuid); ALTER TABLE others ENABLE ROW LEVEL SECURITY;
	CREATE POLICY p ON others USING (EXISTS (SELECT FROM v))", qr/policy p on table others would mean something else: it uses the view v/, @uuid);
refused_like("$things; CREATE TABLE parts (thing uuid DEFAULT gen_random_uuid() REFERENCES things)", qr/parts\.thing has the default gen_random_uuid.*\n.*DROP DEFAULT;/, @uuid);
refused_like("CREATE TABLE things (id int PRIMARY KEY); CREATE TABLE parts (id int GENERATED ALWAYS AS IDENTITY REFERENCES things)", qr/parts\.id has the default of an identity.*\n.*DROP IDENTITY;/);
refused_like("CREATE TABLE others (id uuid PRIMARY KEY); $things; ALTER TABLE things ADD FOREIGN KEY (id) REFERENCES others", qr/refers to others.*Move others/s, @uuid);
refused_like("CREATE TABLE others (id uuid PRIMARY KEY); $things; CREATE TABLE parts (thing uuid REFERENCES things REFERENCES others)", qr/parts\.thing refers to others as well.*\n.*ALTER TABLE s\.parts DROP CONSTRAINT parts_thing_fkey1?;/, @uuid);
refused_like("$things; CREATE TABLE parts (thing uuid REFERENCES things); RESET ROLE; ALTER TABLE parts OWNER TO other", qr/parts belongs to other/, @uuid);
refused_like("$things; ALTER TABLE things ADD things_id__new int", qr/has a column things_id__new.*ALTER TABLE s\.things RENAME/s, @uuid);
refused_like('CREATE TABLE things (id uuid PRIMARY KEY, at timestamp)', qr/--time at is timestamp without time zone, not.*\n.*AT TIME ZONE/, @uuid, qw(--time at));
refused_like($things, qr/--time nothing: column "nothing" does not exist/, @uuid, qw(--time nothing));
refused_like($things, qr/things\.id is uuid, and can have keys of several formats\.\n  Name one of these: --from uuid, uuid7, ulid, bytes\. .*cuid, nanoid/);
refused_like($things, qr/cannot have keys of the format number/, qw(--from number));
refused_like($things =~ s/uuid/gid/r, qr/is a gid already/);
refused_like('CREATE TABLE things (id numeric PRIMARY KEY)', qr/is numeric, and no format of this type can be moved/);
refused_like("$things; INSERT INTO things VALUES ('919108f7-52d1-4320-9bac-f847db4148a8')", qr/key or a time that cannot be moved: invalid UUIDv7/, qw(--from uuid7));
refused_like('CREATE TABLE things (id uuid)', qr/has no primary key.*--column/s, @uuid);
refused_like($things, qr/has no column other/, @uuid, qw(--column other));
refused_like('CREATE TABLE things (id bigint PRIMARY KEY); INSERT INTO things VALUES (-1)', qr/key or a time that cannot be moved.*-1/s);

$node->safe_psql('postgres', "CREATE SUBSCRIPTION theirs CONNECTION '' PUBLICATION p WITH (connect = false, slot_name = NONE);
	INSERT INTO pg_subscription_rel SELECT oid, 's.things'::regclass, 'r' FROM pg_subscription");
like((gid_move('plan', 's.things', '--kind', 't'))[1], qr/s\.things is filled by a subscription\./, 'the target of a subscription is rejected');
like((gid_move('plan', 's.nothing', '--kind', 't'))[1], qr/There is no table s\.nothing/, 'a table that does not exist is rejected');
like((gid_move('plan', 's.things', '--kind', 'thing'))[1], qr/unrecognized gid kind/, 'a kind that does not exist is rejected');
like((gid_move('switch', 's.things'))[1], qr/no unfinished move of s\.things/, 'a move that has not begun is rejected');
like((gid_move('status'))[1], qr/No table has moved/, 'status works before the first move');
like((run_command([ $python, '-S', "$tree/move/gid-move", 'status' ]))[1], qr{^gid-move requires psycopg 3 for (/\S+): (?:apt-get|\1 -m pip) install \S+}, 'gid-move says how to install psycopg');
sql('DROP SUBSCRIPTION theirs; CREATE ROLE auditor LOGIN; GRANT USAGE ON SCHEMA s TO auditor');
$as = 'auditor';
like((gid_move('plan', 's.things', qw(--kind t)))[1], qr/You are not a member of owner\.\n  Connect as owner/, 'a role that is not a member of the owner is rejected');
$as = 'owner';
sql('REVOKE CREATE ON DATABASE postgres FROM owner');
like((gid_move('plan', 's.things', qw(--kind t)))[1], qr/owner cannot create schemas in this database\.\n  GRANT CREATE ON DATABASE postgres TO owner;/, 'an owner who cannot create schemas is rejected');
sql('GRANT CREATE ON DATABASE postgres TO owner');

# Rejected for other reasons, such as privileges.
refused_like('CREATE TABLE things (id uuid PRIMARY KEY, code uuid UNIQUE)', qr/code can be NULL/, @uuid, qw(--column code));
refused_like("$things; CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO logs SELECT NEW.*; RETURN NEW; END';
	CREATE TRIGGER t AFTER INSERT ON things FOR EACH ROW EXECUTE FUNCTION f()", qr/uses NEW\.\* or OLD\.\*/, @uuid);
refused_like("$things; CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	CREATE TRIGGER \"\x{7f}\" BEFORE INSERT ON things FOR EACH ROW EXECUTE FUNCTION f()", qr/would run before or after gid-move's triggers/, @uuid);
refused_like("$things; CREATE VIEW v AS SELECT id, n FROM things GROUP BY id", qr/groups by things_pkey/, @uuid);
refused_like("$things; CREATE VIEW v AS WITH things AS (SELECT id FROM s.things) SELECT id FROM things", qr/gives the name of .*things to something else/, @uuid);
refused_like('CREATE TABLE things (t int, id uuid, PRIMARY KEY (t, id))', qr/id is not unique by itself\.\n.*CREATE UNIQUE INDEX CONCURRENTLY ON s\.things \(id\);/, @uuid, qw(--column id));
refused_like('CREATE TABLE things (id uuid PRIMARY KEY, at timestamptz); INSERT INTO things VALUES (gen_random_uuid(), NULL), (gen_random_uuid(), NULL)', qr/^gid-move: 2 rows of s\.things have no time/m, @uuid, qw(--time at));
refused_like("CREATE TABLE things (id uuid PRIMARY KEY, at timestamptz); INSERT INTO things VALUES (gen_random_uuid(), 'infinity')", qr/timestamp out of range/, @uuid, qw(--time at));
refused_like($things, qr/must be marked IMMUTABLE/, @uuid, '--time', 'coalesce(at, now())');
refused_like("$things; CREATE INDEX things_pkey__old ON things (n)", qr/needs the name s\.things_pkey__old, which is taken\./, @uuid);
refused_like("$things; RESET ROLE; GRANT CREATE ON SCHEMA s TO other", qr/other can create functions and operators in the schema s/, @uuid);
sql('REVOKE CREATE ON SCHEMA s FROM other; CREATE SCHEMA gid_move AUTHORIZATION other');
like((gid_move('plan', 's.things', '--kind', 't', @uuid))[1], qr/The schema gid_move belongs to other/, 'a schema gid_move of another role is rejected');
sql('DROP SCHEMA gid_move');
$as = '';	# the superuser
like((gid_move('plan', 's.things', '--kind', 't'))[1], qr/You are a superuser, and owner is not/, 'a superuser does not run code of other roles');
$node->safe_psql('postgres', 'CREATE DATABASE theirs OWNER other');
$node->safe_psql('theirs', 'CREATE EXTENSION gid; CREATE TABLE things (id uuid PRIMARY KEY)');
$db = 'theirs';
like((gid_move('plan', 'public.things', '--kind', 't'))[1], qr/pg_database_owner can create functions and operators in the schema public/,
	'a superuser does not run code of the owner of the database');
($db, $as) = ('postgres', 'owner');

# Between start and finish, programs can do the same as before.
sql("CREATE ROLE writer; ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT ALL ON TABLES TO writer;
	DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; GRANT USAGE ON SCHEMA s TO writer; SET ROLE owner; SET search_path = s, public;
	CREATE TABLE things (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text); REVOKE ALL ON things FROM writer; GRANT INSERT, SELECT, DELETE ON things TO writer;
	CREATE TABLE now (thing uuid NOT NULL REFERENCES things, n int); CREATE TABLE late (thing uuid NOT NULL REFERENCES things DEFERRABLE INITIALLY DEFERRED, n int);
	CREATE TABLE soft (thing uuid, n int); CREATE TABLE changes (what text);
	CREATE TABLE twice (a uuid CONSTRAINT z_first REFERENCES things ON DELETE CASCADE, b uuid CONSTRAINT a_second REFERENCES things);
	CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO s.changes VALUES (TG_NAME); RETURN NEW; END';
	CREATE TRIGGER of_thing AFTER UPDATE OF thing ON late FOR EACH ROW EXECUTE FUNCTION note();
	GRANT ALL ON now, late, soft, twice, changes TO writer;
	INSERT INTO things (name) SELECT n FROM generate_series(1, 5) n");
my ($a, $b, $c, $d, $e) = map { "aaaaaaaa-0000-4000-8000-00000000000$_" } 1 .. 5;
my $trial = sub {
	my ($when, $path, $one, $two, $three) = @_;
	my $run = sub { return $node->psql('postgres', "SET ROLE writer; SET search_path = $path; BEGIN; $_[0]; COMMIT") };
	is($run->("WITH t AS (INSERT INTO things (id) VALUES ('$one')) INSERT INTO now (thing, n) VALUES ('$one', 1)"), 0, "$when: one statement can insert a row and its reference");
	is($run->("INSERT INTO late (thing, n) VALUES ('$two', 1); INSERT INTO things (id) VALUES ('$two')"), 0, "$when: a reference can be inserted before its row");
	sql('TRUNCATE s.changes');
	is($run->("UPDATE late SET thing = '$one' WHERE thing = '$two'; UPDATE late SET thing = '$two' WHERE thing = '$one'"), 0, "$when: a reference can be changed");
	is(sql('SELECT count(*) FROM s.changes'), 2, "$when: a trigger for UPDATE OF fires");
	is($run->("INSERT INTO things (id) VALUES ('$three'); INSERT INTO twice (a, b) VALUES ('$three', '$three'); DELETE FROM things WHERE id = '$three'"), 0,
		"$when: ON DELETE CASCADE deletes rows before NO ACTION finds them");
	isnt($run->("INSERT INTO now (thing, n) VALUES ('bbbbbbbb-0000-4000-8000-000000000000', 1)"), 0, "$when: a reference to a missing row is rejected");
	isnt($run->("INSERT INTO late (thing, n) VALUES (NULL, 1)"), 0, "$when: NULL as a reference is rejected");
	isnt($run->("UPDATE things SET name = 'mine'"), 0, "$when: an UPDATE without privilege is rejected");
};
moves_ok('start', 's.things', '--kind', 't', '--reference', 's.soft.thing', @uuid);
$trial->('after start', 's', $a, $b, $e);
moves_ok('backfill', 's.things');
$trial->('after backfill', 'gid_before, s', $c, $d, $e);
moves_ok('switch', 's.things');
$trial->('after switch, old', 'gid_before, s', map { s/aaaa/cccc/r } $a, $b, $e);
$trial->('after switch, new', 's, public', map { sql("SELECT gid_new('t')") } 1 .. 3);
is(sql("SELECT count(*) FROM s.late WHERE thing IS NULL OR thing__old IS NULL"), 0, 'each reference has both keys');
isnt($node->psql('postgres', "SET ROLE owner; UPDATE gid_before.things SET id = gen_random_uuid()"), 0, 'old programs cannot change a key after switch');
is(sql('SELECT count(*) FROM s.late l JOIN s.things t ON t.id = l.thing AND t.id__old = l.thing__old'), 4, 'both keys refer to the same row');

# One transaction inserts a reference, and another one then inserts the row.
my $first = $node->background_psql('postgres');
$first->query_safe("SET search_path = gid_before, s; BEGIN; INSERT INTO late (thing, n) VALUES ('dddddddd-0000-4000-8000-000000000000', 2)");
sql("INSERT INTO gid_before.things (id) VALUES ('dddddddd-0000-4000-8000-000000000000')");
$first->query_safe('COMMIT');
# And in between, the backfill fills the reference, so that gid-move's other trigger does nothing.
$first->query_safe("SET ROLE owner; SET gid_move.filling = 'on'; SET statement_timeout = '20 s'; BEGIN; INSERT INTO soft VALUES ('dddddddd-2222-4000-8000-000000000000', 4)");
sql("INSERT INTO gid_before.things (id) VALUES ('dddddddd-2222-4000-8000-000000000000')");
$first->query_safe('COMMIT');
$first->quit;
is(sql('DELETE FROM s.soft l USING s.things t WHERE t.id = l.thing AND t.id__old = l.thing__old RETURNING n'), 4, 'the trigger of late references fills them by itself, and ends');
is(sql('SELECT count(*) FROM s.late l JOIN s.things t ON t.id = l.thing AND t.id__old = l.thing__old WHERE n = 2'), 1, 'a reference has both keys if another transaction inserted the row');

# References to rows that do not exist, of old and new programs, are counted and kept.
my $lost = sql("INSERT INTO s.soft (thing, n) VALUES (gid_new('t'), 1); INSERT INTO s.things VALUES ('eeeeeeee-0000-4000-8000-000000000000');
	SET search_path = gid_before, s; INSERT INTO soft VALUES ('dddddddd-1111-4000-8000-000000000000', 2), ('eeeeeeee-0000-4000-8000-000000000000', 3);
	DELETE FROM things WHERE id = 'eeeeeeee-0000-4000-8000-000000000000'; SELECT thing__old FROM s.soft WHERE n = 1") =~ s/.*\n//sr;
like((gid_move('undo', 's.things'))[1], qr/ 3 in soft\.thing \(3 refer to no row, such as \S+, \S+, \S+\)/, 'undo counts references to missing rows');
is(sql('SELECT string_agg(thing::text, $$ $$ ORDER BY n) FROM s.soft'), "$lost dddddddd-1111-4000-8000-000000000000 eeeeeeee-0000-4000-8000-000000000000",
	'and keeps them');
like($lost, qr/-4...-8/, 'a reference of a new program to a missing row has an old key');
is(sql("SELECT string_agg(DISTINCT format_type(atttypid, atttypmod), ' ') FROM pg_attribute WHERE attname = 'thing' AND attnum > 0"), 'uuid', 'undo restores all columns');

# gid_before shows nothing to roles that cannot use the schema of a table or view.
sql("DROP SCHEMA s CASCADE; DROP SCHEMA gid_move CASCADE; CREATE SCHEMA s AUTHORIZATION owner; CREATE ROLE stranger;
	GRANT USAGE ON SCHEMA s TO writer; SET ROLE owner; SET search_path = s, public;
	CREATE TABLE things (id uuid PRIMARY KEY); CREATE VIEW secrets AS SELECT id FROM things; GRANT SELECT ON things, secrets TO PUBLIC");
moves_ok('start backfill switch', 's.things', '--kind', 't', @uuid);
foreach my $name (qw(things secrets))
{
	is($node->psql('postgres', "SET ROLE writer; SELECT * FROM gid_before.$name"), 0, "a role with USAGE on the schema can read $name");
	isnt($node->psql('postgres', "SET ROLE stranger; SELECT * FROM gid_before.$name"), 0, "a role without USAGE on the schema cannot read $name");
}
moves_ok('undo', 's.things');

# Keys that are not the primary key, keys with a second column of type gid, and references that a trigger sets.
sql("DROP SCHEMA s CASCADE; DROP SCHEMA gid_move CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public;
	CREATE TABLE things (n serial PRIMARY KEY, code bigint UNIQUE NOT NULL); CREATE TABLE parts (code bigint NOT NULL REFERENCES things (code));
	CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql SET search_path = s, public
	AS 'BEGIN SELECT code INTO NEW.code FROM things ORDER BY n LIMIT 1; RETURN NEW; END';
	CREATE TRIGGER fill BEFORE INSERT ON parts FOR EACH ROW WHEN (NEW.code IS NULL) EXECUTE FUNCTION fill();
	INSERT INTO things (code) SELECT 100 + n FROM generate_series(1, 10) n; INSERT INTO parts SELECT code FROM things;
	ALTER TABLE things ADD boss bigint REFERENCES things (code), ADD UNIQUE (code, boss), ADD was int REFERENCES things (code); UPDATE things SET boss = 101;
	CREATE INDEX cast_was ON things (COALESCE(boss, was::bigint, code) DESC);
	CREATE TABLE pairs (a bigint, b bigint, FOREIGN KEY (a, b) REFERENCES things (code, boss)); INSERT INTO pairs SELECT code, boss FROM things;
	CREATE TABLE areas (tenant gid(t), id bigint UNIQUE, PRIMARY KEY (tenant, id)); CREATE TABLE spots (tenant gid(t), area bigint, PRIMARY KEY (tenant, area),
	FOREIGN KEY (tenant, area) REFERENCES areas);
	INSERT INTO areas SELECT gid_make('t', '2026-01-01', n), n FROM generate_series(1, 10) n; INSERT INTO spots SELECT tenant, id FROM areas");
moves_ok('start backfill switch', 's.things', '--kind', 'k', '--column', 'code');
sql("SET search_path = gid_before, s, public; INSERT INTO things (code) VALUES (200); INSERT INTO parts VALUES (200); INSERT INTO parts DEFAULT VALUES");
sql("SET search_path = s, public; INSERT INTO parts DEFAULT VALUES");
is(sql('SELECT count(*) FROM s.parts JOIN s.things USING (code, code__old)'), 13, 'a key that is not the primary key can be moved');
sql("SET ROLE owner; SET search_path = s, public; CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.code := OLD.code; RETURN NEW; END';
	CREATE TRIGGER keep BEFORE UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION keep();
	UPDATE parts SET code = (SELECT code FROM things WHERE n = 5); UPDATE gid_before.parts SET code = 105");
is(sql('SELECT count(DISTINCT code) FROM s.parts JOIN s.things USING (code, code__old)'), 11, 'a trigger can keep a reference that a program changes');
moves_ok('finish', 's.things');
is(sql(q{SELECT pg_get_indexdef('s.cast_was'::regclass, 1, true)}), 'COALESCE(boss, was, code)', 'an index of keys that are cast to bigint has no cast afterwards');
is(sql('SELECT count(*) FROM s.pairs JOIN s.things ON (a, b) = (code, boss)'), 10, 'a foreign key can have two columns that move');
is(sql("SELECT count(*) FROM pg_attribute WHERE attname = 'code' AND attnotnull AND attrelid IN ('s.things'::regclass, 's.parts'::regclass)"), 2, 'the key and its reference are NOT NULL afterwards');
moves_ok('start backfill', 's.areas', '--kind', 'a', '--column', 'id');
sql("INSERT INTO s.areas VALUES (gid_make('t', '2026-01-01', 1), 20); INSERT INTO s.spots VALUES (gid_make('t', '2026-01-01', 1), 20)");
moves_ok('switch finish', 's.areas');
is(sql('SELECT count(*) FROM s.spots s JOIN s.areas a ON a.tenant = s.tenant AND a.id = s.area'), 11, 'a key whose second column is a gid can be moved');

# plan finds what must be written differently, and what it says to write instead works at any time.
my $shop = q{DROP SCHEMA IF EXISTS s CASCADE; DROP SCHEMA IF EXISTS gid_move, gid_before CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public;
	CREATE TABLE things (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text); CREATE TABLE orders (id uuid CONSTRAINT of_thing REFERENCES things DEFERRABLE, n int);
	CREATE TABLE log (thing uuid, who name); CREATE TABLE loose (thing_id uuid, n int); INSERT INTO things (name) VALUES ('a'), ('b'); INSERT INTO orders SELECT id, 1 FROM things;
	CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql SET search_path = s, public AS 'BEGIN
		INSERT INTO log (thing) VALUES (NEW.id); UPDATE loose SET n = 1; PERFORM s.takes(NEW.id); RETURN NEW; END';
	CREATE TRIGGER log AFTER INSERT ON things FOR EACH ROW EXECUTE FUNCTION log(); ALTER TABLE things ENABLE ROW LEVEL SECURITY;
	CREATE FUNCTION take(uuid) RETURNS int LANGUAGE sql AS 'SELECT 1';
	CREATE FUNCTION thing(id uuid) RETURNS int LANGUAGE sql AS 'SELECT n FROM orders WHERE orders.id = thing.id';
	CREATE FUNCTION hidden() RETURNS trigger LANGUAGE plpgsql AS 'DECLARE k uuid; BEGIN EXECUTE format(''SELECT ($1).%s'', TG_ARGV[0]) INTO k USING NEW; RETURN NEW; END';
	CREATE TRIGGER hidden AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION hidden('id');
	CREATE FUNCTION composed() RETURNS void LANGUAGE plpgsql AS 'BEGIN EXECUTE format(''SELECT max(n) FROM (SELECT * FROM %I) t'', ''things''); END';
	CREATE FUNCTION other() RETURNS bigint LANGUAGE sql AS 'WITH gone AS (DELETE FROM log WHERE ctid IN (SELECT max(ctid) FROM log) RETURNING *)
		SELECT count(t.name) FROM (SELECT DISTINCT * FROM gone NATURAL JOIN log l) g JOIN things t ON t.name IS DISTINCT FROM who';
	CREATE FUNCTION populated() RETURNS SETOF things LANGUAGE plpgsql AS 'BEGIN
		RETURN QUERY SELECT (jsonb_populate_record(NULL::things, to_jsonb(q))).* FROM (SELECT id, name FROM things) AS q; END';
	CREATE FUNCTION first(id uuid) RETURNS int LANGUAGE sql AS 'SELECT n FROM orders WHERE orders.id = $1'; CREATE FUNCTION takes(anyelement) RETURNS int LANGUAGE plpgsql AS
	'BEGIN RETURN count(*) FROM (SELECT $1) AS a; END'; GRANT USAGE ON SCHEMA s TO writer; GRANT ALL ON things, orders, log TO writer;};
my $as_key = slurp_file("$tree/move/README.md") =~ /^(CREATE FUNCTION as_key.*?);\n```/ms ? $1 =~ s/public\.customers/s.things/gr : die 'the page has no as_key';
my %traps = (	# how it is written, what works at any time, and with which result
	policy => [ undef, "$as_key; GRANT EXECUTE ON FUNCTION as_key TO writer; CREATE POLICY p ON things USING (id = (SELECT (as_key(NULL::things, current_setting('my.key'))).id))" ],
	variable => [ 'DECLARE k uuid; BEGIN SELECT id INTO k FROM things LIMIT 1; SELECT id INTO k FROM things; END', q{DO $$ DECLARE k things.id%TYPE; BEGIN SELECT id INTO k FROM things LIMIT 1; END $$} ],
	argument => [ 'PERFORM s.take(id) FROM things', 'SELECT s.takes(id) FROM things; SELECT s.takes(array_agg(id)) FROM things' ],
	rows => [ 'SELECT id, name FROM things', 'SELECT t FROM s.things AS t', 'SETOF things' ],
	queried => [ 'RETURN QUERY SELECT DISTINCT ON (id) id, name FROM things', q{CREATE FUNCTION pg_temp.f() RETURNS SETOF s.things LANGUAGE plpgsql SET search_path = s
		AS 'BEGIN RETURN QUERY SELECT (jsonb_populate_record(NULL::s.things, to_jsonb(q))).* FROM (SELECT id, name FROM things) AS q; END'; SELECT * FROM pg_temp.f()}, 'SETOF things' ],
	star => [ "SELECT count(*) FROM things WHERE (SELECT\n\t\t* FROM things) IS NULL", 'SELECT count(*) FROM (SELECT id, name FROM things) t' ],
	columns => [ 'INSERT INTO things VALUES (DEFAULT)', "INSERT INTO things (name) SELECT 'more' WHERE false" ],
	joined => [ 'SELECT count(*) FROM things NATURAL JOIN orders', 'SELECT count(*) FROM things JOIN orders USING (id)' ],
	deferred => [ 'SET CONSTRAINTS of_thing DEFERRED', 'SET CONSTRAINTS ALL DEFERRED' ],
	loaded => [ 'COPY things (name) FROM STDIN', 'CREATE TEMP TABLE n AS SELECT id, name FROM things WITH NO DATA; INSERT INTO things (id, name) SELECT * FROM n; DROP TABLE n' ],
	unloaded => [ 'COPY things TO STDOUT', 'COPY (SELECT id, name FROM things) TO STDOUT' ],
	system => [ 'SELECT max(ctid) FROM things', 'SELECT max(name) FROM things' ],
	cursor => [ 'UPDATE things SET name = name WHERE CURRENT OF c', 'UPDATE things SET name = name WHERE id = id' ],
	sample => [ 'SELECT count(*) FROM things TABLESAMPLE SYSTEM (1)', 'SELECT count(*) FROM things WHERE random() < 0.01' ],
	emptied => [ 'TRUNCATE things', 'DELETE FROM things WHERE false' ],
	merged => [ 'MERGE INTO things USING orders o ON o.id = things.id WHEN MATCHED THEN DO NOTHING', 'INSERT INTO things (id, name) SELECT id, name FROM things ON CONFLICT (id) DO NOTHING' ],
	conflict => [ "INSERT INTO things (name) VALUES ('c') ON CONFLICT ON CONSTRAINT things_pkey DO NOTHING", "INSERT INTO things (name) SELECT 'c' WHERE false ON CONFLICT (id) DO NOTHING" ]);
sql($shop . join ';', map { "CREATE FUNCTION $_() RETURNS @{[ $traps{$_}[2] // 'void' ]} LANGUAGE @{[ $_ eq 'rows' ? 'sql' : 'plpgsql' ]} AS \$\$ @{[ $_ eq 'rows' ? $traps{$_}[0] : qq{BEGIN EXECUTE 'SELECT';\n\t$traps{$_}[0]; END} ]} \$\$" } grep { $_ ne 'policy' } keys %traps);
my $announced = (gid_move('plan', 's.things', '--kind', 't', '--from', 'uuid'))[1];
is($? >> 8, 4, 'the exit status says that programs must be written differently');
like($announced, qr/^  function $_\(.*(?:\n  function .*)*\n.*\n    Write instead: ./m, "plan finds the trap: $_") foreach grep { $_ ne 'policy' } sort keys %traps;
like($announced =~ s/\n +/ /gr, qr/no foreign key, .*--reference: s\.log\.thing, s\.loose\.thing_id$/m, 'plan names columns that can be references');
is(scalar(() = $announced =~ /function variable/g), 1, 'plan names a trap of a function once');
like($announced, qr/^  function star\(\): line 2: .*SELECT \* FROM/m, 'plan shows all lines of a trap');
like($announced, qr/^  function hidden\(\): .*DECLARE k uuid/m, 'plan finds a key in the function of a trigger that does not name the column');
like($announced, qr/^  function $_\(uuid\): $_\(uuid\)$/m, "plan finds the argument of $_") foreach qw(thing first);
unlike($announced, qr/^  function populated/m, 'plan accepts what it recommends for RETURN QUERY');
unlike($announced, qr/^  function other/m, 'plan accepts * and the like for tables that do not move');
like($announced, qr/^  function composed.*\(SELECT \* FROM %I\)/m, 'but not for a table whose name is composed');
unlike($announced, qr/s\.loose, which/, 'an UPDATE of another column copies no key');
like((gid_move(qw(start s.things --kind t --from uuid)))[1], qr/written differently before start/, 'start names the traps again');
like($announced, qr/^  function log\(\): line 2: INSERT INTO log.*\n.*\n    Move that column as well: --reference s\.log\.thing$/m, 'plan finds a copy of the key');
sql($shop . $traps{policy}[1] . "; CREATE FUNCTION rows() RETURNS SETOF things LANGUAGE sql AS '$traps{rows}[1]'");
sql("CREATE FUNCTION formats.theirs(text) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RAISE \$\$run by %\$\$, current_user; END'; CREATE DOMAIN formats.trap AS text CHECK (formats.theirs(VALUE));
	CREATE TYPE formats.theirs AS (id formats.trap)");
is(sql(q{SELECT has_function_privilege('public', 's.as_key(anyelement, text)', 'EXECUTE')}), 'f', 'as_key: PUBLIC learns no id of an old key');
like(($node->psql('postgres', "SELECT s.as_key(NULL::formats.theirs, 'x')"))[2], qr/datatype_mismatch/, 'as_key runs no function of another type');
my $always = sub {
	my ($when, @paths) = @_;
	foreach my $path (@paths)
	{
		my $key = sql("SET search_path = $path, public; SELECT max(id::text) FROM things");
		is(sql("SET ROLE writer; SET my.key = '$key'; SET search_path = $path, public; SELECT count(*) FROM things; SELECT count(*) FROM s.rows()"), "1\n1", "$when, $path: the policy and rows");
		like(sql("SET ROLE writer; SET my.key = '$key'; SET search_path = $path, public; SET enable_seqscan = off; EXPLAIN SELECT FROM things"), qr/Index Cond: \(id = /, "$when, $path: the policy uses the index");
		sql("SET search_path = $path, public; INSERT INTO things (name) VALUES ('of $path'); BEGIN; $traps{$_}[1]; COMMIT") foreach grep { !/policy|rows/ } keys %traps;
	}
};
$always->('before start', 's');
moves_ok('start', 's.things', qw(--kind t --from uuid --reference s.log.thing));
$always->('after start', 's');
moves_ok('backfill', 's.things');
$always->('after backfill', 's', 'gid_before, s');
my $other = $node->background_psql('postgres', on_error_stop => 0);
$other->query_safe("SET ROLE owner; CREATE FUNCTION pg_temp.mine() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'; RESET ROLE;
	INSERT INTO s.things (name) VALUES ('of one session')");
moves_ok('switch', 's.things');
ok(eval { $other->query_safe("INSERT INTO s.things (name) VALUES ('of one session')"); 1 }, 'a session that has fired a trigger can fire it after switch');
$other->quit;
$always->('after switch', 's', 'gid_before, s');
moves_ok('finish', 's.things');
$always->('after finish', 's');
is(sql('SELECT count(*) FROM s.log JOIN s.things ON thing = id'), 107, 'copies of keys are moved');

# Views that only return the key, also in JSON and texts: old programs see old keys, and new ones ids.
my $text_of_old = 'SELECT concat(pg_typeof(t.id), t.id, linked, path, named, shown, listed, texts, json, mixed) FROM shows t JOIN (SELECT id, n FROM things) x USING (n) ORDER BY n';
foreach my $type (qw(uuid integer))
{
	my @key = $type eq 'uuid' ? ('gen_random_uuid()', '--from', 'uuid') : ('n', '--from', 'number');
	sql("DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public;
		CREATE TABLE things (id $type PRIMARY KEY, n int, other $type REFERENCES things, stray $type, changed_at timestamptz);
		CREATE VIEW shows AS SELECT n, id, json_build_object('id', id, 'n', n)::text AS linked, '/x/' || id AS path, format('%s of %s', n, id) AS named, concat(id, n) AS shown,
			(SELECT array_agg(o.id) FROM things o WHERE o.other = t.id) AS listed, (SELECT string_agg(o.id::text, ', ') FROM things o WHERE o.other = t.id) AS texts,
			to_json(ARRAY(SELECT o.id FROM things o WHERE o.other = t.id))::text AS json, coalesce(other::text, 'none') AS mixed FROM things t;
		CREATE VIEW parts AS SELECT n AS a, NULL::integer AS b, id FROM things UNION ALL SELECT NULL::integer, n, NULL::$type FROM things;
		CREATE VIEW newest AS SELECT id FROM things ORDER BY n, id LIMIT 1;
		CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF NEW.* IS DISTINCT FROM OLD.* THEN NEW.changed_at := now(); END IF; RETURN NEW; END';
		CREATE TRIGGER touch BEFORE UPDATE ON things FOR EACH ROW EXECUTE FUNCTION touch();
		INSERT INTO things SELECT $key[0], n FROM generate_series(1, 6) n; UPDATE things SET other = (SELECT id FROM things WHERE n = 1) WHERE n > 4");
	my $said = (gid_move('plan', 's.things', '--kind', 't', @key[1, 2]))[1];
	like($said, qr/^gid-move: .*view newest would.*\n.*\n.*\n  Or accept it: --accept s\.newest if/m, 'plan offers to accept a view');
	is(scalar(() = $said =~ /^gid-move: /mg), 1, 'and rejects no view that only returns the key');
	my $before = sql("SET search_path = s, public; $text_of_old");
	moves_ok('start backfill switch', 's.things', '--kind', 't', @key[1, 2], '--accept', 's.newest');
	is(sql("SET search_path = gid_before, s, public; $text_of_old"), $before, "$type: old programs see old keys in JSON and texts");
	unlike(sql("SET search_path = s, public; $text_of_old"), qr/none.*-4...-|^integer/, "$type: new programs see ids");
	is(sql("SET search_path = s, public; SELECT count(*) FROM shows WHERE linked::json ->> 'id' = id::text AND path = '/x/' || id AND named = concat(n, ' of ', id) AND shown = concat(id, n)"), 6, 'in JSON and texts');
	is(sql("SET search_path = s, public; SELECT string_agg(concat(listed[1]::text = json::json ->> 0, strpos(texts, listed[2]::text) > 0), '') FROM shows WHERE n = 1"), 'tt', 'and in lists');
	is(sql('SELECT concat(count(a), count(b), count(id)) FROM s.parts'), 666, 'NULL keeps its type in a UNION');
	moves_ok('finish', 's.things');
}
refused_like('CREATE TABLE things (id int PRIMARY KEY); CREATE VIEW v AS SELECT concat(id) AS c FROM things; CREATE VIEW w AS SELECT 1 AS one FROM v WHERE c = $$1$$',
	qr/view w would mean something else: it compares things\.id \(=\) with something that does not move: a constant/);
refused_like("$things; CREATE TABLE parts (thing uuid); CREATE VIEW v AS SELECT t.n FROM things t JOIN parts p ON p.thing = t.id", qr/with something that does not move: the column thing\./, @uuid);
refused_like("$things; CREATE VIEW v AS SELECT string_agg(id::text, ',' ORDER BY id) AS c FROM things", qr/view v would.*calls string_agg.*, by its order/, @uuid);

# Columns that can hold the key, without a foreign key.
sql("DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public; CREATE DOMAIN site AS uuid;
	CREATE TABLE websites (website_id site PRIMARY KEY, parent_id uuid); CREATE TABLE visits (id uuid PRIMARY KEY, website_id uuid NOT NULL, seen uuid); CREATE TABLE extras (website_id uuid PRIMARY KEY);
	CREATE TABLE marks (place site, first_website_id text, subject_type text, subject_id uuid, websites uuid[], unrelated uuid, note text);
	CREATE TABLE seen (website_id uuid, n int); CREATE TABLE seen_1 () INHERITS (seen); CREATE TABLE seen_2 () INHERITS (seen);
	CREATE FUNCTION reads(jsonb) RETURNS text LANGUAGE sql AS 'SELECT \$1 #>> ''{site,websiteId}''';
	INSERT INTO visits VALUES (gen_random_uuid(), gen_random_uuid(), NULL)");
my $loose = (gid_move('plan', 's.websites', qw(--kind w --from uuid)))[1] =~ s/\n +/ /gr;
like($loose, qr/--reference: s\.extras\.website_id, s\.marks\.place, s\.visits\.website_id, s\.websites\.parent_id$/m, 'plan names columns of the name or the domain of the key');
like($loose, qr/do not move: s\.marks\.first_website_id, s\.marks\.subject_id with subject_type, s\.marks\.websites, s\.seen\.website_id and its children, \{site,websiteId\} in JSON, which reads\(jsonb\) reads\. If/, 'and what cannot be moved');
moves_ok('start backfill switch finish', 's.websites', qw(--kind w --from uuid));
sql("INSERT INTO s.websites (website_id) VALUES (gid_new('w'))");
moves_ok('start', 's.visits', qw(--kind v --from uuid --reference s.marks.unrelated));
moves_ok('undo', 's.visits');
sql('CREATE EXTENSION pg_stat_statements; SELECT pg_stat_statements_reset(); GRANT pg_read_all_stats TO owner');
gid_move(qw(plan s.visits --kind v --from uuid)) for 1 .. 2;
is($? >> 8, 0, 'plan finds nothing to write differently in its own statements');
sql('DROP EXTENSION pg_stat_statements');

# Several tables move in one round, with the tables and views that they share.
my $round = q{DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public;
	CREATE TABLE buyers (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text); CREATE TABLE orders (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, buyer uuid REFERENCES buyers, first bigint REFERENCES orders, name text);
	CREATE TABLE parts (buyer uuid REFERENCES buyers, order_id bigint REFERENCES orders, PRIMARY KEY (buyer, order_id)); CREATE TABLE soft (o bigint);
	CREATE VIEW shown AS SELECT o.id, b.id AS buyer, o.name, CASE WHEN first IS NULL THEN b.id::text ELSE o.id::text END AS one FROM orders o JOIN buyers b ON b.id = o.buyer;
	INSERT INTO buyers (name) SELECT n FROM generate_series(1, 20) n; INSERT INTO orders (buyer, name) SELECT id, name FROM buyers; UPDATE orders SET first = 3 WHERE id > 5;
	INSERT INTO parts SELECT buyer, id FROM orders; INSERT INTO soft SELECT id FROM orders; CREATE MATERIALIZED VIEW counted AS SELECT buyer, count(*) FROM orders GROUP BY buyer};
# A program that writes one table delays all of them: the triggers of each key read columns of the other one.
my $writer = $node->background_psql('postgres');
my @turned = (qw(s.orders s.buyers --kind o --kind b --from number --from uuid --reference soft."o"=orders));
sql("$round; CREATE TABLE buyer_id (buyer_id bigint, buyer uuid); CREATE FUNCTION copy() RETURNS void LANGUAGE sql AS 'INSERT INTO buyer_id (buyer) SELECT id FROM buyers'; ALTER ROLE owner SET search_path = s, public");
my $loosely = (gid_move('plan', @turned))[1] =~ s/\n +/ /gr;
like($loosely, qr/can refer to buyers, .*--reference: s\.buyer_id\.buyer=s\.buyers$/m, 'plan names a column as a reference only to keys of its type');
like($loosely, qr/Move that column as well: --reference .*s\.buyer_id\.buyer=s\.buyers\b/, 'and says to which of the keys');
like((gid_move('plan', @turned, qw(--reference soft.o=buyers)))[1], qr/s\.soft\.o leads to two keys that move, to one of them by --reference\./, 'a column of --reference leads to one key');
foreach my $case ([ 'start', 's.buyers', 's.orders' ], [ 'undo', 's.orders', 's.buyers' ], [ 'finish', 's.orders', 's.buyers' ])
{
	my ($command, $locked, $other) = @$case;
	sql('ALTER ROLE owner RESET search_path') if $command ne 'start';
	moves_ok('start backfill switch', @turned[0 .. 9], qw(--reference s.soft.o=s.orders)) if $command eq 'finish';
	sql(q{UPDATE gid_move.steps SET done_at = now() WHERE step @> '{"phase": "undo"}' AND step ->> 'title' ~ 'foreign keys'}) if $command eq 'undo';	# there are none yet
	$writer->query_safe("BEGIN; LOCK TABLE $locked IN ROW EXCLUSIVE MODE");
	like((gid_move($command, ($command eq 'start' ? @turned : $other), qw(--retries 1)))[1], qr/After 1 attempts: /, "$command waits for a program");
	is(sql("SET search_path = s, public; WITH b AS (INSERT INTO buyers (name) VALUES ('$command') RETURNING id) SELECT count(*) FROM b"), 1, 'and programs can insert a row');
	is(sql("SET search_path = s, public; WITH o AS (INSERT INTO orders (buyer) SELECT id FROM buyers WHERE name = '$command' RETURNING buyer) SELECT count(buyer) FROM o"), 1, 'and a row that refers to it');
	$writer->query_safe('COMMIT');
	like((gid_move(qw(start s.orders s.soft --kind o --kind s)))[1], qr/move of s\.orders, s\.buyers has begun, and not ended\.\n  gid-move start s\.orders continues/, 'start does not continue with other tables') if $command eq 'start';
	like((gid_move(qw(plan s.soft --kind s)))[1], qr/move of s\.orders, s\.buyers has begun, and/, 'a database has one move at a time') if $command eq 'undo';
	moves_ok($command, $command eq 'start' ? @turned : $other);
}
$writer->quit;
sql('DROP SCHEMA gid_move CASCADE');

my @round = (qw(s.buyers s.orders --kind b --kind o --from uuid --from number --reference s.soft.o=s.orders));
sql($round);
foreach my $last (qw(undo finish))
{
	moves_ok('start backfill switch', @round);
	sql("$_; INSERT INTO buyers (name) VALUES ('$last $_'); INSERT INTO orders (buyer, first, name) SELECT b.id, o.id, b.name FROM buyers b, orders o WHERE b.name = '$last $_' AND o.name = '3';
		INSERT INTO parts (buyer, order_id) SELECT buyer, id FROM orders WHERE name = '$last $_'; INSERT INTO soft (o) SELECT id FROM orders WHERE name = '$last $_'") foreach 'SET search_path = s, public', 'SET search_path = gid_before, s';
	is(sql("SET search_path = $_; SELECT count(*) >= 20 FROM counted JOIN buyers ON id = buyer"), 't', "$_: a materialized view has the keys of its readers") foreach 's, public', 'gid_before, s';
	like((gid_move($last, 's.orders'))[1], qr/: s\.buyers, s\.orders\./, "$last names all tables");
	my $count = $last eq 'undo' ? 22 : 24;
	is(sql('SET search_path = s, public; SELECT concat_ws($$ $$, count(*), count(o.first), count(f.id)) FROM orders o JOIN buyers b ON (b.id, b.name) = (o.buyer, o.name) JOIN parts p ON (p.buyer, order_id) = (b.id, o.id) JOIN soft ON o = o.id
		JOIN shown s ON s.id = o.id LEFT JOIN orders f ON f.id = o.first'), join(' ', $count, ($count - 5) x 2), "after $last of several tables, references lead to the same rows");
}
sql('ALTER TABLE s.parts DROP buyer__old, DROP order_id__old');
my $kept = (gid_move('status'))[1];
ok($kept =~ /^  ALTER TABLE s\.buyers DROP/m && $kept !~ /TABLE s\.parts/, 'status prints how to drop the old columns that are still there');
sql("SELECT pg_advisory_lock(hashtext('gid-move'), 0)");
$node->command_checks_all([ $python, "$tree/move/gid-move", qw(start -d user=owner), @round ], 3, [], [qr/Another gid-move is running/], 'one gid-move waits for another, and can succeed later');
like((gid_move('plan', @round[0 .. 3], '--from', 'uuid'))[1], qr/number of tables is 2, and the number of --kind is 1\.\n  Give --kind once for each/, 'each table has its kind');
like((gid_move('plan', @round[0 .. 8], qw(number --reference s.soft.o)))[1], qr/--reference s\.soft\.o does not say to which.*\n  s\.soft\.o=s\.buyers/, 'a reference of several tables says to which');
sql(q{DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public; CREATE TABLE buyers (id int PRIMARY KEY); CREATE TABLE orders (id int PRIMARY KEY);
	CREATE TABLE parts (one int CONSTRAINT a REFERENCES buyers CONSTRAINT b REFERENCES orders); CREATE VIEW crossed AS SELECT FROM buyers JOIN orders USING (id); CREATE VIEW either AS SELECT id FROM buyers UNION SELECT id FROM orders});
my $clash = (gid_move(qw(plan s.buyers s.orders --kind b --kind o)))[1];
like($clash, qr/^gid-move: s\.parts\.one leads to two keys that move, to one of them by b\./m, 'a column that refers to two keys is rejected');
like($clash, qr/view crossed would mean something else: it compares buyers\.id \(=\) with another key\./, 'a comparison of two keys is rejected');
like($clash, qr/view either would mean something else: it mixes buyers\.id with another key\./, 'and a UNION of them');

# A partitioned table keeps the old key, by the statements of partitioned.sql.
my ($before_start, $before_finish) = split /^(?=BEGIN;)/m, slurp_file("$tree/move/partitioned.sql");
sql("DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public;\n$before_start");
moves_ok('start backfill switch', qw(s.buyers --kind b));
sql("INSERT INTO s.buyers (name) VALUES ('new'); INSERT INTO gid_before.buyers (name) VALUES ('old')");
is(sql('SELECT count(*) FROM gid_before.buyers WHERE number = id'), 2, 'a partitioned table can refer to old keys');
my $program = $node->background_psql('postgres');
$program->query_safe(q{BEGIN; INSERT INTO s.buyers (name) VALUES ('meanwhile')});
$session->query_until(qr/^/, "SET ROLE owner; SET search_path = s, public;\n$before_finish");
$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_locks WHERE relation = 's.buyers'::regclass AND NOT granted}) or die;
$program->query_safe('COMMIT');
$program->quit;
sql('SELECT 1');
moves_ok('finish', 's.buyers');
sql("INSERT INTO s.buyers (name) VALUES ('later'); INSERT INTO s.payments SELECT number, '2026-02-01' FROM s.buyers");
is(sql('SELECT count(*) FROM s.payments JOIN s.buyers ON number = buyer'), 4, 'a partitioned table keeps the old keys');

# Concurrent upserts that try again; functions of the row type; a time in another schema; autovacuum gives way.
sql("DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; CREATE SCHEMA calendar; GRANT USAGE ON SCHEMA calendar TO owner; SET ROLE owner; SET search_path = s, public;
	CREATE TABLE things (id uuid PRIMARY KEY, n int DEFAULT 0, made timestamp DEFAULT now()) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1);
	CREATE FUNCTION label(things) RETURNS text LANGUAGE sql AS 'SELECT concat(\$1.n, \$1.id)'; INSERT INTO things SELECT gen_random_uuid() FROM generate_series(1, 20000);
	CREATE FUNCTION put(uuid) RETURNS void LANGUAGE plpgsql AS \$\$ BEGIN LOOP
		BEGIN INSERT INTO things (id) VALUES (\$1) ON CONFLICT (id) DO UPDATE SET n = things.n + 1; RETURN; EXCEPTION WHEN unique_violation THEN NULL; END; END LOOP; END \$\$;
	RESET ROLE; CREATE FUNCTION calendar.utc(timestamp) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS \$\$ SELECT \$1 AT TIME ZONE 'UTC' \$\$; DELETE FROM s.things WHERE random() < 0.5");
my $walker = IPC::Run::start([ 'pg_receivewal', '-D', $node->backup_dir . '/..' ], '>', '/dev/null', '2>&1');
$node->poll_query_until('postgres', 'SELECT count(*) > 0 FROM pg_stat_replication') or die 'pg_receivewal does not connect';
my $planned = (gid_move(qw(plan s.things --kind t --from uuid --time calendar.utc(made))))[1];
like($planned =~ s/\n +/ /gr, qr/A standby follows .* max_standby_streaming_delay/, 'plan says who waits on a standby');
like($planned, qr/function label\(things\).*\n.*whose rows have another type\.\n.*f\(gid_before\.t\)/, 'plan names functions of the row type');
$walker->kill_kill;
$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_progress_vacuum WHERE relid = 's.things'::regclass}) or die 'no autovacuum';
gid_move(qw(start s.things --kind t --from uuid --retries 2 --time), 'calendar.utc(made)');
is($? >> 8, 0, 'autovacuum gives way to start');
sql('ALTER TABLE s.things SET (autovacuum_enabled = off); SET ROLE owner; SET search_path = gid_before, s, public;
	CREATE FUNCTION s.label(gid_before.things) RETURNS text LANGUAGE sql AS $$SELECT concat($1.n, $1.id)$$');
append_to_file("$node->{_basedir}/upsert.pgbench", q{SELECT s.put(md5((random() * :most)::int::text)::uuid)} . "\n");
foreach (qw(backfill switch))
{
	moves_ok($_, 's.things');
	local $ENV{PGOPTIONS} = '-c search_path=gid_before,s,public -c default_transaction_read_only=off -c default_transaction_isolation=read\ committed';
	$node->command_like([ qw(pgbench -n -U owner -c 16 -t 100 -D), $_ eq 'switch' ? 'most=2000' : 'most=1000', '-f', "$node->{_basedir}/upsert.pgbench", 'postgres' ], qr{1600/1600}, "after $_, 16 programs can insert the same rows");
	is(sql('SET search_path = gid_before, s, public; SELECT bool_and(label(t) ~ t.id::text) FROM things t'), 't', "after $_, old programs can use a function of rows");
}
is(sql('SELECT sum(n) + count(*) FROM s.things WHERE id__old IN (SELECT md5(n::text)::uuid FROM generate_series(0, 2000) n)'), 3200, 'no upsert is lost');
like((gid_move('finish', 's.things'))[1], qr/label\(gid_before\.things\) depends on/, 'finish waits until the function of old programs is dropped');
sql('DROP FUNCTION s.label(gid_before.things)');
moves_ok('finish', 's.things');

# Names of every shape, which are cut off at the same byte, and a default that refers to a row.  A CHECK sees that
# the timeouts of the role have no effect.
my @cut = map { "\xc3\xa9" x 30 . $_ } 0 .. 5;
sql(qq{DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public;
	CREATE TABLE "odd (""name'%s" ("k, ON (%" uuid PRIMARY KEY, at timestamptz DEFAULT now()
		CHECK (concat(current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('transaction_timeout', true)) !~ '999999')); CREATE VIEW "v ('%" AS SELECT "k, ON (%" FROM "odd (""name'%s";
	INSERT INTO "odd (""name'%s" SELECT ('0000000' || n || '-0000-4000-8000-000000000000')::uuid FROM generate_series(1, 5) n;
	CREATE TABLE "$cut[0]" ("$cut[1]" uuid NOT NULL CONSTRAINT "$cut[1]" REFERENCES "odd (""name'%s",
		"$cut[2]" uuid CONSTRAINT "$cut[2]" REFERENCES "odd (""name'%s");
	CREATE INDEX "$cut[3]" ON "$cut[0]" ("$cut[1]"); CREATE INDEX "$cut[4]" ON "$cut[0]" ("$cut[2]"); INSERT INTO "$cut[0]" SELECT "k, ON (%" FROM "odd (""name'%s";
	CREATE FUNCTION "f %s("() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS 'BEGIN RETURN NEW; END';
	CREATE TRIGGER "t, ON %s" BEFORE INSERT OR UPDATE OF at, "k, ON (%" ON "odd (""name'%s" FOR EACH ROW EXECUTE FUNCTION "f %s("()});
moves_ok("start backfill $_", q{s."odd (""name'%s"}, qw(--kind o --from uuid)) foreach 'undo', 'switch undo', 'switch finish';
sql(qq{SET search_path = s, public; INSERT INTO "$cut[0]" ("$cut[1]") SELECT "k, ON (%" FROM "odd (""name'%s"});
is(sql(qq{SET search_path = s, public, formats; SELECT count(*) FROM "$cut[0]" JOIN "odd (""name'%s" ON "k, ON (%" = "$cut[1]"}), 10, 'names of every shape can be moved');

# Two keys can become the same id.
sql(q{DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; CREATE TABLE s.things (id text COLLATE "C" PRIMARY KEY);
	INSERT INTO s.things VALUES ('01ARYZ6S41TSV4RRFFQ69G5FAV'), ('01aryz6s41tsv4rrffq69g5fav')});
moves_ok('start', qw(s.things --kind t --from ulid));
like((gid_move('backfill', 's.things'))[1], qr/could not create unique index.*\n.*is duplicated\.\n.*run the command again/, 'backfill rejects two keys with one id') for 1 .. 2;
moves_ok('undo', 's.things');

# Changes to a table while it is moved.
sql("DROP SCHEMA s CASCADE; CREATE SCHEMA s AUTHORIZATION owner; SET ROLE owner; SET search_path = s, public;
	CREATE TABLE things (id uuid PRIMARY KEY, n int); CREATE TABLE logs (thing uuid);
	INSERT INTO things SELECT gen_random_uuid(), n FROM generate_series(1, 10) n; INSERT INTO logs SELECT id FROM things");
moves_ok('start backfill', 's.things', qw(--kind t --from uuid --reference s.logs.thing));
sql('CREATE INDEX late_index ON s.things (n, id)');
like((gid_move('switch', 's.things'))[1], qr/index late_index of things has changed since the move began/, 'switch rejects a new index');
sql('DROP INDEX s.late_index; SET ROLE owner; CREATE VIEW s.late_view AS SELECT id FROM s.things');
like((gid_move('switch', 's.things'))[1], qr/view late_view has changed since the move began/, 'switch rejects a new view');
sql('DROP VIEW s.late_view; INSERT INTO s.logs VALUES (gen_random_uuid())');
my $blocker = $node->background_psql('postgres');
$blocker->query_safe('BEGIN; SELECT count(*) FROM s.logs');
like((gid_move('switch', 's.things', '--lock-timeout', '0.1', '--retries', '2'))[1], qr/After 2 attempts: canceling statement due to lock timeout/, 'switch stops after lock timeouts');
is($? >> 8, 3, 'the exit status says that the command can succeed later');
$blocker->quit;
is(sql("SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 's.things'::regclass AND attname = 'id'"), 'uuid', 'after a failed switch, the type is the same');
sql('ALTER TABLE s.things DROP COLUMN n CASCADE');
like((gid_move('switch', 's.things'))[1], qr/gid_before\.things or .* is missing.*gid-move undo s\.things/s, 'switch rejects a dropped view of old programs');
moves_ok('undo', 's.things');
moves_ok('start', 's.things', qw(--kind t --from uuid --reference s.logs.thing));
sql('SET ROLE owner; CREATE TABLE s.kept AS SELECT thing FROM s.logs; DROP TABLE s.logs CASCADE');
like((gid_move('backfill', 's.things'))[1], qr/s\.logs, which moves, does not exist any more\.\n  gid-move undo s\.things/, 'backfill rejects a dropped table');
moves_ok('undo', 's.things');
sql('ALTER TABLE s.kept RENAME TO logs');
moves_ok('start', 's.things', qw(--kind t --from uuid --reference s.logs.thing));
sql('SET ROLE owner; DROP TABLE s.things CASCADE');
moves_ok('undo', 's.things');
is(sql("SELECT string_agg(attname, ' ') FROM pg_attribute WHERE attrelid = 's.logs'::regclass AND attnum > 0 AND NOT attisdropped"), 'thing', 'undo works without the table of the key');
sql('SET ROLE owner; CREATE TABLE s.things (id uuid PRIMARY KEY); INSERT INTO s.things SELECT thing FROM s.logs WHERE thing::text ~ $$^.{14}4$$ LIMIT 10');
moves_ok('start backfill', 's.things', qw(--kind t --from uuid --reference s.logs.thing));
sql("BEGIN; SET CONSTRAINTS ALL IMMEDIATE; INSERT INTO s.logs VALUES ('aaaaaaaa-0000-4000-8000-000000000000');
	INSERT INTO s.things VALUES ('aaaaaaaa-0000-4000-8000-000000000000'); COMMIT");
like((gid_move('switch', 's.things'))[1], qr/1 of 12 references lead .* in logs\.thing.*UPDATE t SET c = c/s, 'switch rejects a reference that came before its row');
sql('UPDATE s.logs SET thing = thing');
moves_ok('switch', 's.things');
sql('CREATE VIEW s.late_view AS SELECT id__old FROM s.things');
like((gid_move('finish', 's.things'))[1], qr/ 12 in logs\.thing \(1 refer to no row/, 'finish accepts a reference to a missing row, and a view of an old column');
is(sql('SELECT count(*) FROM s.things JOIN s.logs ON thing = id'), 11, 'a reference without a foreign key is moved');
is(sql('SELECT concat(count(thing), count(thing__old)) FROM s.logs'), '1112', 'the old column keeps the others');
sql('SET ROLE owner; INSERT INTO s.things DEFAULT VALUES; INSERT INTO s.logs DEFAULT VALUES');

done_testing();
