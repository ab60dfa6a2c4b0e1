# Runs commands of gid-move, all in one Python process.

package Move;

use strict;
use warnings;

use Exporter qw(import);
use Gid;
use IPC::Open2;
use JSON::PP;

our @EXPORT = qw($db $as begin_move end_move gid_move moves_ok);

# The database and the role of the commands, and how driver.py runs them.
our ($db, $as, $how) = ('postgres', '', 'once');
my ($driver, $from, $to);

sub begin_move
{
	my ($command, @arguments) = @_;
	$driver ||= open2($from, $to, $python, "$tree/move/t/driver.py");
	print $to encode_json([ $how, $command, "dbname='$db' user=$as", @arguments ]), "\n";
	return $to->flush;
}

# Waits for its end.  Returns whether it succeeded, and what it printed.  $? has the exit status.
sub end_move
{
	my ($status, $said) = @{ decode_json(readline($from) // die 'driver.py has ended') };
	note($said);
	$? = $status << 8;
	return ($status == 0, $said);
}

sub gid_move { begin_move(@_); return end_move() }

# One test: these commands succeed.  Only plan and start get all arguments.
sub moves_ok
{
	my ($commands, @arguments) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	foreach my $command (split ' ', $commands)
	{
		my ($succeeded, $said) = gid_move($command, $command =~ /plan|start/ ? @arguments : $arguments[0]);
		$succeeded or return ok(0, "gid-move $command @arguments") || diag($said);
	}
	return ok(1, "gid-move $commands");
}

END { local $?; waitpid $driver, 0 if $driver && close $to }

1;
