# shellcheck shell=bash
#
# valgrind.sh: a server under valgrind, with the tests of text and bytes; with
# --long, all of them.
#
# PostgreSQL was not built for valgrind, so palloc's chunks are not told apart,
# and what it does itself (padding that it writes out) is reported as well.
# So an error counts if the extension is in its stack, or in that of the
# allocation that its bytes come from.

: "${work:?is set by script/check}"
need_tools "valgrind libc6-dbg" valgrind

# errors_of LIBRARY: those with a frame in it; fails if there is none.
errors_of() {
	cat "$work"/valgrind/*.xml | perl -0777 -ne '
		for my $error (m{<error>.*?</error>}gs) {
			next unless $error =~ m{<obj>[^<]*/\Q'"$1"'\E</obj>};
			$found = 1;
			print "$1\n" if $error =~ m{<(?:what|text)>([^<]*)</};
			print "\t$1 ($2:$3)\n"
				while $error =~ m{<fn>([^<]*)</fn>\s*<dir>[^<]*</dir>\s*<file>([^<]*)</file>\s*<line>(\d+)</line>}g;
		}
		END { $? = !$found; }'
}

none() {
	! "$@"
}

build -O1 -g
mkdir "$work/valgrind"
give_to_server
fresh_server valgrind --quiet --trace-children=no --track-origins=yes \
	--num-callers=40 --xml=yes --xml-file="$work/valgrind/%p.xml"
if [ -n "${GID_TEST_LONG:-}" ]; then
	run_regress installcheck
else
	run_regress installcheck REGRESS="setup text spoilt binary"
fi
make_canary
ask_canary 16
stop_server
reports=("$work"/valgrind/*.xml)
print "${#reports[@]} processes were watched"
expect "no error with gid.so in its stack" none errors_of gid.so
expect "one would be reported" errors_of canary.so
