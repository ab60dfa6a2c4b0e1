# Servers that are killed, and started again.

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

# Starts it, by the code given if there is one.  It cannot start before the last
# process of the server before has noticed that the postmaster is gone, and has ended.
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
