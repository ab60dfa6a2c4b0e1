# shellcheck shell=sh
#
# lib.sh: functions of the programs "run" of examples/ and clients/.  Sourced, not run.
# Creates $work, a temporary folder that is deleted at the end.

here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect_success NAME COMMAND ...: one test, which succeeds if the command succeeds
expect_success() {
	name=$1
	shift
	if "$@" >"$work/shown.log" 2>&1; then echo "ok - $name"; else echo "not ok - $name"; sed 's/^/# /' "$work/shown.log"; fi
}

# expect_equal NAME GOT EXPECTED: a test
expect_equal() {
	if [ "$2" = "$3" ]; then echo "ok - $1"; else printf '%s\n' "not ok - $1" "# got \"$2\"" "# expected \"$3\""; fi
}

# block LANGUAGE: the first block in a language of $readme, or of the README here
block() {
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "${readme:-$here/README.md}" | sed '1d;/^```$/,$d'
}

# Changes to $work/program, an empty folder next to the checkout $work/gid.  The READMEs
# use these folders.
begin_program() {
	ln -s "$(cd ../.. && pwd)" "$work/gid"
	mkdir "$work/program"
	cd "$work/program" || exit
}
