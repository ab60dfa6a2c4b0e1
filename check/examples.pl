#!/usr/bin/perl
# The programs in examples/, clients/ and move/ work, each in its own database.
#
#	check/examples.pl NAME ...		only examples/NAME, clients/NAME or NAME
#
# An example is a folder with a program "run", which prints "ok - ..." or "not ok - ..."
# for each of its tests.  A line "# Packages:" near its top names the packages that it
# requires (see script/env).  It finds its database in the variables of libpq, and
# connects with a password, through the Unix socket or 127.0.0.1.  The server preloads
# gid.  If a requirement is missing, the example prints the reason and exits with the
# status 77.
# With CI=true that is a failure, unless run has this line:
#
#	# Skipped before PostgreSQL NN, because REASON
#
# If Debian does not have the extension of an example, this line says when the example
# was last run.  The example is skipped unless PG_CONFIG names a PostgreSQL that has it:
#
#	# Not in Debian: EXTENSION; last run by hand DATE with VERSIONS
#
# The example connects as a role that owns the example's database and has no other
# privilege.  The role and the database have the same name, example_NAME.  Two other
# lines near the top of run give more privileges:
#
#	# Role: OPTIONS, because REASON		options of CREATE ROLE
#	# Superuser: STATEMENT				a superuser runs this in the new database
#
# When: clients examples move src/io.c src/kind.c

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";

my @runs;

BEGIN
{
	chdir "$FindBin::RealBin/..";
	foreach my $name (@ARGV ? map { s{/$}{}r } @ARGV : '*')
	{
		my @found = grep { -f } glob(($name =~ m{/} ? '' : '{examples/,clients/,}') . "$name/run");
		die "there is no example \"$name\"\n" unless @found;
		push @runs, @found;
	}
	$ENV{GID_FILES} = "@runs";
}

use Gid;

use IPC::Run ();

# Only the user who runs the server can read this folder.
my ($password, $examples_password) = map { unpack 'H*', join '', map { chr int rand 256 } 1 .. 16 } 1 .. 2;
append_to_file("$work/password", $password);
$ENV{PGUSER} = 'postgres';
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ qw(-U postgres -E UTF8 --no-locale --auth-host=scram-sha-256), "--pwfile=$work/password" ]);
$node->append_conf('postgresql.conf', q{
	listen_addresses = '127.0.0.1'
	wal_level = replica
	max_wal_senders = 10
	log_statement = none
	shared_preload_libraries = 'gid'
});
$node->start;
delete $ENV{PGAPPNAME};
@ENV{qw(PGHOST PGPORT PGPASSWORD)} = ($node->host, $node->port, $password);

sub has_extension
{
	my ($name) = @_;

	return $node->safe_psql('postgres', "SELECT true FROM pg_available_extensions WHERE name = '$name'") eq 't';
}

# Whether the line "# Skipped" says that the example can be missing on this PostgreSQL.
sub may_be_skipped
{
	my ($file, $text) = @_;

	my ($what) = $text =~ /^# Skipped (.*)/m or return 0;
	my ($version) = $what =~ /^before PostgreSQL (\d+), because /
	  or die qq{$file: "# Skipped" must be followed by "before PostgreSQL NN, because REASON"\n};
	return $node->pg_version < $version;
}

sub example_ok
{
	my ($folder, $may_be_skipped) = @_;
	my ($name) = $folder =~ m{([^/]*)$};
	my $role = "example_$name";
	my $log = "$work/log/" . ($folder =~ tr{/}{-}r) . '.log';
	my $run = slurp_file("$tree/$folder/run");
	my ($options) = $run =~ /^# Role: (.+), because /m;

	system_log('dropdb', '--if-exists', $role);
	system_log('dropuser', '--if-exists', $role);
	$node->safe_psql('postgres', qq{CREATE ROLE "$role" LOGIN PASSWORD '$examples_password' } . ($options // ''));
	must_run('createdb', "--owner=$role", $role);
	$node->safe_psql($role, $_) foreach $run =~ /^# Superuser: (.*)/mg;
	local @ENV{qw(PGDATABASE PGUSER PGPASSWORD)} = ($role, $role, $examples_password);
	IPC::Run::run([ 'env', './run' ], '<', '/dev/null', '>', $log, '2>&1', init => sub { chdir "$tree/$folder" });
	my $status = $?;

	my @lines = split /\n/, slurp_file($log);
	if ($status >> 8 == 77)
	{
		skip_allowed($lines[-1]) if $may_be_skipped;
		plan(skip_all => $lines[-1]);
	}
	my @results = grep { /^(?:not )?ok - / } @lines;
	ok(!/^not/, s/^(?:not )?ok - //r) foreach @results;
	ok($status == 0 && @results > 0, 'the example has tests and exits with the status 0') or diag(join "\n", @lines);
	return done_testing();
}

foreach my $run (@runs)
{
	my ($folder) = $run =~ m{(.*)/run};
	my $text = slurp_file("$tree/$run");
	my $may_be_skipped = may_be_skipped($run, $text);
	my ($packages) = join ' ', $text =~ /^# Packages: (.*)/mg;
	my ($by_hand, $extension) = $text =~ /^# (Not in Debian: (\w+); last run by hand .*)/m;
	my ($version) = $node->pg_version =~ /^(\d+)/;
	my @lacking = lacks(split ' ', $packages =~ s/NN/$version/gr);

	subtest($folder, sub {
			skip_allowed("Debian does not have @lacking with this PostgreSQL") if @lacking && $may_be_skipped;
			plan(skip_all => "the package @lacking is not available for this PostgreSQL") if @lacking;
			skip_allowed($by_hand) if $by_hand && !has_extension($extension);
			example_ok($folder, $may_be_skipped);
		});
}
done_testing();
