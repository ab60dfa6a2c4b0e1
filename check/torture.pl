#!/usr/bin/perl
# No poller that reads up to gid_settled() misses a row: during a restart, a crash and a
# failover, when transaction ids pass 2^32, and when the clock steps.
#
# Different writers and pollers run on a build that sleeps between the steps of the
# protocol, so that steps of other sessions happen in between.  Some pollers do not use
# gid_settled(), and must miss rows.  GID_SEED=N sets the seed; the test prints the seeds
# that it uses.
#
# 2 minutes.
# Packages: python3-psycopg

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t", $FindBin::RealBin;
use Gid;
use FakeClock;
use Torture;

use PostgreSQL::Test::Utils;
use Test::More;

my $seconds = is_long() ? 300 : 15;
build('clean', 'COPT=-DGID_TEST_DELAYS');

my $node = new_server('main', torture_settings());
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION gid');
torture_ok($node, 'no row is missed during a restart, a crash and a failover',
	'--seconds', $seconds * 4 / 3, '--data', $node->data_dir, '--bindir', $bindir);
$node->stop;

# pg_resetwal sets the next transaction id.  After that, only frozen rows are visible.
my $late = new_server('late', torture_settings(), 'autovacuum = off');
$late->start;
$late->safe_psql('postgres', 'CREATE EXTENSION gid');
$late->safe_psql('postgres', 'VACUUM FREEZE');
$late->stop;
must_run('pg_resetwal', '-D', $late->data_dir, '-e', 0, '-x', 4294965000, '-u', 4294900000);
must_run('dd', 'if=/dev/zero', 'of=' . $late->data_dir . '/pg_xact/0FFF', 'bs=8192', 'count=32', 'status=none');
$late->start;
torture_ok($late, 'no row is missed when transaction ids pass 2^32', '--seconds', $seconds);
cmp_ok($late->safe_psql('postgres', 'SELECT pg_current_xact_id()'), '>', 2**32, 'transaction ids have passed 2^32');
$late->stop;

my $clock = FakeClock::start('clock', torture_settings());
$clock->safe_psql('postgres', 'CREATE EXTENSION gid');
torture_ok($clock, 'no row is missed when the clock steps at random',
	'--seconds', $seconds * 2, '--clock', FakeClock::file($clock));
done_testing();
