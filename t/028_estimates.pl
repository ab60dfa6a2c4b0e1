#!/usr/bin/perl
# That conditions on the time in an id are estimated as well as those on a column created_at
# of the same rows: in each shape of query, for each table, for ranges at random places.
#
# The error of an estimate is its quotient with the real number of rows, or the reverse.
# For each query, the error for the id is at most 1.3 times that for created_at.  Estimates
# below ten rows count as ten.
#
# Excepted, and named in doc/reference.md:
# - in columns of several kinds, up to 1.5 times; more in a tenth of the queries for the oldest rows of a kind, and for
#   a kind with a hundredth of the rows: how many of its rows ANALYZE sees in a bin with rows of other kinds is chance;
# - ranges in rows that are newer than the statistics;
# - scans of an index in this column: there, a time is a filter;
# - scans of BRIN in the rows of one transaction: the ids of one millisecond have random
#   payloads, so that their order is not that of the table, and all ranges are read: with
#   created_at, BRIN is better;
# - the scan of a partial index whose predicate is a bound of the range, and extended
#   statistics.  The rows of the query are compared;
# - a range in HAVING, or with IS TRUE.
#
# GID_SEED=N sets the seed.

use strict;
use warnings;

use FindBin;
use POSIX qw(strftime);
use lib $FindBin::RealBin;
use Gid;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_parallel_workers_per_gather = 0\njit = off\nenable_memoize = off\nfsync = off");
$node->start;
my $rows = 20000;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');

# Tables of a year: the time of the n-th row, and whether the id is NULL.
my %tables = (
	even => [ "n * interval '26 minutes'", 'false' ],
	bursts => [ "n / 500 * interval '9 days' + sqrt(n % 500) * interval '20 minutes'", 'false' ],
	one_transaction => [ "interval '100 days'", 'false' ],
	nulls => [ "n * interval '26 minutes'", 'n % 3 = 0' ],
	mixed => [ "n * interval '26 minutes'", 'false' ]);

# Conditions on the column K and the times A, B, C and D, in this order.
my %conditions = (
	'after' => 'K >= A',
	'before' => 'K < A',
	'range' => 'K >= A AND K < B',
	'exclusive, reversed' => 'A < K AND B >= K',
	'three bounds' => 'K >= A AND K < C AND K < B',
	'between' => 'K BETWEEN A AND B',
	'two ranges' => '(K >= A AND K < B) OR (K >= C AND K < D)',
	'OR in AND' => '(K < B OR K >= C) AND K < D',
	'a range of another column' => 'K >= A AND K < B AND n >= 0 AND n < 10000',
	'not a range' => 'NOT (K >= A AND K < B)',
	'stable' => "K >= A + (now() - now()) AND K < B + (now() - now())",
	'contradiction' => 'K >= B AND K < A',
	'not NULL' => 'K >= A AND K < B AND K IS NOT NULL',
	'unknown' => 'K >= (SELECT A)',
	'unknown range' => 'K >= (SELECT A) AND K < (SELECT B)');

# Queries of the table T with the condition W.
my %queries = (
	table => 'SELECT 1 FROM T WHERE W',
	'sub-select' => 'SELECT 1 FROM (SELECT * FROM T OFFSET 0) s WHERE W',
	CTE => 'WITH s AS MATERIALIZED (SELECT * FROM T WHERE W) SELECT 1 FROM s',
	view => 'SELECT 1 FROM V WHERE W',
	'security barrier' => 'SELECT 1 FROM B WHERE W',
	partitions => 'SELECT 1 FROM P WHERE W',
	children => 'SELECT 1 FROM I WHERE W',
	'outer join' => 'SELECT 1 FROM T LEFT JOIN (SELECT n AS m FROM T) o ON n = m WHERE W',
	'outer join, condition of the other table' => 'SELECT 1 FROM (SELECT n AS m FROM T) o LEFT JOIN T ON n = m AND W',
	'outer join, condition of its own table' => 'SELECT 1 FROM T LEFT JOIN (SELECT n % 10 AS m FROM T) o ON n = m AND W',
	EXISTS => 'SELECT 1 FROM one WHERE EXISTS (SELECT FROM T WHERE n = m AND W)',
	'GROUP BY' => 'SELECT 1 FROM T GROUP BY n, K HAVING W',
	'generic plan' => 'SELECT 1 FROM T WHERE W',
	'partial index' => 'SELECT 1 FROM X WHERE n % 2 = 0 AND W',
	'predicate of the column' => "SELECT 1 FROM Y WHERE K >= timestamptz '2025-03-01 UTC' AND W",
	'postgres_fdw' => 'SELECT 1 FROM F WHERE W');

# Queries that an index answers by one scan: its estimate is compared too.
my %of_index = (
	'scan of a partial index' => 'SELECT 1 FROM X WHERE n % 2 = 0 AND W',
	'scan of a B-tree' => 'SELECT 1 FROM T WHERE W',
	'scan of BRIN' => 'SELECT 1 FROM R WHERE W',
	'scan of GiST' => 'SELECT 1 FROM G WHERE W');

# Loops over the ranges of another table, and an expression with an index.
my $ranges = "(SELECT A + m * interval '1 day' AS start, B + m * interval '1 day' AS stop FROM one WHERE m <= 10) w";
my %others = (
	'loop' => "SELECT 1 FROM $ranges JOIN T ON K >= start AND K < stop",
	'loop, in a sub-select' => "SELECT 1 FROM $ranges, LATERAL (SELECT FROM T WHERE K >= start AND K < stop OFFSET 0) s",
	'loop, EXISTS' => "SELECT 1 FROM $ranges WHERE EXISTS (SELECT FROM T WHERE K >= start AND K < stop)",
	'loop, EXISTS, reversed' => "SELECT 1 FROM T WHERE EXISTS (SELECT FROM $ranges WHERE K >= start AND K < stop)",
	'expression: after' => 'SELECT 1 FROM X WHERE (CASE WHEN n > 1000 THEN K END) >= A',
	'expression: range' => 'SELECT 1 FROM X WHERE (CASE WHEN n > 1000 THEN K END) >= A AND (CASE WHEN n > 1000 THEN K END) < B');

# In a column of several kinds, the rows of one kind are a range, and a time is a filter.
my %of_kind = (
	'after, of a kind' => [ "id >= gid_lower_bound('o', A) AND id < gid_upper_bound('o', 'infinity')", "created_at >= A AND kind = 'o'" ],
	'before, of a kind' => [ "id >= gid_lower_bound('o', '-infinity') AND id < gid_lower_bound('o', B)", "created_at < B AND kind = 'o'" ],
	'range of a kind' => [ "id >= gid_lower_bound('o', A) AND id < gid_lower_bound('o', B)", "created_at >= A AND created_at < B AND kind = 'o'" ]);

my $within = [ 'gid_within(id, tstzrange(A + (now() - now()), B))', 'created_at >= A AND created_at < B' ];

my $script = q{
	CREATE TABLE one AS SELECT n AS m FROM generate_series(1, 100) n;
	CREATE EXTENSION btree_gist;
	CREATE EXTENSION postgres_fdw;
	DO $$ BEGIN
		EXECUTE format('CREATE SERVER loopback FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L, use_remote_estimate %L, extensions %L)',
			current_setting('unix_socket_directories'), current_setting('port'), current_database(), 'true', 'gid');
	END $$;
	CREATE USER MAPPING FOR CURRENT_USER SERVER loopback;
	CREATE TABLE queries (place text, name text, ours text, theirs text, times timestamptz[]);
	CREATE FUNCTION estimated(name text, query text) RETURNS float LANGUAGE plpgsql AS $$
	DECLARE
		of_index boolean := name LIKE 'scan%';
		plan jsonb;
	BEGIN
		PERFORM set_config('enable_seqscan', (NOT of_index)::text, true), set_config('enable_indexscan', (NOT of_index)::text, true),
			set_config('enable_indexonlyscan', (NOT of_index)::text, true);
		IF name LIKE 'generic%' THEN
			EXECUTE 'PREPARE p (timestamptz, timestamptz, timestamptz, timestamptz) AS ' || query;
			EXECUTE 'EXPLAIN (FORMAT json) EXECUTE p (NULL, NULL, NULL, NULL)' INTO plan;
			DEALLOCATE p;
		ELSE
			EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
		END IF;
		RETURN jsonb_path_query_first(plan, CASE WHEN of_index THEN '$.** ? (@."Node Type" == "Bitmap Index Scan")."Plan Rows"' ELSE '$[0].Plan."Plan Rows"' END::jsonpath);
	END $$;
	CREATE FUNCTION counted(query text, times timestamptz[]) RETURNS float LANGUAGE plpgsql AS $$
	DECLARE
		rows bigint;
	BEGIN
		EXECUTE 'SELECT count(*) FROM (' || query || ') q' INTO rows USING times[1], times[2], times[3], times[4];
		RETURN rows;
	END $$;
	CREATE FUNCTION error(a float, b float) RETURNS float LANGUAGE sql RETURN greatest(a, b, 10) / greatest(least(a, b), 10);
};
foreach my $table (sort keys %tables)
{
	my ($time, $is_null) = @{ $tables{$table} };
	my $kind = $table eq 'mixed' ? "(ARRAY['e', 'o', 's'])[1 + n % 3]" : "'o'";
	my $type = $table eq 'mixed' ? 'gid' : 'gid(o)';

	$script .= qq{
		CREATE TABLE $table (n int, kind text, id $type, created_at timestamptz);
		INSERT INTO $table SELECT n, $kind, CASE WHEN NOT ($is_null) THEN gid_random($kind, t) END, CASE WHEN NOT ($is_null) THEN t END
		FROM generate_series(1, $rows) n, LATERAL (SELECT timestamptz '2025-01-01 UTC' + $time AS t) s;
		CREATE INDEX ON $table (id);
		CREATE INDEX ON $table (created_at);
		CREATE VIEW ${table}_v AS SELECT * FROM $table;
		CREATE VIEW ${table}_b WITH (security_barrier) AS SELECT * FROM $table;
		CREATE TABLE ${table}_p (LIKE $table) PARTITION BY RANGE (n);
		CREATE TABLE ${table}_p1 PARTITION OF ${table}_p FOR VALUES FROM (MINVALUE) TO (1000);
		CREATE TABLE ${table}_p2 PARTITION OF ${table}_p FOR VALUES FROM (1000) TO (MAXVALUE);
		INSERT INTO ${table}_p SELECT * FROM $table;
		CREATE TABLE ${table}_i (LIKE $table);
		CREATE TABLE ${table}_i1 () INHERITS (${table}_i);
		INSERT INTO ${table}_i SELECT * FROM $table WHERE n <= 1000;
		INSERT INTO ${table}_i1 SELECT * FROM $table WHERE n > 1000;
		CREATE TABLE ${table}_x AS TABLE $table;
		CREATE TABLE ${table}_y AS TABLE $table;
		CREATE TABLE ${table}_r AS TABLE $table;
		CREATE TABLE ${table}_g AS TABLE $table;
		CREATE FOREIGN TABLE ${table}_f (n int, kind text, id $type, created_at timestamptz) SERVER loopback OPTIONS (table_name '$table');
	};
	foreach my $column ('id', 'created_at')
	{
		$script .= qq{
			CREATE INDEX ON ${table}_x ($column) WHERE n % 2 = 0;
			CREATE INDEX ON ${table}_x ((CASE WHEN n > 1000 THEN $column END));
			CREATE INDEX ON ${table}_y ($column) WHERE $column >= timestamptz '2025-03-01 UTC';
			CREATE INDEX ON ${table}_r USING brin ($column) WITH (pages_per_range = 4);
			CREATE INDEX ON ${table}_g USING gist ($column);
		};
	}
	$script .= qq{
		ANALYZE $table, ${table}_p, ${table}_i, ${table}_i1, ${table}_x, ${table}_y, ${table}_r, ${table}_g, one;
	};
}

# Ranges from an hour to months, not within some days of the ends of the year.
srand($ENV{GID_SEED} || 1);
sub four_times
{
	my $but = shift;
	my @hours = sort { $a <=> $b } map { 24 * ($but + rand(365 - 2 * $but)) } 1 .. 4;
	$hours[1] = $hours[0] + (1, 24, 24 * 20)[ rand 3 ];
	@hours = sort { $a <=> $b } @hours;
	return map { strftime("timestamptz '%F %T UTC'", gmtime 1735689600 + 3600 * $_) } @hours;
}

sub add
{
	my ($place, $name, $query, $ours, $theirs) = @_;
	my %time;

	my @times = four_times($place eq 'mixed' ? 45 : 0);
	@time{qw(A B C D)} = @times;
	my ($id, $at) = map {
		my ($condition, $column) = @$_;
		my %word = (K => $column, T => $place, (map { uc $_ => "${place}_$_" } qw(v b p i x y r g f)), W => $query eq 'W' ? $condition : "($condition)");

		# B is a view in a query, and a time in a condition
		@time{qw(A B C D)} = qw($1 $2 $3 $4) if $name =~ /^generic/;
		$word{W} =~ s/\b([A-DK])\b/$1 eq 'K' ? $column : $time{$1}/ge;
		$query =~ s/\b([TVBPIXYRGFWK])\b/$word{$1}/gr;
	} ([ $ours, 'id' ], [ $theirs, 'created_at' ]);
	$script .= "INSERT INTO queries VALUES (\$q\$$place\$q\$, \$q\$$name\$q\$, \$q\$$id\$q\$, \$q\$$at\$q\$, ARRAY[" . join(', ', @times) . "]);\n";
	return;
}

foreach my $table (sort keys %tables)
{
	foreach my $query (sort keys %queries)
	{
		foreach my $name (sort keys %conditions)
		{
			add($table, "$query: $name", $queries{$query}, ($conditions{$name}) x 2) foreach 1 .. ($query eq 'table' ? 10 : 1);
		}
	}
	foreach my $query ($table eq 'mixed' ? () : sort keys %of_index)
	{
		next if $query eq 'scan of BRIN' && $table eq 'one_transaction';
		add($table, "$query: $_", $of_index{$query}, ($conditions{$_}) x 2) foreach 'after', 'before', 'range', 'between', 'three bounds', 'stable', 'unknown range';
	}
	foreach my $name (sort keys %others)
	{
		add($table, $name, 'W', ($others{$name} =~ s/\bT\b/$table/r =~ s/\bX\b/${table}_x/r) x 2);
	}
	foreach my $name ($table eq 'mixed' ? sort keys %of_kind : ())
	{
		add($table, "table: $name", $queries{table}, @{ $of_kind{$name} }) foreach 1 .. 10;
	}
	add($table, 'gid_within', $queries{$_}, @$within) foreach ('table', 'view', 'children') x 5;
}

# Tables of several kinds, which get rows until now: the name, the number of kinds, and what is special.  Kind h has a
# hundredth of the rows; or got none in the second of two years; or all kinds did; or ANALYZE saw only a tenth of the rows.
foreach my $table ([ 'two', 2, '' ], [ 'three', 3, '' ], [ 'five', 5, '' ], [ 'three_nulls', 3, 'nulls' ], [ 'two_rare', 2, 'rare' ],
	[ 'three_rare', 3, 'rare' ], [ 'five_rare', 5, 'rare' ], [ 'three_ended', 3, 'ended' ], [ 'three_old', 3, 'old' ], [ 'three_grown', 3, 'grown' ])
{
	my ($name, $kinds, $special) = @$table;
	my @kinds = ('e', 'h', 'm', 'p', 's')[ 0 .. $kinds - 1 ];
	my $kind = "(ARRAY['" . join("', '", @kinds) . "'])[1 + n % $kinds]";
	my $many = 100000;
	my $last = $special eq 'old' ? $many / 2 : $many;
	my $analyzed = $special eq 'grown' ? $many / 10 : $last;
	my $days = $special =~ /ended|old/ ? 730 : 365;

	$kind = "CASE WHEN n % 100 = 7 THEN 'h' WHEN $kind = 'h' THEN 'e' ELSE $kind END" if $special eq 'rare';
	$kind = "CASE WHEN n > $many / 2 AND $kind = 'h' THEN 'e' ELSE $kind END" if $special eq 'ended';
	$kind = "CASE WHEN n % 7 <> 0 THEN $kind END" if $special eq 'nulls';
	$script .= "CREATE TABLE $name (kind text, id gid, created_at timestamptz);\n";
	foreach my $part ([ 1, $analyzed ], [ $analyzed + 1, $last ])
	{
		$script .= qq{
			INSERT INTO $name SELECT k, gid_random(k, t), CASE WHEN k IS NOT NULL THEN t END
			FROM (SELECT $kind AS k, now() - ($many - n) * interval '$days days' / $many AS t FROM generate_series($part->[0], $part->[1]) n OFFSET 0) s;
		};
		$script .= "CREATE INDEX ON $name (id); CREATE INDEX ON $name (created_at); ANALYZE $name;\n" if $part->[0] == 1;
	}

	# The newest rows, also if there are none, the oldest, and those of a month between.
	my %ranges = (newest => [ 'max(created_at) - L', 'T', "'infinity'" ], 'newest until now' => [ 'max(now()) - L', 'T', "'infinity'" ],
		oldest => [ 'min(created_at) + L', "'-infinity'", 'T' ], 'inner' => [ "max(created_at) - interval '100 days'", 'T', 'T + L' ]);
	foreach my $k (@kinds)
	{
		foreach my $range (sort keys %ranges)
		{
			foreach my $length ($range eq 'inner' ? '1 month' : ('1 minute', '1 hour', '10 hours', '4 days', '1 month'))
			{
				next if $special eq 'grown' && $length eq '1 month';
				my ($at, $from, $until) = map { s/L/interval '$length'/r =~ s/T/%1\$L::timestamptz/r } @{ $ranges{$range} };
				$script .= qq{
					INSERT INTO queries SELECT '$name', '$k: the $range $length',
						format(\$q\$SELECT 1 FROM $name WHERE id >= gid_lower_bound('$k', $from) AND id < gid_lower_bound('$k', $until)\$q\$, t),
						format(\$q\$SELECT 1 FROM $name WHERE kind = '$k' AND created_at >= $from AND created_at < $until\$q\$, t)
					FROM (SELECT $at AS t FROM $name WHERE kind = '$k') s;
				};
			}
		}
	}
}

$node->safe_psql('postgres', $script);
my $all = $node->safe_psql('postgres', 'SELECT count(*) FROM queries');
my $worse = $node->safe_psql('postgres', q{
	SET plan_cache_mode = force_generic_plan;
	SELECT place, name, ids, estimates, rows, CASE WHEN same THEN '' ELSE 'other rows' END, ours, theirs
	FROM (SELECT *, estimated(name, ours) AS ids, estimated(name, theirs) AS estimates, rows = our_rows AS same
		FROM (SELECT *, counted(theirs, times) AS rows, counted(ours, times) AS our_rows FROM queries OFFSET 0) c OFFSET 0) q
	WHERE NOT same OR ids IS NULL OR estimates IS NULL
		OR error(ids, rows) > error(estimates, rows) * CASE WHEN name LIKE '_: the %' THEN 1.5 ELSE 1.3 END
	ORDER BY 1, 2});
my $by_chance = ': the oldest|rare[|]h: ';
my @worse = grep { !/$by_chance/ } split /\n/, $worse;
is(scalar @worse, 0, "in $all queries, ids are estimated as well as created_at");
diag($_) foreach @worse[ 0 .. ($#worse < 40 ? $#worse : 40) ];
my @by_chance = grep { /$by_chance/ } split /\n/, $worse;
cmp_ok(scalar @by_chance, '<', $node->safe_psql('postgres', "SELECT count(*) / 10 FROM queries WHERE place || '|' || name ~ '$by_chance'"),
	'so are most of the oldest rows, and of the rows of a rare kind') or diag(join("\n", @by_chance));

done_testing();
