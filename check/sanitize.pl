#!/usr/bin/perl
# The tests of pg_regress run without an error on a build of the extension with the
# sanitizers of memory and arithmetic, and on a server that preloads other libraries, too.
#
# The server is built without sanitizers, so their library is preloaded.  It checks
# the heap blocks that the server gets from the system, and the stack and constants of
# the extension.  It cannot distinguish palloc's chunks within a block.
#
# Packages: postgresql-NN-pgaudit

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";
use Gid;

# PostgreSQL is built with -fwrapv, under which signed arithmetic wraps and is not
# reported.
my @flags = split / /, '-O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -fno-wrapv';

# PostgreSQL does not free its memory before it exits.  It has its own signal handlers
# and its own limit of stack depth.  The sanitizers abort because the tests detect a
# crash; an exit looks like the end of a session.
my $asan = 'abort_on_error=1:detect_leaks=0:detect_stack_use_after_return=0:handle_segv=0';
my $ubsan = 'abort_on_error=1:print_stacktrace=1';

build('clean', "COPT=@flags");
my ($library) = run_command([qw(gcc -print-file-name=libasan.so)]);
my ($pkglibdir) = run_command([ $ENV{PG_CONFIG}, '--pkglibdir' ]);
# AddressSanitizer starts at the first call of malloc().  Constructors of libraries call it in
# functions that hold glibc's locks on locales, which AddressSanitizer acquires, too, and the
# server hangs.  Therefore it starts before all constructors.
append_to_file("$work/first.c", q{
#include <stdlib.h>
void *volatile first;
__attribute__((constructor)) static void allocate(void) { first = malloc(1); }
});
must_run(qw(gcc -fPIC -shared), '-Wl,-z,initfirst', '-o', "$work/first.so", "$work/first.c");
my @libraries = (qw(gid pg_stat_statements auto_explain), grep { -e "$pkglibdir/$_.so" } 'pgaudit');
my $node = new_server('main', "shared_preload_libraries = '@{[ join ', ', @libraries ]}'",
	'auto_explain.log_min_duration = 0', 'auto_explain.log_analyze = on', 'pgaudit.log = all');
# Programs of the server start this instead.
rename "$bindir/postgres", "$bindir/postgres.real" or die "postgres: $!";
append_to_file("$bindir/postgres", qq{#!/bin/sh
LD_PRELOAD=$library:$work/first.so ASAN_OPTIONS=$asan UBSAN_OPTIONS=$ubsan exec "$bindir/postgres.real" "\$@"
});
chmod 0755, "$bindir/postgres";
$node->start;
regress_ok($node, [ names_in('REGRESS') ], [ names_in('ISOLATION') ]);
unlike(slurp_file($node->logfile), qr/runtime error:|AddressSanitizer/, 'the sanitizers report nothing');

# Without this option, the other sanitizer reports the read of the canary first.
add_canary($node, @flags, '-fno-sanitize=object-size');
ask_canary($node, 16);
like(slurp_file($node->logfile), qr/AddressSanitizer: heap-buffer-overflow/, 'a read beyond an array is reported');
ask_canary($node, 2147483647);
like(slurp_file($node->logfile), qr/runtime error: signed integer overflow/, 'an overflow is reported');
done_testing();
