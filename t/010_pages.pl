#!/usr/bin/perl
# The pictures of doc/ are the output of their program.  Versions, licenses,
# requirements and lists of tests are the same in all files that contain them, and stay so
# when script/set_address and script/set_version change them, from release to release.
#
# Packages: git
# Does not depend on the version of PostgreSQL.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use Digest::SHA qw(sha256_hex);
use IPC::Run ();
use JSON::PP;

command_ok([ $python, "$tree/doc/pictures.py", '--check' ],
	'the pictures are the output of doc/pictures.py');
command_ok([ $python, "$tree/bench/pages.py", '--check' ],
	'README.md shows the figures of the tables, and the page names existing commands and tables');

# Returns the first match of the parentheses of a pattern in a file of a tree.
my $root = $tree;
sub said
{
	my ($file, $pattern) = @_;
	my ($match) = slurp_file("$root/$file") =~ /$pattern/m;
	return $match;
}

# Returns the text of files of a tree, by their names.
sub texts { return map { s{^\Q$root\E/}{}r => slurp_file($_) } grep { -f } map { glob "$root/$_" } @_ }

my @manifests = map { "clients/$_" } qw(python/pyproject.toml js/package.json ruby/*.gemspec rust/Cargo.toml java/pom.xml);

# Tests what the files of a tree say of its version, which is released or not, and of the
# address of the project, which is known or not.
sub versions_ok
{
	my ($name) = @_;
	my $changelog = slurp_file("$root/CHANGELOG.md");
	my ($version, $date) = $changelog =~ /^## (\S+) \((.*)\)/m;
	my $meta = decode_json(slurp_file("$root/META.json"));
	my $is_released = $date ne 'unreleased';

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return subtest $name => sub {
		like($date, qr/^(?:unreleased|\d{4}-\d\d-\d\d)$/, 'the date of a release');
		is($meta->{version}, $version, 'META.json has the newest version of CHANGELOG.md');
		is($meta->{release_status}, $is_released ? 'stable' : 'unstable', 'META.json: the release status');
		like($version, qr/^\Q@{[ said('gid.control', q{^default_version = '(.*)'}) ]}\E\.\d+$/, 'gid.control has the version without the patch');
		if (-d "$root/debian")				# archives for PGXN do not contain it
		{
			is(said('debian/changelog', '\A\S+ \((.*?)\)'), $version, 'debian/changelog: the same version');
			is(said('debian/changelog', '\A.*\) (\w+);'), $is_released ? 'unstable' : 'UNRELEASED', 'debian/changelog: whether it is released');
		}
		my %packages = texts(@manifests, 'clients/js/package-lock.json');
		is(join(' ', grep { $packages{$_} !~ /(?<![\d.])\Q$version\E(?!\.?\d)/ } keys %packages), '', 'all packages of clients have this version');

		# Databases were created with the scripts of released versions.
		my %scripts = texts('gid--*.sql');
		my %released = map { $_ => 1 } $changelog =~ /^## (\d+\.\d+)\.\d+ \((?!unreleased)/mg;
		is_deeply({ map { /--([\d.]+)\.sql$/ && $released{$1} ? ($_ => sha256_hex($scripts{$_})) : () } keys %scripts },
			{ reverse slurp_file("$root/t/released.sha256") =~ /^([0-9a-f]{64})  (\S+)$/mg }, 'the scripts of released versions are unchanged');
		is(join(' ', grep { /--.*--/ && $scripts{$_} !~ /^SELECT gid_complete_update\(\);$/m } keys %scripts), '', 'all updates call gid_complete_update');

		# Fields for an address are left out until script/set_address adds them.
		my ($address) = map { s{^https://}{}r } $meta->{resources}{homepage} // ();
		my %manifests = texts(@manifests, 'META.json', 'debian/control.in', 'clients/go/go.mod');
		my $expected = $address ? qr/\Q$address\E/ : qr/\A(?!.*(?:homepage|"bugs"|<scm>|urls =))/si;
		is(join(' ', grep { $manifests{$_} !~ $expected } keys %manifests), '', $address ? "all manifests have the address $address" : 'no manifest has an address');
		my %all = (%manifests, texts('doc/*.md', 'doc/*/*.md', '*.md', 'clients/*/README.md'));
		is(join(' ', grep { $all{$_} =~ /\bgid\.example\b/ } keys %all), '', 'no address is a placeholder');
		delete @all{qw(CHANGELOG.md RELEASING.md)};
		is(join(' ', grep { $all{$_} =~ /(?:version|release)s? so far|(?:not|never)\s+(?:\w+\s+)?(?:been\s+)?released|until\s+(?:the|its|a)\s+release|first\s+release/i } keys %all),
			'', 'no page has a sentence that is true of the first version only');
	};
}

my $changelog = slurp_file("$tree/CHANGELOG.md");
my ($version, $date) = $changelog =~ /^## (\S+) \((.*)\)/m;
my $meta = decode_json(slurp_file("$tree/META.json"));
my $oldest = said('src/compat.h', '^#if PG_VERSION_NUM < (\d+)0000$');

versions_ok('the version of this tree');
ok($meta->{$_}, "META.json has $_, which PGXN requires") foreach qw(abstract license maintainer meta-spec name provides version);
ok(-f "$tree/$meta->{provides}{gid}{$_}", "META.json: the $_ exists") foreach qw(file docfile);
my $move = said('move/gid_move/__init__.py', '^__version__ = "(.*)"');
is(said('move/README.md', '\bversion is (\d+\.\d+)'), $move, 'move/README.md: the version of gid-move');
is(said('README.md', 'gid-move.*, which is version (\S+)'), $move, 'README.md: the version of gid-move');
is($meta->{abstract}, said('gid.control', q{^comment = '(.*)'}), 'META.json: the comment of gid.control');
is($meta->{prereqs}{runtime}{requires}{PostgreSQL}, "$oldest.0.0", 'META.json requires the PostgreSQL version of src/compat.h');
is(said('script/lib.sh', '^oldest=(\d+)'), $oldest, 'the scripts require the same version');
is(said('debian/pgversions', '(.*)'), "$oldest+", 'debian/pgversions: the same versions of PostgreSQL') if -d "$tree/debian";
is(slurp_file($_), slurp_file("$tree/LICENSE"), "$_: the same license") foreach glob "$tree/{clients/*,move}/LICENSE";
unlike(join("\n", map { slurp_file($_) } glob "$tree/gid--*.sql"), qr/\bIN\s+SCHEMA\b/i, 'no script changes the privileges of all functions in pg_catalog');

# Releases this version, a patch and the next version, in a copy of the tree.
$root = PostgreSQL::Test::Utils::tempdir();
must_run('cp', '-R', "$tree/.", $root);
sub git { must_run('git', '-C', $root, qw(-c user.name=test -c user.email=test@localhost -c init.defaultBranch=main), @_); return }
sub commit { git(qw(add -A)); git(qw(commit -q -m change)); return }
sub script
{
	local @ENV{qw(GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL)} = qw(test t@localhost test t@localhost);
	my ($name, @arguments) = @_;
	my $succeeds = IPC::Run::run([ "$root/script/$name", @arguments ], '<', \'', '>&', \my $output);
	note $output;
	return ($succeeds, $output);
}
sub set_version { return (script('set_version', @_))[0] }

# Releases the version that has begun.  In this tree, too, its section can still be empty.
sub releases_ok
{
	my ($begun) = @_;

	if (slurp_file("$root/CHANGELOG.md") =~ /^## .*\n\s*(?:^## |\z)/m)
	{
		ok(!set_version(qw(--release 2030-01-01)), "$begun is not released while its section of CHANGELOG.md is empty");
		must_run('sed', '-i', "0,/^## .*/s//&\\n\\n- A change./", "$root/CHANGELOG.md");
		ok(!set_version('--release'), 'changes must be committed before a release');
		commit();
	}
	ok(set_version(qw(--release 2030-01-01)), "$begun is released");
	versions_ok("$begun is released");
	return;
}

must_run('rm', '-rf', "$root/.git");
git('init', '-q');
foreach my $address (qw(https://git.example/some-one/gid.git https://other.example/gid))
{
	runs_ok("script/set_address $address", [ "$root/script/set_address", $address, 'security@git.example' ]);
	versions_ok("an address: $address");
	is(said('META.json', '"homepage": "(.*?)"'), $address =~ s/\.git$//r, 'the address of the pages has no ".git"');
}
commit();
my ($x, $y, $z) = split /\./, $version;
my @next = ("$x.$y." . ($z + 1), "$x." . ($y + 1) . '.0');
if ($date eq 'unreleased')
{
	ok(!set_version($next[0]), "set_version does not begin $next[0] before $version is released");
	releases_ok($version);
}
foreach my $new (@next)
{
	ok(!set_version('--release'), 'a version is released once');
	ok(set_version($new), "$new begins");
	versions_ok("$new begins");
	commit();
	releases_ok($new);
}
ok(!set_version($version), 'an earlier version does not begin');

ok(set_version('98.76.54'), 'any later version begins');
versions_ok('98.76.54 begins');
is(said('doc/clients/javascript.md', '(\S+-rc\.\d+)'), (slurp_file("$tree/doc/clients/javascript.md") =~ /(\S+-rc\.\d+)/)[0], 'a candidate of another program keeps its version');

# A release that is refused or fails changes nothing.
my @release = ('release', PostgreSQL::Test::Utils::tempdir() . '/archives');
like((script(@release))[1], qr/changes that are not committed/, 'script/release: changes must be committed');
must_run('sed', '-i', "0,/^## .*/s//&\\n\\n- A change./", "$root/CHANGELOG.md");
must_run('sed', '-i', '2i exit 1', "$root/script/test");		# so that this test does not run itself
commit();
my ($head) = run_command([ qw(git -C), $root, qw(rev-parse HEAD) ]);
ok(!(script(@release))[0], 'script/release fails if the tests fail');
is((run_command([ qw(git -C), $root, qw(rev-parse HEAD) ]))[0], $head, 'and removes its commit');
git(qw(tag -m test clients/go/v98.76.54));
like((script(@release))[1], qr{the tag clients/go/v98.76.54 exists already}, 'script/release: a tag exists');
append_to_file("$root/$_", "-- more\n") foreach qw(gid--0.9--1.0.sql gid--1.0.sql);
commit();
like((script(qw(set_version --release)))[1], qr/gid--1\.0\.sql has changed/, 'no version is released if a released script has changed');
is((run_command([ qw(git -C), $root, qw(status --porcelain) ]))[0], '', 'and nothing is changed');

# No file contains an old version, except for changelogs, the versions of other programs in
# lock files, and gid-move, which has a version of its own.  Other programs have candidates.
my $versions = join '|', map { quotemeta } $changelog =~ /^## (\S+)/mg;
my ($left) = run_command([ qw(grep -rnIP --exclude-dir=node_modules --exclude-dir=move --exclude-dir=.git --exclude=CHANGELOG.md --exclude=changelog --exclude=package-lock.json),
		"(?<![\\d.])(?:$versions)(?!\\.?\\d|-rc\\.)", $root ]);
is($left =~ s/^.*"meta-spec".*$//mr, '', 'script/set_version leaves no old version');

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

done_testing();
