#!/usr/bin/perl
# The protocol of gid_settled(): Spin searches every interleaving of a model, check/model.pml.
# The model of the functions in plain SQL is check/managed.pml.
# No search finds a missed row, two horizons for one snapshot of a statement, or a floor
# that decreases.
# Each mutation of the model is found.  --long searches larger models.
#
#	check/model.pl base WITHOUT_XIP		these searches and mutations only; shows the
#										steps that lead to an error
#
# When: src/settled.* src/samples.* src/server_clock.* check/model.* check/managed.pml examples/managed/gid.sql
# Packages: spin

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

my $model = slurp_file("$tree/check/model.pml");

# The searches: the size (see @sizes), what they have in addition, and what they are for.
my %searches = (
	base => [ '1 2 1 1 2 3', 'PREPARE', 'two transactions' ],
	clock => [ '1 1 3 1 2 3', 'OBSERVE', 'later ids' ],
	own => [ '1 1 1 1 1 3', 'OWN', 'a session that mints and asks' ],
	subxids => [ '1 2 1 1 1 2', 'SUBXIDS PREPARE', 'subtransactions' ],
	old => [ '1 2 1 1 2 2', 'OLD THIN BRIEF', 'an older snapshot, and samples that are removed' ],
	pollers => [ '1 1 1 2 1 3', '', 'two sessions that ask' ],
	writers => [ '2 1 1 1 1 3', '', 'two sessions that mint' ],
	arm => [ '1 1 1 1 1 2', 'ARM', 'the memory order of ARM, which is weaker than that of x86' ],
	ring => [ '1 2 1 1 1 2', 'ARM BRIEF', 'the memory order of ARM, and an entry that is overwritten' ],
	live => [ '2 1 1 1 1 2', 'LIVE BRIEF', 'the horizon rises' ],
	managed => [ '1 1 2 2 1 3', '', 'plain SQL' ],
	is_long()
	? (
		'base-long' => [ '1 2 1 1 2 4', 'PREPARE OLD THIN', 'two transactions' ],
		'subxids-long' => [ '1 2 1 1 2 2', 'SUBXIDS PREPARE OLD', 'subtransactions' ],
		'pollers-long' => [ '1 2 1 2 1 2', 'PREPARE', 'two sessions that ask' ],
		'writers-long' => [ '2 1 1 1 2 3', '', 'two sessions that mint' ],
		'arm-long' => [ '1 2 1 1 1 2', 'ARM', 'the memory order of ARM' ],
		'live-long' => [ '2 1 1 1 1 2', 'LIVE', 'the horizon rises' ],
	  )
	: ());
my @sizes = qw(WRITERS TRANSACTIONS IDS POLLERS POLLS INSTANTS);

# The mutations: name, number, search, and what is broken.
my @mutations = map { [/^#define (\w+)\s+(\d+)\s+\/\* (\S+): (.*) \*\/$/] }
  grep { /^#define \w+\s+\d+\s+\/\* \S+: / } split /\n/, $model . slurp_file("$tree/check/managed.pml");

my %is_chosen = map { $_ => 1 } @ARGV;
my %is_built;

# The numbered steps in a text, in their order.
sub steps_of
{
	my ($text) = @_;
	return join ', ', $text =~ /\/\* (\w+: step \d+) \*\//g;
}

# The same of the code.  A function begins with its name at the start of a line.
sub steps_in_code
{
	my @steps;
	my $function;

	foreach my $line (map { split /\n/, slurp_file($_) } glob "$tree/src/*.c")
	{
		$function = $1 if $line =~ /^(\w+)\(/;
		push @steps, "/* $function: step $1 */" if $line =~ /\/\* step (\d+) \*\//;
	}
	return steps_of("@steps");
}

# Generates and compiles a verifier.
sub build_search
{
	my ($name) = @_;
	my ($size, $features) = @{ $searches{$name} };
	my @numbers = split / /, $size;
	my $folder = "$work/$name";

	return $folder if $is_built{$name}++;
	mkdir $folder or die "$folder: $!";
	chdir $folder or die "$folder: $!";
	must_run('spin', (map { "-D$sizes[$_]=$numbers[$_]" } 0 .. $#sizes), (map { "-D$_" } split / /, $features), '-a', "$tree/check/" . ($name =~ /managed/ ? 'managed.pml' : 'model.pml'));
	must_run(qw(gcc -O2 -w -DCOLLAPSE), $features =~ /LIVE/ ? '-DNFAIR=3' : '-DSAFETY', qw(-o pan pan.c));
	return $folder;
}

# Searches, with a mutation or 0.  Returns what the verifier printed.
sub search
{
	my ($name, $mutation) = @_;
	local $ENV{MUTATION} = $mutation;

	chdir build_search($name);
	my ($printed) = run_command([ './pan', '-n', '-m200000', is_long() ? '-w28' : '-w24', $searches{$name}[1] =~ /LIVE/ ? qw(-a -f) : () ]);
	if (%is_chosen && $printed =~ /errors: [1-9]/)
	{
		my ($steps) = run_command([ qw(./pan -r), glob '*.trail' ]);
		note($steps);
	}
	note($printed =~ /(\d+) states, stored/ ? "$1 states" : $printed, $printed =~ /elapsed time (\S+)/ ? ", $1 s" : '');
	return $printed;
}

is(steps_of($model), steps_in_code(), 'the numbered steps of the code are the steps of the model');
cmp_ok(@mutations, '>=', 40, 'at least 40 mutations are listed');

foreach my $name (sort keys %searches)
{
	next if %is_chosen && !$is_chosen{$name};
	my $printed = search($name, 0);
	ok($printed =~ /errors: 0$/m && $printed !~ /not completed|max search depth|violated/, "$name: $searches{$name}[2]") or diag($printed);
}

foreach my $mutation (@mutations)
{
	my ($name, $number, $search, $what) = @$mutation;

	next if %is_chosen && !$is_chosen{$name};
	like(search($search, $number), qr/assertion violated|acceptance cycle/, "found: $what");
}
done_testing();
