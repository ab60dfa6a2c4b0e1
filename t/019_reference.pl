#!/usr/bin/perl
# The tables of doc/reference.md contain exactly the functions, operators, casts, operator
# classes and parameters in the catalog, with their labels, and the errors in the
# sources.  If a table differs, the test prints the right one.  The last column of a table
# is written by hand.  The tables of comparisons, on the page and at the end of this file,
# say which of them are errors.
#
# All pages and comments that name a SQLSTATE are right: the server raises it in the
# examples of doc/clients.md, or if the function is called.

use strict;
use warnings;
use utf8;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use Encode qw(decode_utf8 encode_utf8);

my $page = decode_utf8(slurp_file("$tree/doc/reference.md"));
my $node = new_server('main', 'shared_preload_libraries = gid');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');

sub rows_from { return map { [ split /\|/, $_, -1 ] } split /\n/, decode_utf8($node->safe_psql('postgres', $_[0])) }

# Returns the cells of a table in a page, by the header of the table.
sub cells_of
{
	my ($header, $text) = @_;
	my ($rows) = ($text // $page) =~ /^\| \Q$header\E \|\n\|[- |]+\|\n((?:\|.*\n)*)/m
	  or BAIL_OUT("there is no table $header");

	return map { [ split /\s*\|\s*/, s/^\|\s*|\s*\|$//gr, -1 ] } split /\n/, $rows;
}

# Compares a table of the page with what its columns must be, except the last.
sub table_is
{
	my ($header, @expected) = @_;
	my (@there, @right, %texts, @without);

	foreach my $row (cells_of($header))
	{
		my $text = pop @$row;

		push @there, join ' | ', @$row;
		push @{ $texts{ $row->[0] } }, $text;
		push @without, $row->[0] if $text eq '';
	}
	@expected = map { join ' | ', @$_ } @expected;
	foreach my $row (@expected)
	{
		my ($object) = split / \| /, $row;

		push @right, "| $row | " . (shift @{ $texts{$object} // [] } // '') . ' |';
	}
	cmp_ok(scalar @expected, '>', 1, "$header: there are rows");
	is_deeply(\@there, \@expected, "$header: the table is right")
	  or diag(encode_utf8(join "\n", 'The right table is', (map { s/\|  (?=\|)/| /gr } @right), ''));
	is_deeply(\@without, [], "$header: each row has a text");
	return;
}

# The errors in the sources, with "…" in place of the arguments of a message.
my ($sharedir) = run_command([ $ENV{PG_CONFIG}, '--sharedir' ]);
my (%sqlstates, %conditions, %raised, %messages);
foreach (split /\n/, slurp_file("$sharedir/errcodes.txt"))
{
	my ($sqlstate, $macro, $condition) = /^(\w{5}) +[EWS] +(ERRCODE_\w+)(?: +(\w+))?/ or next;

	$sqlstates{$macro} = $sqlstate;
	$conditions{$sqlstate} //= $condition;
}
foreach my $file (glob "$tree/src/*.[ch]")
{
	my $source = slurp_file($file);

	while ($source =~ /(?:\berrcode\(([^()]+)\),\s*)?\berrmsg\("((?:[^"\\]|\\.)*)"(?:,\s*"(gid)")?/g)
	{
		my ($codes, $message, $type) = ($1, $2, $3);

		$message =~ s/\\"/"/g;
		$message =~ s/%s/$type/ if $type;
		$message =~ s/%\.\*s|%\.3f|%[sd]/…/g;
		$messages{ ($codes ? join(', ', map { $sqlstates{$_} } $codes =~ /ERRCODE_\w+/g) : 'LOG, WARNING') . " `$message`" } = 1;
	}
	$raised{ $sqlstates{$_} } = 1 foreach $source =~ /\b(ERRCODE_\w+)/g;
}
is_deeply([ sort map { "$_->[0] $_->[1]" } cells_of('SQLSTATE | message | when') ],
	[ sort keys %messages ], 'the page has the errors in the sources');

# Tests that each statement in backquotes raises an error.
sub raises_ok
{
	my ($sqlstate, $statements) = @_;

	foreach my $statement ($statements =~ /`((?:SELECT|INSERT|PREPARE) [^`]*)`/g)
	{
		my (undef, undef, $error) = $node->psql('postgres', "\\set VERBOSITY sqlstate\n$statement");
		like($error, qr/ERROR:  $sqlstate$/m, "$sqlstate: $statement");
	}
	return;
}

# All functions of gid.  A comment says "error 22023 for …, 25000 in …".
my (%functions, @names);
$node->safe_psql('postgres', q{
	CREATE VIEW functions AS
	SELECT p.* FROM pg_proc p JOIN pg_depend d ON (d.classid, d.objid, d.deptype) = ('pg_proc'::regclass, p.oid, 'e')
	JOIN pg_extension e ON (d.refclassid, d.refobjid, extname) = ('pg_extension'::regclass, e.oid, 'gid')
	WHERE prokind = 'f'});
foreach (rows_from(q{
	SELECT oid, proname, array_to_string(proargtypes::regtype[], ','),
		   pg_get_function_identity_arguments(oid), pg_get_function_result(oid),
		   concat_ws(', ', CASE provolatile WHEN 's' THEN 'stable' WHEN 'v' THEN 'volatile' END,
			   CASE proparallel WHEN 'r' THEN 'restricted' WHEN 'u' THEN 'unsafe' END,
			   CASE WHEN proleakproof THEN 'leakproof' END, CASE WHEN NOT proisstrict THEN 'not strict' END,
			   CASE WHEN procost <> 1 THEN 'cost ' || procost END, CASE WHEN proretset THEN prorows || ' rows' END),
		   obj_description(oid, 'pg_proc')
	FROM functions ORDER BY oid}))
{
	my ($oid, $name, $types, $arguments, $result, $labels, $comment) = @$_;
	my @errors = grep { $raised{$_} } $comment =~ /(?:error|,) (\w{5})\b/g;

	s/timestamp with time zone/timestamptz/g foreach $arguments, $result;
	$arguments =~ s/(?:^|, )OUT .*//;
	push @names, $oid;
	$functions{$oid} =
	  { name => $name, types => $types, arguments => $arguments, result => $result, labels => $labels, errors => \@errors };
}

# The functions that objects and the planner use.  Users call the others.
my (%rows, @keys, %uses);
foreach (rows_from(q{
	SELECT 'type', 'type `gid`', '', f::oid
	FROM pg_type t, unnest(ARRAY[typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze]) f
	WHERE t.oid = 'gid'::regtype
	UNION ALL
	(SELECT 'planner', 'planner support', '', oid FROM functions WHERE oid IN (SELECT prosupport FROM functions)
		OR oid IN (SELECT oprrest FROM pg_operator) ORDER BY oid)
	UNION ALL
	(SELECT 'plans', 'plans', '', oid FROM functions WHERE starts_with(proname, '_') ORDER BY oid)
	UNION ALL
	(SELECT format('operators %s %s', oprleft, oprright),
			format('`%s %s %s`', oprleft::regtype, oprname, oprright::regtype), '', oprcode
	FROM pg_operator WHERE 'gid'::regtype IN (oprleft, oprright) ORDER BY oprleft, oprright, oprcode::oid)
	UNION ALL
	(SELECT 'aggregates', format('`%s(gid)`', proname), '', aggtransfn
	FROM pg_aggregate JOIN pg_proc ON oid = aggfnoid WHERE proargtypes[0] = 'gid'::regtype ORDER BY oid)
	UNION ALL
	(SELECT 'casts', format('`%s → %s`', castsource::regtype, casttarget::regtype),
			CASE castcontext WHEN 'e' THEN 'explicit' WHEN 'a' THEN 'assignment' ELSE 'implicit' END, castfunc
	FROM pg_cast WHERE 'gid'::regtype IN (castsource, casttarget) ORDER BY oid)
	UNION ALL
	(SELECT 'class ' || c.oid, format('`%s %s`', amname, opcname), CASE WHEN opcdefault THEN 'default' ELSE '' END, p.oid
	FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod JOIN pg_proc p ON p.oid IN (
		SELECT amproc FROM pg_amproc WHERE (amprocfamily, amproclefttype) = (opcfamily, opcintype))
		-- used on PostgreSQL 18 and later
		OR (amname, proname) = ('gist', 'gid_gist_strategy')
	WHERE opcintype = 'gid'::regtype ORDER BY c.oid, p.oid)}))
{
	my ($key, $object, $note, $oid) = @$_;
	my $function = $functions{$oid} or next;	# a function of PostgreSQL

	$object =~ s/timestamp with time zone/timestamptz/g;
	$uses{$oid} = 1;
	$key .= " $note $function->{labels}";
	push @keys, $key unless $rows{$key};

	my $row = $rows{$key} //= { objects => [], labels => join ', ', grep { $_ } $note, $function->{labels} };

	push @{ $row->{objects} }, $object unless grep { $_ eq $object } @{ $row->{objects} };
	push @{ $row->{functions} }, $function;
	$row->{errors}{$_} = 1 foreach @{ $function->{errors} };
}
table_is('function | result | labels | errors | what it is for',
	map { [ "`$_->{name}($_->{arguments})`", "`$_->{result}`", $_->{labels}, join ', ', sort @{ $_->{errors} } ] }
	map { $functions{$_} } grep { !$uses{$_} } @names);

# Names functions.  Those that users can call are named with their types, once if the types
# are the same.
sub signatures_of
{
	my %types = map { ("($_->{arguments}) → $_->{result}" => 1) } @_;
	my %names;

	return join ', ', map { "`$_`" } grep { !$names{$_}++ } map { $_->{name} } @_ if grep { $_->{name} =~ /^_/ || $_->{arguments} =~ /internal|cstring/ } @_;
	return join ', ', map { "`$_->{name}($_->{arguments}) → $_->{result}`" } @_ if @_ == 1 || keys %types > 1;
	return join(', ', map { "`$_->{name}`" } @_) . ': ' . join '', map { "`$_`" } keys %types;
}

table_is('object | functions | labels | errors | what it is for',
	map {
		[ (join ', ', @{ $_->{objects} }), signatures_of(@{ $_->{functions} }), $_->{labels},
			join ', ', sort keys %{ $_->{errors} } ]
	} @rows{@keys});

table_is('rows of | columns | notes', map { [ map { s/timestamp with time zone/timestamptz/gr } @$_ ] } rows_from(q{
	SELECT format('`%s`', proname),
		   (SELECT string_agg(format('`%s %s`', proargnames[n], proallargtypes[n]::regtype), ', ' ORDER BY n)
			FROM generate_subscripts(proargmodes, 1) n WHERE proargmodes[n] IN ('o', 't'))
	FROM functions WHERE proargmodes IS NOT NULL ORDER BY oid}));

table_is('parameter | values | default | context | what it is for', rows_from(q{
	LOAD 'gid';
	SELECT format('`%s`', name),
		   CASE vartype WHEN 'bool' THEN '`on`, `off`' WHEN 'enum' THEN format('`%s`', array_to_string(enumvals, '`, `'))
		   ELSE format('%s to %s', min_val, max_val) || coalesce(' ' || unit, '') END,
		   format('`%s`', boot_val), context
	FROM pg_settings WHERE name LIKE 'gid.%' ORDER BY name}));

# Returns the comparisons in the cells of a table, of the page or of another text.
sub comparisons_of
{
	return map { [ map { [ grep { /orders\./ } /`([^`]+)`/g ] } @$_ ] } cells_of(@_);
}

$node->safe_psql('postgres', q{
	CREATE TABLE orders (id gid(o) PRIMARY KEY, customer gid(c), any_id gid);
	CREATE TABLE customers (id gid(c) PRIMARY KEY, ids gid(c)[]);
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

my $cases = do { local $/; decode_utf8(<DATA>) };
my $value = qr/\$\d|'|max\(/;		# what is compared with a column is not a column
foreach my $row (map { comparisons_of('an error | accepted', $_) } $page, $cases)
{
	my ($errors, $accepted) = @$row;

	ok(@$errors && @$accepted, "each error has a counterpart");
	all_are('42804', grep { !/$value/ } @$errors);
	all_are('22023', grep { /$value/ } @$errors);
	all_are('none', @$accepted);
}
all_are('none', map { @{ $_->[0] } } comparisons_of('not checked | because'), comparisons_of('not checked', $cases));

# The examples of doc/clients.md.  On all pages, a SQLSTATE follows the name of its case, in
# parentheses or in a row of a table.  move/t tests the SQLSTATEs of gid-move.
my %cases;
foreach (cells_of('case | SQLSTATE | condition | examples', decode_utf8(slurp_file("$tree/doc/clients.md"))))
{
	my ($case, $sqlstate, $condition, $examples) = @$_;

	push @{ $cases{$sqlstate} }, $case;
	is($condition, "`$conditions{$sqlstate}`", "$case: the condition");
	raises_ok($sqlstate, $examples);
}
my $known = join '|', keys %conditions;
foreach my $file (glob "$tree/{README.md,doc/*.md,doc/*/*.md,clients/*/README.md}")
{
	my $text = decode_utf8(slurp_file($file)) =~ s/^```.*?^```$//msgr =~ s/(?<=[^\n])\n(?=[^|\n])/ /gr;
	my @wrong;

	$text =~ s/^\|.*//mg if $file =~ /reference/;	# tested above
	foreach my $line (split /\n/, $text)
	{
		push @wrong, "$1: $line" while $line =~ /(?<![\w,.])($known)(?![\w,])/g
		  && !grep { $line =~ /^\| \Q$_\E\b/ || substr($line, 0, $-[1]) =~ /\Q$_\E \($/ } @{ $cases{$1} // [] };
	}
	is_deeply(\@wrong, [], substr($file, length($tree) + 1) . ': each SQLSTATE belongs to its case');
}

# The errors of gid in a function's comment are those that it raises with these values, in a
# parallel worker, or if gid is not preloaded.
my %values = (
	bigint => [0], boolean => ['true'], integer => [ 239, 227 ], interval => [q{interval '1 hour'}], oid => ['0::oid'],
	tstzrange => [q{tstzrange '[,)'}],
	bytea => [ q{gid_random('o')::bytea}, q{'\x00'::bytea} ],
	cstring => [ q{'tea'::cstring}, q{'A4Kf8D9WdY-43mteQbJqV73k'::cstring} ],
	'cstring[]' => [q{'{tea}'::cstring[]}],
	gid => [ q{gid 'A4Kf8D9WdY-43mteQbJqV73k'}, q{gid_random('c', now() + interval '1 day')} ],
	text => [ map { "'$_'" } qw(o tea 5D5EAC793E61F-1BFC71B112D-0000000B 5D5EAC793E61F-1BFC71B112D-40000000 FFFFFFFFFFFFFFF-1BFC71B112D-0000000B) ],
	'timestamp with time zone' => [ map { "timestamptz '$_'" } qw(now 1969-12-31) ],
	uuid => [ q{lpad('', 32, '0')::uuid}, map { "$_\::uuid" } q{gid_random('c')}, q{gid_random('o', now() + interval '1 day')} ]);
my (%calls, %found);
foreach my $oid (@names)
{
	my @lists = ([]);

	foreach my $type (split /,/, $functions{$oid}{types})
	{
		@lists = map { my $list = $_; map { [ @$list, $_ ] } @{ $values{$type} // [] } } @lists;
	}
	push @{ $calls{$oid} }, map { "$functions{$oid}{name}(" . join(', ', @$_) . ')' } @lists;
}
$node->safe_psql('postgres', q{
	CREATE FUNCTION state_of(call text) RETURNS text LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE 'SELECT ' || call;
		RETURN '';
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$});
my $all = join ', ', map { my $oid = $_; map { "($oid, \$call\$$_\$call\$)" } @{ $calls{$oid} } } keys %calls;
sub call_all
{
	my ($before) = @_;

	foreach (split /\n/, $node->safe_psql('postgres', "$before SELECT DISTINCT oid || ' ' || state_of(call) FROM (VALUES $all) AS c (oid, call)"))
	{
		$found{$1}{$2} = 1 if /^(\d+) (\w+)$/ && $raised{$2};
	}
	return;
}
call_all('');
$node->safe_psql('postgres', q{
	DO $$
	DECLARE
		name text;
	BEGIN
		FOR name IN SELECT oid::regprocedure FROM functions LOOP
			EXECUTE format('ALTER FUNCTION %s PARALLEL SAFE', name);
		END LOOP;
	END $$});
call_all('SET ' . ($node->pg_version < 16 ? 'force_parallel_mode' : 'debug_parallel_query') . ' = on;');
$node->adjust_conf('postgresql.conf', 'shared_preload_libraries', q{''});
$node->restart;
call_all('');
cmp_ok(scalar(map { @$_ } values %calls), '>', 100, 'more than 100 calls');
foreach my $oid (grep { @{ $calls{$_} } } @names)
{
	is(join(', ', sort keys %{ $found{$oid} // {} }), join(', ', sort @{ $functions{$oid}{errors} }), "$calls{$oid}[0]: the errors");
}

done_testing();

# More comparisons, as in the tables of the page.
__DATA__
| an error | accepted |
| --- | --- |
| `orders.id NOT IN (SELECT id FROM customers)` | `orders.customer NOT IN (SELECT id FROM customers)` |
| `EXISTS (SELECT FROM customers c WHERE c.id = orders.id)` | `EXISTS (SELECT FROM customers c WHERE c.id = orders.customer)` |
| `orders.id > ALL (SELECT id FROM customers)` | `orders.customer > ALL (SELECT id FROM customers)` |
| `orders.id = (SELECT id FROM customers LIMIT 1)` | `orders.customer = (SELECT id FROM customers LIMIT 1)` |
| `orders.id = (SELECT x FROM (SELECT id AS x FROM customers UNION SELECT id FROM customers LIMIT 1) u)` | `orders.customer = (SELECT x FROM (SELECT id AS x FROM customers UNION SELECT id FROM customers LIMIT 1) u)` |
| `orders.id < $2`, `orders.id <= $2`, `$2 > orders.id`, `$2 >= orders.id` | `orders.id < $1`, `orders.id <= $1`, `$1 > orders.id`, `$1 >= orders.id`, `orders.id = $2`, `orders.id <> $2` |
| `orders.id < coalesce($2, $1)` | `orders.id < coalesce($1, $2)` |
| `orders.id IN (SELECT id FROM orders WHERE id > $2 LIMIT 1000 FOR UPDATE SKIP LOCKED)` | `orders.id IN (SELECT id FROM orders WHERE id > $1 LIMIT 1000 FOR UPDATE SKIP LOCKED)` |
| `orders.id IN (SELECT id FROM orders WHERE id < $2 UNION ALL SELECT id FROM orders)` | `orders.id IN (SELECT id FROM orders WHERE id < $1 UNION ALL SELECT id FROM orders)` |
| `orders.id >= gid_lower_bound(gid_kind($2), now())` | `orders.id >= gid_lower_bound(gid_kind($1), now())` |
| `orders.id < (SELECT gid_settled('c'))` | `orders.id < (SELECT gid_settled('o'))` |
| `orders.id < ANY (SELECT gid_settled('c'))` | `orders.id < ANY (SELECT gid_settled('o'))` |
| `orders.id > (SELECT $2)`, `orders.id > ANY (SELECT $2)` | `orders.id > (SELECT $1)`, `orders.id > ANY (SELECT $1)` |

| not checked |
| --- |
| `orders.any_id = customers.id` |
| `CASE orders.id WHEN customers.id THEN true END` |
| `orders.id < ALL (SELECT gid_settled('c'))` |
| `orders.id > (SELECT max(id) FROM customers c WHERE c.id <> orders.customer)` |
