# What says a version, a file or a requirement says the same everywhere:
# META.json for PGXN, gid.control, the Makefile, CHANGELOG.md and debian/.

use strict;
use warnings;

use FindBin;
use JSON::PP;
use PostgreSQL::Test::Utils;
use Test::More;

my $tree = "$FindBin::RealBin/..";
my $meta = decode_json(slurp_file("$tree/META.json"));

# The first match in a file, of what is in parentheses.
sub said
{
	my ($file, $pattern) = @_;
	my ($match) = slurp_file("$tree/$file") =~ /$pattern/m;
	return $match;
}

# What PGXN insists on.
foreach my $key (qw(name version abstract maintainer license provides meta-spec))
{
	ok($meta->{$key}, "META.json has $key");
}
is($meta->{'meta-spec'}{version}, '1.0.0', 'by the specification that it names');
like($meta->{version}, qr/^\d+\.\d+\.\d+$/, 'the version has three numbers');
is_deeply([ keys %{ $meta->{provides} } ], [ $meta->{name} ], 'it provides the one extension');

my $gid = $meta->{provides}{gid};
is($gid->{version}, $meta->{version}, 'of this version');
ok(-f "$tree/$gid->{$_}", "$gid->{$_} is there") foreach qw(file docfile);

my ($sql_version) = $meta->{version} =~ /^(\d+\.\d+)/;
is(said('gid.control', q{^default_version = '(.*)'}), $sql_version, 'gid.control: the same, less the patch');
is($gid->{file}, "gid--$sql_version.sql", 'its script is named by that');
like(said('Makefile', '^DATA = (.*)'), qr/\Q$gid->{file}\E/, 'the Makefile installs that');
is($meta->{abstract}, said('gid.control', q{^comment = '(.*)'}), 'gid.control: the same abstract');

# CHANGELOG.md begins with this version, and says whether it is released.
my ($version, $date) = slurp_file("$tree/CHANGELOG.md") =~ /^## (\S+) \((.*)\)/m;
is($version, $meta->{version}, 'CHANGELOG.md: the same version');
is($meta->{release_status}, $date eq 'unreleased' ? 'unstable' : 'stable', 'CHANGELOG.md: as stable as that');

my $oldest = said('src/compat.h', '^#if PG_VERSION_NUM < (\d+)0000$');
is($meta->{prereqs}{runtime}{requires}{PostgreSQL}, "$oldest.0.0", 'it requires what src/compat.h does');
is(said('script/lib.sh', '^oldest=(\d+)'), $oldest, 'so do the scripts');

SKIP:
{
	skip 'archives for PGXN are without debian/', 2 unless -d "$tree/debian";
	is(said('debian/changelog', '\A\S+ \((.*?)\)'), $meta->{version}, 'debian/changelog: the same version');
	is(said('debian/pgversions', '(.*)'), "$oldest+", 'debian/pgversions: the same versions of PostgreSQL');
}

done_testing();
