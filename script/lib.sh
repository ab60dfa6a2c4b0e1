# lib.sh: what the scripts share.  Sourced, not run.
#
# It finds a PostgreSQL, installs what is missing where it may, builds in a
# copy of the tree, so that the checkout stays clean, starts a server to throw
# away, and runs and counts tests on it.  It must not know what for.

set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
oldest=15						# the oldest PostgreSQL that gid supports
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

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

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The bin directory of the newest installed server that can run gid, if any.
installed_bindir() {
	local dir
	for dir in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -rn); do
		if [ -x "$dir/postgres" ] && [ "$(echo "$dir" | cut -d/ -f5)" -ge "$oldest" ]; then
			echo "$dir"
			return
		fi
	done
}

# The major version of PostgreSQL that this distribution has, if it is known.
packaged_version() {
	apt-cache depends postgresql 2>/dev/null |
		sed -n 's/.*Depends: postgresql-\([0-9][0-9]*\)$/\1/p'
}

apt_updated=
update_lists() {
	[ -z "$apt_updated" ] || return 0
	print "Updating the list of packages ..."
	as_root apt-get update -qq >/dev/null || fail "apt-get update failed"
	apt_updated=yes
}

# need_packages NAME ...: installs those that are missing.
need_packages() {
	local name missing=()
	for name in "$@"; do
		is_installed "$name" || missing+=("$name")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	can_be_root ||
		fail "these packages are missing, and installing them takes root or sudo: ${missing[*]}"
	update_lists
	print "Installing ${missing[*]} ..."
	as_root apt-get install -y -qq --no-install-recommends \
		"${missing[@]}" >/tmp/gid-apt.$$ 2>&1 || {
		tail -n 20 /tmp/gid-apt.$$ >&2
		fail "could not install: ${missing[*]}"
	}
	rm -f /tmp/gid-apt.$$
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
			[ -n "$version" ] || fail "no package named postgresql is to be had here"
			[ "$version" -ge "$oldest" ] ||
				fail "this system has PostgreSQL $version, and gid needs $oldest or newer: install one, and name its pg_config in PG_CONFIG"
		fi
		need_packages "postgresql-$version" "postgresql-server-dev-$version" make gcc libc6-dev "$@"
		pg_config=/usr/lib/postgresql/$version/bin/pg_config
	fi
	bindir=$("$pg_config" --bindir)
	version=$("$pg_config" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
	[ "$version" -ge "$oldest" ] || fail "$pg_config is of PostgreSQL $version, and gid needs $oldest or newer"
	[ -x "$bindir/postgres" ] || fail "there is no server beside $pg_config: $bindir/postgres"
	[ -f "$("$pg_config" --pgxs)" ] || fail "the server's headers are missing: $("$pg_config" --pgxs)"
}

# --- A place to work in ----------------------------------------------------

# PostgreSQL refuses to run as root: then the server, and what writes beside
# it, runs as postgres.
as_server() {
	if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# Writes an archive of the tree, less what was built there.
copy_tree() {
	tar -C "$top" --exclude=.git --exclude='*.o' --exclude='*.so' --exclude='*.bc' \
		--exclude=./results --exclude=./output_iso --exclude=./tmp_check -cf - .
}

# Sets work, a folder that is gone when the script ends, with a copy of the
# tree in it.
make_work() {
	work=$(mktemp -d /tmp/gid.XXXXXX)
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	mkdir "$work/tree"
	copy_tree | tar -C "$work/tree" -xf -
	chmod 755 "$work"
	give_to_server
	cd "$work"					# the checkout may be closed to the server's user
}

# The tree changes hands: root builds in it, the server's user tests in it.
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

# make_tree ARGUMENT ...: runs make in the copy, for the PostgreSQL found.
make_tree() {
	make -s -C "$work/tree" PG_CONFIG="$pg_config" "$@"
}

# Puts what was built where the server looks for it.
install_tree() {
	local run=as_root
	if [ -w "$("$pg_config" --pkglibdir)" ] && [ -w "$("$pg_config" --sharedir)/extension" ]; then
		run=
	elif ! can_be_root; then
		fail "installing the extension into $("$pg_config" --pkglibdir) takes root or sudo"
	fi
	$run make -s -C "$work/tree" PG_CONFIG="$pg_config" install >"$work/install.log" 2>&1 ||
		{ cat "$work/install.log" >&2; fail "make install failed"; }
}

# Puts a copy of the PostgreSQL found, which works wherever it is moved as a
# whole, into $work, and goes on with that: what is built to be examined gets
# into no server that somebody uses.
copy_postgres() {
	local path
	for path in "$bindir" "$("$pg_config" --pkglibdir)" "$("$pg_config" --sharedir)"; do
		mkdir -p "$work/postgres$path"
		cp -a "$path/." "$work/postgres$path"
	done
	path=$("$pg_config" --includedir-server)
	mkdir -p "$work/postgres$(dirname "$path")"
	ln -s "$path" "$work/postgres$path"
	bindir=$work/postgres$bindir
	pg_config=$bindir/pg_config
}

# --- A server to throw away ------------------------------------------------

server_program=					# what to start in place of postgres, if anything
port=5432						# where nothing listens on a network, any will do

# A port on which nobody listens.
free_port() {
	local port
	while port=$((RANDOM % 10000 + 20000)); (: </dev/tcp/127.0.0.1/$port) 2>/dev/null; do :; done
	print "$port"
}

# Its data and its Unix socket are in $work; it listens on no network, unless
# it is told to, and asks for a password there.  Arguments are settings, as
# "name=value".
start_server() {
	local setting
	(umask 077; head -c 15 /dev/urandom | base64 | as_server tee "$work/password" >/dev/null)
	as_server "$bindir/initdb" -D "$work/data" -U postgres --pwfile="$work/password" \
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
	unset PGSERVICE PGOPTIONS PGAPPNAME
}

start_again() {
	as_server "$bindir/pg_ctl" -D "$work/data" -l "$work/server.log" -t 120 -w start \
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
	[ $failed = 0 ]
}

# Counts the lines of a log that say ok and not ok; with a status that says
# failure, one at least must have failed.
count_results() {
	local log=$1 status=$2 ok not_ok
	ok=$(grep -cE '^ok |^(test|    ) .*\.\.\. ok ' "$log" || true)
	not_ok=$(grep -cE '^not ok |^(test|    ) .*\.\.\. FAILED ' "$log" || true)
	ok=$((ok - $(grep -cE '^ok .*# (SKIP|skip)' "$log" || true)))
	[ "$status" = 0 ] || [ "$not_ok" -gt 0 ] || not_ok=1
	passed=$((passed + ok)) failed=$((failed + not_ok))
}

# Runs pg_regress and the isolation tests on the server that was started.  Arguments are for make.
run_regress() {
	local status=0 diffs
	as_server make -s -C "$work/tree" PG_CONFIG="$pg_config" "$@" installcheck \
		>"$work/regress.log" 2>&1 || status=$?
	grep -E '^(not )?ok |^test ' "$work/regress.log" || true
	if [ $status != 0 ]; then
		diffs=$(find "$work/tree" -name regression.diffs)
		cat ${diffs:-"$work/regress.log"}
		grep -A 3 'was terminated by' "$work/server.log" || true
	fi
	count_results "$work/regress.log" $status
}

# Runs the TAP tests that are named, which start servers of their own.
run_tap() {
	local status=0
	as_server env -u PGHOST -u PGPORT -u PGUSER -u PGDATABASE \
		GID_OTHER_VECTORS="$work/vectors" \
		make -s -C "$work/tree" PG_CONFIG="$pg_config" TAP_TESTS=1 REGRESS= ISOLATION= PROVE_FLAGS=-v \
		PROVE_TESTS="$*" installcheck >"$work/tap.log" 2>&1 || status=$?
	sed -n 's/^\(t\/[^ ]*\) \.\.* *$/\1/p' "$work/tap.log"
	if [ $status != 0 ]; then
		grep -E -A12 '^not ok' "$work/tap.log" || true
		tail -n 20 "$work/tap.log" "$work"/tree/tmp_check/log/*.log
	fi
	count_results "$work/tap.log" $status
}
