#!/usr/bin/perl
# Versions, file names and requirements are the same in META.json for PGXN,
# gid.control, the Makefile, CHANGELOG.md, clients/ and debian/.
#
# Does not depend on the version of PostgreSQL.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use IPC::Run ();
use JSON::PP;
use PostgreSQL::Test::Utils;
use Test::More;

my $meta = decode_json(slurp_file("$tree/META.json"));

# Returns the first match of the parentheses of a pattern in a file.
sub said
{
	my ($file, $pattern) = @_;
	my ($match) = slurp_file("$tree/$file") =~ /$pattern/m;
	return $match;
}

# The keys that PGXN requires, and all valid keys.  PGXN ignores a misspelt key.
my @required = qw(name version abstract maintainer license provides meta-spec);
my %known = (
	'' => [ @required, qw(description prereqs release_status generated_by no_index resources tags) ],
	'provides/gid' => [qw(file version abstract docfile)],
	'prereqs' => [qw(configure build test runtime develop)],
	'prereqs/runtime' => [qw(requires recommends suggests conflicts)],
	'resources' => [qw(homepage bugtracker repository)],
	'meta-spec' => [qw(version url)]);

ok($meta->{$_}, "META.json has $_") foreach @required;
is($meta->{'meta-spec'}{version}, '1.0.0', 'META.json names the version of the specification');
foreach my $path (sort keys %known)
{
	my $part = $meta;
	my %unknown;

	$part = $part->{$_} // {} foreach split m{/}, $path;
	@unknown{ keys %$part } = ();
	delete @unknown{ @{ $known{$path} } };
	is(join(' ', sort keys %unknown), '', "META.json: all keys in /$path are valid");
}
is(ref $meta->{tags}, 'ARRAY', 'META.json: tags are a list');
is($meta->{license}, 'postgresql', 'META.json: the license has the name that the specification uses');
is(said('LICENSE', '\A(.*)'), 'PostgreSQL License', 'LICENSE is the PostgreSQL License');
like($meta->{version}, qr/^\d+\.\d+\.\d+$/, 'META.json: the version has three numbers');
is_deeply([ keys %{ $meta->{provides} } ], [ $meta->{name} ], 'META.json provides the extension gid');

my $gid = $meta->{provides}{gid};
is($gid->{version}, $meta->{version}, 'META.json provides this version');
ok(-f "$tree/$gid->{$_}", "$gid->{$_} exists") foreach qw(file docfile);

my ($sql_version) = $meta->{version} =~ /^(\d+\.\d+)/;
is(said('gid.control', q{^default_version = '(.*)'}), $sql_version, 'gid.control: the same version, without the patch number');
is($gid->{file}, "gid--$sql_version.sql", 'META.json names the script of that version');
like(said('Makefile', '^DATA = (.*)'), qr/\Q$gid->{file}\E/, 'the Makefile installs that script');
is(said('Makefile', '^EXTENSION = (.*)'), $meta->{name}, 'the Makefile has the same extension name');
is($meta->{abstract}, said('gid.control', q{^comment = '(.*)'}), 'gid.control: the same abstract');

# CHANGELOG.md begins with this version, and with its date if it is released.
my ($version, $date) = slurp_file("$tree/CHANGELOG.md") =~ /^## (\S+) \((.*)\)/m;
is($version, $meta->{version}, 'CHANGELOG.md: the same version');
is($meta->{release_status}, $date eq 'unreleased' ? 'unstable' : 'stable', 'CHANGELOG.md: the same release status');

my $oldest = said('src/compat.h', '^#if PG_VERSION_NUM < (\d+)0000$');
is($meta->{prereqs}{runtime}{requires}{PostgreSQL}, "$oldest.0.0", 'META.json requires the PostgreSQL version of src/compat.h');
is(said('script/lib.sh', '^oldest=(\d+)'), $oldest, 'the scripts require the same version');
is_deeply(
	[ sort split /[, ]+/, said('gid.control', q{^requires = '(.*)'}) // '' ],
	[ sort grep { $_ ne 'PostgreSQL' } keys %{ $meta->{prereqs}{runtime}{requires} } ],
	'META.json requires the extensions of gid.control');

my @packages = map { -f ? s/^\Q$tree\E.//r : () } glob "$tree/{{move,clients/python}/pyproject.toml,clients/js/package.json,clients/*/{*.gemspec,Cargo.toml,pom.xml}}";
cmp_ok(scalar @packages, '>=', 6, 'packages of clients');
is(said($_, '^\W*(?:\w+\.)?version\W{1,5}(\d[\d.]*\d)\b'), $meta->{version}, "$_: the same version") foreach @packages;
my @with_address = grep { slurp_file("$tree/$_") =~ /\bgid\.example\b/ } 'doc/security.md', @packages;
is("@with_address", '', 'a release has a real address in place of gid.example') if $meta->{release_status} eq 'stable';
is(slurp_file($_), slurp_file("$tree/LICENSE"), "$_: the same license") foreach glob "$tree/{clients/*,move}/LICENSE";

# Every test and every check must be in the list of a program that runs it.
is_deeply([ sort(names_in('REGRESS')) ], [ sort map { m{.*/(.*)\.sql} } glob "$tree/sql/*.sql" ], 'REGRESS lists all files of sql/');
is_deeply([ sort(names_in('ISOLATION')) ], [ sort map { m{.*/(.*)\.spec} } glob "$tree/specs/*.spec" ], 'ISOLATION lists all files of specs/');
my $checks = slurp_file("$tree/script/check");
like($checks, qr{^(?:script/debian \w+ )?\Q$_\E$}m, "script/check has $_") foreach map { m{.*/(check/.*\.pl)} } glob "$tree/check/*.pl";
ok(-x $_, "$_ is executable") foreach glob "$tree/{t,move/t,check}/*.pl";

# Skipped tests are listed.  With CI=true they fail unless they use skip_allowed.  The text
# of the reason has no effect.
foreach my $function (qw(skip skip_allowed))
{
	my $program = "use Gid; use Test::More; SKIP: { $function('an example requires PostgreSQL 99', 1) } ok(1); done_testing();";
	local $ENV{CI} = 'true';
	my $succeeds = IPC::Run::run([ $^X, '-e', $program ], '>', \my $out, '2>', \my $err);

	is($succeeds ? 'succeeds' : 'fails', $function eq 'skip' ? 'fails' : 'succeeds', "with CI=true a program with $function");
	like($err, qr/^# Skipped on PostgreSQL \S+, .*: an example requires PostgreSQL 99/m, "$function is listed");
}

# The pages say when an example was last run by hand.
foreach my $run (glob "$tree/examples/*/run")
{
	my ($name) = $run =~ m{.*/(.*)/run};
	my ($date, $versions) = slurp_file($run) =~ /^# Not in Debian: .*; last run by hand (\S+) with (.*)$/m or next;
	my $page = slurp_file("$tree/doc/servers/$name.md") =~ s/\s+/ /gr;
	cmp_ok(index($page, "run by hand, last on $date with $versions."), '>=', 0, "doc/servers/$name.md: when examples/$name was run");
}

# Archives for PGXN do not contain debian/.
if (-d "$tree/debian")
{
	is(said('debian/changelog', '\A\S+ \((.*?)\)'), $meta->{version}, 'debian/changelog: the same version');
	is(said('debian/pgversions', '(.*)'), "$oldest+", 'debian/pgversions: the same versions of PostgreSQL');
}

done_testing();
