# shellcheck shell=bash
#
# generator.sh: sessions that do at random what sessions can do with their
# generators, beside a model that says what must come of each step: on a server
# with this system's clock, and on one whose clock steps.  Then each rule of
# the generator is broken in turn, and the model must notice.
#
# GID_SEED=N script/check generator takes this seed; it prints those it takes.

: "${top:?is set by script/check}" "${work:?}" "${bindir:?}"
need_psycopg faketime
: "${python:?}"
flags=-O2
steps=160000 clock_steps=50000 limit=60
[ -z "${GID_TEST_LONG:-}" ] || steps=2500000 clock_steps=600000 limit=300
clock=$work/clock
mutations=$work/tree/check/generator_mutations.py

model() {
	"$python" "$work/tree/check/generator.py" ${GID_SEED:+--seed "$GID_SEED"} "$@"
}

# play WHAT ARGUMENT ...: the sessions.  The last argument is the number of steps.
play() {
	local what=$1 status=0
	shift
	print "$what:"
	cp "$top/src/generator.c" "$work/tree/src"
	build $flags
	stop_server
	rm -rf "$work/data" "$work/server.log"
	# The clock's file is empty for a moment whenever it is written, and a process
	# that reads the clock then would end: those in the background seldom do.
	start_server "fsync = off" "synchronous_commit = off" "jit = off" "autovacuum = off" \
		"bgwriter_delay = '10s'" "wal_writer_delay = '10s'" \
		"max_prepared_transactions = 100" "log_min_messages = fatal"
	"$bindir/psql" -X -q -v ON_ERROR_STOP=1 -f "$work/tree/check/generator.sql" || fail "generator.sql failed"
	model "$@" >"$work/generator.log" 2>&1 || status=$?
	sed 's/^/  /' "$work/generator.log"
	count_results "$work/generator.log" $status 25
}

# The extension, with this mutation and no other, in each session that begins.
mutate() {
	cp "$top/src/generator.c" "$work/tree/src"
	"$python" "$mutations" "$1" "$work/tree/src/generator.c" || fail "the mutation $1 does not apply"
	build_again $flags
}

# break_rules CLOCK ARGUMENT ...: those that can be seen to be broken by this
# clock.
break_rules() {
	local name clock what
	while IFS='|' read -r -u 3 name clock what; do
		[ "$clock" = "$1" ] || continue
		mutate "$name"
		expect "the model notices if $what" model "${@:2}" --find $limit
	done 3< <("$python" "$mutations")
}

play "This system's clock" $steps
break_rules system

fake_clock "$clock"
play "A clock that steps" --clock "$clock" $clock_steps
break_rules steps --clock "$clock"
