# roots.sh: Debian systems in folders, to run things in.  Sourced, after
# lib.sh.
#
# A root is made once and used again; it appears under its name only when it
# is complete.  What runs in it has mounts, processes and shared memory of its
# own, which are gone when it ends, however it ends: nothing is ever mounted
# that others could see or that would have to be unmounted.

roots=${GID_ROOTS:-/var/cache/gid-roots}
fresh=							# whether to make anew what is there
room=4000						# megabytes that making a root takes, with some to spare

# What is interrupted may end as though it had failed by itself.
trap 'exit 130' INT

# Debian's suites that have a version of PostgreSQL, the base system's first.
suites_of() {
	case $1 in
		15) echo bookworm ;;
		17) echo trixie ;;
		18) echo sid ;;
		19) echo sid experimental ;;
	esac
}

# in_root FOLDER COMMAND ...: runs a command in a root, for two hours at most.
in_root() {
	as_root timeout --foreground --kill-after=10 2h unshare --mount --pid --ipc --fork --kill-child sh -c '
		set -e
		cd "$0"
		[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf etc
		mount --rbind /dev dev
		mount -t tmpfs tmpfs dev/shm
		mount -t proc proc proc
		exec chroot . env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
			DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"' "$@" </dev/null
}

# Where this system's own packages come from; debootstrap knows another place.
mirror() {
	apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' 2>/dev/null |
		grep -m 1 '^http' || true
}

# Says why no root can be made or entered here, if that is so.
why_no_roots() {
	can_be_root || { say "there is neither root nor sudo"; return; }
	as_root unshare --mount --pid --ipc --fork mount -t tmpfs tmpfs /mnt 2>/dev/null ||
		say "mounting is not permitted here"
}

# Says why a root cannot be made here, if that is so.
why_no_new_root() {
	local free parent=$roots
	if command -v apt-get >/dev/null; then
		# Ubuntu has debootstrap without the keys of Debian's archive.
		(need_packages debootstrap debian-archive-keyring) >/dev/null 2>&1 ||
			{ say "debootstrap could not be installed"; return; }
	elif ! command -v debootstrap >/dev/null; then
		say "there is no debootstrap"
		return
	fi
	until [ -d "$parent" ]; do parent=$(dirname "$parent"); done
	free=$(df --output=avail -BM "$parent" | tail -n 1 | tr -dc 0-9)
	[ "$free" -ge $room ] ||
		say "there is no room: a root takes $room MB, and $parent has $free"
}

# Two runs at once would test each other's tree.
locked=
lock_roots() {
	[ -z "$locked" ] || return 0
	as_root mkdir -p "$roots"
	exec 9<"$roots"
	flock -n 9 || fail "another run is at work in $roots"
	locked=yes
}

# What is mounted in it, if anybody did that, is left alone.
drop_root() {
	as_root rm -rf --one-file-system "${roots:?}/${1:?}"
}

# put_tree FOLDER: the checkout, and the vectors beside it, to /srv in a root.
put_tree() {
	as_root rm -rf --one-file-system "$1/srv/gid" "$1/srv/shared"
	as_root mkdir -p "$1/srv/gid" "$1/srv/shared"
	copy_tree | as_root tar -C "$1/srv/gid" --no-same-owner -xf -
	if [ -d "$root/../shared/vectors" ]; then
		as_root cp -R "$root/../shared/vectors" "$1/srv/shared"
	fi
}

# need_root NAME [VERSION ...]: makes the root that has this name, unless it is
# there, with these versions of PostgreSQL and what testing needs.  It is of the
# last one's suite; the others' are there to take packages from.  Without a
# version it is a Debian that has nothing.  Where it cannot be made, why says so.
need_root() {
	local name=$1 dir=$roots/$1.new log=$roots/$1.root.log suites= packages= version
	shift
	for version in "$@"; do
		suites="$(suites_of "$version") $suites"
		packages+=" postgresql-$version postgresql-server-dev-$version"
	done
	[ $# -gt 0 ] || suites=bookworm
	why=$(why_no_roots)
	[ -z "$why" ] || return 1
	lock_roots
	[ -n "$fresh" ] || [ ! -d "$roots/$name" ] || return 0
	why=$(why_no_new_root)
	[ -z "$why" ] || return 1
	say "Making a root for $name in $roots/$name ..."
	drop_root "$name.new"
	as_root touch "$log"
	{
		as_root unshare --mount debootstrap --variant=minbase --include=ca-certificates \
			"${suites%% *}" "$dir" $(mirror) </dev/null &&
		configure_apt "$dir" $suites &&
		in_root "$dir" apt-get update -q &&
		{ [ -z "$packages" ] || in_root "$dir" apt-get install -q -y --no-install-recommends $packages; }
	} 2>&1 | as_root tee "$log" >/dev/null || {
		why="the archive did not give what it takes: $(grep -E '^E: ' "$log" | tail -n 1 || true) ($log)"
		return 1
	}
	if [ -n "$packages" ]; then
		put_tree "$dir"
		in_root "$dir" sh -c 'cd /srv/gid && script/bootstrap' 2>&1 | as_root tee -a "$log" >/dev/null ||
			fail "script/bootstrap failed: $log"
	fi
	drop_root "$name"
	as_root mv "$dir" "$roots/$name"
}

# configure_apt FOLDER SUITE ...: how to reach the archive, what to take from
# it, and that nothing is to be started.
configure_apt() {
	local dir=$1 base=$2 suite file
	shift 2
	for file in /etc/apt/apt.conf.d/*proxy*; do
		[ ! -f "$file" ] || as_root cp "$file" "$dir/etc/apt/apt.conf.d"
	done
	# A mirror of sid or experimental is often older than it says it may be.
	say 'Acquire::Check-Valid-Until "false";' |
		as_root tee "$dir/etc/apt/apt.conf.d/99valid" >/dev/null
	for suite in "$@"; do
		[ "$suite" != "$base" ] || continue
		sed "s/ $base / $suite /" "$dir/etc/apt/sources.list" |
			as_root tee "$dir/etc/apt/sources.list.d/$suite.list" >/dev/null
	done
	# Of itself apt takes nothing from experimental; PostgreSQL alone it should.
	printf '%s\n' 'Package: src:postgresql-*' 'Pin: release a=experimental' 'Pin-Priority: 500' |
		as_root tee "$dir/etc/apt/preferences.d/experimental" >/dev/null
	printf '#!/bin/sh\nexit 101\n' | as_root tee "$dir/usr/sbin/policy-rc.d" >/dev/null
	as_root chmod 755 "$dir/usr/sbin/policy-rc.d"
}
