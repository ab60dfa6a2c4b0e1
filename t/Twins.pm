# Creates twins of the functions and operators that stored expressions call.  A twin has
# the same name, and arguments that match the call as well as possible.  It raises an
# error when it is called.
#
# PostgreSQL resolves the names in an SQL body, a default, a constraint or a view once,
# and stores the result as a tree.  An exact match in a schema of search_path is
# preferred to a function with a conversion, with VARIADIC or with a polymorphic argument
# in an earlier schema.  Therefore this module reads every call from its tree, with the
# types that its arguments had before any conversion.

package Twins;

use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(first uniq);

our @EXPORT = qw(plant_twins);

my ($bool, $text, $unknown) = (16, 25, 705);

# Finds all trees in the catalogs, except those of PostgreSQL itself.
my $trees = q{
	SELECT format('SELECT %I FROM %s c WHERE %I IS NOT NULL AND
		coalesce(to_jsonb(c)->>''oid'', to_jsonb(c)->>''indexrelid'', to_jsonb(c)->>''partrelid'')::oid >= 16384',
		attname, attrelid::regclass, attname)
	FROM pg_attribute WHERE atttypid = 'pg_node_tree'::regtype AND attrelid < 16384 \gexec};

# Parses a tree in PostgreSQL's text format.  A node becomes a hash of its fields, with
# its name as "node".  A field with several values becomes a list.
sub parsed
{
	my ($tree) = @_;
	my @tokens = $tree =~ /[{}()]|(?:\\.|[^\s{}()\\])+/g;
	my $value;

	$value = sub {
		my $token = shift @tokens;
		my @values;

		if ($token eq '(')
		{
			push @values, $value->() while $tokens[0] ne ')';
			shift @tokens;
			return \@values;
		}
		return $token if $token ne '{';
		my $node = { node => shift @tokens };
		while ((my $field = shift @tokens) ne '}')
		{
			@values = ();
			push @values, $value->() while $tokens[0] !~ /^[:}]/;
			$node->{ substr($field, 1) } = @values == 1 ? $values[0] : [@values];
		}
		return $node;
	};
	return $value->();
}

sub nodes_of
{
	my ($value) = @_;

	return map { nodes_of($_) } @$value if ref $value eq 'ARRAY';
	return ref $value ? ($value, map { nodes_of($_) } values %$value) : ();
}

# Returns the type of an expression.
sub type_of
{
	my ($node) = @_;
	my $field = first { /^(?:var|const|param|funcresult|opresult|case|coalesce|minmax|result|agg|win)?type$|^(?:array|row)_typeid$/ }
	  sort keys %$node;

	return $node->{$field} if $field;
	return $bool if $node->{node} =~ /^(?:BOOLEXPR|NULLTEST|BOOLEANTEST|SCALARARRAYOPEXPR)$/;
	return type_of($node->{arg}) if $node->{node} =~ /^(?:COLLATE|COLLATEEXPR|NAMEDARGEXPR)$/;
	if ($node->{node} eq 'SUBLINK')
	{
		return $node->{subLinkType} == 4 ? type_of($node->{subselect}{targetList}[0]{expr}) : $bool;
	}
	die "Twins.pm does not know the type of $node->{node}\n";
}

# Returns the types that an argument can have had before its conversion.  A literal can
# have had no type, and PostgreSQL then prefers text.
sub types_of
{
	my ($node) = @_;
	my @types = type_of($node);

	my ($format) = map { $node->{$_} } grep { /^(?:func|relabel|coerce|coercion)format$/ } keys %$node;
	push @types, types_of($node->{arg} // $node->{args}[0]) if ($format // 0) == 2;
	push @types, $text if $node->{node} eq 'CONST';
	return uniq(grep { $_ != $unknown } @types);
}

# Returns the calls in a tree: the function or operator, the types that each argument
# can have had, and the type of the result.
sub calls_of
{
	my ($tree) = @_;
	my @calls;

	foreach my $node (nodes_of(parsed($tree)))
	{
		die "Twins.pm does not know the operators of $node->{node}\n" if $node->{opnos};
		my $oid = first { defined } @$node{qw(funcid opno aggfnoid winfnoid)};
		next unless defined $oid;
		my @arguments = map { $_->{node} =~ /^(?:TARGETENTRY|NAMEDARGEXPR)$/ ? $_->{expr} // $_->{arg} : $_ }
		  grep { ref } @{ ref $node->{args} eq 'ARRAY' ? $node->{args} : [] };
		push @calls,
		  {
			oid => $oid,
			is_operator => defined $node->{opno},
			is_any => $node->{node} eq 'SCALARARRAYOPEXPR',
			types => [ map { [ types_of($_) ] } @arguments ],
			result => type_of($node)
		  };
	}
	return @calls;
}

# Returns the arguments of the twins of a call, as lists of types.
sub signatures
{
	my ($call) = @_;
	my @signatures = ([]);
	my @variadic;

	foreach my $types (@{ $call->{types} })
	{
		push @variadic, map { my $before = $_; map { [ @$before, "VARIADIC $_\[]" =~ s/anyelement\[]/anyarray/r ] } @$types, 'anyelement' } @signatures;
		@signatures = map { my $before = $_; map { [ @$before, $_ ] } @$types, 'anyelement', 'anycompatible' } @signatures;
	}
	return @signatures, $call->{is_operator} ? () : @variadic;
}

# Creates the twins of all stored calls of the database $model, in a schema of another
# database, as a role.  Skips twins that the model itself contains, and twins with types
# that the other database lacks.  Returns the number of twins.
sub plant_twins
{
	my ($node, $model, $database, $schema, $role) = @_;
	my %name = map { split /\t/ } split /\n/, $node->safe_psql($model, q{
		SET search_path = '';
		SELECT format(E'type %s\t%s', oid, oid::regtype) FROM pg_type;
		SELECT format(E'function %s\t%I', oid, proname) FROM pg_proc;
		SELECT format(E'operator %s\t%s', oid, oprname) FROM pg_operator});
	my @own = split /\n/, $node->safe_psql($model, q{
		SET search_path = '';
		SELECT format('%I %s', proname, array_to_string(proargtypes::oid[]::regtype[], ', ')) FROM pg_proc WHERE oid >= 16384;
		SELECT concat_ws(' ', oprname, concat_ws(', ', nullif(oprleft, 0)::regtype, oprright::regtype))
		FROM pg_operator WHERE oid >= 16384});
	my @calls = map { calls_of($_) } split /\n/, $node->safe_psql($model, $trees);
	my %twins;

	foreach my $call (@calls)
	{
		my $name = $name{ ($call->{is_operator} ? 'operator ' : 'function ') . $call->{oid} };
		$call->{types} = [ map { [ map { $name{"type $_"} } @$_ ] } @{ $call->{types} } ];
		# The operand of id = ANY (ids) is an element of the array.
		s/\[]$// foreach $call->{is_any} ? @{ $call->{types}[1] } : ();

		foreach my $signature (signatures($call))
		{
			my $arguments = join ', ', @$signature;
			$twins{"$name $arguments"} //= [ $name, $arguments, $name{"type $call->{result}"}, $call->{is_operator} && $signature ];
		}
	}

	delete @twins{@own};
	my @statements;
	foreach my $twin (map { $twins{$_} } sort keys %twins)
	{
		my ($name, $arguments, $result, $operands) = @$twin;
		my $function = $operands ? 'twin_' . @statements : $name;
		my $statement = "CREATE FUNCTION $schema.$function($arguments) RETURNS $result IMMUTABLE LANGUAGE plpgsql AS " .
		  q{'BEGIN RAISE EXCEPTION ''a twin was called''; END'};
		$statement .= "; CREATE OPERATOR $schema.$name (FUNCTION = $schema.$function, RIGHTARG = $operands->[-1]" .
		  (@$operands == 2 ? ", LEFTARG = $operands->[0])" : ')') if $operands;
		push @statements, "(\$twin\$$statement\$twin\$)";
	}
	return $node->safe_psql($database, q{
		CREATE FUNCTION pg_temp.is_created(statement text) RETURNS boolean LANGUAGE plpgsql AS $$
		BEGIN
			EXECUTE statement;
			RETURN true;
		EXCEPTION WHEN duplicate_function OR undefined_object OR invalid_schema_name THEN
			RETURN false;
		END $$;
		SELECT count(*) FROM (VALUES } . join(',', @statements) . ') AS t (statement) WHERE pg_temp.is_created(statement)',
		extra_params => [ '-U', $role ]);
}

1;
