#!/usr/bin/python3
"""Breaks one step of the horizon's protocol, for check/settled.sh.

    settled_mutations.py            lists them: name, writers, pollers, what is done
    settled_mutations.py NAME SRC   edits the sources in SRC
    settled_mutations.py delays SRC only adds the delays, and breaks nothing

Each edit replaces a text that must occur once.  PAUSE is a delay where the
mutation makes one matter; a delay alone breaks nothing.
"""
import pathlib
import sys

PAUSE = "pg_usleep(pg_prng_uint64_range(&pg_global_prng_state, 0, 10000));"
SETTLED, CLOCK = "settled.c", "server_clock.c"
QUICK = "single,procedure,procedure,late"
READ_CLAIMS = """	own = least_claim(own);
"""
NEXT_XID = """	transactions.next_xid = U64FromFullTransactionId(ReadNextFullTransactionId());
"""
ADD_SAMPLE = """	add_sample(transactions.next_xid, own);
"""
READ_RUNNING = """	read_running(&transactions);
"""
RAISE = """	own = raise_fence_to_clock();
"""

# name: (what is done, writers, pollers, edits)
MUTATIONS = {
    "claims-before-fence": (
        "claims are read before the fence is raised",
        QUICK, "with_bound,repeatable,literal",
        [(SETTLED, RAISE, "	own = least_claim(PG_INT64_MAX);\n	" + PAUSE + "\n"
          "	own = Min(own, raise_fence_to_clock());\n"),
         (SETTLED, READ_CLAIMS, "")]),
    "fence-before-claim": (
        "the fence is read before the claim is published",
        QUICK, "with_bound,repeatable,literal",
        [(CLOCK, "	slot = my_slot();\n	pg_atomic_write_u64(&slot->claim, instant);\n",
          "	slot = my_slot();\n	fence = pg_atomic_read_u64(&gid_server_clock->fence);\n	" + PAUSE + "\n"
          "	pg_atomic_write_u64(&slot->claim, instant);\n"),
         (CLOCK, "	pg_memory_barrier();\n	fence = pg_atomic_read_u64(&gid_server_clock->fence);\n",
          "	pg_memory_barrier();\n")]),
    "xid-before-claims": (
        "the next xid is read before the claims",
        "early,early,procedure,procedure,prepared", "with_bound,repeatable,literal",
        [(SETTLED, RAISE, RAISE + NEXT_XID + "	" + PAUSE + "\n"),
         (SETTLED, "	gid_delay_point();\n" + NEXT_XID, "	gid_delay_point();\n")]),
    "running-before-claims": (
        "who runs is read before the claims",
        QUICK, "with_bound,repeatable,literal",
        [(SETTLED, RAISE, RAISE + READ_RUNNING + "	" + PAUSE + "\n"),
         (SETTLED, "	gid_delay_point();\n" + READ_RUNNING, "	gid_delay_point();\n")]),
    "not-above-fence": (
        "instants are not raised above the fence",
        QUICK, "with_bound,repeatable,literal",
        [(CLOCK, "	if (instant <= fence)\n", "	if (instant < 0)\n")]),
    "without-xip": (
        "the xids in progress at the snapshot are not looked at",
        QUICK, "with_bound,repeatable,literal",
        [(SETTLED, "i < snapshot->xcnt; i++", "i < 0 * snapshot->xcnt; i++"),
         (SETTLED, RAISE, "	" + PAUSE + "\n" + RAISE)]),
    "newest-sample": (
        "the newest sample is taken, whatever its xid",
        "prepared,prepared,procedure,single", "with_bound,repeatable,literal",
        [(SETTLED, "		if (clock->samples[i].xid <= xid)\n", "		if (xid > 0)\n")]),
    "cleared-early": (
        "the claim is cleared before the commit",
        QUICK, "with_bound,repeatable,literal",
        [(CLOCK, "	FullTransactionId xid;\n\n	if (event != XACT_EVENT_COMMIT",
          "	FullTransactionId xid;\n\n	if (event == XACT_EVENT_PRE_COMMIT && gid_claimed)\n	{\n"
          "		pg_atomic_write_u64(&my_slot()->claim, 0);\n		" + PAUSE + "\n	}\n"
          "	if (event != XACT_EVENT_COMMIT")]),
    "without-own-claim": (
        "the session's own claim is left out",
        "single,procedure", "minting,with_bound,literal",
        [(SETTLED, "		if (claim != 0 && claim < instant)",
          "		if (claim != 0 && claim < instant && i != gid_my_slot())")]),
    "sample-without-claims": (
        "samples are made of the fence alone",
        "early,early,prepared,procedure", "with_bound,repeatable,literal",
        [(SETTLED, "	int64		sample;\n\n", "	int64		sample;\n	int64		fence;\n\n"),
         (SETTLED, RAISE, "	fence = raise_fence_to_clock();\n	own = fence;\n"),
         (SETTLED, ADD_SAMPLE, "	add_sample(transactions.next_xid, fence);\n")]),
    "prepared-as-running": (
        "prepared transactions count as running",
        "prepared,prepared,procedure,single", "with_bound,repeatable,literal",
        [(SETTLED, "	for (int i = 0; i < MaxBackends; i++)\n	{\n		TransactionId xid =",
          "	for (int i = 0; i < MaxBackends + NUM_AUXILIARY_PROCS + max_prepared_xacts; i++)\n	{\n"
          "		TransactionId xid ="),
         (SETTLED, '#include "access/subtrans.h"\n', '#include "access/subtrans.h"\n#include "access/twophase.h"\n')]),
    "without-own": (
        "only the sample counts, not what was read for this snapshot",
        "early", "with_bound,repeatable,literal,stable,generic",
        [(SETTLED, "	transactions.least = own;\n", "	transactions.least = PG_INT64_MAX;\n"),
         (SETTLED, "	sample = newest_sample(first",
          "	" + PAUSE + PAUSE + PAUSE + "\n	sample = newest_sample(first")]),
    "new-answers": (
        "each call in a statement has an answer of its own",
        QUICK, "parted,parallel,literal",
        [(SETTLED, "	if (answer != NULL)\n		return", "	if (answer != NULL && key.xmax == 0)\n		return")]),
    "cleared-by-worker": (
        "a parallel worker that starts clears the claim of its leader",
        "with_workers,with_workers,procedure,single", "with_bound,repeatable,literal",
        [(CLOCK, "	if (gid_claimed != 0)\n	{\n		GidSlot    *slot = my_slot();\n",
          "	if (gid_claimed != 0 || MyProc->lockGroupLeader)\n	{\n"
          "		GidSlot    *slot = MyProc->lockGroupLeader == NULL ? my_slot() :\n"
          "			&gid_server_clock->slots[MyProc->lockGroupLeader - ProcGlobal->allProcs].slot;\n")]),
    "ended-without-instant": (
        "an ended transaction is remembered without its instant",
        QUICK, "with_bound,repeatable,literal",
        [(CLOCK, "remember_ended(my_slot(), xid, gid_claimed)", "remember_ended(my_slot(), xid, 0)"),
         (SETTLED, RAISE, "	" + PAUSE + "\n" + RAISE)]),
}

# What they have in common with code that is right: nothing may be missed.
DELAYS = [
    (SETTLED, RAISE, "	" + PAUSE + "\n" + RAISE + "	" + PAUSE + "\n"),
    (SETTLED, READ_CLAIMS, READ_CLAIMS + "	" + PAUSE + "\n"),
    (SETTLED, READ_RUNNING, READ_RUNNING + "	" + PAUSE + "\n"),
    (SETTLED, "	sample = newest_sample(first", "	" + PAUSE + "\n	sample = newest_sample(first"),
    (CLOCK, "	pg_memory_barrier();\n	fence =", "	" + PAUSE + "\n	pg_memory_barrier();\n	fence ="),
    (CLOCK, "	gid_delay_point();\n	xid = GetTop", "	" + PAUSE + "\n	xid = GetTop"),
]


def main():
    if len(sys.argv) == 1:
        for name, (what, writers, pollers, _) in MUTATIONS.items():
            print("%s|%s|%s|%s" % (name, writers, pollers, what))
        return
    edits = DELAYS if sys.argv[1] == "delays" else MUTATIONS[sys.argv[1]][3]
    for file, old, new in edits:
        path = pathlib.Path(sys.argv[2]) / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit("%s: %s has this %d times:\n%s" % (sys.argv[1], file, text.count(old), old))
        path.write_text(text.replace(old, new))


main()
