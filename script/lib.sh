# shellcheck shell=bash
#
# lib.sh: functions of all scripts.  Sourced, not run.
#
# Installs missing packages if it is allowed to, builds in a copy of the tree, installs
# into a copy of PostgreSQL, and starts a server of that copy.  Both copies are in a
# temporary folder that no other user can enter.  This file must not know about tests;
# these use script/env and t/Gid.pm.

set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
oldest=15						# the oldest PostgreSQL that gid supports
export LC_ALL=C.UTF-8

print() { printf '%s\n' "$*"; }
fail() { printf '%s: %s\n' "$0" "$*" >&2; exit 1; }

# The comment at the top of the script.
help() { sed -n '2,/^[^#]/{/^# shellcheck/d; s/^# \{0,1\}//p}' "$0"; }

# report COMMAND ...: runs a command that runs prove, and says at the end which tests were
# skipped and why, how long the run took, and which five steps took longest.  If the
# command reports too, only the outer report is printed.
report() {
	local status=0 output seconds=$SECONDS
	[ -z "${GID_REPORTED:-}" ] || { "$@"; return; }
	output=$(mktemp)
	GID_REPORTED=yes "$@" 2>&1 | tee "$output" || status=$?
	seconds=$((SECONDS - seconds))
	grep '^# Skipped ' "$output" | sort -u || true
	# prove prints "[09:01:56] check/plans.pl .... ok    36515 ms (...)".
	sed -nE 's/^\[[0-9:]+\] (.*[^ .]) \.+ .* ([0-9]+) ms .*/\2 \1/p' "$output" | sort -rn | head -n 5 |
		while read -r took step; do printf '# %5d s: %s\n' $((took / 1000)) "$step"; done
	print "# The run took $((seconds / 60)) minutes and $((seconds % 60)) seconds."
	rm -f "$output"
	return $status
}

# --- Installing ------------------------------------------------------------

# Runs a command as root, with sudo if necessary.
as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Whether packages can be installed.  With GID_INSTALL=no, they must not.
can_be_root() {
	[ "${GID_INSTALL:-}" != no ] || return
	[ "$(id -u)" = 0 ] || command -v sudo >/dev/null
}

# apt-get waits for dpkg's lock, and asks no questions.
apt_get=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -q -y -o DPkg::Lock::Timeout=-1)

# Whether a package is installed, or another one that provides it, as some nodejs
# packages provide npm.
is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ||
		grep -q "^installed \(.*, \)\?$1[ ,]" < <(dpkg-query -W -f '${db:Status-Status} ${Provides},\n')
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

# apt-get does not wait for the lock of its lists, so this tries again.
apt_updated=
update_lists() {
	local output
	[ -z "$apt_updated" ] || return 0
	print "Updating the list of packages ..."
	until output=$(as_root "${apt_get[@]}" update 2>&1); do
		[[ $output == *"Could not get lock"* ]] || fail "apt-get update failed: $output"
		sleep 3
	done
	apt_updated=yes
}

# need_packages NAME ...: installs those that are missing, on Debian and Ubuntu.
# Elsewhere the names of packages are unknown, and it does nothing.
need_packages() {
	local name output missing=()
	command -v apt-get >/dev/null || return 0
	for name in $(printf '%s\n' "$@" | sort -u); do
		is_installed "$name" || missing+=("$name")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	can_be_root ||
		fail "these packages are missing; root must install them: ${missing[*]}"
	update_lists
	print "Installing ${missing[*]} ..."
	output=$(as_root "${apt_get[@]}" install --no-install-recommends "${missing[@]}" 2>&1) || {
		tail -n 20 <<<"$output" >&2
		fail "could not install: ${missing[*]}"
	}
}

# need_postgres PACKAGE ...: sets pg_config, bindir and version, from PG_CONFIG if that
# is set.  Installs a server, its headers, a compiler and these packages.
need_postgres() {
	if [ -n "${PG_CONFIG:-}" ] || ! command -v apt-get >/dev/null; then
		pg_config=$(command -v "${PG_CONFIG:-pg_config}") ||
			fail "there is no program ${PG_CONFIG:-pg_config}: install PostgreSQL with its headers, a compiler and make, or name it in PG_CONFIG"
		need_packages make gcc libc6-dev "$@"
	else
		bindir=$(installed_bindir)
		if [ -n "$bindir" ]; then
			version=$(echo "$bindir" | cut -d/ -f5)
		else
			version=$(packaged_version)
			if [ -z "$version" ]; then
				can_be_root ||
					fail "these packages are missing; root must install them: postgresql postgresql-server-dev-all make gcc libc6-dev $*"
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

# PostgreSQL refuses to run as root.  Then the server, and each program that writes to
# its folder, runs as postgres.
as_server() {
	if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# Writes an archive of the tree, without what was built there.
copy_tree() {
	tar -C "$top" --exclude=.git --exclude='*.o' --exclude='*.so' --exclude='*.bc' \
		--exclude=./results --exclude=./output_iso --exclude=./tmp_check -cf - .
}

# Creates the folder $work with a copy of the tree and a copy of PostgreSQL, and deletes
# it when the script ends.  Only root and the user who runs the server can enter it,
# because the server's socket in it requires no password.
make_work() {
	work=$(mktemp -d /tmp/gid.XXXXXX)
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	mkdir "$work/tree" "$work/tmp"
	copy_tree | tar -C "$work/tree" -xf -
	copy_postgres
	give_to_server
	cd "$work"					# the checkout may be closed to the server's user
}

# Gives the work folder to the server's user, who tests what root built.
give_to_server() {
	[ "$(id -u)" != 0 ] || chown -R postgres "$work"
}

clean_up() {
	local status=$?
	trap - EXIT
	if [ -n "${work:-}" ]; then
		[ ! -f "$work/data/postmaster.pid" ] || as_server "$bindir/pg_ctl" -D "$work/data" -m fast -w stop >/dev/null || true
		rm -rf "$work"
	fi
	exit $status
}

# Copies PostgreSQL into the work folder, and uses the copy from here on.  Its programs
# find their files relative to themselves.
copy_postgres() {
	local copy=$work/postgres path libdir
	libdir=$("$pg_config" --libdir)
	for path in "$bindir" "$("$pg_config" --pkglibdir)" "$("$pg_config" --sharedir)"; do
		mkdir -p "$copy$path"
		cp -a "$path/." "$copy$path"
		# Remove an installed gid: it must not be tested.
		find "$copy$path" -depth \( -name 'gid--*.sql' -o -name gid.control -o -name gid.so -o -path '*/bitcode/gid*' \) -delete
	done
	# Headers and libraries are only read, to build an extension or a client.
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

# build_tree ARGUMENT ...: builds by make with these arguments, and installs into the
# copy of PostgreSQL.
build_tree() {
	local make=(make -s -C "$work/tree" PG_CONFIG="$pg_config")
	"${make[@]}" clean >/dev/null 2>&1 || true
	if ! { "${make[@]}" "$@" && "${make[@]}" "$@" install; } >"$work/build.log" 2>&1; then
		cat "$work/build.log"
		print "The build failed."
		return 1
	fi
	give_to_server
}

# --- A temporary server --------------------------------------------------

# start_server SETTING ...: starts it with settings such as "port = 5433".  Its data and
# its Unix socket are in $work, and it does not listen on a network.
start_server() {
	# The server reads PGPORT, too.
	export PGHOST=$work PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
	unset PGSERVICE PGHOSTADDR PGOPTIONS PGAPPNAME PGPASSWORD
	as_server "$bindir/initdb" -D "$work/data" -U postgres --auth=trust -N -E UTF8 --no-locale \
		>"$work/initdb.log" 2>&1 || { cat "$work/initdb.log" >&2; fail "initdb failed"; }
	printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$work'" "$@" |
		as_server tee -a "$work/data/postgresql.conf" >/dev/null
	as_server "$bindir/pg_ctl" -D "$work/data" -l "$work/server.log" -t 600 -w start >/dev/null ||
		{ cat "$work/server.log" >&2; fail "the server did not start"; }
}
