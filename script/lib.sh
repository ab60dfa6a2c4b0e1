# shellcheck shell=bash
#
# lib.sh: what the scripts share.  Sourced, not run.
#
# It installs the packages that are missing, where it may; it builds in a copy
# of the tree, installs into a copy of PostgreSQL, and runs servers from that:
# both are in a folder that nobody else may enter, and that is gone afterwards.
# It runs tests and counts them, and must not know what they are about.

# Sourced again, as by roots.sh in a section of script/check, it changes nothing:
# what was counted so far must not be lost.
! declare -F need_postgres >/dev/null || return 0

set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
oldest=15						# the oldest PostgreSQL that gid supports
export LC_ALL=C.UTF-8

print() { printf '%s\n' "$*"; }
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# --- Installing ------------------------------------------------------------

# Runs a command as root; fails where that cannot be.
as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

can_be_root() {
	[ "$(id -u)" = 0 ] || command -v sudo >/dev/null
}

# apt-get waits for dpkg's lock, and asks nothing.
apt_get=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -q -y -o DPkg::Lock::Timeout=600)

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The bin directory of the newest installed server that can run gid, if any.
installed_bindir() {
	local postgres version newest=0
	for postgres in /usr/lib/postgresql/*/bin/postgres; do
		[ -x "$postgres" ] || continue
		version=${postgres#/usr/lib/postgresql/}
		version=${version%%[./]*}
		[ "$version" -le "$newest" ] || newest=$version
	done
	[ "$newest" -lt "$oldest" ] || echo "/usr/lib/postgresql/$newest/bin"
}

# The major version of PostgreSQL that this distribution has, if it is known.
packaged_version() {
	apt-cache depends postgresql 2>/dev/null |
		sed -n 's/.*Depends: postgresql-\([0-9][0-9]*\)$/\1/p'
}

# For the lock of the lists apt-get does not wait.
apt_updated=
update_lists() {
	local output patience=$((SECONDS + 600))
	[ -z "$apt_updated" ] || return 0
	print "Updating the list of packages ..."
	until output=$(as_root "${apt_get[@]}" update 2>&1); do
		if [[ $output != *"Could not get lock"* ]] || [ $SECONDS -gt $patience ]; then
			fail "apt-get update failed: $output"
		fi
		sleep 3
	done
	apt_updated=yes
}

# need_packages NAME ...: installs those that are missing.
need_packages() {
	local name output missing=()
	for name in "$@"; do
		is_installed "$name" || missing+=("$name")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	can_be_root ||
		fail "these packages are missing, and installing them takes root or sudo: ${missing[*]}"
	update_lists
	print "Installing ${missing[*]} ..."
	output=$(as_root "${apt_get[@]}" install --no-install-recommends "${missing[@]}" 2>&1) || {
		tail -n 20 <<<"$output" >&2
		fail "could not install: ${missing[*]}"
	}
}

# need_commands NAME ...: for systems whose packages we do not know.
need_commands() {
	local name missing=()
	for name in "$@"; do
		command -v "$name" >/dev/null || missing+=("$name")
	done
	[ ${#missing[@]} = 0 ] ||
		fail "this is no Debian or Ubuntu, so nothing can be installed here; missing: ${missing[*]}"
}

# need_tools PACKAGES COMMAND ...: packages for Debian and Ubuntu, their names
# with blanks between them; elsewhere the commands must be there.
need_tools() {
	local packages
	read -ra packages <<<"$1"
	shift
	if command -v apt-get >/dev/null; then
		need_packages "${packages[@]}"
	else
		need_commands "$@"
	fi
}

# Sets pg_config, bindir and version, from PG_CONFIG where that is set, and
# makes sure that there are a server, its headers and a compiler, and besides
# the packages that are named.
need_postgres() {
	if ! command -v apt-get >/dev/null; then
		need_commands "${PG_CONFIG:-pg_config}" make cc
		pg_config=${PG_CONFIG:-pg_config}
	elif [ -n "${PG_CONFIG:-}" ]; then
		pg_config=$PG_CONFIG
		need_packages make gcc libc6-dev "$@"
	else
		bindir=$(installed_bindir)
		if [ -n "$bindir" ]; then
			version=$(echo "$bindir" | cut -d/ -f5)
		else
			version=$(packaged_version)
			if [ -z "$version" ]; then
				can_be_root ||
					fail "these packages are missing, and installing them takes root or sudo: postgresql postgresql-server-dev-all make gcc libc6-dev $*"
				update_lists
				version=$(packaged_version)
			fi
			[ -n "$version" ] || fail "apt-get finds no package named postgresql"
			[ "$version" -ge "$oldest" ] ||
				fail "this system has PostgreSQL $version, and gid needs $oldest or newer: install one, and name its pg_config in PG_CONFIG"
		fi
		need_packages "postgresql-$version" "postgresql-server-dev-$version" make gcc libc6-dev "$@"
		pg_config=/usr/lib/postgresql/$version/bin/pg_config
	fi
	use_postgres
}

# What script/test takes.
need_test_tools() {
	need_postgres perl clang python3 python3-base58 libipc-run-perl libio-pty-perl faketime
	command -v apt-get >/dev/null || need_commands clang prove python3
}

# Sets bindir and version from pg_config, and makes sure that gid can be built
# for that server.
use_postgres() {
	bindir=$("$pg_config" --bindir)
	version=$("$pg_config" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
	[ "$version" -ge "$oldest" ] || fail "$pg_config is of PostgreSQL $version, and gid needs $oldest or newer"
	[ -x "$bindir/postgres" ] || fail "the server of $pg_config is missing: $bindir/postgres"
	[ -f "$("$pg_config" --pgxs)" ] || fail "the server's headers are missing: $("$pg_config" --pgxs)"
}

# --- A place to work in ----------------------------------------------------

# PostgreSQL refuses to run as root: then the server, and what writes to its
# folder, runs as postgres.
as_server() {
	if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# Writes an archive of the tree, less what was built there.
copy_tree() {
	tar -C "$top" --exclude=.git --exclude='*.o' --exclude='*.so' --exclude='*.bc' \
		--exclude=./results --exclude=./output_iso --exclude=./tmp_check -cf - .
}

# Sets work, a folder that is gone when the script ends, with a copy of the
# tree in it, and a copy of the PostgreSQL found.  Only who runs the server can
# enter it, and root: the server's socket is in it, and asks for no password.
make_work() {
	work=$(mktemp -d /tmp/gid.XXXXXX)
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	mkdir "$work/tree" "$work/tmp"
	copy_tree | tar -C "$work/tree" -xf -
	if [ -n "${GID_VECTORS:-}" ]; then
		cp -R "$GID_VECTORS" "$work/vectors"
		export GID_VECTORS=$work/vectors
	fi
	copy_postgres
	give_to_server
	cd "$work"					# the checkout may be closed to the server's user
}

# The work folder changes hands: root builds in it, the server's user tests.
give_to_server() {
	[ "$(id -u)" != 0 ] || chown -R postgres "$work"
}

keep=
clean_up() {
	local status=$?
	trap - EXIT
	if [ -z "$keep" ] && [ -n "${work:-}" ]; then
		stop_server
		rm -rf "$work"
	fi
	exit $status
}

# Copies the PostgreSQL found into the work folder, and goes on with that.  Its
# programs look for their files relative to where they are themselves.
copy_postgres() {
	local copy=$work/postgres path libdir
	libdir=$("$pg_config" --libdir)
	for path in "$bindir" "$("$pg_config" --pkglibdir)" "$("$pg_config" --sharedir)"; do
		mkdir -p "$copy$path"
		cp -a "$path/." "$copy$path"
		# What is there of gid already is not what is to be tried.
		find "$copy$path" -depth \( -name 'gid--*.sql' -o -name gid.control -o -name gid.so -o -path '*/bitcode/gid*' \) -delete
	done
	# What is only read, to build an extension or a client.
	for path in "$("$pg_config" --includedir)" "$("$pg_config" --includedir-server)" "$libdir"/lib{pq,ecpg,pgtypes}.*; do
		if [ -e "$path" ] && [ ! -e "$copy$path" ]; then
			mkdir -p "$copy$(dirname "$path")"
			ln -s "$path" "$copy$path"
		fi
	done
	pg_config=$copy$bindir/pg_config
	use_postgres
	[[ $bindir == "$copy"/* ]] || fail "a copy of this PostgreSQL still looks for its files in $bindir"
}

# make_tree ARGUMENT ...: runs make in the copy, for the PostgreSQL copied.
make_tree() {
	make -s -C "$work/tree" PG_CONFIG="$pg_config" "$@"
}

# build_tree ARGUMENT ...: builds by make with these arguments, and installs what
# was built in the copy of PostgreSQL.
build_tree() {
	make_tree clean >/dev/null 2>&1 || true
	if ! { make_tree "$@" && make_tree "$@" install; } >"$work/build.log" 2>&1; then
		cat "$work/build.log"
		print "The build failed."
		return 1
	fi
	give_to_server
}

# --- A server to throw away ------------------------------------------------

server_program=					# what to start in place of postgres, if anything
start_timeout=120				# seconds, recovery included
port=5432						# where nothing listens on a network, any will do

# A port on which nobody listens.
free_port() {
	local port
	while port=$((RANDOM % 10000 + 20000)); (: </dev/tcp/127.0.0.1/$port) 2>/dev/null; do :; done
	print "$port"
}

# Its data and its Unix socket are in $work; it listens on no network, unless
# it is told to, and asks for a password there.  Arguments are settings, as
# "name=value".  Data that is there already is used, with its own password.
start_server() {
	local setting
	(umask 077; head -c 15 /dev/urandom | base64 | as_server tee "$work/password" >/dev/null)
	[ -f "$work/data/PG_VERSION" ] || as_server "$bindir/initdb" -D "$work/data" -U postgres --pwfile="$work/password" \
		--auth-local=trust --auth-host=scram-sha-256 -N -E UTF8 --no-locale \
		>"$work/initdb.log" 2>&1 || { cat "$work/initdb.log" >&2; fail "initdb failed"; }
	{
		print "listen_addresses = ''"
		print "port = $port"
		print "unix_socket_directories = '$work'"
		for setting in "$@"; do print "$setting"; done
	} | as_server tee -a "$work/data/postgresql.conf" >/dev/null
	start_again
	PGPASSWORD=$(as_server cat "$work/password")
	export PGHOST=$work PGPORT=$port PGUSER=postgres PGDATABASE=postgres PGPASSWORD
	unset PGSERVICE PGHOSTADDR PGOPTIONS PGAPPNAME
}

start_again() {
	as_server "$bindir/pg_ctl" -D "$work/data" -l "$work/server.log" -t "$start_timeout" -w start \
		-p "${server_program:-$bindir/postgres}" >/dev/null ||
		{ cat "$work/server.log" >&2; fail "the server did not start"; }
}

stop_server() {
	[ -f "$work/data/postmaster.pid" ] || return 0
	as_server "$bindir/pg_ctl" -D "$work/data" -m fast -w stop >/dev/null || true
}

# --- Tests, counted --------------------------------------------------------

passed=0 failed=0
count_success() { passed=$((passed + 1)); }
count_failure() { failed=$((failed + 1)); }

# The last line, and the status to exit with.
report() {
	print "$passed passed, $failed failed"
	[ "$failed" = 0 ]
}

# skip WHAT REASON: leaves out what cannot be had here.  Where CI=true says that
# all can be had, that is a failure.
skip() {
	print "skipped: $1: $2"
	[ "${CI:-}" != true ] || count_failure
}

# count_results LOG STATUS [MINIMUM]: counts the lines of a log that say ok and
# not ok.  With a status that says failure one at least must have failed, and
# there must be as many lines as the minimum, which is 1.
#
# A test that was skipped counts for the minimum only.  With CI=true it is a
# failure, unless its reason names a version of PostgreSQL or another script.
count_results() {
	local log=$1 status=$2 minimum=${3:-1} ok not_ok skipped lacking
	skipped=$(grep -E '^ok .*# (SKIP|skip) |^t/[^ ]+ \.+ skipped: ' "$log" || true)
	ok=$(grep -E '^ok |^(test|    ) .*\.\.\. ok ' "$log" | grep -cvE '# (SKIP|skip)' || true)
	not_ok=$(grep -cE '^not ok |^(test|    ) .*\.\.\. FAILED ' "$log" || true)
	if [ $((ok + not_ok + $(grep -c . <<<"$skipped"))) -lt "$minimum" ]; then
		print "There are fewer than $minimum results."
		status=1
	fi
	[ "$status" = 0 ] || [ "$not_ok" -gt 0 ] || not_ok=1
	lacking=$(grep -vE 'PostgreSQL [0-9]|script/[a-z]|^$' <<<"$skipped" || true)
	if [ "${CI:-}" = true ] && [ -n "$lacking" ]; then
		print "Skipped, and CI=true:" "$lacking"
		not_ok=$((not_ok + $(grep -c . <<<"$lacking")))
	fi
	passed=$((passed + ok)) failed=$((failed + not_ok))
}

# count_report LOG STATUS: counts what another script says in the last line of
# its log.  With a status that says failure, or no such line, one has failed.
count_report() {
	local log=$1 status=$2 ok not_ok
	if ! read -r ok not_ok < <(sed -nE '$ s/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$log"); then
		ok=0 status=1
	fi
	[ "$status" = 0 ] || [ "${not_ok:-0}" -gt 0 ] || not_ok=1
	passed=$((passed + ok)) failed=$((failed + not_ok))
}

# expect WHAT COMMAND ...: one check, which is that the command succeeds.  What
# it says is in $work/output, and is shown where it does not, marked so that
# nobody takes it for results.
expect() {
	local what=$1
	shift
	if "$@" >"$work/output" 2>&1; then
		count_success
		print "ok - $what"
	else
		count_failure
		print "not ok - $what"
		sed 's/^/# /' "$work/output"
	fi
}

# run_regress installcheck [REGRESS="NAME ..."]: runs pg_regress and the isolation
# tests on the server that was started.
run_regress() {
	local status=0 names diffs
	names=$(make_tree "${@:2}" --eval="names: ; @echo \$(REGRESS) \$(ISOLATION)" names)
	as_server make -s -C "$work/tree" PG_CONFIG="$pg_config" "$@" \
		>"$work/regress.log" 2>&1 || status=$?
	grep -E '^(not )?ok |^test ' "$work/regress.log" || true
	if [ $status != 0 ]; then
		mapfile -t diffs < <(find "$work/tree" -name regression.diffs)
		cat "${diffs[@]:-$work/regress.log}"
		grep -A 3 'was terminated by' "$work/server.log" || true
	fi
	count_results "$work/regress.log" $status "$(wc -w <<<"$names")"
}

# run_tap t/NAME.pl ...: runs TAP tests, which start servers of their own, with
# sockets in $work/tmp.
run_tap() {
	local status=0 name
	as_server env -u PGHOST -u PGPORT -u PGUSER -u PGDATABASE TMPDIR="$work/tmp" \
		make -s -C "$work/tree" PG_CONFIG="$pg_config" TAP_TESTS=1 REGRESS= ISOLATION= PROVE_FLAGS=-v \
		PROVE_TESTS="$*" installcheck >"$work/tap.log" 2>&1 || status=$?
	sed -nE 's/^(t\/[^ ]+) \.+( skipped: .*| *)$/\1\2/p' "$work/tap.log"
	if [ $status != 0 ]; then
		grep -E -A12 '^not ok|^#   Failed' "$work/tap.log" || true
		tail -n 20 "$work/tap.log"
		while read -r name; do
			tail -n 20 "$work"/tree/tmp_check/log/"$name"_*.log 2>/dev/null || true
		done < <(sed -nE 's/^t\/([^ ]+)\.pl +\(Wstat: .*/\1/p' "$work/tap.log")
	fi
	count_results "$work/tap.log" $status $#
}
