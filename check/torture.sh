# shellcheck shell=bash
#
# torture.sh: whether a poller that reads up to gid_settled() misses a row.
#
# Writers of many habits and pollers of many kinds run on a build that sleeps
# at the points where another session's step in between matters.
#
# GID_SEED=N script/check torture takes this seed; it prints those it takes.

: "${top:?is set by script/check}" "${work:?}" "${bindir:?}"
need_psycopg faketime
seconds=15
[ -z "${GID_TEST_LONG:-}" ] || seconds=300

# Puts the next xid a little before 2^32.  Only frozen rows are visible there.
near_the_end() {
	"$bindir/psql" -X -q -c 'VACUUM FREEZE' || fail "VACUUM failed"
	stop_server
	as_server "$bindir/pg_resetwal" -D "$work/data" -e 0 -x 4294965000 -u 4294900000 >/dev/null ||
		fail "pg_resetwal failed"
	as_server dd if=/dev/zero of="$work/data/pg_xact/0FFF" bs=8192 count=32 status=none
	start_again
}

passed_the_end() {
	"$bindir/psql" -X -A -t -c 'SELECT pg_current_xact_id()::text::numeric > 2 ^ 32' | grep -x t
}

build -DGID_TEST_DELAYS
torture_server
tell "no row is missed over a restart, a crash and a failover" torture --seconds "$((seconds * 4 / 3))" \
	--data "$work/data" --bindir "$bindir"
stop_server
torture_server "autovacuum = off"
near_the_end
tell "no row is missed where xids pass 2^32" torture --seconds "$seconds"
expect "they have passed it" passed_the_end
stop_server

fake_clock "$work/clock"
torture_server
tell "no row is missed where the clock steps at random" torture --seconds "$((seconds * 2))" --clock "$work/clock"
