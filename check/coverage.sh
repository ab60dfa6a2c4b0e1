# shellcheck shell=bash
#
# coverage.sh: which lines of src/ the tests run.  What they do not run is
# printed, with the reason from uncovered.tsv where that has one; less than 95 %
# of all lines is a failure.

: "${work:?is set by script/check}"
need_tools "python3-base58 libipc-run-perl faketime" prove
least=95

build --coverage -O0
fresh_server
run_regress installcheck
stop_server

# The TAP tests of what pg_regress cannot run: the binary protocol, clocks that
# step, nodes, many sessions, gid preloaded.
if [ -n "${GID_TEST_LONG:-}" ]; then
	tests=("$work"/tree/t/*.pl)
	run_tap "${tests[@]#"$work/tree/"}"
else
	run_tap t/002_wire.pl t/008_clock.pl t/009_sessions.pl t/024_settled.pl
fi

(cd "$work/tree" && gcov -r -o src src/*.c) >"$work/gcov.log" 2>&1 ||
	{ cat "$work/gcov.log"; fail "gcov failed"; }

# A line of a .gcov file is "count: number: text"; a count of - is no code.
measure() {
	awk -F: -v least="$least" -v reasons="$work/tree/check/uncovered.tsv" '
		BEGIN {
			while ((getline line < reasons) > 0) {
				split(line, part, "\t")
				reason_of[part[1] part[2]] = part[3]
			}
		}
		FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.gcov$/, "", file); file = "src/" file; files[++n] = file }
		{ number = $2 + 0; run = $1; gsub(/ /, "", run) }
		number == 0 || run == "-" { next }
		{ lines[file]++; all++ }
		run ~ /^[#=]+$/ {
			missed[file]++; none++
			text = $0; sub(/^[^:]*:[^:]*:[ \t]*/, "", text)
			reason = (file text) in reason_of ? reason_of[file text] : "no reason is known"
			where[++m] = file ":" number ": " text "\n\t" reason
			next
		}
		END {
			for (i = 1; i <= n; i++)
				if (lines[files[i]])
					printf "%6.1f %% of %4d lines  %s\n",
						100 * (1 - missed[files[i]] / lines[files[i]]), lines[files[i]], files[i]
			printf "%6.1f %% of %4d lines  in all\n", 100 * (1 - none / all), all
			if (m) print "Not run:"
			for (i = 1; i <= m; i++) print where[i]
			exit !all || 100 * (1 - none / all) < least
		}' "$work"/tree/*.gcov
}
if measure >"$work/coverage"; then
	count_success
	print "ok - $least % of the lines are run"
else
	count_failure
	print "not ok - $least % of the lines are run"
fi
print "$(cat "$work/coverage")"
