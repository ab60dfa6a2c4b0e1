# shellcheck shell=bash
#
# start.sh: what the scripts share that try a package in a chroot.  Sourced.
. "$(dirname "${BASH_SOURCE[0]}")/../../script/lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# start_installed_server PART: starts the one that apt made.  Systems share a
# network: its port is not 5432 where that was taken, and it listens to its own
# folder only.
start_installed_server() {
	PGPORT=$(pg_conftool -s 15 main show port)
	export PGPORT
	pg_conftool 15 main set listen_addresses ''
	expect "$1: a server starts" pg_ctlcluster --skip-systemctl-redirect 15 main start
}
