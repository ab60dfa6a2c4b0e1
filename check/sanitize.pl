#!/usr/bin/perl
# The tests of pg_regress, with an extension that was built with sanitizers of
# memory and of arithmetic, find no error.
#
# The server was built without them, so their library is loaded before it.  It sees
# every heap block that the server gets from the system, and the extension's own
# stack and constants; palloc's chunks within a block it cannot tell apart.
#
# 1 minute.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

use PostgreSQL::Test::Utils;
use Test::More;

# PostgreSQL is built with -fwrapv, under which signed arithmetic wraps and is not
# reported.
my @flags = split / /, '-O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -fno-wrapv';

# PostgreSQL leaves its memory to the system when it exits, and has its own
# handlers and its own limit of stack depth.  An abort is a crash, which is seen;
# an exit would look like the end of a session.
my $asan = 'abort_on_error=1:detect_leaks=0:detect_stack_use_after_return=0:handle_segv=0';
my $ubsan = 'abort_on_error=1:print_stacktrace=1';

build('clean', "COPT=@flags");
my ($library) = run_command([qw(gcc -print-file-name=libasan.so)]);
must_run(qw(gcc -Wall -Wextra -Werror -fPIC -shared -o), "$work/asan_first.so", "$tree/check/asan_first.c");
my $node = new_server('main');
wrap_server('env', "LD_PRELOAD=$library:$work/asan_first.so", "ASAN_OPTIONS=$asan", "UBSAN_OPTIONS=$ubsan");
$node->start;
regress_ok($node, [ names_in('REGRESS') ], [ names_in('ISOLATION') ]);
unlike(slurp_file($node->logfile), qr/runtime error:|AddressSanitizer/, 'nothing is reported');

# The other sanitizer would see this canary's read as well, and before.
add_canary($node, @flags, '-fno-sanitize=object-size');
ask_canary($node, 16);
like(slurp_file($node->logfile), qr/AddressSanitizer: heap-buffer-overflow/, 'a read beyond would be reported');
ask_canary($node, 2147483647);
like(slurp_file($node->logfile), qr/runtime error: signed integer overflow/, 'an overflow would be reported');
done_testing();
