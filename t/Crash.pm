# Kills servers, and starts them again.

package Crash;

use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

# Kills the postmaster, and these processes of its server.
sub kill_server
{
	my ($node, @pids) = @_;
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;

	$node->kill9;
	kill 'KILL', @pids;
	my $end = time + $PostgreSQL::Test::Utils::timeout_default;
	usleep(10_000) while time < $end && kill 0, $postmaster, @pids;
	return;
}

# Starts the server again, with the function $start if it is given.  This must wait until
# all processes of the killed server have noticed that the postmaster is gone.
sub start_again
{
	my ($node, $start) = @_;

	$start //= sub { $_[0]->start(fail_ok => 1) };
	my $end = time + $PostgreSQL::Test::Utils::timeout_default;
	until ($start->($node)) { time < $end or die 'the server does not start again' }
	return;
}

1;
