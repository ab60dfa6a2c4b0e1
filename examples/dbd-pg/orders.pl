# gid from DBI, by DBD::Pg: ids as strings, lists and arrays of them, times
# compared with ids, COPY, and what takes the place of last_insert_id.

use strict;
use warnings;

use DBD::Pg qw(:pg_types);
use DBI qw(:sql_types);

my $failed = 0;

sub shows
{
	my ($what, $holds) = @_;

	print $holds ? 'ok' : 'not ok', " - $what\n";
	$failed = 1 unless $holds;
}

# libpq's variables say where the server is.
my $db = DBI->connect('dbi:Pg:', undef, undef, { AutoCommit => 1, RaiseError => 1, PrintError => 0, PrintWarn => 0 });

# The one value that a query returns; a statement has its parameters bound.
sub value
{
	my ($query, @parameters) = @_;

	return ($db->selectrow_array($query, undef, @parameters))[0];
}

# Whether a query ends in an error of this SQLSTATE; the error is $db->errstr.
sub refused
{
	my ($state, $query, @parameters) = @_;

	return !eval { $db->do($query, undef, @parameters); 1 } && $db->state eq $state;
}

$db->do(q{
	CREATE EXTENSION gid;
	CREATE TABLE customers (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text NOT NULL);
	CREATE TABLE orders (
		id       gid(o) PRIMARY KEY DEFAULT gid_new('o'),
		customer gid(c) REFERENCES customers,
		item     text NOT NULL
	);
	CREATE TABLE copies (LIKE orders);
});

# An id is a string.  What execute is given is sent without a type, so it is an
# id compared with an id.
my $insert = 'INSERT INTO orders (item) VALUES (?) RETURNING id';
my $tea = value($insert, 'tea');
my $milk = value($insert, 'milk');
shows('an id by default, and returned as a string', length $tea == 24);
shows('strings sort as ids', $tea lt $milk);
shows('an id as a parameter', value('SELECT item FROM orders WHERE id = ?', $tea) eq 'tea');
my $row = $db->selectrow_hashref('SELECT * FROM orders WHERE id = ?', undef, $milk);
shows('an id in a row, and none', $row->{id} eq $milk && !defined $row->{customer});

# A type that is bound is believed.
my $by_id = $db->prepare('SELECT item FROM orders WHERE id = ?');
$by_id->bind_param(1, $tea, SQL_VARCHAR);
shows('SQL_VARCHAR is text, which is rejected compared with an id', !eval { $by_id->execute } && $by_id->state eq '42883');
$by_id = $db->prepare('SELECT item FROM orders WHERE id = ?');
$by_id->bind_param(1, $tea, { pg_type => PG_UNKNOWN });
shows('PG_UNKNOWN leaves it to the server', value($by_id) eq 'tea');

# An INSERT of many rows returns their ids in order.
my $many = $db->selectcol_arrayref('INSERT INTO orders (item) SELECT unnest(?::text[]) RETURNING id',
	undef, [ map { "item $_" } 1 .. 100 ]);
shows('many rows, and their ids in order', "@$many" eq join(' ', sort @$many)
	&& value('SELECT item FROM orders WHERE id = ?', $many->[49]) eq 'item 50');

# An array is a reference.  One that comes back is read where its type is known.
my $ids = [ $tea, $milk ];
shows('a list of ids', value('SELECT count(*) FROM orders WHERE id = ANY (?)', $ids) == 2);
shows('an empty one', value('SELECT count(*) FROM orders WHERE id = ANY (?)', []) == 0);
my $array = 'SELECT array_agg(id ORDER BY id) FROM orders WHERE id = ANY (?)';
shows('an array in results is a string', value($array, $ids) eq "{$tea,$milk}");
$array = 'SELECT array_agg(id ORDER BY id)::text[] FROM orders WHERE id = ANY (?)';
shows('as text[] it is a reference', "@{ value($array, $ids) }" eq "@$ids");

# Compared with an id, what has no type is an id.  A time says that it is none.
my $since = 'SELECT count(*) FROM orders WHERE id >= ?::timestamptz';
shows('a range of time', value($since, 'yesterday') == 102);
my $by_time = $db->prepare('SELECT count(*) FROM orders WHERE id >= ?');
$by_time->bind_param(1, '2026-01-01 00:00+00', { pg_type => PG_TIMESTAMPTZ });
shows('a time by pg_type', value($by_time) == 102);
$db->do('SET enable_seqscan = off; SET enable_bitmapscan = off');
my $plan = join "\n", @{ $db->selectcol_arrayref("EXPLAIN $since", undef, 'yesterday') };
shows('is a range of the index', $plan =~ /Index Cond: \(id >= /);
my $is_refused = refused('22P02', 'SELECT FROM orders WHERE id >= ?', '2026-01-01');
my ($hint) = $db->errstr =~ /HINT:  (.*)/;
shows("a time without its type is rejected: $hint", $is_refused && $hint =~ /timestamptz/);
shows('the time of an id', value(q{SELECT ?::gid::timestamptz BETWEEN now() - interval '1 hour' AND now()}, $tea));

# What is wrong is said.
$is_refused = refused('22023', q{INSERT INTO orders (customer, item) VALUES (?, 'an order is no customer')}, $tea);
my ($message) = $db->errstr =~ /ERROR:  (.*)/;
shows("a wrong kind is rejected: $message", $is_refused);

# What not to do: last_insert_id, which asks a sequence.
my $last = eval { $db->last_insert_id(undef, undef, 'orders', undef) };
shows('last_insert_id finds no sequence: ' . $db->errstr, !defined $last);

# COPY, in text; no character of an id is quoted there.
$db->do('COPY copies (id, item) FROM STDIN');
$db->pg_putcopydata("$_\tcopied\n") foreach @$ids;
$db->pg_putcopyend;
$db->do('COPY (SELECT id FROM copies ORDER BY id) TO STDOUT');
my ($line, @copied);
while ($db->pg_getcopydata(\$line) >= 0)
{
	chomp $line;
	push @copied, $line;
}
shows('COPY in and out', "@copied" eq "@$ids");

# The 16 bytes, by bytea.
my $bytes = value('SELECT ?::gid::bytea', $tea);
my $by_bytes = $db->prepare('SELECT item FROM orders WHERE id = ?::gid');
$by_bytes->bind_param(1, $bytes, { pg_type => PG_BYTEA });
shows('16 bytes', length $bytes == 16 && value($by_bytes) eq 'tea');

$db->disconnect;
exit $failed;
