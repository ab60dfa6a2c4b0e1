# shellcheck shell=bash
#
# plans.sh: random statements with ids and times, as written and in a form in
# which the planner knows nothing of either: both must give the same.  plans.py
# makes, runs and compares them, on this system's PostgreSQL and on the newest
# that can be had in a chroot.
#
# GID_PLANS has further arguments for plans.py, as in "--seed 7 --seconds 600".

: "${work:?is set by script/check}" "${top:?}" "${version:?}"
need_psycopg
: "${python:?}"
seconds=30
[ -z "${GID_TEST_LONG:-}" ] || seconds=900
read -ra arguments <<<"--seconds $seconds ${GID_PLANS:-}"

build
fresh_server
status=0
as_server "$python" -B "$work/tree/check/plans.py" "${arguments[@]}" >"$work/plans.log" 2>&1 || status=$?
cat "$work/plans.log"
count_results "$work/plans.log" $status
grep -A 1 'was terminated by' "$work/server.log" || true
stop_server

# In a subshell, which counts for itself.
# shellcheck disable=SC2030
run_on_newest() (
	passed=0 failed=0
	# shellcheck source=../script/roots.sh
	. "$top/script/roots.sh"
	for newest in 19 18 17; do
		if [ "$newest" -le "$version" ]; then
			print "No newer PostgreSQL is known than $version."
			break
		elif need_chroot "$newest" "$newest"; then
			print "On PostgreSQL $newest, in $chroots/$newest ..."
			put_tree "$chroots/$newest"
			in_chroot "$chroots/$newest" GID_PLANS="${arguments[*]}" GID_PLANS_NEWEST=no \
				/srv/gid/script/check plans
			exit
		fi
	done
	[ "$newest" -le "$version" ] || skip "plans on a newer PostgreSQL" "$reason"
	report
)

# What runs in the chroot is this, too.
if [ -z "${GID_PLANS_NEWEST:-}" ]; then
	run_on_newest 2>&1 | tee "$work/newest.log" || true
	read -r ok not_ok < <(sed -nE '$ s/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$work/newest.log") || true
	# shellcheck disable=SC2031
	passed=$((passed + ${ok:-0})) failed=$((failed + ${not_ok:-1}))
fi
