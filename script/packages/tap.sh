# shellcheck shell=bash
#
# tap.sh: functions of the programs that test a package in a Debian of its own.
# Sourced, not run.  A program that does not print its plan has failed.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

export shared=/srv/shared
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect NAME COMMAND ...: one test, which succeeds if the command succeeds.
tests=0 failed=0
expect() {
	local what=$1
	shift
	if ("$@") >"$work/output" 2>&1; then
		print "ok $((++tests)) - $what"
	else
		failed=$((failed + 1))
		print "not ok $((++tests)) - $what"
		tail -n 100 "$work/output" | sed 's/^/# /' >&2
	fi
}

# Prints the plan, and returns the exit status.
done_testing() {
	print "1..$tests"
	[ $failed = 0 ]
}

# Starts the server that apt created.  Systems share a network.  If port 5432 was in
# use, the server has another port.  It only listens on its Unix socket.
start_installed_server() {
	PGPORT=$(pg_conftool -s 15 main show port)
	export PGPORT
	pg_conftool 15 main set listen_addresses ''
	expect "a server starts" pg_ctlcluster --skip-systemctl-redirect 15 main start
}
