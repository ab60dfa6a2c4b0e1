#!/usr/bin/perl
# What psql shows of gid: each function, operator, cast, class and setting with
# a comment, columns with their kinds, plans that read well, and names that Tab
# completes.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION gid;
	CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), parts gid(p)[], any_kind gid);
});

# The output of a command, as columns by name.  A value can have several lines.
sub rows
{
	my ($command) = @_;
	my $shown = $node->safe_psql('postgres', "\\pset format unaligned\n\\pset fieldsep '\\t'\n\\pset recordsep '\\001'\n"
		  . "\\pset footer off\n\\pset tuples_only off\n$command");
	my (undef, $header, @lines) = split /\001/, $shown;   # a title comes first
	my @names = split /\t/, $header;

	return map { my %row; @row{@names} = split /\t/, $_, -1; \%row } @lines;
}

# Every row has a comment, and there are as many as there should be.
sub all_described
{
	my ($command, $expected, $is_ours) = @_;
	my @rows = grep { $is_ours->($_) } rows($command);
	my @mute = grep { ($_->{Description} // '') eq '' } @rows;

	is(scalar @rows, $expected, "$command shows $expected");
	is_deeply(\@mute, [], "$command has a comment for each");
}

# How many of a catalog belong to the extension.
sub count_of
{
	my ($catalog, $condition) = @_;
	return $node->safe_psql('postgres',
		"SELECT count(*) FROM $catalog c JOIN pg_depend ON objid = c.oid AND classid = '$catalog'::regclass"
		  . " AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'gid') AND deptype = 'e' WHERE "
		  . ($condition // 'true'));
}

all_described('\df+ gid*', count_of('pg_proc', "proname LIKE 'gid%'"), sub { 1 });
all_described('\df+ timestamptz*gid', count_of('pg_proc', "proname LIKE 'timestamptz%'"), sub { 1 });
all_described('\da (min|max)', 2, sub { $_[0]{'Argument data types'} eq 'gid' });
all_described('\do', count_of('pg_operator'),
	sub { grep { $_[0]{$_} eq 'gid' } 'Left arg type', 'Right arg type' });
all_described('\dC+', count_of('pg_cast'),
	sub { grep { $_[0]{$_} eq 'gid' } 'Source type', 'Target type' });
all_described('\dT+ gid', 1, sub { 1 });
all_described('\dx gid', 1, sub { 1 });
all_described('\dd gid*', count_of('pg_opclass'), sub { 1 });

# A table says what its ids are.
my %type = map { $_->{Column} => $_->{Type} }
  grep { defined $_->{Type} } rows('\d orders');
is_deeply(\%type, { id => 'gid(o)', parts => 'gid(p)[]', any_kind => 'gid' },
	'\d shows the kind of each column');
my ($id) = grep { $_->{Column} eq 'id' } rows('\d orders');
is($id->{Default}, q{gid_new('o'::text)}, '\d shows the default');

# A plan says what is asked of the index, in ids where the time is known.
sub index_condition
{
	my ($query) = @_;
	my $plan = $node->safe_psql('postgres', "SET enable_seqscan = off; SET enable_bitmapscan = off; EXPLAIN (COSTS OFF) $query");
	return $plan =~ /Index Cond: (.*)/ ? $1 : $plan;
}
is(index_condition(q{SELECT FROM orders WHERE id >= now()}),
	q{(id >= gid_lower_bound('o'::text, now()))}, 'a plan shows the bound function if the time is known at run time');
is(index_condition(q{SELECT FROM orders WHERE id >= timestamptz '2026-11-01 00:00+00'}),
	q{(id >= '} . $node->safe_psql('postgres', q{SELECT gid_lower_bound('o', '2026-11-01 00:00+00')}) . q{'::gid)},
	'a plan shows an id if the time is a constant');

# Tab completes as for any type.
SKIP:
{
	eval { require IO::Pty; } or skip 'there is no IO::Pty', 4;
	skip 'psql does not complete', 4 unless check_pg_config('#define HAVE_LIBREADLINE 1');

	local %ENV = (%ENV, TERM => 'dumb', INPUTRC => '/dev/null', PSQL_HISTORY => '/dev/null', PSQL_PAGER => 'cat');
	my ($in, $out) = ('', '');
	my $patience = IPC::Run::timer($PostgreSQL::Test::Utils::timeout_default);
	my $psql = IPC::Run::start(
		[ 'psql', '-XAt', '-d', $node->connstr('postgres') ],
		'<pty<' => \$in, '>pty>' => \$out, $patience);

	# Typed so far, what Tab makes of it.
	my $completes = sub {
		my ($typed, $expected, $name) = @_;

		$out = '';
		$patience->start($PostgreSQL::Test::Utils::timeout_default);
		$in .= "$typed\t";
		IPC::Run::pump($psql) until $out =~ $expected || $patience->is_expired;
		like($out, $expected, $name);
		$in .= "\x15";			# clear the line
		IPC::Run::pump_nb($psql);
	};

	$in .= "SELECT gid_kind(gid_new('o'));\n";
	IPC::Run::pump($psql) until $out =~ /^o\r?$/m || $patience->is_expired;
	$completes->('ALTER TABLE orders ALTER any_kind TYPE gi', qr/TYPE gid /, 'the type');
	$completes->('\df gid_gen', qr/gid_generator/, 'a function');
	$completes->('SHOW gid.max', qr/gid\.max_clock_skew/, 'a setting');
	$completes->('DROP EXTENSION gi', qr/EXTENSION gid /, 'the extension');
	$in .= "\\q\n";
	IPC::Run::finish($psql);
}

$node->stop;
done_testing();
