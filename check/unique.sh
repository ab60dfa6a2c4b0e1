# shellcheck shell=bash
#
# unique.sh: ids by the billion, of which no two may be the same.  Each
# transaction reserves runs of ids, and stores where they begin and how long
# they are: so there are few rows, and no run may reach into the next.
#
# The medallion is drawn, then pinned to a node, then that with gid preloaded.
# In each case there are 32 sessions at a time, short ones too, while the
# server's clock steps back and forth, and comes to the same times again; and
# the server is killed, and restarted.

: "${work:?is set by script/check}" "${bindir:?}"
need_tools faketime faketime
seconds=3						# of each load
[ -z "${GID_TEST_LONG:-}" ] || seconds=40
clock=$work/clock

build -O2
rm -rf "$work/data" "$work/server.log"
fake_clock "$clock"
start_server "fsync = off" "jit = off" "autovacuum = off" "max_connections = 60" "log_min_messages = fatal"
psql=("$bindir/psql" -X -q -A -t -v ON_ERROR_STOP=1)
"${psql[@]}" -c 'CREATE EXTENSION gid' \
	-c 'CREATE TABLE run (start gid(o) NOT NULL, n int NOT NULL, pid int NOT NULL DEFAULT pg_backend_pid())'
cat >"$work/one.sql" <<-'END'
	\set n random(1, 131072)
	INSERT INTO run VALUES (gid_reserve('o', :n), :n);
END
cat >"$work/some.sql" <<-'END'
	\set n random(1, 131072)
	BEGIN;
	INSERT INTO run VALUES (gid_reserve('o', 1), 1);
	INSERT INTO run VALUES (gid_reserve('o', :n), :n);
	SAVEPOINT s;
	INSERT INTO run VALUES (gid_reserve('o', :n), :n);
	ROLLBACK TO s;
	INSERT INTO run VALUES (gid_reserve('o', :n), :n);
	COMMIT;
END

# step_clock SECONDS: to so many from ours.
step_clock() {
	as_server tee "$clock.new" <<<"$1 x1.00000" >/dev/null
	as_server mv "$clock.new" "$clock"
}

# Of two -T pgbench takes the last.
load() {
	"$bindir/pgbench" -n -j 2 -T "$seconds" -f "$work/one.sql@9" -f "$work/some.sql@1" "$@"
}

# loads NUMBER: whether the load that is this job came to its end.
loads() {
	wait "$1" || { tail -n 5 "$work/load.log" "$work/server.log"; return 1; }
}

# Twenty seconds are further than gid.max_clock_skew, and five are not.
step_back_and_forth() {
	local to pause
	pause=$(awk "BEGIN { print $seconds / 7 }")
	for to in -5 +0 -20 -1 -20 +0; do
		sleep "$pause"
		step_clock "$to"
	done
}

kill_server() {
	local tries=600 postmaster
	postmaster=$(as_server head -n 1 "$work/data/postmaster.pid")
	as_server kill -KILL "$postmaster"
	while kill -0 "$postmaster" 2>/dev/null && [ $((tries--)) -gt 0 ]; do sleep 0.1; done
}

# It does not start before the last session of the one that was killed has ended.
start_killed_server() {
	local tries=20
	until (start_again) 2>"$work/output"; do
		[ $((tries--)) -gt 0 ] || { cat "$work/output"; fail "the server does not start again"; }
		sleep 0.5
	done
}

# mint_while SETTINGS: all that can happen, under these settings.
mint_while() {
	local setting
	for setting in "$@"; do
		"${psql[@]}" -c "LOAD 'gid'" -c "ALTER SYSTEM SET $setting"
	done
	stop_server
	start_again

	load -c 32 >"$work/load.log" 2>&1 &
	step_back_and_forth
	expect "$*: 32 sessions mint while the clock steps" loads $!
	load -c 16 -C >"$work/load.log" 2>&1 &
	step_back_and_forth
	expect "$*: so do short ones" loads $!
	load -c 32 -T 1000 >"$work/load.log" 2>&1 &
	sleep "$seconds"
	kill_server
	expect "$*: others until the server is killed" eval "! wait $!"
	start_killed_server
	step_clock -20
	expect "$*: others after that, where the clock was set back" load -c 32
	step_clock +0
}

overlaps="SELECT count(*) FROM (SELECT start, n, lead(start) OVER (ORDER BY start) AS next FROM run) r
	WHERE next <= start + (n - 1)"
no_overlap() {
	"${psql[@]}" -c "SELECT to_char(sum(n), '999,999,999,999,999') || ' ids of ' || count(*) || ' runs and '
		|| count(DISTINCT (pid, gid_medallion(start))) || ' generators' FROM run"
	[ "$("${psql[@]}" -c "$overlaps")" = 0 ]
}

mint_while "gid.node = -1"
mint_while "gid.node = 7"
mint_while "gid.node = 7" "shared_preload_libraries = gid"
tell "no two ids are the same" no_overlap

# Whether one would be found, be it one of a hundred thousand.
"${psql[@]}" -c "INSERT INTO run SELECT start + (n - 1), 1 FROM run WHERE n > 100000 LIMIT 1"
expect "one that is would be found" test "$("${psql[@]}" -c "$overlaps")" = 1
