# shellcheck shell=bash
#
# tests.sh: the tests on a server with assertions.  Sourced by assert.sh.

: "${work:?is set by script/check}" "${pg_config:?}" "${bindir:?}" "${version:?}"
need_tools "faketime libio-pty-perl libipc-run-perl" prove

# What servers say in these logs of a mistake that they found.  Some tests kill
# servers, by other signals.
mistakes() {
	grep -E -A 10 'TRAP: |was terminated by signal (4|6|7|8|11)\b|WARNING: +(.* leak: |resource was not closed|problem in |detected write past |.* failed to produce (an )?equal )' "$@"
}

no_mistakes() {
	local logs
	mapfile -t logs < <(find "$work/tree" -path '*/tmp_check/log/*.log')
	! mistakes "$work/server.log" "${logs[@]}"
}

# watch WHAT COMMAND ...: runs tests, and then looks into the servers' logs.
watch() {
	local what=$1 since=$SECONDS
	shift
	print "$what ..."
	"$@"
	expect "$what: no server found a mistake" no_mistakes
	print "($what took $((SECONDS - since)) s)"
}

# is_set NAME VALUE: for whoever connects from now on.
is_set() {
	test "$("$bindir/psql" -X -A -t -c "SHOW $1")" = "$2"
}

built_with() {
	"$pg_config" --cppflags | grep -qw -e "$1"
}

print "This is $("$bindir/postgres" --version)."
build
fresh_server
expect "assertions are enabled" is_set debug_assertions on
if [ "$version" -ge 18 ]; then
	expect "parse and plan trees are copied" is_set debug_copy_parse_plan_trees on
	expect "parse and plan trees are written and read" is_set debug_write_read_parse_plan_trees on
else
	expect "parse and plan trees are copied" built_with -DCOPY_PARSE_PLAN_TREES
	expect "parse and plan trees are written and read" built_with -DWRITE_READ_PARSE_PLAN_TREES
fi
watch "pg_regress and the isolation tests" run_regress installcheck

# Two tests take longer than all others together, and have little for workers.
tests=$(make_tree --eval="names: ; @echo \$(REGRESS)" names)
[ -n "${GID_TEST_LONG:-}" ] || tests=$(sed 's/ spoilt / /; s/ estimate / /' <<<"$tests")
forced=debug_parallel_query
[ "$version" -ge 16 ] || forced=force_parallel_mode
export PGOPTIONS="-c $forced=regress"
expect "plans are made parallel" is_set $forced regress
watch "pg_regress, in parallel" run_regress installcheck REGRESS="$tests" ISOLATION=

tests="setup text kind planner"
[ -z "${GID_TEST_LONG:-}" ] || tests+=" spoilt binary inspect partition join"
export PGOPTIONS="-c debug_discard_caches=1"
expect "caches are discarded" is_set debug_discard_caches 1
watch "pg_regress, without caches" run_regress installcheck REGRESS="$tests" ISOLATION=
unset PGOPTIONS
stop_server

# The TAP tests about the planner, the generator, clocks and privileges, and
# about statements and servers that end half-way.  --long takes all but those
# that have no server of gid's to watch, or take other programs.
tests=()
for file in "$work"/tree/t/*.pl; do
	case ${file##*/} in
		004_* | 006_* | 008_* | 009_* | 011_* | 012_* | 014_* | 016_* | 021_* | 024_*) ;;
		001_* | 010_* | 018_* | 022_* | 023_*) continue ;;
		*) [ -n "${GID_TEST_LONG:-}" ] || continue ;;
	esac
	tests+=("t/${file##*/}")
done
watch "the TAP tests" run_tap "${tests[@]}"

# Mistakes on purpose.
fresh_server
make_canary
canary=0
for mistake in "an assertion that fails" "a pointer in freed memory" "a byte beyond a chunk"; do
	truncate -s 0 "$work/server.log"
	ask_canary $((--canary))
	expect "$mistake would be found" mistakes "$work/server.log"
done
