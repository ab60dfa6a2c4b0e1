# A table with an index of every access method, and queries that show whether an index
# has the rows of the table.  For tests of servers that crashed, or that replay the
# changes of another server.

package Indexes;

use strict;
use warnings;

use Test::More;

# Each index has its own column, so that no other index can be used.
#
# A PostgreSQL bug, which also affects uuid, loses a row if it is inserted while the
# summary of its BRIN range grows and therefore moves to another page.  So bloom filters
# have a fixed size here: less than 500 bytes, because larger ones are compressed.  All
# summaries of minmax and of minmax-multi fit on one page.
our $table = q{
	CREATE TABLE loaded (
		id gid(o) PRIMARY KEY DEFAULT gid_new('o'),
		hashed gid(o) GENERATED ALWAYS AS (id) STORED,
		ranged gid(o) GENERATED ALWAYS AS (id) STORED,
		multi gid(o) GENERATED ALWAYS AS (id) STORED,
		bloomed gid(o) GENERATED ALWAYS AS (id) STORED,
		grouped gid(o) GENERATED ALWAYS AS (id) STORED,
		inverted gid(o) GENERATED ALWAYS AS (id) STORED,
		body text
	) WITH (autovacuum_enabled = off);
	CREATE INDEX loaded_hash ON loaded USING hash (hashed);
	CREATE INDEX loaded_minmax ON loaded USING brin (ranged) WITH (pages_per_range = 32);
	CREATE INDEX loaded_multi ON loaded USING brin (multi gid_minmax_multi_ops(values_per_range = 8)) WITH (pages_per_range = 128);
	CREATE INDEX loaded_bloom ON loaded USING brin (bloomed gid_bloom_ops(n_distinct_per_range = 200)) WITH (pages_per_range = 4);
	CREATE INDEX loaded_gist ON loaded USING gist (grouped);
	CREATE INDEX loaded_gin ON loaded USING gin (inverted);
};

my $fingerprint = q{SELECT count(*), md5(string_agg(id::text, ' ' ORDER BY id))};

# Searches each row by its id.  BRIN reads the whole index for each search, and GIN all
# pending entries, so there only $how_many rows are searched, evenly spread.
sub by_equality
{
	my ($column, $how_many) = @_;
	my $some = $how_many
	  ? "WHERE id IN (SELECT min(id) FROM (SELECT id, ntile($how_many) OVER (ORDER BY id) AS nth FROM loaded) n GROUP BY nth)"
	  : '';

	return (
		"$fingerprint FROM loaded $some",
		"$fingerprint FROM (SELECT t.id FROM (SELECT id FROM loaded $some) w,
			LATERAL (SELECT id FROM loaded WHERE $column = w.id OFFSET 0) t) f");
}

# Searches all rows by consecutive ranges of ids.
sub by_range
{
	my ($column) = @_;

	return (
		"$fingerprint FROM loaded",
		"$fingerprint FROM (SELECT t.id FROM (
			SELECT min(id) AS first, max(id) AS last
			FROM (SELECT id, ntile(30) OVER (ORDER BY id) AS nth FROM loaded) n GROUP BY nth) w,
			LATERAL (SELECT id FROM loaded WHERE $column >= w.first AND $column <= w.last OFFSET 0) t) f");
}

my @questions = (
	[ 'btree, by equality', 'loaded_pkey', 'id', by_equality('id') ],
	[ 'btree, by range', 'loaded_pkey', 'id', by_range('id') ],
	[ 'hash', 'loaded_hash', 'hashed', by_equality('hashed') ],
	[ 'minmax', 'loaded_minmax', 'ranged', by_range('ranged') ],
	[ 'minmax-multi', 'loaded_multi', 'multi', by_range('multi') ],
	[ 'bloom', 'loaded_bloom', 'bloomed', by_equality('bloomed', 60) ],
	[ 'GiST, by equality', 'loaded_gist', 'grouped', by_equality('grouped', 60) ],
	[ 'GiST, by range', 'loaded_gist', 'grouped', by_range('grouped') ],
	[ 'GIN, by equality', 'loaded_gin', 'inverted', by_equality('inverted', 60) ],
	[ 'GIN, by range', 'loaded_gin', 'inverted', by_range('inverted') ]);

sub query_without
{
	my ($node, $query, @ways) = @_;

	return $node->safe_psql('postgres',
		join('', map { "SET enable_$_ = off;" } @ways) . "SET work_mem = '64MB'; SET jit = off; $query");
}

# Each index on a server must find the rows of the table on that server, or of the table
# on another server.
sub find_all
{
	my ($name, $node, $other) = @_;
	my @by_table = qw(indexscan indexonlyscan bitmapscan);
	my %of_table;				# several questions have one answer

	foreach (@questions)
	{
		my ($way, $index, $column, $all, $found) = @$_;

		my ($plan, $rows) = query_without($node, "EXPLAIN $found; $found", 'seqscan') =~ /(.*)\n(.*)/s;
		like($plan, qr/Scan (using|on) $index\b.*\n *Index Cond: \(+$column [>=]/,
			"$name: $way: the index is used");
		is( $rows, $of_table{$all} //= query_without($other // $node, $all, @by_table),
			"$name: $way: the index finds the rows of the table");
	}
	return;
}

1;
