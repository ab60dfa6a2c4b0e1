# Runs check/settled.py as a test.  It writes to a server, polls it, and reports the
# rows that its pollers missed.

package Torture;

use strict;
use warnings;

use Exporter qw(import);
use Gid;
use Test::More;

our @EXPORT = qw(torture_settings torture_ok);

sub torture_settings
{
	return (
		q{shared_preload_libraries = 'gid'}, 'autovacuum = on', 'wal_level = logical',
		'max_connections = 60', 'max_prepared_transactions = 30', 'max_worker_processes = 16',
		q{wal_retrieve_retry_interval = '100ms'});
}

# One test: runs settled.py on a server, with these arguments.
sub torture_ok
{
	my ($node, $name, @arguments) = @_;
	local %ENV = environment_of($node);

	unshift @arguments, '--seed', $ENV{GID_SEED} if $ENV{GID_SEED};
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return runs_ok($name, [ $python, "$tree/check/settled.py", @arguments ], show => qr/seed|missed/);
}

1;
