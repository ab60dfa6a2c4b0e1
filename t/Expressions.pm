# Objects that store expressions: each form of an expression in each place of the catalog
# that stores one.  For some forms, such as IS DISTINCT FROM and JOIN USING, PostgreSQL
# prints no operator (get_rule_expr and get_query_def in its ruleutils.c).  A dump of these
# can only be restored if PostgreSQL finds the operator without a search_path.
#
# The same objects with uuid show what PostgreSQL accepts.

package Expressions;

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT = qw(create_expressions);

# T is the type.  x and y are two values of this type, K and L are two constants.  {A|B} is
# A for gid and B for uuid.  The tables s and v and the type pair have columns a and b.
our %expressions = (
	'distinct' => 'x IS DISTINCT FROM y',
	'not distinct' => 'x IS NOT DISTINCT FROM y',
	'nullif' => 'NULLIF(x, y) IS NULL',
	'case' => 'CASE x WHEN y THEN true WHEN K THEN x < y ELSE false END',
	'searched case' => 'CASE WHEN x = y THEN x ELSE y END = x',
	'operator' => 'x <= y',
	'operator of two types' => "x >= {timestamptz '2026-01-01 00:00+00'|K}",
	'rows less' => '(x, y) <= (y, x)',
	'rows equal' => '(x, y) <> (y, x)',
	'rows distinct' => '(x, y) IS DISTINCT FROM (y, x)',
	'composite' => 'ROW(x, y)::pair >= ROW(y, x)::pair',
	'composite distinct' => 'ROW(x, y)::pair IS DISTINCT FROM ROW(y, x)::pair',
	'field' => '(ROW(x, y)::pair).a = y',
	'in' => 'x IN (y, K)',
	'not in' => 'x NOT IN (y, K)',
	'in constants' => 'x IN (K, L)',
	'any' => 'x = ANY (ARRAY[x, y])',
	'all' => 'x < ALL (ARRAY[x, y])',
	'arrays equal' => 'ARRAY[x] = ARRAY[y]',
	'arrays distinct' => 'ARRAY[x] IS DISTINCT FROM ARRAY[y]',
	'array contains' => 'ARRAY[x, y] @> ARRAY[y]',
	'element' => '(ARRAY[x, y])[1] = y',
	'cast of array' => '(ARRAY[x, y])[1:1]::text[] = ARRAY[K::text]',
	'cast to array' => "string_to_array(x::text, '+')::T[] = ARRAY[y]",
	'between' => 'x BETWEEN y AND K',
	'between symmetric' => 'x NOT BETWEEN SYMMETRIC y AND K',
	'greatest' => 'GREATEST(x, y) = LEAST(x, K)',
	'coalesce' => 'COALESCE(x, y) = y',
	'is true' => '(x = y) IS NOT TRUE',
	'null' => 'x IS NOT NULL',
	'booleans' => 'NOT (x = y OR x < y AND y > K)',
	'cast' => 'x::text::T = K::T',
	'cast to text' => 'x::text < y::text COLLATE "C"',
	'user' => 'x::text <> CURRENT_USER',
	'domains' => 'x::same = y',
	'domains distinct' => 'x::same IS DISTINCT FROM y::same',
	'named arguments' => 'equal(b => y, a => x)',
	'variadic' => 'num_nulls(VARIADIC ARRAY[x, y]) = 0',
	# PostgreSQL does not parenthesize IS DOCUMENT where parentheses are required.  Whether
	# XMLELEMENT is immutable depends on the version, and CURRENT_USER is not immutable.
	'xml' => '(XMLELEMENT(NAME e, XMLATTRIBUTES(x AS b), NULLIF(x, y), CURRENT_USER) IS DOCUMENT) IS TRUE',
	'json' => 'JSON_OBJECT(x::text : NULLIF(x, y)) IS JSON',
	'json value' => q{JSON_VALUE(jsonb '[]', '$a' PASSING NULLIF(x, y)::text AS a RETURNING T) IS DISTINCT FROM x},
	# Queries.  PostgreSQL prints values of CYCLE with a cast, which it does not accept there.
	'in query' => 'x IN (SELECT a FROM s)',
	'rows in query' => '(x, y) NOT IN (SELECT b, a FROM s)',
	'any of query' => 'x < ANY (SELECT a FROM s)',
	'all of query' => '(x, y) <> ALL (SELECT b, a FROM s)',
	'rows and query' => '(x, y) <= (SELECT b, a FROM s ORDER BY a LIMIT 1)',
	'query' => 'x = (SELECT {max(a)|K} FROM s LIMIT 1)',
	'array of query' => 'x = ANY ((SELECT ARRAY(SELECT a FROM s))::T[])',
	'using' => 'EXISTS (SELECT x FROM s JOIN v USING (a) LEFT JOIN s o USING (a))',
	'using as' => 'EXISTS (SELECT x FROM s JOIN v USING (b) AS j WHERE j.b = x)',
	'natural' => 'EXISTS (SELECT x FROM s NATURAL FULL JOIN v)',
	'lateral' => 'EXISTS (SELECT x FROM s JOIN LATERAL (SELECT NULLIF(s.a, y) AS l) l ON l = a)',
	'order' => 'EXISTS (SELECT x FROM s ORDER BY a USING >, b DESC NULLS LAST, NULLIF(a, b))',
	'distinct rows' => 'EXISTS (SELECT DISTINCT x, a FROM s)',
	'distinct on' => 'EXISTS (SELECT DISTINCT ON (a, NULLIF(a, x)) b FROM s ORDER BY a, NULLIF(a, x), b)',
	'group' => 'EXISTS (SELECT x, GROUPING(a) FROM s GROUP BY ROLLUP (a), NULLIF(a, b) HAVING {max(b)|K} IS DISTINCT FROM y)',
	'union' => 'EXISTS (SELECT x UNION (SELECT a FROM s EXCEPT SELECT b FROM s INTERSECT SELECT b FROM v) ORDER BY 1)',
	'aggregate' => 'EXISTS (SELECT string_agg(a::text, x::text ORDER BY b, NULLIF(a, b)) FILTER (WHERE b IS DISTINCT FROM x) FROM s)',
	'distinct aggregate' => 'EXISTS (SELECT count(DISTINCT a) FROM s HAVING count(DISTINCT NULLIF(a, x)) > 0)',
	'ordered set' => 'EXISTS (SELECT mode() WITHIN GROUP (ORDER BY NULLIF(a, b)) FROM s HAVING rank(K) WITHIN GROUP (ORDER BY a) > 0)',
	'window' => 'EXISTS (SELECT lag(x) OVER w FROM s WINDOW w AS (PARTITION BY a ORDER BY NULLIF(a, b) DESC))',
	'range' => "EXISTS (SELECT count(x) OVER (ORDER BY {a|now()} RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW) FROM s)",
	'recursive' => 'EXISTS (WITH RECURSIVE r AS (SELECT a, b FROM s UNION SELECT a, r.b FROM r JOIN s USING (a))
		SEARCH DEPTH FIRST BY a SET o CYCLE a, b SET c USING p SELECT x FROM r)',
	'sample' => 'EXISTS (SELECT x FROM s TABLESAMPLE system (CASE K WHEN L THEN 1 ELSE 100 END) REPEATABLE (CASE K WHEN L THEN 1 ELSE 2 END))',
	'limit' => 'EXISTS (SELECT x FROM s LIMIT CASE K WHEN L THEN 1 END)',
	'values' => 'EXISTS (VALUES (x, NULLIF(y, K)), (K, L) ORDER BY 1, 2)',
	'functions' => 'EXISTS (SELECT FROM ROWS FROM (unnest(ARRAY[x, NULLIF(x, y)]), generate_series(1, CASE x WHEN y THEN 1 END)) WITH ORDINALITY)',
	'definition list' => "EXISTS (SELECT FROM jsonb_to_record('{}') AS d(c T) WHERE c IS DISTINCT FROM x)",
	'rows of child' => 'EXISTS (SELECT x FROM child WHERE child::s IS DISTINCT FROM ROW(x, y)::s)',
	'xml table' => q{EXISTS (SELECT FROM XMLTABLE('/r' PASSING xmlelement(NAME r, x) COLUMNS c T DEFAULT NULLIF(K, L)) WHERE c IS DISTINCT FROM y)},
	'json table' => q{EXISTS (SELECT FROM JSON_TABLE(jsonb '[]', '$' PASSING x::text AS p COLUMNS (c T PATH '$' DEFAULT K ON EMPTY)) WHERE c = y)});

# Other commands, which rules and functions can store.
my %commands = (
	'insert' => 'INSERT INTO v AS o (a, b) SELECT y, NULLIF(x, a) FROM s ON CONFLICT ((NULLIF(a, b))) WHERE a IS DISTINCT FROM b
		DO UPDATE SET b = NULLIF(excluded.b, o.a) WHERE o.b IS DISTINCT FROM excluded.a',
	'returning' => 'INSERT INTO v (a, b) VALUES (NULLIF(x, y), DEFAULT), (x, y) RETURNING NULLIF(a, b)',
	'update' => 'UPDATE v SET (a, b) = (SELECT x, NULLIF(a, y) FROM s JOIN v o USING (a, b)) WHERE v.a IS DISTINCT FROM x',
	'update field' => 'UPDATE nested SET p.a = NULLIF(x, y), e[1] = NULLIF(x, y) FROM s NATURAL JOIN v WHERE s.a = x',
	'delete' => 'DELETE FROM v USING s JOIN v o USING (a, b) WHERE o.b IS DISTINCT FROM x',
	'cursor' => 'DELETE FROM v WHERE CURRENT OF c RETURNING a',
	'merge' => 'MERGE INTO v USING s ON s.a IS NOT DISTINCT FROM v.a WHEN MATCHED AND v.b IS DISTINCT FROM x THEN UPDATE SET b = NULLIF(y, v.a)
		WHEN NOT MATCHED AND s.a IS DISTINCT FROM x THEN INSERT (a, b) VALUES (x, NULLIF(y, s.a))',
	'merge returning' => 'MERGE INTO v USING s ON s.a = x WHEN MATCHED THEN DELETE RETURNING merge_action(), NULLIF(v.a, x)');

# The places: a command with the name N and the form F, and what replaces x and y.  I is a
# number.
my @places = (
	[ 'default', 'ALTER TABLE t ADD N bool DEFAULT (F)', 'K', 'L' ],
	[ 'stored', 'ALTER TABLE t ADD N bool GENERATED ALWAYS AS (F) STORED' ],
	[ 'virtual', 'ALTER TABLE t ADD N bool GENERATED ALWAYS AS (F) VIRTUAL' ],
	[ 'check', 'ALTER TABLE t ADD CONSTRAINT N CHECK ((F) IS NOT NULL)' ],
	[ 'exclude', 'ALTER TABLE t ADD CONSTRAINT N EXCLUDE USING hash ((CASE WHEN F THEN x END) WITH =) WHERE (F)' ],
	[ 'index', 'CREATE INDEX N ON t ((F))' ],
	[ 'predicate', 'CREATE INDEX N ON t (y) WHERE F' ],
	[ 'statistics', 'CREATE STATISTICS N ON (F), x FROM t' ],
	[ 'view', 'CREATE VIEW N AS SELECT x, F AS f FROM t' ],
	[ 'matview', 'CREATE MATERIALIZED VIEW N AS SELECT x, F AS f FROM t' ],
	[ 'rule', 'CREATE RULE N AS ON UPDATE TO t WHERE F DO ALSO NOTHING', 'NEW.x', 'OLD.y' ],
	[ 'policy', 'CREATE POLICY N ON t USING (F) WITH CHECK (F)' ],
	[ 'trigger', 'CREATE TRIGGER N BEFORE UPDATE ON t FOR EACH ROW WHEN (F) EXECUTE FUNCTION suppress_redundant_updates_trigger()', 'NEW.x', 'OLD.y' ],
	[ 'domain', 'CREATE DOMAIN N AS T CHECK (F)', 'VALUE', 'K' ],
	[ 'default of domain', 'CREATE DOMAIN N AS bool DEFAULT (F)', 'K', 'L' ],
	[ 'function', 'CREATE FUNCTION N(x T, y T) RETURNS bool RETURN F' ],
	[ 'argument', 'CREATE FUNCTION N(f bool DEFAULT F) RETURNS bool RETURN f', 'K', 'L' ],
	[ 'partitioned', 'CREATE TABLE N (x T, y T) PARTITION BY LIST ((F))' ],
	[ 'bound', 'CREATE TABLE N PARTITION OF parted FOR VALUES FROM (I, CASE WHEN F THEN K ELSE L END) TO (I, MAXVALUE)', 'K', 'L' ],
	[ 'publication', 'CREATE PUBLICATION N FOR TABLE t WHERE (F)' ]);
my @command_places = (
	[ 'rule', 'CREATE RULE N AS ON INSERT TO t DO ALSO F', 'NEW.x', 'NEW.y' ],
	[ 'function', 'CREATE FUNCTION N(x T, y T) RETURNS void BEGIN ATOMIC F; END' ]);

my $tables = q{
	CREATE SCHEMA expressions;
	SET search_path = expressions, public;
	CREATE DOMAIN same AS T;
	CREATE TYPE pair AS (a T, b T);
	CREATE FUNCTION equal(a T, b T) RETURNS bool IMMUTABLE RETURN a = b;
	CREATE TABLE s (a T, b T);
	CREATE TABLE child () INHERITS (s);
	CREATE TABLE v (a T, b T DEFAULT NULLIF(K, L));
	CREATE UNIQUE INDEX ON v ((NULLIF(a, b))) WHERE a IS DISTINCT FROM b;
	CREATE TABLE nested (p pair, e T[]);
	CREATE TABLE t (x T, y T);
	CREATE TABLE parted (n int, x T) PARTITION BY RANGE (n, x);
	INSERT INTO s VALUES (K, L), (L, L);
	INSERT INTO v VALUES (K, K), (L, K);
	INSERT INTO child VALUES (K, NULL);
	INSERT INTO nested VALUES ((K, L), ARRAY[K, L]);
	INSERT INTO t VALUES (K, L), (L, L);
	CREATE FUNCTION pg_temp.attempt(command text) RETURNS text LANGUAGE plpgsql AS
	$$ BEGIN EXECUTE command; RETURN 'created'; EXCEPTION WHEN OTHERS THEN RETURN SQLERRM; END $$;
};

my @gid = ('gid(o)', map { "'$_'::gid(o)" } qw(A4KeS98AKq-1111111111111 A4KeSGkz31-1111111111111));
my @uuid = ('uuid', map { "'00000000-0000-0000-0000-00000000000$_'::uuid" } 1, 2);

# A command with values for the letters.
sub written
{
	my ($is_gid, $command) = @_;
	my %value;
	@value{qw(T K L)} = $is_gid ? @gid : @uuid;

	$command =~ s/\{([^{}|]+)\|([^{}|]+)\}/$is_gid ? $1 : $2/ge;
	return $command =~ s/\b([TKL])\b/$value{$1}/gr;
}

# Creates the objects in a database, with gid or with uuid.  Returns for each either
# "created" or the error.
sub create_expressions
{
	my ($node, $database, $type, @options) = @_;
	my (@values, $n);

	foreach ([ \%expressions, @places ], [ \%commands, @command_places ])
	{
		my ($forms, @in) = @$_;
		foreach my $place (@in)
		{
			my ($kind, $template, $x, $y) = @$place;
			foreach my $form (sort keys %$forms)
			{
				my ($name, $number) = ("$kind: $form", ++$n);
				my $expression = $forms->{$form};
				$expression =~ s/\bx\b/$x/g if $x;
				$expression =~ s/\by\b/$y/g if $y;
				my $command = $template =~ s/\bF\b/$expression/gr =~ s/\bI\b/$number/gr =~ s/\bN\b/"$name"/gr;
				push @values, "('$name', \$_\$" . written($type eq 'gid', $command) . '$_$)';
			}
		}
	}
	my $results = $node->safe_psql($database,
		written($type eq 'gid', $tables) . 'SELECT name, pg_temp.attempt(command) FROM (VALUES ' . join(",\n", @values) . ') c(name, command)',
		@options);
	return { map { split /\|/, $_, 2 } split /\n/, $results };
}

1;
