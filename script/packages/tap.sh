# shellcheck shell=bash
#
# tap.sh: what the programs share that try a package in a Debian of its own: tests,
# and a server.  Sourced.  A program that does not come to its plan has failed.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

export shared=/srv/shared
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect WHAT COMMAND ...: one test, which is that the command succeeds.
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

# The plan, and the status to exit with.
done_testing() {
	print "1..$tests"
	[ $failed = 0 ]
}

# Starts the server that apt made.  Systems share a network: its port is not 5432
# where that was taken, and it listens to its own folder only.
start_installed_server() {
	PGPORT=$(pg_conftool -s 15 main show port)
	export PGPORT
	pg_conftool 15 main set listen_addresses ''
	expect "a server starts" pg_ctlcluster --skip-systemctl-redirect 15 main start
}
