# shellcheck shell=bash
#
# fuzz.sh: the codec under libFuzzer.

: "${work:?is set by script/check}"
need_clang_sanitizers
seconds=60
[ -z "${GID_TEST_LONG:-}" ] || seconds=900

(cd "$work/tree" && clang -g -O1 -std=gnu99 -Wall -Wextra -Werror -Isrc \
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	check/codec_fuzzer.c src/codec.c -o "$work/codec_fuzzer") || fail "the fuzzer was not built"

# The seeds: every vector, in text, in compact text and in bytes.
mkdir "$work/corpus"
tail -q -n +2 "$work"/tree/vectors/*.tsv | perl -lne '
	BEGIN { chdir shift or die; $\ = undef }
	my ($text, $hex, $compact) = split /\t/;
	my %form = (text => $text, compact => $compact, bytes => pack "H*", $hex);
	foreach (keys %form) {
		open my $seed, ">:raw", "$hex-$_" or die;
		print $seed $form{$_};
	}' "$work/corpus"
seeds=("$work"/corpus/*)
print "${#seeds[@]} inputs to begin with, $seconds seconds ..."

expect "the fuzzer finds nothing" "$work/codec_fuzzer" "$work/corpus" -max_len=64 \
	-max_total_time=$seconds -artifact_prefix="$work/" -print_final_stats=1
cp "$work/output" "$work/fuzz.log"
grep -E '^seen |number_of_executed_units' "$work/fuzz.log" | sed 's/^/  /' || true

# Fewer would prove nothing.
enough() {
	[ "$(sed -n "s/^seen $1: //p" "$work/fuzz.log")" -ge 1000 ]
}
for status in "ok" "length wrong" "dash wrong" "not base 58" "overflow" "no high bit"; do
	expect "1000 inputs and more: $status" enough "$status"
	[ "$status" = "length wrong" ] ||
		expect "1000 inputs and more: $status, compact" enough "$status, compact"
done
