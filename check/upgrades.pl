#!/usr/bin/perl
# Ids stay the same from each installed version of PostgreSQL to each newer version, by
# pg_upgrade without rebuilding an index.  It also preserves every form of expression in
# every place where PostgreSQL stores one.  So does an update of gid, whatever depends on
# its objects.  pg_upgrade restores what pg_dump writes; t/003_dump.pl restores rows, too.
# "script/debian all" has all versions.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;
use Expressions;

# Copies every installed version of PostgreSQL, and installs gid into each copy.
my @installed = glob '/usr/lib/postgresql/*/bin/pg_config';
plan skip_all => 'this requires two versions of PostgreSQL; script/debian all has them' if @installed < 2;
must_run('bash', '-c', q{
	. script/lib.sh
	work=$1
	for pg_config in "${@:2}"; do
		use_postgres
		copy_postgres
		build_tree with_llvm=no
	done}, 'upgrades', $work, @installed);
my @servers = map { $work . '/postgres' . s{/bin/pg_config}{}r } @installed;

my $tmp = PostgreSQL::Test::Utils::tempdir();
my @tables = qw(orders baskets events spread);

# Databases begin with the oldest version.
my @versions = sort { version->declare($a) <=> version->declare($b) } map { m{--([\d.]+)\.sql} } glob "$tree/gid--*.sql";
my $schema = qq{CREATE EXTENSION gid VERSION '$versions[0]';} . q{
	CREATE DOMAIN order_id AS gid(o);
	CREATE TABLE orders (id order_id PRIMARY KEY DEFAULT gid_new('o'), customer gid(c), ranged gid, spanned gid, bloomed gid, n int);
	CREATE INDEX orders_hash ON orders USING hash (customer);
	CREATE INDEX orders_minmax ON orders USING brin (ranged) WITH (pages_per_range = 2);
	CREATE INDEX orders_multi ON orders USING brin (spanned gid_minmax_multi_ops) WITH (pages_per_range = 2);
	CREATE INDEX orders_bloom ON orders USING brin (bloomed gid_bloom_ops) WITH (pages_per_range = 2);
	CREATE INDEX orders_partial ON orders (gid_compact(customer)) WHERE id >= gid_lower_bound('o', '2026-01-02 00:00+00');
	CREATE INDEX orders_expression ON orders (right(bloomed::text, 13));
	CREATE TABLE baskets (id gid(b) PRIMARY KEY DEFAULT gid_new('b'), tags gid(200)[], grouped gid, inverted gid, n int);
	CREATE INDEX baskets_tags ON baskets USING gin (tags);
	CREATE INDEX baskets_gist ON baskets USING gist (grouped);
	CREATE INDEX baskets_gin ON baskets USING gin (inverted);
	CREATE TABLE events (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), n int) PARTITION BY RANGE (id);
	CREATE TABLE events_old PARTITION OF events FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('e', '2026-01-02 00:00+00'));
	CREATE TABLE events_new PARTITION OF events FOR VALUES FROM (gid_lower_bound('e', '2026-01-02 00:00+00')) TO (MAXVALUE);
	CREATE TABLE spread (id gid(log) PRIMARY KEY DEFAULT gid_new('log'), n int) PARTITION BY HASH (id);
	CREATE TABLE spread_0 PARTITION OF spread FOR VALUES WITH (MODULUS 3, REMAINDER 0);
	CREATE TABLE spread_1 PARTITION OF spread FOR VALUES WITH (MODULUS 3, REMAINDER 1);
	CREATE TABLE spread_2 PARTITION OF spread FOR VALUES WITH (MODULUS 3, REMAINDER 2);
};

my $rows = q{
	CREATE TEMP VIEW moments AS
	SELECT n, timestamptz '2026-01-01 00:00+00' + n * interval '1 minute' AS at FROM generate_series(1, 4000) n;
	INSERT INTO orders SELECT gid_random('o', at), gid_random('c'), gid_random('segment', at),
		CASE WHEN n % 500 = 0 THEN gid_random('log', at) ELSE gid_random('segment', at) END, gid_random((n % 127 + 128)::text), n
	FROM moments ORDER BY n;
	INSERT INTO baskets SELECT gid_random('b', at), ARRAY[gid_new('200'), NULL, gid_random('200')], gid_new('z'), gid_new('z'), n FROM moments;
	INSERT INTO events SELECT gid_random('e', at), n FROM moments;
	INSERT INTO spread (n) SELECT n FROM moments;
	INSERT INTO orders (customer, n) SELECT gid_new('c'), n FROM generate_series(4001, 4100) n;
	ANALYZE;
};

# For each index, its table and a condition for two rows that can use the index.  That of
# spread finds a row in the partition of its hash.
my %conditions = (
	orders_pkey => 'orders: o.id > w.id',
	orders_hash => 'orders: o.customer = w.customer',
	orders_minmax => 'orders: o.ranged = w.ranged',
	orders_multi => 'orders: o.spanned = w.spanned',
	orders_bloom => 'orders: o.bloomed = w.bloomed',
	orders_partial => q{orders: gid_compact(o.customer) = gid_compact(w.customer) AND o.id >= gid_lower_bound('o', '2026-01-02 00:00+00')},
	orders_expression => 'orders: right(o.bloomed::text, 13) = right(w.bloomed::text, 13)',
	baskets_gist => 'baskets: o.grouped = w.grouped',
	baskets_gin => 'baskets: o.inverted = w.inverted',
	baskets_tags => 'baskets: o.tags @> w.tags[1:1]',
	events_old_pkey => q{events: o.id = w.id AND o.id < '2026-01-02 00:00+00'::timestamptz},
	spread_1_pkey => 'spread: o.id = w.id');

my $by_index = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;';
my $by_table = 'SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;';

# Objects that depend on each object of gid that statements can use.
my $dependents = q{
	CREATE TABLE expressions.dependents (id gid);
	WITH members AS (
		SELECT objid, format('expressions.dependent_%s', objid) AS name
		FROM pg_depend JOIN pg_extension e ON refobjid = e.oid AND refclassid = 'pg_extension'::regclass AND extname = 'gid')
	SELECT format('CREATE VIEW %s AS SELECT count(*) FROM %I(%s)', name, proname,
		(SELECT string_agg('NULL::' || type::regtype, ', ') FROM unnest(proargtypes) type))
	FROM pg_proc JOIN members ON objid = oid
	WHERE prokind = 'f' AND NOT (proargtypes::oid[] || prorettype) && '{internal,cstring,cstring[]}'::regtype[]::oid[]
	UNION ALL
	SELECT format('CREATE VIEW %s AS SELECT %I(id) FROM expressions.dependents', name, proname)
	FROM pg_proc JOIN members ON objid = oid WHERE prokind = 'a'
	UNION ALL
	SELECT format('CREATE VIEW %s AS SELECT NULL::%s %s NULL::%s AS compared', name, oprleft::regtype, oprname, oprright::regtype)
	FROM pg_operator JOIN members ON objid = oid
	UNION ALL
	SELECT format('CREATE INDEX ON expressions.dependents USING %I (id %I)', amname, opcname)
	FROM pg_opclass c JOIN members ON objid = c.oid JOIN pg_am a ON a.oid = opcmethod
	UNION ALL
	SELECT format('CREATE VIEW %s AS SELECT NULL::%s::%s AS value', name, castsource::regtype, casttarget::regtype)
	FROM pg_cast JOIN members ON objid = oid WHERE castsource <> casttarget \gexec
};

# An update that adds what updates can add.
my $addition = q{
	CREATE FUNCTION gid_added(id gid, OUT kind text, OUT added timestamptz) LANGUAGE sql STABLE
	BEGIN ATOMIC SELECT gid_kind(id), now(); END;
	CREATE FUNCTION gid_before(id gid, day date) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN id < day::timestamp AT TIME ZONE 'UTC';
	CREATE OPERATOR < (FUNCTION = gid_before, LEFTARG = gid, RIGHTARG = date);
	CREATE AGGREGATE gid_last(gid) (SFUNC = gid_larger, STYPE = gid);
	CREATE OPERATOR CLASS gid_more_ops FOR TYPE gid USING hash AS OPERATOR 1 =, FUNCTION 1 gid_hash(gid);
	GRANT EXECUTE ON FUNCTION gid_added(gid), gid_before(gid, date), gid_last(gid) TO PUBLIC};

# Queries whose results an upgrade must not change.
my %stays = (
	rows => join('; ', map {
			"SELECT '$_', count(*), md5(string_agg(tableoid::regclass || ' ' || t::text, ' ' ORDER BY id)) FROM $_ t"
	} @tables),
	# Columns, defaults, bounds and indexes.
	'tables and indexes' => q{
		SELECT relname, relkind, attname, format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid), pg_get_expr(relpartbound, c.oid)
		FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum
		WHERE relnamespace = 'public'::regnamespace AND attnum > 0 ORDER BY relname, attnum;
		SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname},
	expressions => q{
		SELECT md5(schema_to_xml('expressions', true, false, '')::text);
		SELECT relkind, count(*) FROM pg_class WHERE relnamespace = 'expressions'::regnamespace GROUP BY 1 ORDER BY 1},
	# REINDEX would replace these files.
	'files of indexes' => q{
		SELECT relname, pg_relation_filenode(oid) FROM pg_class
		WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace ORDER BY relname},
	statistics => q{
		SELECT tablename, attname, n_distinct, correlation, histogram_bounds, most_common_vals
		FROM pg_stats WHERE schemaname = 'public' ORDER BY tablename, attname});

# Updates gid in a database.
sub update
{
	my ($node, $to) = @_;
	my ($name, $before) = ($node->pg_version->major . ": an update $to", state_of($node, 'original'));

	is(($node->psql('original', "SET client_min_messages = warning; ALTER EXTENSION gid UPDATE $to"))[2], '', "$name works");
	are_the_same($name, $before, $node, 'original', sort keys %stays);
	return;
}

# Databases must be the same in some respects.
sub are_the_same
{
	my ($name, $expected, $node, $database, @respects) = @_;

	is($node->safe_psql($database, $stays{$_}), $expected->{$_}, "$name: the $_ are the same") foreach @respects;
	return;
}

sub state_of
{
	my ($node, $database) = @_;

	return { map { $_ => $node->safe_psql($database, $stays{$_}) } keys %stays };
}

# A query must return the same rows with the index and without it.
sub answers
{
	my ($name, $node, $database) = @_;

	foreach my $index (sort keys %conditions)
	{
		my ($table, $condition) = split /: /, $conditions{$index}, 2;
		my $question = "SELECT count(*), sum(o.n), sum(o.n * w.n) FROM $table w JOIN $table o ON $condition WHERE w.n % 100 = 0";
		like($node->safe_psql($database, "$by_index EXPLAIN (COSTS off) $question"),
			qr/ $index\b/, "$name: $index is used");
		my $answer = $node->safe_psql($database, "$by_table $question");
		ok($answer =~ /^[1-9]/ && $node->safe_psql($database, "$by_index $question") eq $answer,
			"$name: $index returns the rows of the table");
	}
	return;
}

sub mints_on
{
	my ($name, $node, $database) = @_;

	is($node->safe_psql($database, q{
		INSERT INTO orders (customer, n) VALUES (gid_new('c'), 0) RETURNING id > (SELECT max(id) FROM orders);
		INSERT INTO spread (n) SELECT -1 FROM generate_series(1, 100);
		INSERT INTO events (n) SELECT -1 FROM generate_series(1, 100);
		SELECT (SELECT count(*) FROM spread WHERE n = -1), (SELECT count(*) FROM events_new WHERE n = -1)}),
		"t\n100|100", "$name: a new id is larger than all others, and partitions accept new ids");
	like(($node->psql($database, q{INSERT INTO orders (id) SELECT id FROM spread LIMIT 1}))[2],
		qr/gid of kind "log" does not match type gid\(o\)/, "$name: kinds are enforced");
	return;
}

sub is_sound
{
	my ($name, $node, $database) = @_;

	$node->command_ok(
		[ 'pg_amcheck', '--install-missing', '--heapallindexed', '--parent-check', '-d', $database ],
		"$name: amcheck finds nothing");
	return;
}

# The default of data checksums differs between versions.
sub new_node
{
	my ($name, $server) = @_;

	my $node = PostgreSQL::Test::Cluster->new($name, install_path => $server);
	$node->init(extra => [ '--data-checksums', '--locale=C', '--encoding=UTF8' ]);
	$node->append_conf('postgresql.conf', 'autovacuum = off');
	return $node;
}

sub upgrade
{
	my ($name, $old, $server) = @_;

	my $new = new_node($name =~ s/ /_/gr, $server);
	my $before = state_of($old, 'original');

	$old->stop;
	chdir $tmp;
	$new->command_ok(
		[
			'pg_upgrade', '--no-sync',
			'-d', $old->data_dir, '-D', $new->data_dir,
			'-b', $old->config_data('--bindir'), '-B', $new->config_data('--bindir'),
			'-s', $new->host, '-p', $old->port, '-P', $new->port
		],
		"$name: pg_upgrade");
	$old->start;
	$new->start;
	are_the_same($name, $before, $new, 'original', 'rows', 'tables and indexes', 'files of indexes', 'expressions');
  SKIP:
	{
		skip_allowed 'pg_upgrade leaves statistics behind before PostgreSQL 18', 1 if $new->pg_version < 18;
		are_the_same($name, $before, $new, 'original', 'statistics');
	}
	is_sound($name, $new, 'original');
	answers($name, $new, 'original');
	mints_on($name, $new, 'original');
	is_sound("$name, minted on", $new, 'original');
	if ($new->pg_version >= 18)
	{
		my ($statement) = slurp_file("$tree/doc/operations.md") =~ /^```sql\n(SET search_path[^`]*?gid_gist_strategy[^`]*)^```/m;
		$new->safe_psql('original', $statement);
		is( $new->safe_psql('original', q{
			CREATE TABLE prices (product gid(p), valid tstzrange, PRIMARY KEY (product, valid WITHOUT OVERLAPS));
			SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'gid_ops' AND opcintype = 'gid'::regtype}),
			join("\n", ('t') x 4), "$name: the statement of doc/operations.md completes the operator classes");
	}
	$new->stop;
	return;
}

# Since 15.20 and 17.12 PostgreSQL gives analyzed columns an option that earlier minor
# releases of a newer version reject, so that these cannot restore any table.
sub can_restore
{
	my ($old, $new) = @_;

	my $options = $old->safe_psql('original',
		q{SELECT DISTINCT unnest(attoptions) FROM pg_attribute WHERE attrelid = 'orders'::regclass});
	return 1 if $options eq '';
	my ($rc) = $new->psql('postgres', "CREATE TEMP TABLE t (c int); ALTER TABLE t ALTER c SET ($options)",
		on_error_stop => 1);
	return $rc == 0;
}

my @nodes;
foreach my $server (@servers)
{
	my $node = new_node('from_' . @nodes, $server);
	$node->start;
	$node->safe_psql('postgres', 'CREATE DATABASE original');
	$node->safe_psql('original', $schema);
	$node->safe_psql('original', $rows);
	create_expressions($node, 'original', 'gid');
	# pg_upgrade restores domains and functions before the operator classes of an extension.
	# PostgreSQL does not record that expressions that sort or compare rows require these.
	$node->safe_psql(
		'original', q{
		SELECT DISTINCT format('DROP %s %s', object_type, object_identity) FROM (
			SELECT 'pg_proc'::regclass, oid, concat(prosqlbody, proargdefaults) FROM pg_proc UNION ALL
			SELECT 'pg_type'::regclass, oid, typdefaultbin::text FROM pg_type UNION ALL
			SELECT 'pg_type'::regclass, contypid, conbin::text FROM pg_constraint WHERE contypid <> 0
		) o(class, oid, tree), pg_identify_object(class, o.oid, 0) i(object_type, schema, name, object_identity)
		WHERE schema = 'expressions' AND tree ~ 'SORTGROUPCLAUSE|ROWCOMPARE|testexpr .BOOLEXPR' \gexec
	} . $dependents);
	update($node, "TO '$versions[-1]'");
	push @nodes, $node;
}
my @sorted = sort { $a->pg_version <=> $b->pg_version } @nodes;
while (my $old = shift @sorted)
{
	answers($old->pg_version->major, $old, 'original');
	foreach my $new (@sorted)
	{
		my ($was, $is) = map { $_->pg_version->major } $old, $new;

	  SKIP:
		{
			skip_allowed 'PostgreSQL ' . $new->pg_version . ' cannot restore tables of ' . $old->pg_version, 1 unless can_restore($old, $new);
			upgrade("$was to $is", $old, $new->{_install_path});
		}
	}
}

foreach my $node (@nodes)
{
	append_to_file($node->config_data('--sharedir') . "/extension/gid--$versions[-1]--98.76.sql", $addition);
	update($node, q{TO '98.76'});
	$node->stop;
}
done_testing();
