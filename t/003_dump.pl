#!/usr/bin/perl
# pg_dump and pg_restore preserve a database that uses all features of gid, with its
# kinds, defaults, partitions and indexes: in plain and custom format and as INSERT.
# The database also compares ids of different kinds in foreign keys, materialized views,
# policies, constraints and functions, and has every form of expression in every place
# where PostgreSQL stores one.  A restore requires neither a setting nor a superuser, and
# works with quote_all_identifiers, which changes what PostgreSQL prints.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;
use Expressions;

my $node = new_server('main', 'quote_all_identifiers = on');
$node->start;
my $tmp = PostgreSQL::Test::Utils::tempdir();

my @as_owner = (extra_params => [ '-U', 'owner' ]);
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN');
$node->safe_psql('postgres', "CREATE DATABASE $_ OWNER owner") foreach qw(control original plain inserts custom);
$node->safe_psql(
	'original', q{
	CREATE EXTENSION gid;
	CREATE DOMAIN order_id AS gid(o) CHECK (gid_timestamp(VALUE) < '3000-01-01');
	CREATE TYPE order_line AS (article gid(a), pieces int);
	CREATE TABLE customer (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text);
	CREATE TABLE orders (id order_id PRIMARY KEY DEFAULT gid_new('o'), customer gid(c) REFERENCES customer,
		lines order_line[], tags gid(200)[], any_kind gid, "when" timestamptz GENERATED ALWAYS AS (gid_timestamp(id)) STORED);
	INSERT INTO customer (name) SELECT 'customer ' || n FROM generate_series(1, 1000) n;
	INSERT INTO orders (customer, lines, tags, any_kind)
	SELECT id, ARRAY[ROW(gid_new('a'), 1)::order_line], ARRAY[gid_new('200'), NULL], gid_random('volume') FROM customer;
	CREATE INDEX orders_hash ON orders USING hash (customer);
	CREATE INDEX orders_brin ON orders USING brin ((id::gid) gid_minmax_ops, any_kind gid_minmax_multi_ops, customer gid_bloom_ops);
	CREATE INDEX orders_gin ON orders USING gin (tags);
	CREATE INDEX orders_partial ON orders (any_kind) WHERE id >= gid_lower_bound('o', '2026-01-01 00:00+00');
	CREATE STATISTICS orders_statistics ON customer, any_kind FROM orders;
	CREATE TABLE event (id gid(segment) PRIMARY KEY DEFAULT gid_new('segment'), n int) PARTITION BY RANGE (id);
	CREATE TABLE event_old PARTITION OF event FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('segment', '2026-01-01 00:00+00'));
	CREATE TABLE event_new PARTITION OF event FOR VALUES FROM (gid_lower_bound('segment', '2026-01-01 00:00+00')) TO (MAXVALUE);
	INSERT INTO event (n) SELECT generate_series(1, 1000);
	INSERT INTO event SELECT gid_random('segment', '2020-01-01 00:00+00') FROM generate_series(1, 1000);
	CREATE TABLE spread (id gid(log)) PARTITION BY HASH (id);
	CREATE TABLE spread_0 PARTITION OF spread FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE spread_1 PARTITION OF spread FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	INSERT INTO spread SELECT gid_new('log') FROM generate_series(1, 1000);
	CREATE VIEW recent AS SELECT id, gid_kind(any_kind) AS kind FROM orders
	WHERE id > gid_lower_bound('o', now() - interval '1 day');
	CREATE MATERIALIZED VIEW newest AS SELECT max(id) AS id, min(any_kind) AS any_kind FROM orders;
	CREATE FUNCTION first_order(customer gid) RETURNS order_id LANGUAGE sql STABLE
	SET search_path = public AS $$ SELECT min(id) FROM orders WHERE orders.customer = $1 $$;
	CREATE TABLE kept (n int, id gid(segment) NOT NULL);
	CREATE RULE keep AS ON INSERT TO event_old DO ALSO INSERT INTO kept VALUES (NEW.n, NEW.id);
	-- Comparisons of different kinds, which can only be created with this setting.
	SET gid.check_comparisons = off;
	CREATE TABLE mistaken (id gid(m) PRIMARY KEY, customer gid(c) REFERENCES event DEFERRABLE, higher gid(o) CHECK (higher > id),
		CHECK (customer <> id), CHECK (id > gid_lower_bound('a', '2026-01-01 00:00+00')));
	INSERT INTO mistaken SELECT gid_new('m'), NULL, gid_new('o') FROM generate_series(1, 3);
	CREATE UNIQUE INDEX mistaken_partial ON mistaken (id) WHERE higher > id;
	ALTER TABLE mistaken ENABLE ROW LEVEL SECURITY;
	CREATE POLICY by_columns ON mistaken USING (higher > id);
	GRANT SELECT ON mistaken TO PUBLIC;
	CREATE MATERIALIZED VIEW mistaken_view AS SELECT c.id, (SELECT count(*) FROM mistaken WHERE id > (SELECT max(id) FROM customer)) AS n
	FROM customer c LEFT JOIN mistaken m ON m.id = c.id OR m.id > gid_lower_bound('z', '2026-01-01 00:00+00') ORDER BY c.id LIMIT 10;
	CREATE VIEW mistaken_join AS SELECT m.id FROM mistaken m JOIN customer c ON m.id = c.id;
	CREATE FUNCTION above() RETURNS bigint LANGUAGE sql STABLE SET gid.check_comparisons = off
	BEGIN ATOMIC SELECT count(*) FROM mistaken, customer WHERE mistaken.id > customer.id; END;
}, @as_owner);

my $control = create_expressions($node, 'control', 'uuid', @as_owner);
my $created = create_expressions($node, 'original', 'gid', @as_owner);
my %accepted = map { $_ => 1 } grep { $control->{$_} eq 'created' } keys %$control;
my %is_used = map { $_ => 1 } map { split /: / } keys %accepted;
is(join(' ', grep { !$is_used{$_} && ($node->pg_version >= 18 || !/^(json.*|merge returning|virtual)$/) } map { split /: / } sort keys %$control),
	'', 'PostgreSQL accepts each form somewhere, and some form in each place');
# The filter of a publication and a virtual column can only use built-in types.
delete @accepted{ grep { /^(publication|virtual):/ } keys %accepted };
is_deeply({ map { $_ => 1 } grep { $created->{$_} eq 'created' } keys %$created }, \%accepted,
	'gid is accepted in the same expressions and places as uuid');

# The nodes in each column of the catalog that stores expressions.  2950 is the OID of uuid.
my $columns = $node->safe_psql('control', q{
	SELECT string_agg(format('SELECT %L AS place, %I::text AS tree FROM %s', attrelid::regclass || '.' || attname, attname, attrelid::regclass), ' UNION ALL ')
	FROM pg_attribute WHERE atttypid = 'pg_node_tree'::regtype AND attrelid < 16384});
my (%is_filled, %is_stored);
foreach (split /\n/, $node->safe_psql('control', qq{
	SELECT DISTINCT place, (regexp_matches(tree, '([A-Z]{3,}) :', 'g'))[1] FROM ($columns) p WHERE tree ~ ' 2950 '}))
{
	my ($place, $tag) = split /\|/;
	$is_filled{$place} = $is_stored{$tag} = 1;
}
is(join(' ', grep { !$is_filled{$_} } $columns =~ /SELECT '(.*?)'/g), '', 'every column that stores expressions stores one');
# The rewriter and the planner create these nodes, which are never stored.
my %is_created = map { uc $_ => 1 } qw(SubPlan AlternativeSubPlan WindowFuncRunCondition NextValueExpr ReturningExpr);
my ($include) = run_command([ $ENV{PG_CONFIG}, '--includedir-server' ]);
my @nodes = slurp_file("$include/nodes/primnodes.h") =~ /^typedef (?:struct (?=\w+\s*\{[^{}]*?\bExpr\s+xpr;)|OpExpr )(\w+)/mg;
is(join(' ', grep { !$is_stored{ uc $_ } && !$is_created{ uc $_ } } @nodes), '', 'every node of an expression is stored');
cmp_ok(scalar @nodes, '>', 40, 'the nodes were found');

# The definitions in a database, without the key that differs between dumps.
sub definitions
{
	my ($name) = @_;
	my ($dump) = run_command([ 'pg_dump', '-s', '-d', $node->connstr($name) ]);
	return [ grep { !/^\\(un)?restrict / } split /\n/, $dump ];
}
my $definitions = definitions('original');

my $fingerprint = q{
	SELECT md5(string_agg(o::text, ' ' ORDER BY id)) FROM orders o;
	SELECT md5(string_agg(c::text, ' ' ORDER BY id)) FROM customer c;
	SELECT md5(string_agg(tableoid::regclass || e::text, ' ' ORDER BY id)) FROM event e;
	SELECT md5(string_agg(tableoid::regclass || s::text, ' ' ORDER BY id)) FROM spread s;
	SELECT md5(string_agg(r::text, ' ' ORDER BY id)) FROM recent r;
	SELECT * FROM newest;
	SELECT * FROM mistaken_view;
	SELECT m.*, above() FROM mistaken m ORDER BY id;
	SELECT conname, convalidated FROM pg_constraint WHERE conrelid = 'mistaken'::regclass ORDER BY conname;
	SELECT first_order(customer) = id FROM orders ORDER BY id LIMIT 1;
	SELECT count(*) FROM pg_index WHERE indisvalid;
	SELECT relname, attname, format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid)
	FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum
	WHERE relnamespace = 'public'::regnamespace AND attnum > 0 ORDER BY relname, attnum;
	SELECT relname, pg_get_expr(relpartbound, oid) FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY relname;
	SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname;
	SELECT md5(schema_to_xml('expressions', true, false, '')::text);
	SELECT relname, amname, gid.opcname FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = relam,
		 unnest(indclass) k JOIN pg_opclass gid ON gid.oid = k WHERE relnamespace = 'public'::regnamespace ORDER BY 1, 2, 3;
};
my $original = $node->safe_psql('original', $fingerprint);
like($original, qr/"gid"\(segment\).*"gid_new"\('segment'/, 'the original has kinds and defaults');

foreach (
	[ 'plain', '-Fp' ],
	[ 'inserts', '-Fp', '--inserts' ],
	[ 'custom', '-Fc' ])
{
	my ($name, @options) = @$_;
	# psql continues after an error and exits with 0, so nothing may be printed.
	my @restore = $name eq 'custom' ? qw(pg_restore -j 2) : qw(psql -X -q -o /dev/null -f);

	$node->command_ok([ 'pg_dump', @options, '-f', "$tmp/$name", 'original' ], "$name: dumped");
	$node->command_checks_all([ @restore, "$tmp/$name", '-U', 'owner', '-d', $name ], 0, [], [qr/^\z/], "$name: restored");
	is_deeply(definitions($name), $definitions, "$name: the definitions are the same");
	is($node->safe_psql($name, $fingerprint), $original, "$name: the restored database is the same");

	# Defaults, kinds and keys work in the restored database.
	is( $node->safe_psql(
			$name,
			"INSERT INTO orders (customer) SELECT id FROM customer LIMIT 1 RETURNING gid_kind(id)"),
		'o',
		"$name: defaults mint");
	my ($rc, $out, $err) = $node->psql($name,
		"INSERT INTO event (id) SELECT id FROM spread LIMIT 1");
	like($err, qr/gid of kind "log" does not match type gid\(segment\)/,
		"$name: kinds are enforced");
	is( $node->safe_psql(
			$name,
			"SET enable_seqscan = off; SELECT count(*) FROM event JOIN event e USING (id)"),
		'2000',
		"$name: indexes can be used");
	is( $node->safe_psql(
			$name, q{
			INSERT INTO mistaken SELECT * FROM mistaken ON CONFLICT (id) WHERE higher > id DO NOTHING;
			REFRESH MATERIALIZED VIEW mistaken_view;
			SET ROLE pg_monitor;
			SELECT count(*) FROM mistaken}),
		'3',
		"$name: a policy and a partial index that compare kinds can be used");
	($rc, $out, $err) = $node->psql($name, "SELECT * FROM mistaken_join");
	like($err, qr/cannot compare gids of kind "m" with gids of kind "c"/, "$name: new queries must not compare kinds");
}

done_testing();
