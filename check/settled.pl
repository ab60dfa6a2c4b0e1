#!/usr/bin/perl
# The errors that check/model.pl finds in a model of gid_settled() are errors on a server,
# too.  Mutations of the model are made in the code.  Two sessions then execute the steps
# that lead to the error, because one of them is stopped between its steps.  With the
# mutation, an id is below the horizon of an older snapshot, so a poller would miss the row.
#
# When: src/settled.* src/samples.* src/server_clock.* src/delay.h

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

my $poll = q{SELECT gid_settled('e')};
my $write = 'INSERT INTO event DEFAULT VALUES RETURNING id';

# The name in check/model.pml, the file, the change, which session is stopped, and where.
my @replays = (
	[ 'WITHOUT_CLAIM', 'server_clock.c', 's{pg_atomic_write_u64\(&slot->claim, instant\); /\* step 1}{/*}', \&stop_writer, 'floor read' ],
	[ 'CLAIMS_BEFORE_FLOOR', 'settled.c',
		's{gid_raise_floor_to_clock\(\);(?=\s+/\* step 1)}{least_claim(PG_INT64_MAX);} and '
		  . 's{least_claim\(transactions.least\);}{Min(transactions.least, gid_raise_floor_to_clock());}',
		\&stop_poller, 'floor raised' ],
	[ 'RUNNING_BEFORE_CLAIMS', 'settled.c',
		's{(\ttransactions.least = least_claim.*?)(\ttransactions.next_xid = .*?\n)(.*?)(\tread_running.*?"running read"\);\n)}{$2$4$1$3}s',
		\&stop_poller_until_commit, 'running read' ],
	[ 'ENDED_WITHOUT_INSTANT', 'server_clock.c', 's{xid, gid_claimed\);}{xid, 0);}', \&stop_poller_until_commit, 'floor raised' ]);

build('clean', 'COPT=-DGID_TEST_DELAYS');
my $node = new_server('main', q{shared_preload_libraries = 'gid'});
$node->start;
$node->safe_psql('postgres', q{CREATE EXTENSION gid; CREATE TABLE event (id gid(e) DEFAULT gid_new('e')); CREATE TABLE other (n int)});

# Starts a statement in a session of its own, and waits until it is stopped.
sub start
{
	my ($point, $sql) = @_;
	my $started = { output => '' };

	$started->{psql} = IPC::Run::start([ 'psql', '-XAtqc', $sql, $node->connstr('postgres') . " application_name='$point'" ], '>', \$started->{output});
	my $end = time + $PostgreSQL::Test::Utils::timeout_default;
	while (time < $end)
	{
		sleep 0.01;
		$started->{pid} = $node->safe_psql('postgres', "SELECT pid FROM pg_stat_activity WHERE application_name = '$point'");
		return $started if $started->{pid} && slurp_file("/proc/$started->{pid}/stat") =~ /^\S+ \(.*\) T /;
	}
	die "no session stops at the point \"$point\"";
}

# Continues it.  Returns what it printed.
sub finish
{
	my ($started) = @_;

	kill 'CONT', $started->{pid};
	$started->{psql}->finish or die 'psql failed';
	return $started->{output} =~ s/\n//gr;
}

# Each returns an id and a horizon.  The row of the id is not visible to the snapshot of
# the horizon.
sub stop_writer
{
	my $writer = start($_[0], $write);
	my $horizon = $node->safe_psql('postgres', $poll);
	return (finish($writer), $horizon);
}

sub stop_poller
{
	my $poller = start($_[0], $poll);
	my $writer = $node->background_psql('postgres');
	my $id = $writer->query_safe("BEGIN; $write");
	my $horizon = finish($poller);
	$writer->query_safe('COMMIT');
	$writer->quit;
	return ($id, $horizon);
}

sub stop_poller_until_commit
{
	my $writer = $node->background_psql('postgres');
	my $id = $writer->query_safe("BEGIN; $write");
	my $poller = start($_[0], $poll);
	$writer->query_safe('COMMIT');
	# Three more ended transactions overwrite the record of the first.
	$writer->query_safe('INSERT INTO other VALUES (1)') foreach 1 .. ($_[0] eq 'running read' ? 3 : 0);
	$writer->quit;
	return ($id, finish($poller));
}

sub is_missed
{
	my ($run, $point) = @_;
	my ($id, $horizon) = $run->($point);

	note("at \"$point\": the id $id, the horizon $horizon");
	return $node->safe_psql('postgres', "SELECT '$id'::gid < '$horizon'");
}

is(is_missed(@$_[ 3, 4 ]), 'f', "the row is not missed without $_->[0]") foreach @replays;
foreach (@replays)
{
	my ($name, $file, $change, @run) = @$_;

	$node->stop;
	build_changed('-DGID_TEST_DELAYS', 'perl', '-0pi', '-e', "$change or die", "$tree/src/$file");
	$node->start;
	like(slurp_file("$tree/check/model.pml"), qr/^#define $name\s.*base: /m, "$name is a mutation of the model");
	is(is_missed(@run), 't', "the row is missed with $name");
}
done_testing();
