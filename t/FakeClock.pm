# Servers under faketime, whose clocks a test moves.

package FakeClock;

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

our ($library) = glob '/usr/lib/*/faketime/libfaketime.so.1';
our $tmp;						# the folder of the clocks' files

# Moves a server's clock to so many seconds from ours.  The file is replaced at
# once: a process of the server that finds it empty would end.
sub set
{
	my ($node, $seconds) = @_;

	$tmp //= PostgreSQL::Test::Utils::tempdir();
	my $file = "$tmp/" . $node->name;

	unlink "$file.new";
	PostgreSQL::Test::Utils::append_to_file("$file.new", sprintf("%+f\n", $seconds));
	rename "$file.new", $file or die "$file: $!";
	return;
}

# Starts a server that exists under faketime.
sub restart
{
	my ($node) = @_;

	$node->stop if defined $node->{_pid};
	local $ENV{LD_PRELOAD} = $library;
	local $ENV{FAKETIME_TIMESTAMP_FILE} = "$tmp/" . $node->name;
	local $ENV{FAKETIME_NO_CACHE} = 1;
	local $ENV{DONT_FAKE_MONOTONIC} = 1;
	local $ENV{FAKETIME_DONT_FAKE_MONOTONIC} = 1;
	$node->start;
	return;
}

sub start
{
	my ($name, @settings) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', $_) foreach 'fsync = off', 'autovacuum = off', @settings;
	set($node, 0);
	restart($node);
	return $node;
}

1;
