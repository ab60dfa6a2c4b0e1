# static.sh: what can be said without running anything.  .clang-tidy names the
# checks of clang-tidy, and the reasons for them.

need "clang-tidy shellcheck" clang-tidy shellcheck

# Each compiler's own warnings are errors in script/test.
analyze() {
	make_tree clean >/dev/null 2>&1 || true
	make_tree CC=gcc with_llvm=no COPT="-fanalyzer -Werror"
}
expect "gcc -fanalyzer: src/*.c" analyze

tidy() {
	(cd "$work/tree" && clang-tidy --quiet "$@")
}
for file in "$work"/tree/src/*.c; do
	file=${file#"$work/tree/"}
	expect "clang-tidy: $file" tidy "$file" -- -std=gnu99 -DGID_VERSION='"1.0"' \
		-D_GNU_SOURCE -isystem "$("$pg_config" --includedir-server)"
done
for file in check/codec_test.c check/codec_fuzzer.c; do
	expect "clang-tidy: $file" tidy "$file" -- -std=gnu99 -Isrc
done

# Variables are set in one file and used in another, words are split on purpose,
# "a= b=" is not a mistake, and set -e is on where a cd could fail.
for file in "$root"/.ci/run "$root"/script/* "$root"/check/*.sh "$root"/examples/*.sh "$root"/{examples,clients}/*/run; do
	if [[ $file == *.sh ]] || head -n 1 "$file" | grep -q 'sh$'; then
		expect "shellcheck: ${file#"$root/"}" shellcheck -s bash -S warning \
			-e SC2154,SC2034,SC2046,SC2207,SC1007,SC2164 "$file"
	fi
done
