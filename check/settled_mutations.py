#!/usr/bin/python3
"""Breaks one step of the horizon's protocol, for check/settled.pl.

See mutations.py.  Lists name, writers, pollers, requirements (data,
failure=TEXT) and change.  The mutation "delays" is not listed: it only adds the
delays, and breaks nothing.  PAUSE is a delay that makes a mutation visible.
"""

from mutations import main

PAUSE = "pg_usleep(pg_prng_uint64_range(&pg_global_prng_state, 0, 10000));"
SETTLED, CLOCK, GENERATOR, MODULE = "settled.c", "server_clock.c", "generator.c", "module.c"
QUICK = "single,procedure,procedure,late"
POLLERS = "with_bound,repeatable,literal"
RAISE = """	transactions.least = gid_raise_floor_to_clock();	/* step 1 */
"""
READ_CLAIMS = """	transactions.least = least_claim(transactions.least);	/* step 2 */
"""
READ_RUNNING = """	read_running(&transactions);	/* step 4 */
"""
LAST = """	pfree(transactions.accounted);
"""
ABOVE = """		instant = instant_above_floor(instant); /* step 3 */
		gid_delay_point();
"""

# name: (what is done, writers, pollers, edits[, what is needed])
MUTATIONS = {
    "claims-before-floor": (
        "claims are read before the floor is raised",
        QUICK, POLLERS,
        [(SETTLED, RAISE, "	transactions.least = least_claim(PG_INT64_MAX);\n	" + PAUSE + "\n"
          "	transactions.least = Min(transactions.least, gid_raise_floor_to_clock());\n"),
         (SETTLED, READ_CLAIMS, "")]),
    "without-xip": (
        "the xids in progress at the snapshot are ignored",
        QUICK, POLLERS,
        [(SETTLED, "i < snapshot->xcnt; i++", "i < 0 * snapshot->xcnt; i++"),
         (SETTLED, RAISE, "	" + PAUSE + "\n" + RAISE)]),
    "cleared-early": (
        "the claim is cleared before the commit",
        QUICK, POLLERS,
        [(MODULE, "static void\nrequest_memory(void)\n",
          "#include \"access/xact.h\"\n#include \"common/pg_prng.h\"\n#include \"storage/proc.h\"\n"
          "static void\nclear_early(XactEvent event, void *arg)\n{\n"
          "	if (event != XACT_EVENT_PRE_COMMIT || gid_claimed == 0)\n		return;\n"
          "	pg_atomic_write_u64(&gid_server_clock->slots[gid_my_slot()].slot.claim, 0);\n	" + PAUSE + "\n}\n\n"
          "static void\nrequest_memory(void)\n"),
         (MODULE, "		RegisterResourceReleaseCallback(", "		RegisterXactCallback(clear_early, NULL);\n"
          "		RegisterResourceReleaseCallback(")]),
    "cleared-by-worker": (
        "a parallel worker that ends clears the claim of its leader",
        "with_workers,with_workers,procedure,single", POLLERS,
        [(CLOCK, "		IsTransactionState() || IsParallelWorker())\n		return;\n",
          "		IsTransactionState())\n		return;\n	if (IsParallelWorker())\n	{\n"
          "		pg_atomic_write_u64(&gid_server_clock->slots[MyProc->lockGroupLeader - ProcGlobal->allProcs].slot.claim, 0);\n"
          "		return;\n	}\n")]),
    "asked-in-worker": (
        "each parallel worker computes a horizon",
        "single,savepoints,savepoints,savepoints,procedure", "wrapped",
        [(SETTLED, "	gid_reject_parallel_worker(\"execute gid_settled()\");\n", "	" + 5 * PAUSE + "\n")]),
    "minted-in-worker": (
        "a parallel worker mints, and its claim outlives it",
        "workers_mint,single", POLLERS,
        [(GENERATOR, "	gid_reject_parallel_worker(\"mint gids\");\n", "")],
        "failure=the horizon is delayed"),
    "snapshot-of-standby": (
        "a snapshot that was taken on a standby is used after the promotion",
        "single,prepared", "promoted,literal",
        [(SETTLED, "	if (snapshot->takenDuringRecovery)\n", "	if (snapshot->takenDuringRecovery && false)\n")],
        "data"),
}

# What they have in common with code that is right: nothing may be missed.
DELAYS = [
    (SETTLED, RAISE, "	" + PAUSE + "\n" + RAISE + "	" + PAUSE + "\n"),
    (SETTLED, READ_CLAIMS, READ_CLAIMS + "	" + PAUSE + "\n"),
    (SETTLED, READ_RUNNING, READ_RUNNING + "	" + PAUSE + "\n"),
    (SETTLED, LAST, LAST + "	" + PAUSE + "\n"),
    (CLOCK, ABOVE, "		" + PAUSE + "\n" + ABOVE),
    (CLOCK, "	gid_delay_point();\n	xid =", "	" + PAUSE + "\n	xid ="),
]

EDITS = {name: edits for name, (_, _, _, edits, *_) in MUTATIONS.items()}
main(["|".join((name, writers, pollers, "".join(needs), what)) for name, (what, writers, pollers, _, *needs) in MUTATIONS.items()],
     {name: [(file, None, old, new) for file, old, new in edits] for name, edits in {**EDITS, "delays": DELAYS}.items()})
