# Functions for all tests.  "use Gid" must come first in a test: if the test is started
# from a checkout, script/env starts it again in a copy of the tree, with a copy of
# PostgreSQL that contains gid.
#
# This module builds gid, runs other programs as tests, and starts servers with
# PostgreSQL::Test::Cluster.  It must not know what a test is about.

package Gid;

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter qw(import);
use File::Basename qw(dirname);
use File::Spec;
use FindBin;

our ($tree, $work, $bindir);
my $stderr;

BEGIN
{
	$tree = abs_path(dirname(__FILE__) . '/..');
	unless ($work = $ENV{GID_WORK})
	{
		exec "$tree/script/env", File::Spec->abs2rel("$FindBin::RealBin/$FindBin::RealScript", $tree), @ARGV
		  or die "$tree/script/env: $!";
	}
	$bindir = dirname($ENV{PG_CONFIG});
	# PostgreSQL's modules redirect STDERR to a file, so this keeps the terminal.
	open $stderr, '>&', \*STDERR or die "STDERR: $!";
}

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use TAP::Parser;
use Test::Builder;
use Test::More;

# All tests use the functions of Test::More and PostgreSQL::Test::Utils, too.
our @EXPORT = (qw($tree $work $bindir $python is_long depends_on_no_version lacks skip_allowed new_server environment_of
  must_run runs_ok tap_ok build names_in regress_ok add_canary ask_canary),
	@Test::More::EXPORT, @PostgreSQL::Test::Utils::EXPORT);

# The Python that can use Debian's packages.
our $python = -x '/usr/bin/python3' ? '/usr/bin/python3' : 'python3';

# The reasons of skipped tests.  The value says whether CI=true allows the skip.
my %skipped;
our ($is_allowed, $is_reported) = (0, 0);
{
	no warnings 'redefine';
	my ($skip, $plan) = (Test::Builder->can('skip'), Test::Builder->can('plan'));
	my $subtest;				# the reason of a skipped subtest, which is one skipped test
	my $remember = sub {
		my ($name, $reason) = ($_[0]->name, $_[1]);
		$skipped{ $name eq $0 ? $reason : "$name: $reason" } = $is_allowed unless $is_reported;
	};

	*Test::Builder::skip = sub {
		$remember->(@_[0, 1]) if $_[1] ne ($subtest // '');
		undef $subtest;
		goto $skip;
	};
	*Test::Builder::plan = sub {
		$remember->(@_[0, 2]), $subtest = $_[2] if ($_[1] // '') eq 'skip_all';
		goto $plan;
	};
	# A test that bails out has failed; other tests continue.
	*Test::Builder::BAIL_OUT = sub { die "$_[1]\n" };
}
$SIG{__DIE__} = sub { diag($_[0]) unless $^S };

# Skips this number of tests, or all tests.  CI=true allows these skips; others fail.
# Use it only if this version of PostgreSQL or Debian lacks the feature.
sub skip_allowed
{
	my ($reason, $count) = @_;
	local $is_allowed = 1;

	plan(skip_all => $reason) unless $count;
	return skip($reason, $count);
}

# Lists what was skipped.  script/test and script/check repeat these lines at the end.
END
{
	my $status = $?;
	my ($version) = %skipped ? (run_command([ $ENV{PG_CONFIG}, '--version' ]))[0] =~ /^(\S+ \S+)/ : '';
	my $program = File::Spec->abs2rel("$FindBin::RealBin/$FindBin::RealScript", $tree);

	foreach my $what (sort keys %skipped)
	{
		my $fails = ($ENV{CI} // '') eq 'true' && !$skipped{$what};
		$status ||= 1 if $fails;
		diag("Skipped on $version, $program: $what" . ($fails ? ' (fails, because CI=true)' : ''));
	}
	$? = $status;
}

# Whether long runs were requested.
sub is_long { return $ENV{GID_TEST_LONG} }

# Whether one version of PostgreSQL is enough for a test.
sub depends_on_no_version
{
	my ($test) = @_;

	return !is_long() && slurp_file($test) =~ /^# Does not depend on the version of PostgreSQL\.$/m;
}

# Returns the packages of a list that are not available for this PostgreSQL.
sub lacks
{
	my %lacking = map { $_ => 1 } split ' ', $ENV{GID_LACKING} // '';
	return grep { $lacking{$_} } @_;
}

# Runs a command.  Returns whether it succeeded, and the file with what it printed.
sub run_logged
{
	my ($name, @command) = @_;
	my $log = "$work/log/" . ($name =~ s/\W+/_/gr) . '.log';

	my $succeeded = IPC::Run::run(\@command, '<', '/dev/null', '>', $log, '2>&1');
	return ($succeeded, $log);
}

# Runs a command that must succeed.
sub must_run
{
	my ($succeeded, $log) = run_logged('command', @_);
	die "@_ failed:\n" . slurp_file($log) unless $succeeded;
	return;
}

# One test, which succeeds if the command succeeds.  If the command fails, its last lines
# are shown.
sub runs_ok
{
	my ($name, $command) = @_;
	my ($succeeded, $log) = run_logged($name, @$command);
	my $status = $?;
	my @lines = split /\n/, slurp_file($log);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	ok($succeeded, $name);
	return 1 if $succeeded;
	splice @lines, 0, -30;
	diag("@$command ended with " . ($status & 127 ? 'the signal ' . ($status & 127) : 'the status ' . ($status >> 8)));
	diag(join "\n", @lines);
	return 0;
}

# Runs a program that prints TAP.  Its tests become a subtest.  A Perl program uses this
# module and lists its skipped tests itself.
sub tap_ok
{
	my ($name, @command) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return subtest $name => sub {
		# The program writes to the terminal with STDERR.
		open my $ours, '>&', \*STDERR or die "STDERR: $!";
		open STDERR, '>&', $stderr or die "STDERR: $!";
		local $is_reported = $command[0] eq $^X;
		my $parser = TAP::Parser->new({ exec => \@command });
		while (my $result = $parser->next)
		{
			if (!$result->is_test) { note($result->as_string =~ s/^# //r) unless $result->is_plan }
			elsif ($result->has_skip) { SKIP: { skip $result->explanation, 1 } }
			else { ok($result->is_ok, $result->description =~ s/^- //r) }
		}
		open STDERR, '>&', $ours or die "STDERR: $!";
		my @errors = $parser->parse_errors;
		push @errors, 'exited with the status ' . ($parser->wait >> 8) . ' and the signal ' . ($parser->wait & 127)
		  if $parser->wait && !$parser->failed;
		plan(skip_all => $parser->skip_all) if $parser->skip_all && !@errors;
		fail("the program prints valid TAP and succeeds: $_") foreach @errors;
		done_testing();
	};
}

# --- Building ------------------------------------------------------------------

my @make = ('make', '-s', '-C', $tree, "PG_CONFIG=$ENV{PG_CONFIG}");

# The words in a variable of the Makefile.
sub names_in
{
	my ($variable) = @_;
	my ($names) = run_command([ @make, "--eval=names: ; \@echo \$($variable)", 'names' ]);
	return $names ? split ' ', $names : die "the Makefile has no $variable\n";
}

# Builds the extension with these arguments of make, and installs it.  Only for tests
# that do not share their copy of PostgreSQL.  make compiles changed files only, unless
# "clean" comes first.  The bitcode is removed: it is not built with these flags, and
# JIT would use it.
sub build
{
	my @arguments = @_;

	must_run(@make, shift @arguments) if $arguments[0] eq 'clean';
	must_run(@make, 'CC=gcc', 'with_llvm=no', @arguments, 'install');
	my ($libraries) = run_command([ $ENV{PG_CONFIG}, '--pkglibdir' ]);
	must_run('rm', '-rf', "$libraries/bitcode/gid", glob "$libraries/bitcode/gid.*");
	return;
}

# --- Servers -------------------------------------------------------------------

# Creates a server with these settings, and otherwise with the defaults of PostgreSQL,
# except that fsync is off.  PostgreSQL::Test::Cluster changes more defaults.
sub new_server
{
	my ($name, @settings) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init(extra => [qw(-E UTF8 --no-locale)]);
	$node->append_conf('postgresql.conf', join "\n",
		'restart_after_crash = on', 'wal_level = replica', 'max_wal_senders = 10',
		'log_statement = none', @settings);
	return $node;
}

# The environment of a program that connects to a server with the variables of libpq.
sub environment_of
{
	my ($node) = @_;
	my %environment = (
		%ENV, PGHOST => $node->host, PGPORT => $node->port, PGUSER => scalar getpwuid($>), PGDATABASE => 'postgres');

	delete $environment{PGAPPNAME};
	return %environment;
}

# Runs tests of pg_regress and of the isolation tester.  Each becomes one test.
sub regress_ok
{
	my ($node, $regress, $isolation) = @_;
	local %ENV = environment_of($node);

	my ($succeeded, $printed) = run_logged('regress', @make, 'installcheck',
		"REGRESS=@$regress", 'ISOLATION=' . join ' ', @{ $isolation // [] });
	my $results = slurp_file($printed);
	my $failed = 0;
	foreach my $name (@$regress, @{ $isolation // [] })
	{
		ok($results =~ /^(?:ok \d+ +[-+] \Q$name\E |(?:test|    ) \Q$name\E +\.\.\. ok )/m, $name)
		  or $failed = 1;
	}
	return if $succeeded && !$failed;
	fail('make installcheck succeeds') unless $failed;

	# Show the reason: a crash, then the differences, or the output if there are none.
	diag($1) if slurp_file($node->logfile) =~ /(.*was terminated by .*(?:\n.*){0,2})/;
	my @diffs = grep { -s } "$tree/regression.diffs", "$tree/output_iso/regression.diffs";
	my @lines = map { split /\n/, slurp_file($_) } @diffs ? @diffs : $printed;
	my @more = splice @lines, 200;
	diag(join "\n", @lines, @more ? @more . ' more lines are in regression.diffs' : ());
	# Keep the results, because they can become the expected output.
	system_log('cp', '-R', '--backup=numbered', @diffs, grep({ -d } "$tree/results", "$tree/output_iso"), "$work/log");
	return;
}

# Creates a function with errors that sanitizers and assertions must report.
sub add_canary
{
	my ($node, @flags) = @_;

	my ($includes) = run_command([ $ENV{PG_CONFIG}, '--includedir-server' ]);
	must_run('gcc', qw(-g -fPIC -shared), @flags, "-I$includes", '-o', "$work/canary.so", "$tree/check/canary.c");
	$node->safe_psql('postgres', "CREATE FUNCTION canary(int) RETURNS int LANGUAGE c STRICT AS '$work/canary.so'");
	return;
}

# Calls the function, and ignores its result.  If the server crashes, this waits until
# it runs again.
sub ask_canary
{
	my ($node, $mistake) = @_;

	$node->psql('postgres', "SELECT canary($mistake)");
	# No query, because a psql that cannot connect does not read it.
	$node->poll_query_until('postgres', undef, '') or die 'the server does not run again';
	return;
}

1;
