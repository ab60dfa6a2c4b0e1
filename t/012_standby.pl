#!/usr/bin/perl
# A streaming standby: its indexes find the rows of the primary, and it mints while it is
# read-only.  After its promotion it mints and stores ids.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Gid;
use Indexes;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf('postgresql.conf', "log_statement = none\nshared_buffers = 16MB");
$primary->start;
$primary->safe_psql('postgres', "CREATE EXTENSION gid; $Indexes::table");

# Some rows are in the base backup, the others arrive by streaming.
my $now = q{INSERT INTO loaded (body) SELECT repeat('x', 100) FROM generate_series(1, 5000)};
$primary->safe_psql('postgres', $now);
$primary->backup('base');

my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;
$primary->safe_psql('postgres', $now) foreach 1 .. 5;
$primary->safe_psql('postgres',
	q{DELETE FROM loaded WHERE gid_offset(id) % 7 = 0; UPDATE loaded SET body = 'y' WHERE gid_offset(id) % 11 = 0});
$primary->safe_psql('postgres', "VACUUM ANALYZE loaded; $now");
$primary->wait_for_catchup($standby);

# --- Read-only -------------------------------------------------------------

my $rows = q{SELECT count(*), md5(string_agg(l::text, ' ' ORDER BY id)) FROM loaded l};
is($standby->safe_psql('postgres', $rows), $primary->safe_psql('postgres', $rows), 'the standby has the rows of the primary');
Indexes::find_all('standby', $standby, $primary);

# Clients mint on the standby, and store the ids on the primary later.
my $session = $standby->background_psql('postgres', on_error_stop => 0);
my @minted;
push @minted, split /\n/, $session->query_safe($_) foreach (
	q{SELECT gid_new('o') FROM generate_series(1, 100)},
	q{SELECT gid_new('o')},
	q{SELECT gid_random('o') FROM generate_series(1, 100)},
	q{SELECT gid_random('o', now()) FROM generate_series(1, 100)});
is($session->query_safe('SHOW transaction_read_only'), 'on', 'standby: transactions are read-only');
is($session->query_safe('SELECT minted, clock_steps, overflows FROM gid_generator()'),
	'101|0|0', 'standby: gid_generator() counts the ids');
my $sent = $primary->safe_psql('postgres', q{INSERT INTO loaded DEFAULT VALUES RETURNING id});
$session->query_safe("SELECT gid_observe('$sent')");
push @minted, $session->query_safe(q{SELECT gid_new('o')});
cmp_ok($minted[-1], 'gt', $sent, 'standby: ids that are minted after gid_observe() are larger than the observed id');
like(($standby->psql('postgres', 'INSERT INTO loaded DEFAULT VALUES'))[2],
	qr/cannot execute INSERT in a read-only transaction/, 'standby: INSERT is rejected');

my $values = join ', ', map { "('$_')" } @minted;
is( $primary->safe_psql('postgres',
		"WITH i AS (INSERT INTO loaded (id) VALUES $values RETURNING id) SELECT count(DISTINCT id) FROM i"),
	scalar @minted,
	'the primary stores all ids that the standby minted');

# --- Promoted --------------------------------------------------------------

$primary->wait_for_catchup($standby);
my $before = $session->query_safe(q{SELECT gid_new('o')});
$standby->promote;
is($session->query_safe('SHOW transaction_read_only'), 'off', 'promoted: a session of the standby can write');
cmp_ok($session->query_safe('INSERT INTO loaded DEFAULT VALUES RETURNING id'),
	'gt', $before, 'promoted: its ids increase');
$session->quit;
$standby->safe_psql('postgres', $now) foreach 1 .. 5;
$standby->safe_psql('postgres', 'VACUUM loaded');
is( $standby->safe_psql('postgres', 'SELECT count(*) - count(DISTINCT id) FROM loaded'),
	'0', 'promoted: no id was minted twice');
Indexes::find_all('promoted', $standby);

$_->stop foreach $standby, $primary;
done_testing();
