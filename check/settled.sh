# shellcheck shell=bash
#
# settled.sh: whether the torture of torture.sh finds what is wrong.
#
# Each step of the protocol is broken in turn, and rows must be missed.  The
# barrier alone makes no difference that can be seen in a server; threads show
# it.

: "${top:?is set by script/check}" "${work:?}"
need_psycopg faketime
: "${python:?}"
mutations=$work/tree/check/settled_mutations.py
seconds=10 limit=60
[ -z "${GID_TEST_LONG:-}" ] || seconds=150 limit=120

# The extension, with this mutation and no other, in a server that runs.
mutate() {
	stop_server
	cp "$top"/src/*.c "$work/tree/src"
	"$python" "$mutations" "$1" "$work/tree/src" || fail "the mutation $1 does not apply"
	build_again -DGID_TEST_DELAYS
	start_again
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

build -DGID_TEST_DELAYS
torture_server
mutate delays
tell "no row is missed with the delays of the mutations" torture --no-controls --seconds "$seconds"

# break_steps clock|none: the mutations that need the fake clock, or all others.
break_steps() {
	local name writers pollers needs what arguments
	while IFS='|' read -r -u 3 name writers pollers needs what; do
		if [ "$needs" = clock ]; then [ "$1" = clock ]; else [ "$1" = none ]; fi || continue
		mutate "$name"
		arguments=()
		case $needs in
			clock) arguments=(--clock "$work/clock" --round 8 --seconds $((limit * 2))) ;;
			data) arguments=(--data "$work/data" --bindir "$bindir") ;;
			failure=*) arguments=(--failure "${needs#*=}") ;;
		esac
		tell "it is noticed if $what" torture --find --seconds "$limit" \
			--round 2 --writers "$writers" --pollers "$pollers" "${arguments[@]}"
	done 3< <("$python" "$mutations")
}
break_steps none

stop_server
fake_clock "$work/clock"
torture_server
break_steps clock
