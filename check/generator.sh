# shellcheck shell=bash
#
# generator.sh: sessions that do at random what sessions can do with their
# generators, beside a model that says what must come of each step: on a server
# with this system's clock, and on one whose clock steps.
#
# GID_SEED=N script/check generator takes this seed; it prints those it takes.

: "${top:?is set by script/check}" "${work:?}" "${bindir:?}"
need_tools "python3-psycopg faketime" python3 faketime
python=python3
! command -v apt-get >/dev/null || python=/usr/bin/python3
steps=250000 clock_steps=60000
[ -z "${GID_TEST_LONG:-}" ] || steps=2500000 clock_steps=600000

# play WHAT ARGUMENT ...: the sessions.  The last argument is the number of steps.
play() {
	local what=$1 status=0
	shift
	print "$what:"
	rm -rf "$work/data" "$work/server.log"
	start_server "fsync = off" "synchronous_commit = off" "jit = off" "autovacuum = off" \
		"max_prepared_transactions = 100" "log_min_messages = fatal"
	"$bindir/psql" -X -q -v ON_ERROR_STOP=1 -f "$work/tree/check/generator.sql" || fail "generator.sql failed"
	"$python" "$work/tree/check/generator.py" ${GID_SEED:+--seed "$GID_SEED"} "$@" >"$work/generator.log" 2>&1 || status=$?
	sed 's/^/  /' "$work/generator.log"
	count_results "$work/generator.log" $status 25
	stop_server
}

build -O2
play "This system's clock" $steps

as_server tee "$work/clock" <<<"+0.000000 x1.00000" >/dev/null
server_program=$work/server_program
cat >"$server_program" <<-END
	#!/bin/sh
	LD_PRELOAD=$(echo /usr/lib/*/faketime/libfaketime.so.1) FAKETIME_TIMESTAMP_FILE=$work/clock FAKETIME_NO_CACHE=1 \\
		FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 exec "$bindir/postgres" "\$@"
END
chmod 755 "$server_program"
play "A clock that steps" --clock "$work/clock" $clock_steps
