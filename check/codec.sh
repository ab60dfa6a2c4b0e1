# shellcheck shell=bash
#
# codec.sh: compares the codec with a slow one, built in several ways and on a
# big-endian machine.  It needs no server.

: "${work:?is set by script/check}"

# run_codec_test WHAT COUNT [RUNNER ...]: runs what was built, counts its tests,
# and keeps what it says.
run_codec_test() {
	local what=$1 count=$2 status=0
	shift 2
	print "$what:"
	"$@" "$work/codec_test" "$count" "$work"/tree/vectors/*.tsv >"$work/codec.log" 2>&1 || status=$?
	sed 's/^/  /' "$work/codec.log"
	count_results "$work/codec.log" $status
}

compile() {
	(cd "$work/tree" && "$@" -g -std=gnu99 -Wall -Wextra -Werror -Isrc \
		check/codec_test.c src/codec.c -o "$work/codec_test") || fail "$1 failed"
}

need_tools "valgrind libc6-dbg gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user" \
	valgrind s390x-linux-gnu-gcc qemu-s390x
need_clang_sanitizers
many=1000000 few=100000
[ -z "${GID_TEST_LONG:-}" ] || many=20000000 few=1000000

for compiler in gcc clang; do
	compile $compiler -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
	run_codec_test "$compiler, with sanitizers" $many
done

compile gcc -O1 -U__SIZEOF_INT128__ -fsanitize=address,undefined -fno-sanitize-recover=all
run_codec_test "gcc, where no integer has 128 bits" $few

compile gcc -O1
run_codec_test "gcc, in valgrind" $((few / 4)) \
	valgrind -q --error-exitcode=9 --leak-check=full --track-origins=yes

# The same on a big-endian machine, emulated.
compile gcc -O2
run_codec_test "gcc, as PostgreSQL is built" $few
checksum=$(grep -F checksum "$work/codec.log")
compile s390x-linux-gnu-gcc -O2 -static
run_codec_test "s390x" $few qemu-s390x
expect "s390x is big-endian" grep -F 'a big-endian machine' "$work/codec.log"
expect "s390x gives the same texts" grep -Fx "$checksum" "$work/codec.log"
