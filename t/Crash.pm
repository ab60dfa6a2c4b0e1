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
	foreach (1 .. 600)
	{
		last unless kill 0, $postmaster, @pids;
		usleep(100_000);
	}
	return;
}

# Starts the server again, with the function $start if it is given.  This must wait until
# all processes of the killed server have noticed that the postmaster is gone.
sub start_again
{
	my ($node, $start) = @_;

	$start //= sub { $_[0]->start(fail_ok => 1) };
	foreach (1 .. 600)
	{
		return if $start->($node);
		usleep(100_000);
	}
	die 'the server does not start again';
}

1;
