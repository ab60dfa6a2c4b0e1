# shellcheck shell=bash
#
# settled.sh: whether a poller that reads up to gid_settled() misses a row.
#
# Writers of many habits and pollers of many kinds run on a build that sleeps
# at the points where another session's step in between matters.  Then each
# step of the protocol is broken in turn, and rows must be missed.  The barrier
# alone makes no difference that can be seen in a server; threads show it.

: "${top:?is set by script/check}" "${work:?}" "${bindir:?}" "${failed:?}"
need_tools python3-psycopg
python=python3
! command -v apt-get >/dev/null || python=/usr/bin/python3
flags=-DGID_TEST_DELAYS
torture=$work/tree/check/settled.py
mutations=$work/tree/check/settled_mutations.py
seconds=20 limit=20
[ -z "${GID_TEST_LONG:-}" ] || seconds=300 limit=120

# A server of its own, with the extension.
torture_server() {
	rm -rf "$work/data" "$work/server.log"
	start_server "shared_preload_libraries = 'gid'" "fsync = off" "jit = off" \
		"max_connections = 60" "max_prepared_transactions = 30" "$@"
	"$bindir/psql" -X -q -c 'CREATE EXTENSION gid'
}

# What was counted is of interest where the check succeeds, too.
tell() {
	local before=$failed
	expect "$@"
	[ "$failed" != "$before" ] || sed 's/^/# /' "$work/output"
}

# The extension, with this mutation and no other, in a server that runs.
mutate() {
	stop_server
	cp "$top/src/settled.c" "$top/src/server_clock.c" "$work/tree/src"
	"$python" "$mutations" "$1" "$work/tree/src" || fail "the mutation $1 does not apply"
	make_tree CC=gcc with_llvm=no COPT=$flags install >"$work/build.log" 2>&1 ||
		{ cat "$work/build.log"; fail "the build failed"; }
	start_again
}

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

# litmus WHICH SECONDS PATTERN: whether its output is of this pattern.
litmus() {
	"$work/litmus" "$1" "$2" >"$work/litmus.out"
	cat "$work/litmus.out"
	grep -qE "$3" "$work/litmus.out"
}

gcc -O2 -Wall -Wextra -Werror -pthread -o "$work/litmus" "$work/tree/check/litmus.c"
tell "without a barrier, neither of two threads sees the other" litmus none 30 '^[1-9]'
tell "with one, one of them does" litmus full 5 '^0 of [1-9]'

build $flags
torture_server
pg_ctl="$bindir/pg_ctl -D $work/data -l $work/server.log"
[ "$(id -u)" != 0 ] || pg_ctl="runuser -u postgres -- $pg_ctl"
tell "no row is missed, over a restart and a crash" \
	"$python" "$torture" --seconds "$seconds" --pg-ctl "$pg_ctl"
stop_server
torture_server "autovacuum = off"
near_the_end
tell "no row is missed where xids pass 2^32" "$python" "$torture" --seconds "$seconds"
expect "they have passed it" passed_the_end
stop_server

torture_server
mutate delays
tell "no row is missed with the delays of the mutations" \
	"$python" "$torture" --no-controls --seconds "$((seconds / 2))"
while IFS='|' read -r -u 3 name writers pollers what; do
	mutate "$name"
	tell "a row is missed if $what" "$python" "$torture" --find --seconds "$limit" \
		--round 2 --writers "$writers" --pollers "$pollers"
done 3< <("$python" "$mutations")
