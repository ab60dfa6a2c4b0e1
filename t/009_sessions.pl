#!/usr/bin/perl
# Several sessions: if a client begins a transaction after it received the COMMIT of
# another, the ids are larger.  Each session uses its settings.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;

use IO::Socket::UNIX;

my $pairs = 20_000;

my $node = new_server('main');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');

# Sends a message, and returns the answer.  psql would take most of the time.
sub answer
{
	my ($socket, $type, $content) = @_;
	my $answer = '';

	syswrite $socket, $type . pack('N', 4 + length $content) . $content;
	sysread($socket, $answer, 8192, length $answer) || die 'the server closed a connection' until $answer =~ /Z\0{3}\x05I\z/;
	return $answer;
}

# Two connections mint in turn.  Each id must be larger than all earlier ids.
foreach my $source ('transaction', 'clock')
{
	my @sockets = map { IO::Socket::UNIX->new($node->host . '/.s.PGSQL.' . $node->port) } 0, 1;
	my ($last, $wrong) = ('', 0);

	answer($_, '', pack 'N(Z*)*', 3 << 16, user => scalar getpwuid($>), database => 'postgres', options => "-cgid.instant_source=$source", '')
	  foreach @sockets;
	foreach my $n (1 .. 2 * $pairs)
	{
		my ($id) = answer($sockets[ $n % 2 ], 'Q', "SELECT gid_new('o')\0") =~ /D.{6}\0\0\0\x18(.{24})/s;
		$wrong++ unless $id gt $last;
		$last = $id;
	}
	is($wrong, 0, "gid.instant_source = $source: $pairs pairs of ids from two connections are in order");
}

# No two concurrent sessions of a node have the same medallion.
$node->append_conf('postgresql.conf', "gid.node = 3\n");
$node->restart;
my @sessions = map { $node->background_psql('postgres') } 1 .. 5;
my %medallions =
  map { scalar $_->query(q{SELECT gid_node(id), gid_medallion(id) FROM gid_new('o') id}) => 1 } @sessions;
is(scalar keys %medallions, 5, 'five sessions have five medallions');
is(scalar(grep { /^3\|/ } keys %medallions), 5, 'all medallions are of the node');
is( $sessions[0]->query('SELECT node, medallion >> 14 FROM gid_generator()'),
	'3|3',
	'gid_generator() returns the node');
$_->quit foreach @sessions;

# An invalid node causes a warning in each session, and does not pin the generator.
foreach my $wrong ('1024', '-2', 'one', '1.5e9')
{
	$node->adjust_conf('postgresql.conf', 'gid.node', "'$wrong'");
	$node->restart;
	my ($rc, $out, $err) =
	  $node->psql('postgres', q{LOAD 'gid'; SELECT node FROM gid_generator()});
	like($err, qr/WARNING:  (.*outside the valid range for|invalid value for) parameter "gid.node"/,
		"gid.node = $wrong causes a warning");
}

# Each backend needs a slot of the node, and other processes have slots as well.
sub mint_with
{
	my ($connections) = @_;

	$node->append_conf('postgresql.conf', "max_connections = $connections");
	$node->restart;
	my (undef, $id, $error) = $node->psql('postgres', "\\set VERBOSITY verbose\nSELECT gid_node(gid_new('o'))");
	return $id . $error;
}

$node->append_conf('postgresql.conf', "gid.node = 1023\nmax_locks_per_transaction = 10\nmax_files_per_process = 64");
my $slots = 16384;
my ($configured) = mint_with($slots) =~ /ERROR:  53400: .*configured for (\d+)\./s;
my $limit = 2 * $slots - ($configured // 0);
like(mint_with($limit + 1), qr/configured for 16385\./, 'a server that allows one backend more than slots cannot mint');
is(mint_with($limit), '1023', 'a server that allows as many backends as slots can mint');
done_testing();
