#!/usr/bin/perl
# doc/reference.md lists exactly the functions, operators, casts, operator classes,
# parameters and errors in the catalog and in the sources.  Its tables say which
# comparisons of kinds are errors.

use strict;
use warnings;
use utf8;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use Encode qw(decode_utf8);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $page = decode_utf8(slurp_file("$tree/doc/reference.md"));
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'gid'");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');

# Returns the code between backticks in a section.
sub written
{
	my ($section) = @_;
	my ($text) = $page =~ /^## \Q$section\E\n(.*?)(?=^## |\z)/ms
	  or BAIL_OUT("the reference has no section $section");
	$text =~ s/^```.*?^```$//msg;
	return $text =~ /`([^`]+)`/g;
}

sub are_the_same
{
	my ($what, $written, $there) = @_;
	my (%written, %there);

	@written{@$written} = ();
	@there{@$there} = ();
	is(join("\n", grep { !exists $written{$_} } sort keys %there), '', "$what that the page lacks");
	is(join("\n", grep { !exists $there{$_} } sort keys %written), '', "$what that exist on the page only");
	cmp_ok(scalar @$there, '>', 1, "there are $what");
	return;
}

sub lines_of { return [ split /\n/, decode_utf8($node->safe_psql('postgres', $_[0])) ] }

# Users call a function if its name begins without an underscore, and if no operator,
# cast, access method, aggregate or type uses it.  Only these have a row.
my @functions = map { /`(gid_\w+\([^)]*\))`/g } $page =~ /^\| ([^|]*) \|/mg;
are_the_same('functions', \@functions, lines_of(q{
	SELECT proname || '(' || replace(array_to_string(proargtypes::regtype[], ', '), 'timestamp with time zone', 'timestamptz') || ')'
	FROM pg_proc p JOIN pg_depend d ON (d.classid, d.objid, d.deptype) = ('pg_proc'::regclass, p.oid, 'e')
	JOIN pg_extension e ON (d.refclassid, d.refobjid, extname) = ('pg_extension'::regclass, e.oid, 'gid')
	WHERE prokind = 'f' AND prorettype <> 'internal'::regtype AND NOT 'internal'::regtype = ANY (proargtypes)
	  AND NOT starts_with(proname, '_')
	  AND NOT EXISTS (SELECT FROM pg_operator WHERE oprcode = p.oid)
	  AND NOT EXISTS (SELECT FROM pg_cast WHERE castfunc = p.oid AND proname <> 'gid_timestamp')
	  AND NOT EXISTS (SELECT FROM pg_amproc WHERE amproc = p.oid)
	  AND NOT EXISTS (SELECT FROM pg_aggregate WHERE aggtransfn = p.oid)
	  AND NOT EXISTS (SELECT FROM pg_type WHERE p.oid IN (typinput, typoutput, typsend, typreceive, typmodin, typmodout, typanalyze))}));

my @operators = written('Operators');
are_the_same('operators', [ grep { / \S+ / } @operators ], lines_of(q{
	SELECT replace(format('%s %s %s', oprleft::regtype, oprname, oprright::regtype), 'timestamp with time zone', 'timestamptz')
	FROM pg_operator WHERE 'gid'::regtype IN (oprleft, oprright)}));
are_the_same('aggregates', [ grep { /^m\w+\(gid\)$/ } @operators ],
	lines_of(q{SELECT format('%s(gid)', proname) FROM pg_aggregate JOIN pg_proc ON oid = aggfnoid WHERE proargtypes[0] = 'gid'::regtype}));
are_the_same('casts', [ grep { /→/ } written('Casts') ],
	lines_of(q{SELECT format('%s → %s', castsource::regtype, casttarget::regtype) FROM pg_cast WHERE 'gid'::regtype IN (castsource, casttarget)}));
are_the_same('operator classes', [ grep { / gid_/ } written('Operator classes') ],
	lines_of(q{SELECT format('%s %s', amname, opcname) FROM pg_opclass JOIN pg_am a ON a.oid = opcmethod WHERE opcintype = 'gid'::regtype}));
are_the_same('parameters', [ $page =~ /^\| `(gid\.\w+)` \|/mg ],
	lines_of(q{LOAD 'gid'; SELECT name FROM pg_settings WHERE name LIKE 'gid.%'}));

# The messages of errors, with "…" in place of their arguments.
my %messages;
foreach my $file (glob "$tree/src/*.c")
{
	my $source = slurp_file($file);

	while ($source =~ /\berrmsg\("((?:[^"\\]|\\.)*)"(?:,\s*"(gid)")?/g)
	{
		my ($message, $type) = ($1, $2);

		$message =~ s/\\"/"/g;
		$message =~ s/%s/$type/ if $type;
		$message =~ s/%\.\*s|%\.3f|%[sd]/…/g;
		$messages{$message} = 1;
	}
}
are_the_same('errors', [ $page =~ /^\| \S+ \| `([^`]+)` \|/mg ], [ keys %messages ]);

# The page lists the columns of gid_generator().
like($page, qr/`gid_generator\(\)` .*`$_`/, "gid_generator() has $_")
  foreach split /\n/, $node->safe_psql('postgres', q{SELECT unnest(proargnames) FROM pg_proc WHERE proname = 'gid_generator'});

# Returns the rows of a table of comparisons in the page, by the header of the table.
sub rows_of
{
	my ($header) = @_;
	my ($rows) = $page =~ /^\| \Q$header\E \|\n\| --- \| --- \|\n((?:\|.*\n)+)/m
	  or BAIL_OUT("the reference has no table $header");

	return map { [ map { [ grep { /orders\./ } /`([^`]+)`/g ] } split / \| / ] } split /\n/, $rows;
}

$node->safe_psql('postgres', q{
	CREATE TABLE orders (id gid(o) PRIMARY KEY, customer gid(c), any_id gid);
	CREATE TABLE customers (id gid(c) PRIMARY KEY);
	INSERT INTO customers SELECT gid_new('c') FROM generate_series(1, 2);
	INSERT INTO orders SELECT gid_new('o'), id, id FROM customers;
	-- Returns the errors of a condition for each plan, with a customer's id and a bound.
	CREATE FUNCTION errors_of(condition text, OUT errors text[]) LANGUAGE plpgsql AS $$
	DECLARE
		mode text;
		id gid;
	BEGIN
		FOREACH mode IN ARRAY '{force_custom_plan,force_generic_plan}'::text[] LOOP
			PERFORM set_config('plan_cache_mode', mode, true);
			FOR id IN SELECT min(c.id) FROM customers c UNION ALL SELECT gid_lower_bound('c', now()) LOOP
				EXECUTE 'DEALLOCATE ALL';
				EXECUTE 'PREPARE compared(gid, gid) AS SELECT count(*) FROM orders, customers WHERE ' || condition;
				BEGIN
					EXECUTE format('EXECUTE compared(%L, %L)', (SELECT min(o.id) FROM orders o), id);
					errors := errors || 'none'::text;
				EXCEPTION WHEN OTHERS THEN
					errors := errors || SQLSTATE;
				END;
			END LOOP;
		END LOOP;
	END $$});

sub all_are
{
	my ($error, @conditions) = @_;

	is( $node->safe_psql('postgres', "SELECT errors_of(\$condition\$$_\$condition\$)"),
		'{' . join(',', ($error) x 4) . '}',
		"$error: $_") foreach @conditions;
	return;
}

my @checked = rows_of('an error | accepted');
cmp_ok(scalar @checked, '>', 20, 'the page lists more than 20 comparisons');
foreach my $row (@checked)
{
	my ($errors, $accepted) = @$row;

	ok(@$errors && @$accepted, "each error has a counterpart");
	all_are('42804', @$errors);
	all_are('none', @$accepted);
}
all_are('none', map { @{ $_->[0] } } rows_of('not checked | because'));

$node->stop;
done_testing();
