# shellcheck shell=bash
#
# sanitize.sh: pg_regress with an extension that was built with sanitizers.
#
# The server was not, so their library is loaded before it.  It sees every heap
# block that the server gets from the system, and the extension's own stack and
# constants; palloc's chunks within a block it cannot tell apart.

: "${work:?is set by script/check}"
flags=(-O1 -fno-omit-frame-pointer "-fsanitize=address,undefined" -fno-sanitize-recover=all -fno-wrapv)

# PostgreSQL leaves its memory to the system when it exits, and has its own
# handlers and its own limit of stack depth.  An abort is a crash, which is seen;
# an exit would look like the end of a session.
asan="abort_on_error=1:detect_leaks=0:detect_stack_use_after_return=0:handle_segv=0"
ubsan="abort_on_error=1:print_stacktrace=1"

reports() {
	grep -E 'runtime error:|AddressSanitizer' "$work/server.log"
}

none() {
	! "$@"
}

# PostgreSQL is built with -fwrapv, under which signed arithmetic wraps and is not
# reported; this build is without it.
build "${flags[@]}"
gcc -Wall -Wextra -Werror -fPIC -shared -o "$work/asan_first.so" "$work/tree/check/asan_first.c"
fresh_server env LD_PRELOAD="$(gcc -print-file-name=libasan.so):$work/asan_first.so" \
	ASAN_OPTIONS=$asan UBSAN_OPTIONS=$ubsan
run_regress installcheck
expect "nothing is reported" none reports

# The other sanitizer would see this canary's read as well, and before.
make_canary "${flags[@]}" -fno-sanitize=object-size
ask_canary 16
expect "a read beyond would be reported" grep -F 'AddressSanitizer: heap-buffer-overflow' "$work/server.log"
ask_canary 2147483647
expect "an overflow would be reported" grep -F 'runtime error: signed integer overflow' "$work/server.log"
