# Starts servers under faketime, and sets their clocks.

package FakeClock;

use strict;
use warnings;

use Gid;

use POSIX qw(strftime);

our ($library) = glob '/usr/lib/*/faketime/libfaketime.so.1';
our $tmp;						# the folder of the clock files

# Returns the clock file of a server.
sub file
{
	my ($node) = @_;

	$tmp //= PostgreSQL::Test::Utils::tempdir();
	return "$tmp/" . $node->name;
}

# Sets the clock of a server to this number of seconds ahead of the system's clock, or of a
# time, where it stands.  If each reading takes a number of seconds, no other time passes.  The
# file is renamed into place, because a process that finds an empty file exits.
sub set
{
	my ($node, $seconds, $time, $reading) = @_;
	my $file = file($node);

	unlink "$file.new";
	PostgreSQL::Test::Utils::append_to_file("$file.new",
		$time ? strftime("%F %T\n", localtime($time + $seconds)) : sprintf("%+f%s\n", $seconds, $reading ? " i$reading" : ''));
	rename "$file.new", $file or die "$file: $!";
	return;
}

# Starts an existing server under faketime.  The options are those of its start().
sub restart
{
	my ($node, %options) = @_;

	$node->stop if defined $node->{_pid};
	local $ENV{LD_PRELOAD} = $library;
	local $ENV{FAKETIME_TIMESTAMP_FILE} = file($node);
	local $ENV{FAKETIME_NO_CACHE} = 1;
	local $ENV{DONT_FAKE_MONOTONIC} = 1;
	local $ENV{FAKETIME_DONT_FAKE_MONOTONIC} = 1;
	return $node->start(%options);
}

sub start
{
	my ($name, @settings) = @_;
	my $node = new_server($name, 'autovacuum = off', @settings);

	set($node, 0);
	restart($node);
	return $node;
}

1;
