# shellcheck shell=bash
#
# roots.sh: Debian systems in folders, to run things in, and all of lib.sh.
# Sourced, not run.
#
# A chroot is made once and used again; it appears under its name only when it
# is complete.  What runs in it has mounts, processes and shared memory of its
# own, which are gone when it ends, however it ends: nothing is ever mounted
# that others could see or that would have to be unmounted.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

chroots=${GID_ROOTS:-/var/cache/gid-roots}
fresh=							# whether to make anew what is there
chroot_megabytes=4000			# megabytes that making a chroot takes, with some to spare

# A command that is interrupted may end with the status of a failure.
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

chroot_timeout=2h				# of what runs in a chroot

# in_chroot FOLDER COMMAND ...: runs a command in a chroot.
in_chroot() {
	local dir=$1 environment=(
		PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8
		CI="${CI:-}" GID_VECTORS="${GID_VECTORS:+/srv/vectors}")
	shift
	as_root timeout --foreground --kill-after=10 "$chroot_timeout" unshare --mount --pid --ipc --fork --kill-child \
		sh -eus "$dir" "${environment[@]}" "$@" <<-'END'
		mount --bind "$1" "$1"	# buildah takes / for a mount point
		cd "$1"
		shift
		[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf etc
		mount --rbind /dev dev
		mount -t tmpfs tmpfs dev/shm
		mount -t proc proc proc
		exec chroot . env -i "$@" </dev/null
	END
}

# Where this system's own packages come from; debootstrap knows another place.
mirror() {
	apt-get indextargets --format "\$(REPO_URI)" 'Origin: Debian' 'Label: Debian' 2>/dev/null |
		grep -m 1 '^http' || true
}

# Says why no chroot can be made or entered here, if that is so.
reason_against_chroots() {
	can_be_root || { print "there is neither root nor sudo"; return; }
	as_root unshare --mount --pid --ipc --fork mount -t tmpfs tmpfs /mnt 2>/dev/null ||
		print "mounting is not permitted here"
}

# Says why a chroot cannot be made here, if that is so.
reason_against_new_chroot() {
	local free parent=$chroots
	if command -v apt-get >/dev/null; then
		# Ubuntu has debootstrap without the keys of Debian's archive.
		(need_packages debootstrap debian-archive-keyring) >/dev/null 2>&1 ||
			{ print "debootstrap could not be installed"; return; }
	elif ! command -v debootstrap >/dev/null; then
		print "there is no debootstrap"
		return
	fi
	until [ -d "$parent" ]; do parent=$(dirname "$parent"); done
	free=$(df --output=avail -BM "$parent" | tail -n 1 | tr -dc 0-9)
	[ "$free" -ge "$chroot_megabytes" ] ||
		print "there is not enough space: a chroot takes $chroot_megabytes MB, and $parent has $free"
}

# lock_chroot NAME: until unlock_chroot, or the end of this shell.  Two runs at
# once in one chroot would test each other's tree.
declare -A locks
lock_chroot() {
	local lock=$chroots/$1.lock fd
	[ -z "${locks[$1]:-}" ] || return 0
	as_root mkdir -p "$chroots"
	as_root touch "$lock"
	exec {fd}<"$lock"
	flock -n "$fd" || {
		print "Waiting for another run in $chroots/$1 ..."
		flock -w 7200 "$fd" || fail "another run is at work in $chroots/$1"
	}
	locks[$1]=$fd
}

unlock_chroot() {
	local fd=${locks[$1]:-}
	[ -n "$fd" ] || return 0
	exec {fd}<&-
	unset "locks[$1]"
}

# What is mounted in it, if anybody did that, is left alone.
remove_chroot() {
	as_root rm -rf --one-file-system "${chroots:?}/${1:?}"
}

# put_tree FOLDER: the checkout, and the vectors that GID_VECTORS names, to /srv
# in a chroot.
put_tree() {
	as_root rm -rf --one-file-system "$1/srv/gid" "$1/srv/vectors"
	as_root mkdir -p "$1/srv/gid"
	copy_tree | as_root tar -C "$1/srv/gid" --no-same-owner -xf -
	[ -z "${GID_VECTORS:-}" ] || as_root cp -R "$GID_VECTORS" "$1/srv/vectors"
}

# need_chroot NAME [VERSION ...]: makes the chroot that has this name, unless it
# is there, with these versions of PostgreSQL and what testing needs.  It is of
# the last one's suite; the others' are there to take packages from.  Without a
# version it is a Debian that has nothing.  Where it cannot be made, reason says
# why.
need_chroot() {
	local name=$1 dir=$chroots/$1.new log=$chroots/$1.root.log
	local version suites=() more packages=() mirror
	shift
	for version in "$@"; do
		read -ra more < <(suites_of "$version")
		suites=("${more[@]}" "${suites[@]}")
		packages+=("postgresql-$version" "postgresql-server-dev-$version")
	done
	[ $# -gt 0 ] || suites=(bookworm)
	reason=$(reason_against_chroots)
	[ -z "$reason" ] || return 1
	lock_chroot "$name"
	[ -n "$fresh" ] || [ ! -d "$chroots/$name" ] || return 0
	reason=$(reason_against_new_chroot)
	[ -z "$reason" ] || return 1
	print "Making a chroot for $name in $chroots/$name ..."
	remove_chroot "$name.new"
	as_root touch "$log"
	mapfile -t mirror < <(mirror)
	{
		as_root unshare --mount debootstrap --variant=minbase --include=ca-certificates \
			"${suites[0]}" "$dir" "${mirror[@]}" </dev/null &&
		configure_apt "$dir" "${suites[@]}" &&
		in_chroot "$dir" "${apt_get[@]}" update &&
		in_chroot "$dir" "${apt_get[@]}" install --no-install-recommends "${packages[@]}"
	} 2>&1 | as_root tee "$log" >/dev/null || {
		reason="the archive did not give what it takes: $(grep -E '^E: ' "$log" | tail -n 1 || true) ($log)"
		return 1
	}
	if [ $# -gt 0 ]; then
		put_tree "$dir"
		in_chroot "$dir" /srv/gid/script/bootstrap 2>&1 | as_root tee -a "$log" >/dev/null ||
			fail "script/bootstrap failed: $log"
	fi
	remove_chroot "$name"
	as_root mv "$dir" "$chroots/$name"
}

# need_source FOLDER VERSION: has apt-get fetch this PostgreSQL's source into /srv
# in a chroot of bookworm, unless it is there.  A list names what its archive has
# no longer, or not yet: then an older one is taken.
need_source() {
	local dir=$1 name=postgresql-$2 suites suite number
	! ls "$dir/srv/${name}"_*.orig.tar.* >/dev/null 2>&1 || return 0
	read -ra suites < <(suites_of "$2")
	for suite in "${suites[@]}"; do
		sed -n "s/^deb \(.*\) bookworm /deb-src \1 $suite /p" "$dir/etc/apt/sources.list"
	done | as_root tee "$dir/etc/apt/sources.list.d/source.list" >/dev/null
	in_chroot "$dir" "${apt_get[@]}" update >/dev/null 2>&1 || return
	while read -r number; do
		! in_chroot "$dir" sh -ec "
			rm -rf /srv/source
			mkdir /srv/source
			cd /srv/source
			apt-get -q source --download-only '$name=$number'
			mv ./*.orig.tar.* /srv" >/dev/null 2>&1 || return 0
	done < <(in_chroot "$dir" apt-cache showsrc "$name" 2>/dev/null | sed -n 's/^Version: //p' | sort -rV)
	return 1
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
	print 'Acquire::Check-Valid-Until "false";' |
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
