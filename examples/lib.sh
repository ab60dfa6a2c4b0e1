# shellcheck shell=sh
#
# lib.sh: what the programs "run" of examples/ and clients/ share.  Sourced, not run.
# Makes $work, a temporary folder that is deleted at the end.

here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect_success NAME COMMAND ...: a test, which is that the command succeeds
expect_success() {
	name=$1
	shift
	if "$@" >"$work/shown.log" 2>&1; then echo "ok - $name"; else echo "not ok - $name"; sed 's/^/# /' "$work/shown.log"; fi
}

# block LANGUAGE: the first block in a language of $readme, or of the README here
block() {
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "${readme:-$here/README.md}" | sed '1d;/^```$/,$d'
}

# Goes to $work/program, an empty folder next to a checkout $work/gid, as the READMEs
# have it.
begin_program() {
	ln -s "$(cd ../.. && pwd)" "$work/gid"
	mkdir "$work/program"
	cd "$work/program"
}
