#!/usr/bin/perl
# The generator of a session, in a server that does not preload gid: at a clock that stands,
# each id has exactly the expected instant, medallion and offset.  t/026_one_clock.pl is for
# a server that preloads gid.
#
# When: src/generator.* src/clock.c src/mint.c src/server_clock.* check/generator*

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;
use FakeClock;

# Mints an id and moves the offset as though it had minted n ids, because it would take
# minutes to mint all ids of an instant.
append_to_file("$tree/src/generator.c", q{
PG_FUNCTION_INFO_V1(gid_new_run);
Datum
gid_new_run(PG_FUNCTION_ARGS)
{
	GidWords	first = gid_next(gid_kind_argument(fcinfo));

	generator.offset += PG_GETARG_INT32(1) - 1;
	generator.minted += PG_GETARG_INT32(1) - 1;
	PG_RETURN_GID(first);
}
});
build('clean');

my $node = FakeClock::start('clock', 'max_prepared_transactions = 1');
my $base = time;
$node->safe_psql('postgres', qq{
	CREATE EXTENSION gid;
	CREATE FUNCTION gid_new_run(kind text, n int) RETURNS gid LANGUAGE c STRICT AS '\$libdir/gid';
	-- An id that gid_new() could have minted at this second.
	CREATE FUNCTION muid(at numeric) RETURNS gid LANGUAGE sql RETURN gid_from_muid('o', format('%s-10000ABCDEF-00000001',
		lpad(to_hex((($base + at) * 1000000)::bigint), 13, '0')));
	CREATE FUNCTION observe(id gid) RETURNS text LANGUAGE plpgsql AS \$\$
	BEGIN
		PERFORM gid_observe(id);
		RETURN NULL;
	EXCEPTION WHEN datetime_field_overflow THEN
		RETURN 'rejected';
	END \$\$;
	-- What an id has, if gid_generator() shows the same.
	CREATE FUNCTION parts(id gid, n int DEFAULT 1) RETURNS text LANGUAGE sql RETURN (
		SELECT format('%s %s %s %s', medallion, coalesce(node, -1), trim_scale(extract(epoch FROM last_instant) - $base), gid_offset(id))
		FROM gid_generator() WHERE (medallion, last_instant, last_offset) = (gid_medallion(id), gid_instant(id), gid_offset(id) + n - 1)
			AND gid_prefix(id) = get_byte(gid_send(id), 7) AND medallion >> 14 = coalesce(node, medallion >> 14))});

# In statements, "new" mints an id, "to last" uses up the offsets of the instant, but for the last one, and "see"
# observes an id.  Results show for each id the letter of its medallion, its second, and whether its offset is the
# next one, the first one, or random in the lower half.  "step", "followed" and the like follow if they occurred.
my %statement = (
	new => q{SELECT parts(gid_new('o'))},
	'to last' => q{SELECT parts(gid_new_run('o', n), n) FROM gid_generator(), LATERAL (SELECT 1073741822 - last_offset) r (n)},
	see => q{SELECT observe(muid(S))},
	'see random' => qq{SELECT observe(gid_random('o', to_timestamp($base + S)))},
	'see invalid' => q{SELECT observe(set_byte(gid_send(muid(S)), 8, 255)::gid)});
my ($session, $offset, %letter, %counted);

sub result_of
{
	my ($statements) = @_;
	my ($ids, @results) = (0);
	foreach my $statement (split /; */, $statements)
	{
		my $sql = $statement =~ s/^(new|to last|see random|see invalid|see)\b(?: (\S+))?$/my $second = $2; $statement{$1} =~ s,\bS\b,$second,r/er;
		my $row = $session->query_safe($sql);
		push @results, $row if $row eq 'rejected' || $statement =~ /^(?:new|to last)/ && $row eq '';
		my ($medallion, $number, $second, $new) = $row =~ /^(\d+) (-?\d+) (\S+) (\d+)$/ or next;
		$letter{$medallion} = chr(ord('A') + keys %letter) unless $letter{$medallion};
		my $how = $new == $offset + 1 ? 'next' : $new == 1 ? 'first' : $new <= 1 << 29 ? 'random' : $new;
		push @results, join ' ', ($number < 0 ? () : $number) , $letter{$medallion}, $second, $how;
		$offset = $statement eq 'new' ? $new : 1073741822;
		$ids += 1 + $offset - $new;
	}
	my $log = slurp_file($node->logfile);
	my %now = (followed => scalar(() = $log =~ /LOG:  clock moved backwards/g), warned => scalar(() = $log =~ /WARNING:  clock moved backwards/g));
	@now{qw(minted step overflow)} = split /\|/, $session->query_safe('SELECT minted, clock_steps, overflows FROM gid_generator()');
	push @results, map { ($_) x ($now{$_} - ($counted{$_} // 0)) } qw(step overflow followed warned);
	push @results, 'counted ' . ($now{minted} - $counted{minted}) if $now{minted} != $counted{minted} + $ids;
	%counted = %now;
	return join ', ', @results;
}

while (my $row = <DATA>)
{
	chomp $row;
	if ($row =~ /^# (.*)/)		# a session
	{
		note($1);
		$session->quit if $session;
		$session = $node->background_psql('postgres');
		$session->query_safe(q{SET client_min_messages = error; LOAD 'gid'});
		@counted{qw(minted step overflow)} = (0) x 3;
		($offset, %letter) = (-1);
	}
	elsif ($row =~ /^gid\.node = (.*)/)
	{
		$node->append_conf('postgresql.conf', $row);
		$node->reload;
		my $number = $1;
		my $end = time + $PostgreSQL::Test::Utils::timeout_default;
		while ($session->query_safe('SHOW gid.node') ne $number) { die 'no new gid.node' if time > $end }
	}
	else
	{
		my ($second, $statements, $expected) = split / *\| */, $row, -1;
		FakeClock::set($node, $second, $base);
		is(result_of($statements), $expected, "$second s: $statements");
	}
}

# Each id needs another microsecond, in which the clock can be read ten times.
$session->quit;
FakeClock::set($node, 0, undef, '0.0000001');
is($node->safe_psql('postgres', q{SELECT count(gid_new_run('o', 1073741823)) FROM generate_series(1, 2000);
	SELECT overflows, last_instant < clock_timestamp() + interval '0.5 ms' FROM gid_generator()}),
	"2000\n1999|t", 'microseconds are not added faster than the clock counts them');
done_testing();

__DATA__
# The ids of a transaction have one instant.  A rollback gives no offset back.
0 | new | A 0 random
0 | new | A 0.000001 random
0 | BEGIN; new; new; SAVEPOINT s; new; ROLLBACK TO s; new; ROLLBACK; new | A 0.000002 random, A 0.000002 next, A 0.000002 next, A 0.000002 next, A 0.000003 random
1 | BEGIN; new; PREPARE TRANSACTION 'p'; new; ROLLBACK PREPARED 'p'; new | A 1 random, A 1.000001 random, A 1.000002 random
# After the last offset, the instant is a microsecond later.
2 | BEGIN; new; to last; new; new; new; COMMIT | A 2 random, A 2 next, A 2 next, A 2.000001 first, A 2.000001 next, overflow
2 | new | A 2.000002 random
3 | SET gid.instant_source = clock; new; new; to last; new; new | A 3 next, A 3 next, A 3 next, A 3 next, A 3.000001 first, overflow
4 | to last; new | A 4 next, A 4 next
5 | new | A 5.000001 first, overflow
# The source of the instant changes in a session and in a transaction.
6 | BEGIN; new; SET LOCAL gid.instant_source = clock; new; new; SET LOCAL gid.instant_source = transaction; new; new; COMMIT; new | A 6 random, A 6 next, A 6 next, A 6.000001 random, A 6.000001 next, A 6.000002 random
7 | SET gid.instant_source = clock; new; new | A 7 next, A 7 next
# The next id is later than an observed one, of which only the milliseconds count if it is not a muid.
10 | new; see 12; new; see 12.000001; new; see 11; new | A 10 random, A 12.000001 random, A 12.000002 random, A 12.000003 random
10 | BEGIN; new; see 12; new; see 13; new; new; COMMIT | A 12.000004 random, A 12.000004 next, A 13.000001 random, A 13.000001 next
10 | SET gid.instant_source = clock; see 14; new; see 14.000001; new; new; see 14; new | A 14.000001 next, A 14.000002 next, A 14.000002 next, A 14.000002 next
10 | see random 15; new; see invalid 16; new; see random 15.999; new | A 15.001 next, A 16.001 next, A 16.001 next
10 | see 20.000001; see random 20; new; see 20; new | rejected, rejected, A 16.001 next, A 20.000001 next
# A clock that was set back by gid.max_clock_skew at most is not followed.
30 | new | A 30 random
22 | new; new | A 30.000001 random, A 30.000002 random, step
21 | see 5 | step
20 | new | B 20 random, step, followed
# By more than that, it is followed once.
30 | SET gid.instant_source = clock; new | A 30 random
20 | new; new | A 30 next, A 30 next, step
19 | new; new | B 19 random, B 19 next, step, followed
# What an observed id is ahead is no step.
40 | new; see 48; new | A 40 random, A 48.000001 random
31 | new | A 48.000002 random, step
50 | new | A 50 random
39 | new | B 39 random, step, followed
# A step is followed when an id is observed, too.
60 | new; see 65 | A 60 random
40 | see 30; new | B 40.000001 random, step, followed
27 | new | C 27 random, step, followed
# Transactions that began before a step.
100 | BEGIN; new | A 100 random
50 | see 30; new; COMMIT; new | B 100 random, C 50 random, step, step, followed, followed
200 | new | C 200 random
150 | BEGIN; SELECT 1 |
160 | new; COMMIT; new | D 150 random, D 160 random, step, followed
250 | new; BEGIN; SELECT 1 | D 250 random
230 | new; COMMIT | E 230 random, step, followed
# Nothing is allowed.
400 | SET gid.max_clock_skew = 0; new; see 400.000001; see 400; new | A 400 random, rejected, A 400.000001 random
399 | new; new | B 399 random, B 399.000001 random, step, followed
# With a node, the instant stays, and each step is a warning.
500 | new | A 500 random
gid.node = 7
500 | new | 7 B 500.000001 random
480 | new; new | 7 B 500.000002 random, 7 B 500.000003 random, step, warned
470 | new; see 100 | 7 B 500.000004 random, step, warned
480 | new; see 100 | 7 B 500.000005 random
gid.node = -1
480 | new; new | C 480 random, C 480.000001 random, followed
gid.node = 7
510 | SET gid.instant_source = clock; new | 7 B 510 random
gid.node = 8
510 | new; new | 8 D 510.000001 random, 8 D 510.000001 next
gid.node = 7
510 | new; new | 7 B 510.000002 random, 7 B 510.000002 next
