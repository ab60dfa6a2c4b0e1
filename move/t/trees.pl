#!/usr/bin/perl
# Each expression in the catalog means the same before, during and after a move of its key,
# or gid-move plan rejects it: in each kind of object, for each format, in many forms.
#
# Packages: python3-psycopg

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin", "$FindBin::RealBin/../../t";
use Gid;
use Move;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "wal_level = logical\nlc_messages = 'C'\nlog_statement = none\nclient_min_messages = error");
$node->start;
@ENV{qw(PGHOST PGPORT)} = ($node->host, $node->port);
my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->set_query_timer_restart;
sub sql { return $session->query_safe("DISCARD ALL; SET search_path = s, public, formats;\n$_[0]") }
$as = 'owner';

sql('CREATE ROLE owner LOGIN; GRANT CREATE ON DATABASE postgres TO owner; CREATE EXTENSION gid; CREATE SCHEMA formats; GRANT ALL ON SCHEMA formats TO PUBLIC');
$node->command_ok([ 'psql', '-X', '-q', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1', '-c', 'SET search_path = formats, public',
	'-f', "$tree/move/gid_move/formats.sql" ], 'the functions of all formats can be created');

# A new version of PostgreSQL can store expressions in other places.
my %others = (
	'pg_class.relpartbound' => 'consists of constants',
	'pg_partitioned_table.partexprs' => 'a partitioned table cannot be moved',
	'pg_proc.proargdefaults' => 'cannot use a column or a query',
	'pg_publication_rel.prqual' => 'a publication with WHERE on the key cannot be moved',
	'pg_statistic_ext.stxexprs' => 'statistics of the key cannot be moved',
	'pg_type.typdefaultbin' => 'cannot use a column or a query');
my $examined = qx{cd "$tree/move" && $python -c 'from gid_move import trees; print(*trees.EXAMINED)'};
my $stored = sql(q{SELECT attrelid::regclass || '.' || attname FROM pg_attribute WHERE atttypid = 'pg_node_tree'::regtype});
is(join("\n", sort(keys %others, split(" ", $examined))), join("\n", sort split /\n/, $stored), 'every column of the catalog that stores expressions is examined');

# x is the key, y refers to it, and K and L are keys as text.  Of a form in %kept, the answer must be the same for all formats;
# a form that is undef is not accepted in this kind of object.
my %kept = (
	equal => 'x = y', unequal => 'x <> y', distinct => 'x IS DISTINCT FROM y', null => 'y IS NULL', nullif => 'NULLIF(x, y) IS NULL',
	coalesce => 'COALESCE(y, x) = x', searched_case => 'CASE WHEN n > 3 THEN x ELSE y END = y',
	either => 'x IN (y, y)', among => 'x IN (SELECT other FROM things)', linked => 'EXISTS (SELECT FROM things o JOIN parts USING (id) WHERE o.id = y)',
	case_null => 'CASE WHEN n > 3 THEN x END = y', united_null => 'y IN (SELECT other FROM things WHERE n < 6 UNION SELECT NULL)',
	counted => '1 < (SELECT count(DISTINCT other) FROM things)', nonnulls => 'num_nonnulls(x, y) = 2', grouped => 'x = (SELECT p.id FROM parts p GROUP BY p.id HAVING count(*) > 2)',
	nested => 'x IN (WITH RECURSIVE r AS (SELECT id, other FROM things WHERE n = 2 UNION SELECT t.id, t.other FROM things t JOIN r ON t.id = r.other) SELECT id FROM r)',
	cycle => 'n IN (WITH RECURSIVE r AS (SELECT id, other, n FROM things UNION ALL SELECT t.id, t.other, t.n FROM things t JOIN r ON t.id = r.other) CYCLE id SET met USING path SELECT n FROM r WHERE met)');
my %other = (
	simple_case => 'CASE x WHEN y THEN n > 3 ELSE true END',
	cast => q{x::text = 'K'}, constant => q{x = 'K'}, unlike => q{x <> 'K'}, one_of => q{x IN ('K', 'L')}, none_of => q{x NOT IN ('K', 'L')},
	like => q{x::text LIKE left('K', 8) || '%'}, lower => q{lower(x::text) = lower('K')}, md5 => q{md5(x::text) < '8'}, hash => 'hashtext(x::text) > 0',
	joined => q{'a' || x = 'aK'}, formatted => q{format('%s', x) = 'K'}, part => q{substr(x::text, 1, 8) = left('K', 8)}, length => 'length(x::text) > 25',
	json => q{to_jsonb(x) = to_jsonb('K'::text)}, json_row => q{to_jsonb(t) ->> 'id' = 'K' OR to_jsonb(t) ->> 'id__old' = 'K'}, row => 'num_nulls(t.*) = 0', rows => 't IS NOT NULL',
	array => q{ARRAY[x]::text[] && ARRAY['K']}, any_text => q{x::text = ANY ('{K,L}'::text[])}, cast_back => 'x::text::T <= y', less => 'x < y',
	ordered => 'x BETWEEN y AND y', greatest => 'GREATEST(x, y) = y', mixed => q{COALESCE(y::text, 'K') = 'K'}, case_constant => q{CASE x::text WHEN 'K' THEN true ELSE false END},
	elsewhere => 'x::text IN (SELECT code FROM codes)', anywhere => 'EXISTS (SELECT FROM codes c JOIN things o ON c.code = o.id::text WHERE o.n = t.n)',
	first => 'x = (SELECT id FROM things ORDER BY id LIMIT 1)', numbered => 'n IN (SELECT row_number() OVER (ORDER BY id) + 1 FROM things)',
	listed => q{(SELECT string_agg(n::text, '' ORDER BY id) FROM things) < '3'}, united => 'x::text IN (SELECT id::text FROM parts UNION SELECT code FROM codes)',
	values => q{x::text IN (VALUES ('K'), ('L'))}, by_setting => q{x::text = current_setting('my.key', true)},
	cut => '1 < (SELECT count(DISTINCT id::varchar(2)) FROM things)', some_mixed => 'x::text IN (SELECT k FROM mixed WHERE k IS NOT NULL)',
	mixed_once => '8 = (SELECT count(DISTINCT k) FROM mixed)', mixed_groups => '9 > (SELECT count(*) FROM (SELECT k FROM mixed GROUP BY k) g)',
	mixed_sorted => 'n IN (SELECT n FROM (SELECT code, 5 AS n FROM codes UNION ALL SELECT id::text, n FROM things ORDER BY 1 LIMIT 3) c)',
	collected => 'n = (ARRAY(SELECT n FROM things ORDER BY id))[1]', sorted => 'n IN (SELECT n FROM sorted LIMIT 2)', aliased => 'n IN (SELECT c FROM things o(a, b, c, d) WHERE a = b)',
	searched => 'n = (WITH RECURSIVE r AS (SELECT id, n FROM things WHERE n > 2 UNION ALL SELECT t.id, t.n FROM things t JOIN r ON t.n = r.n + 1) SEARCH DEPTH FIRST BY id SET place SELECT n FROM r ORDER BY place LIMIT 1)',
	recursive => q{n IN (WITH RECURSIVE r AS (SELECT NULL AS k, 0 AS n UNION ALL SELECT id::text, t.n FROM things t JOIN r ON t.n = r.n + 1 WHERE k <> 'K' OR k IS NULL) SELECT n FROM r)});
# How to create an object N with the form F, and a query of its answer, or of an expression that has the answer.
my %kinds = (
	view => [ 'CREATE VIEW N AS SELECT n FROM things t WHERE F', 'SELECT string_agg(n::text, $$,$$ ORDER BY n) FROM N' ],
	matview => [ 'CREATE MATERIALIZED VIEW N AS SELECT n FROM things t WHERE F', 'SELECT string_agg(n::text, $$,$$ ORDER BY n) FROM N', 'MATERIALIZED VIEW' ],
	outer => [ 'CREATE VIEW N_i AS SELECT * FROM things t; CREATE VIEW N AS SELECT n FROM N_i t WHERE F', 'SELECT string_agg(n::text, $$,$$ ORDER BY n) FROM N', 'VIEW' ],
	policy => [ 'CREATE POLICY N ON marks TO of_N USING (F)', 'SELECT string_agg(n::text, $$,$$ ORDER BY n) FROM marks', 'POLICY', ' ON marks' ],
	check => [ 'ALTER TABLE things ADD CONSTRAINT N CHECK (n > 0 OR F)', q{SELECT substring(pg_get_constraintdef(oid) FROM '^CHECK ...n > 0. OR(.*)..$') FROM pg_constraint WHERE conname = 'N'}, 'CONSTRAINT' ],
	predicate => [ 'CREATE UNIQUE INDEX N ON things (n) WHERE F', q{SELECT pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = 's.N'::regclass}, 'INDEX' ],
	index => [ 'CREATE INDEX N ON things ((F))', q{SELECT pg_get_expr(indexprs, indrelid) FROM pg_index WHERE indexrelid = 's.N'::regclass} ],
	trigger => [ 'CREATE TRIGGER N AFTER DELETE ON things FOR EACH ROW WHEN (F) EXECUTE FUNCTION suppress_redundant_updates_trigger()',
		q{SELECT substring(pg_get_triggerdef(oid) FROM 'WHEN (.*) EXECUTE') FROM pg_trigger WHERE tgname = 'N'}, 'TRIGGER', ' ON things' ]);

sql(q{CREATE FUNCTION formats.answer(INOUT answer text, role text) LANGUAGE plpgsql AS $a$
	BEGIN
		EXECUTE concat('SET ROLE ', role); EXECUTE answer INTO answer; RESET ROLE;
		IF role = 'none' AND answer !~ '^[\d,]+$' THEN
			EXECUTE concat('SELECT string_agg(n::text, $$,$$ ORDER BY n) FROM s.things WHERE ', regexp_replace(answer, '\mold\M', 'things', 'g')) INTO answer;
		END IF;
	END $a$});

sub answers
{
	my ($path, @objects) = @_;
	return split /\n/, sql("SET search_path = $path, public, formats; SELECT concat(name, ': ', answer(query, role)) FROM (VALUES " . join(', ', map {
		my ($kind, $name) = (/^([a-z]+)_/, $_);
		"('$name', \$q\$" . $kinds{$kind}[1] =~ s/\bN\b/$name/gr . "\$q\$, " . ($kind eq 'policy' ? "'of_$name'" : "'none'") . ')'
	} @objects) . ') AS o (name, query, role)');
}

# Type, key, and arguments.
my $id = "gid_random('k', timestamptz '2026-01-01 00:00+00' + n * interval '1.234 s')";
my @formats = (
	[ 'uuid', 'gen_random_uuid()', qw(--from uuid --time at) ], [ 'same', 'gen_random_uuid()', qw(--from uuid --time at) ], [ 'uuid', "($id)::uuid", qw(--from bytes) ],
	[ 'uuid', "uuid7_of($id)", qw(--from uuid7) ], map([ $_, "ulid_of($id)", qw(--from ulid) ], qw(text varchar char(26) code)),
	[ 'bigint', '1000 - n', qw(--time at) ], [ 'int', '1000 - n', qw(--from number --time at) ],
	[ 'text', "ksuid_of($id)", qw(--from ksuid) ], [ 'varchar(40)', "typeid_of($id, 'user')", qw(--from typeid --prefix user) ]);
my %forms = (%kept, %other);
sql("SET ROLE NONE; CREATE ROLE \"of_policy_$_\"; GRANT USAGE ON SCHEMA formats TO \"of_policy_$_\"") foreach sort keys %forms;

foreach my $format (is_long() ? @formats : @formats[0, 1, 5, 8])
{
	my ($type, $key, @arguments) = @$format;
	subtest "$type, $key" => sub {
		sql("DROP SCHEMA IF EXISTS s CASCADE; DROP SCHEMA IF EXISTS gid_move CASCADE; CREATE SCHEMA s AUTHORIZATION owner; GRANT USAGE ON SCHEMA s TO PUBLIC; SET ROLE owner;
			CREATE DOMAIN same AS uuid; CREATE DOMAIN code AS varchar(26);
			CREATE TABLE things (id $type PRIMARY KEY, other $type REFERENCES things, n int, at timestamptz DEFAULT now());
			INSERT INTO things (id, n) SELECT $key, n FROM generate_series(1, 8) n; UPDATE things SET other = (SELECT id FROM things o WHERE o.n = things.n / 3 * 3);
			CREATE TABLE parts (id $type REFERENCES things); INSERT INTO parts SELECT id FROM things WHERE n = 4 UNION ALL SELECT other FROM things WHERE n > 3;
			CREATE TABLE codes (code text); INSERT INTO codes SELECT id FROM things WHERE n = 5; CREATE VIEW mixed AS SELECT id::${\($type eq 'text' ? 'varchar' : 'text')} AS k FROM things UNION ALL SELECT code FROM codes;
			CREATE VIEW sorted AS SELECT id, n FROM things ORDER BY id; CREATE TABLE marks (id $type REFERENCES things, other $type REFERENCES things, n int PRIMARY KEY); INSERT INTO marks SELECT id, other, n FROM things;
			ALTER TABLE marks ENABLE ROW LEVEL SECURITY; CREATE FUNCTION attempt(text) RETURNS bool LANGUAGE plpgsql AS 'BEGIN EXECUTE \$1; RETURN true; EXCEPTION WHEN OTHERS THEN RETURN false; END'");
		my ($k, $l) = split /\n/, sql('SELECT id FROM things WHERE n IN (3, 5) ORDER BY n');
		my (@objects, %refused, $said);
		foreach my $kind (sort keys %kinds)
		{
			my $create = join ', ', map {
				my $form = $forms{$_} =~ s/\bK\b/$k/gr =~ s/\bL\b/$l/gr =~ s/\bT\b/$type/gr =~ s/\bx\b/t.id/gr =~ s/\by\b/t.other/gr;
				my $table = $kinds{$kind}[0] =~ /things t|_i t/ ? 't' : $kind eq 'trigger' ? 'OLD' : $kind eq 'policy' ? 'marks' : 'things';
				$form =~ s/\bt\b/$table/g;
				my $command = $kinds{$kind}[0] =~ s/\bF\b/$form/gr =~ s/\bN(?=_i|\b)/${kind}_$_/gr =~ s/of_N\b/of_${kind}_$_/gr;
				"('${kind}_$_', \$c\$$command\$c\$)"
			} sort keys %forms;
			push @objects, split /\n/, sql("SET ROLE owner; SELECT name FROM (VALUES $create) AS c (name, command) WHERE attempt(command)");
		}
		cmp_ok(@objects, '>', 180, @objects . ' objects');
		sql('GRANT SELECT ON ALL TABLES IN SCHEMA s TO PUBLIC');
		my @before = answers('s', @objects);

		for (1 .. 4)
		{
			$said = (gid_move('plan', 's.things', '--kind', 'k', @arguments))[1];
			my @now = grep { !$refused{$_} && $said =~ /^gid-move: (?=.*(?:would mean something else|does not work|cannot be moved)).*\b${_}(?:_i)?\b/m } @objects or last;
			sql('SET ROLE owner; ' . join '; ', map {
				my (undef, undef, $word, $on) = @{ $kinds{ (/^([a-z]+)_/)[0] } };
				$refused{$_} = 1;
				$word //= uc((/^([a-z]+)_/)[0]);
				($word eq 'CONSTRAINT' ? 'ALTER TABLE things ' : '') . "DROP $word $_" . ($on // '') . (/^outer/ ? "; DROP VIEW ${_}_i" : '')
			} @now);
		}
		is($? >> 8, 0, 'plan accepts the rest') or return diag($said);
		is(join(' ', grep { /^[a-z]+_(.*)/ && $kept{$1} } sort keys %refused), 'matview_united_null', 'plan accepts what means the same');
		my @rest = grep { !$refused{ (/^(\w+)/)[0] } } @before;
		my @names = map { /^(\w+)/ } @rest;
		note("kept: @names");
		my $same = sub {
			my ($when, $path) = @_;
			is_deeply([ answers($path, @names) ], \@rest, $when);
		};
		moves_ok('start', 's.things', '--kind', 'k', @arguments);
		$same->('after start', 's');
		moves_ok('backfill', 's.things');
		$same->('after backfill', 's');
		moves_ok('switch', 's.things');
		$same->('after switch, new programs', 's');
		$same->('after switch, old programs', 'gid_before, s');
		is(sql(q{SELECT count(*) FROM pg_views WHERE schemaname = 's' AND viewname ~ '^view_(equal|among|linked|nested|simple_case)$' AND definition ~ '::(text|uuid)'}), 0, 'views compare gids, not texts');
		moves_ok('finish', 's.things');
		$same->('after finish', 's');
	};
}

done_testing();
