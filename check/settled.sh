# shellcheck shell=bash
#
# settled.sh: whether the torture of torture.sh finds what is wrong.
#
# Each step of the protocol is broken in turn, and rows must be missed.  The
# barrier alone makes no difference that can be seen in a server; threads show
# it.

: "${top:?is set by script/check}" "${work:?}"
need_psycopg
: "${python:?}"
mutations=$work/tree/check/settled_mutations.py
seconds=10 limit=20
[ -z "${GID_TEST_LONG:-}" ] || seconds=150 limit=120

# The extension, with this mutation and no other, in a server that runs.
mutate() {
	stop_server
	cp "$top/src/settled.c" "$top/src/server_clock.c" "$work/tree/src"
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
while IFS='|' read -r -u 3 name writers pollers what; do
	mutate "$name"
	tell "a row is missed if $what" torture --find --seconds "$limit" \
		--round 2 --writers "$writers" --pollers "$pollers"
done 3< <("$python" "$mutations")
