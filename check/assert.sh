# shellcheck shell=bash
#
# assert.sh: the tests on servers with assertions, which no distribution has.
#
# Where PG_CONFIG names such a server, that is tested.  Else two are built and
# tested at the same time, of the oldest PostgreSQL and of the newest whose
# source is to be had, in a Debian that is kept.

: "${top:?is set by script/check}" "${work:?}" "${pg_config:?}" "${oldest:?}"

if "$pg_config" --configure | grep -q -e --enable-cassert; then
	# shellcheck source=assert/tests.sh
	. "$top/check/assert/tests.sh"
	return
fi

# shellcheck source=../script/roots.sh
. "$top/script/roots.sh"
chroot=$chroots/assert

# find_newest: sets newest; where there is no source, reason says so.
find_newest() {
	need_chroot assert || return
	reason="the archive has no source of PostgreSQL"
	need_source "$chroot" "$oldest" || return
	for newest in 19 18; do
		! need_source "$chroot" $newest || return 0
	done
	return 1
}

if ! find_newest; then
	skip assert "$reason"
	return
fi
put_tree "$chroot"
in_chroot "$chroot" sh -c 'id postgres || useradd --system postgres' >"$work/output" 2>&1 ||
	{ cat "$work/output"; fail "there is no user named postgres"; }

build_and_test() {
	in_chroot "$chroot" /srv/gid/check/assert/build "$1" &&
		in_chroot "$chroot" env PG_CONFIG="/opt/assert-$1/bin/pg_config" \
			/srv/gid/script/check ${GID_TEST_LONG:+--long} assert
}

# Each has a process group, so that all its processes end when this is ended.
set -m
trap 'kill -- "${jobs[@]/#/-}" 2>/dev/null || true' EXIT
jobs=()
for tested in "$oldest" "$newest"; do
	build_and_test "$tested" >"$work/assert-$tested.log" 2>&1 &
	jobs+=($!)
done
for tested in "$oldest" "$newest"; do
	status=0
	wait "${jobs[0]}" || status=$?
	jobs=("${jobs[@]:1}")
	cat "$work/assert-$tested.log"
	count_report "$work/assert-$tested.log" $status
done
