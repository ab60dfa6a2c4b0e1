#!/usr/bin/perl
# The pictures and charts of doc/ are the output of their programs.  Versions, licenses,
# requirements and lists of tests are the same in all files that contain them, and
# script/set_version changes every version.
#
# Does not depend on the version of PostgreSQL.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use Digest::SHA qw(sha256_hex);
use IPC::Run ();
use JSON::PP;
use PostgreSQL::Test::Utils;
use Test::More;

command_ok([ $python, "$tree/doc/pictures.py", '--check' ],
	'the pictures are the output of doc/pictures.py');
command_ok([ $python, "$tree/bench/pages.py", '--check' ],
	'the charts and README.md show the figures of the tables, and an existing command prints each table');

# Returns the first match of the parentheses of a pattern in a file.
sub said
{
	my ($file, $pattern) = @_;
	my ($match) = slurp_file("$tree/$file") =~ /$pattern/m;
	return $match;
}

my $changelog = slurp_file("$tree/CHANGELOG.md");
my ($version, $date) = $changelog =~ /^## (\S+) \((.*)\)/m;
my $meta = decode_json(slurp_file("$tree/META.json"));
my $is_released = $date ne 'unreleased';
my $oldest = said('src/compat.h', '^#if PG_VERSION_NUM < (\d+)0000$');

ok($meta->{$_}, "META.json has $_, which PGXN requires") foreach qw(abstract license maintainer meta-spec name provides version);
ok(-f "$tree/$meta->{provides}{gid}{$_}", "META.json: the $_ exists") foreach qw(file docfile);
is($meta->{version}, $version, 'META.json has the newest version of CHANGELOG.md');
is($meta->{release_status}, $is_released ? 'stable' : 'unstable', 'META.json: the release status');
is($meta->{abstract}, said('gid.control', q{^comment = '(.*)'}), 'META.json: the comment of gid.control');
is($meta->{prereqs}{runtime}{requires}{PostgreSQL}, "$oldest.0.0", 'META.json requires the PostgreSQL version of src/compat.h');
is(said('script/lib.sh', '^oldest=(\d+)'), $oldest, 'the scripts require the same version');
like($version, qr/^\Q@{[ said('gid.control', q{^default_version = '(.*)'}) ]}\E\.\d+$/, 'gid.control has the version without the patch');
is(slurp_file($_), slurp_file("$tree/LICENSE"), "$_: the same license") foreach glob "$tree/{clients/*,move}/LICENSE";

# Databases were created with the scripts of released versions.
my %scripts = map { s{.*/}{}r => slurp_file($_) } glob "$tree/gid--*.sql";
my %released = map { $_ => 1 } $changelog =~ /^## (\d+\.\d+)\.\d+ \((?!unreleased)/mg;
is_deeply({ map { /--([\d.]+)\.sql$/ && $released{$1} ? ($_ => sha256_hex($scripts{$_})) : () } keys %scripts },
	{ reverse slurp_file("$tree/t/released.sha256") =~ /^([0-9a-f]{64})  (\S+)$/mg }, 'the scripts of released versions are unchanged');
unlike(join("\n", values %scripts), qr/\bIN\s+SCHEMA\b/i, 'no script changes the privileges of all functions in pg_catalog');

# After the version is changed in a copy of the tree, no file contains this version or an
# older one, except for changelogs and the versions of other programs in lock files.
my $copy = PostgreSQL::Test::Utils::tempdir();
must_run('cp', '-R', "$tree/.", $copy);
runs_ok('script/set_version sets another version', [ "$copy/script/set_version", '98.76.54' ]);
my $versions = join '|', map { quotemeta } $changelog =~ /^## (\S+)/mg;
my ($left) = run_command([ qw(grep -rnIP --exclude-dir=node_modules --exclude=CHANGELOG.md --exclude=changelog --exclude=package-lock.json),
		"(?<![\\d.])(?:$versions)(?!\\.?\\d)", $copy ]);
is($left =~ s/^.*"meta-spec".*$//mr, '', 'script/set_version leaves no old version');
my @packages = map { -f ? s{^\Q$tree\E/}{}r : () }
  glob "$tree/{clients/python/pyproject.toml,clients/js/package{,-lock}.json,clients/*/{*.gemspec,Cargo.toml,pom.xml}}";
is(join(' ', grep { slurp_file("$copy/$_") !~ /\b98\.76\.54\b/ } @packages), '', 'all packages of clients have the new version');
is(join(' ', grep { slurp_file("$tree/$_") =~ /\bgid\.example\b/ } 'doc/security.md', @packages),
	'', 'a release has a real address in place of gid.example') if $is_released;

# Every test and every check must be in the list of a program that runs it.
is_deeply([ sort(names_in('REGRESS')) ], [ sort map { m{.*/(.*)\.sql} } glob "$tree/sql/*.sql" ], 'REGRESS lists all files of sql/');
is_deeply([ sort(names_in('ISOLATION')) ], [ sort map { m{.*/(.*)\.spec} } glob "$tree/specs/*.spec" ], 'ISOLATION lists all files of specs/');
my $checks = slurp_file("$tree/script/check");
like($checks, qr{^(?:script/debian \w+ )?\Q$_\E$}m, "script/check has $_") foreach map { m{.*/(check/.*\.pl)} } glob "$tree/check/*.pl";
ok(-x $_, "$_ is executable") foreach glob "$tree/{t,move/t,check}/*.pl";

# Skipped tests are listed.  With CI=true they fail unless they use skip_allowed.
foreach my $function (qw(skip skip_allowed))
{
	local $ENV{CI} = 'true';
	my $succeeds = IPC::Run::run([ $^X, '-e', "use Gid; use Test::More; SKIP: { $function('a reason', 1) } ok(1); done_testing();" ],
		'>', \my $out, '2>', \my $err);
	is($succeeds ? 'succeeds' : 'fails', $function eq 'skip' ? 'fails' : 'succeeds', "with CI=true a program with $function");
	like($err, qr/^# Skipped on PostgreSQL \S+, .*: a reason/m, "$function is listed");
}

# The pages say when an example was last run by hand.
foreach my $run (glob "$tree/examples/*/run")
{
	my ($name) = $run =~ m{.*/(.*)/run};
	my ($when) = slurp_file($run) =~ /^# Not in Debian: .*; last run by hand (.*)$/m or next;
	like(slurp_file("$tree/doc/servers/$name.md") =~ s/\s+/ /gr, qr/run by hand, last on \Q$when\E\./,
		"doc/servers/$name.md: when examples/$name was run");
}

# Archives for PGXN do not contain debian/.
if (-d "$tree/debian")
{
	is(said('debian/changelog', '\A\S+ \((.*?)\)'), $version, 'debian/changelog: the same version');
	is(said('debian/pgversions', '(.*)'), "$oldest+", 'debian/pgversions: the same versions of PostgreSQL');
}

done_testing();
