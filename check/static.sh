# shellcheck shell=bash
#
# static.sh: static analysis.  .clang-tidy names the
# checks of clang-tidy, and the reasons for them.

: "${work:?is set by script/check}" "${pg_config:?}"
need_tools "clang-tidy shellcheck" clang-tidy shellcheck

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

# Every file that a shell runs or sources.
files=()
while read -r file; do
	read -r line <"$file" || true
	[[ $file != *.sh && $line != "#!"*sh ]] || files+=("$file")
done < <(find "$work/tree" -type f ! -path '*/node_modules/*')
expect "shell scripts are found" test ${#files[@]} -ge 30
for file in "${files[@]}"; do
	expect "shellcheck: ${file#"$work/tree/"}" shellcheck -x -P SCRIPTDIR "$file"
done
