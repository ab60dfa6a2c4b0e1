#!/usr/bin/perl
# Runs the tests on a server with assertions: pg_regress, then again with parallel plans,
# and some of it without caches.  On 18, and with --long on all versions, it also runs
# the tests in t/ that depend on the version of PostgreSQL.  No distribution has such a
# server; "script/debian assert15" and "script/debian assert18" build one.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";

# The packages that the tests require.
BEGIN
{
	chdir "$FindBin::RealBin/..";
	$ENV{GID_FILES} = join ' ', glob '{,move/}t/*.pl';
}

use Gid;

use File::Basename qw(basename);

plan skip_all => 'this PostgreSQL has no assertions; script/debian assert18 has one that does'
  unless check_pg_config('#define USE_ASSERT_CHECKING 1');

# The log messages of a server that detected an error.  Some tests kill servers, with
# other signals than these.
my $mistake = qr/^.*(?:TRAP:\ |was\ terminated\ by\ signal\ (?:4|6|7|8|11)\b
	|WARNING:\ +(?:.*\ leak:\ |resource\ was\ not\ closed|problem\ in\ |detected\ write\ past\ |.*\ failed\ to\ produce\ (?:an\ )?equal\ ))(?:.*\n?){0,10}/mx;

my $node = new_server('main');
$node->start;
is($node->safe_psql('postgres', 'SHOW debug_assertions'), 'on', 'assertions are enabled');
my ($flags) = run_command([ $ENV{PG_CONFIG}, '--cppflags' ]);
like($flags, qr/-D$_\b/, "PostgreSQL is built with $_") foreach qw(COPY_PARSE_PLAN_TREES WRITE_READ_PARSE_PLAN_TREES);
foreach my $setting ($node->pg_version < 18 ? () : qw(debug_copy_parse_plan_trees debug_write_read_parse_plan_trees))
{
	is($node->safe_psql('postgres', "SHOW $setting"), 'on', "$setting is on");
}

# Runs tests of pg_regress with this setting.
sub regress_with
{
	my ($setting, $value, @tests) = @_;
	local $ENV{PGOPTIONS} = "-c $setting=$value";

	is($node->safe_psql('postgres', "SHOW $setting"), $value, "$setting = $value");
	regress_ok($node, \@tests);
	return;
}

regress_ok($node, [ names_in('REGRESS') ], [ names_in('ISOLATION') ]);
# corrupt and estimate take more time than all other tests, and hardly use workers.
regress_with($node->pg_version < 16 ? 'force_parallel_mode' : 'debug_parallel_query', 'regress',
	grep { is_long() || !/^(?:corrupt|estimate)$/ } names_in('REGRESS'));
regress_with('debug_discard_caches', 1,
	qw(setup text kind planner), is_long() ? qw(corrupt binary inspect partition join) : ());
unlike(slurp_file($node->logfile), $mistake, 'no assertion failed');

chdir $tree;
my $watched = 0;
foreach my $test ($node->pg_version < 18 && !is_long() ? () : glob '{,move/}t/*.pl')
{
	next if $test eq 't/000_regress.pl' || depends_on_no_version($test);
	tap_ok($test, $^X, $test);
	my ($name) = $test =~ m{t/(.*)\.pl};
	my @logs = glob "$work/{log,tmp_check/log}/${name}_*.log";
	$watched += @logs > 0;
	unlike(slurp_file($_), $mistake, 'no server found a mistake: ' . basename($_)) foreach @logs;
}
cmp_ok($watched, '>', 12, 'the servers of the tests wrote logs') if $node->pg_version >= 18;

# Intentional errors must be reported.
add_canary($node);
my $canary = 0;
foreach my $what ('an assertion that fails', 'a pointer in freed memory', 'a byte beyond a chunk')
{
	my $before = -s $node->logfile;
	ask_canary($node, --$canary);
	like(slurp_file($node->logfile, $before), $mistake, "$what is reported");
}
done_testing();
