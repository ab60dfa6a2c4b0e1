#!/usr/bin/python3
"""Breaks one step of the horizon's protocol, for check/settled.pl.

See mutations.py.  Lists name, writers, pollers, requirements (data, clock,
failure=TEXT) and change.  The mutation "delays" is not listed: it only adds the
delays, and breaks nothing.  PAUSE is a delay that makes a mutation visible.
"""

from mutations import main

PAUSE = "pg_usleep(pg_prng_uint64_range(&pg_global_prng_state, 0, 10000));"
SETTLED, SAMPLES, CLOCK, GENERATOR, MODULE = "settled.c", "samples.c", "server_clock.c", "generator.c", "module.c"
QUICK = "single,procedure,procedure,late"
POLLERS = "with_bound,repeatable,literal"
RAISE = """	transactions.least = gid_raise_floor_to_clock();	/* step 1 */
"""
READ_CLAIMS = """	transactions.least = least_claim(transactions.least);	/* step 2 */
"""
NEXT_XID = """	transactions.next_xid = U64FromFullTransactionId(ReadNextFullTransactionId());
"""
ADD_SAMPLE = """	add_sample(transactions.next_xid, sample);	/* step 3 */
"""
READ_RUNNING = """	read_running(&transactions);	/* step 4 */
"""
LAST = """	pfree(transactions.accounted);
"""
PUBLISH = """		pg_atomic_write_u64(&slot->claim, instant); /* step 1 */
		gid_delay_point();
		pg_memory_barrier();	/* step 2 */
"""
ABOVE = """		instant = instant_above_floor(instant); /* step 3 */
		gid_delay_point();
"""
NOT_LOWERED = """		if (instant <= gid_claimed)
			return gid_claimed;
"""

# name: (what is done, writers, pollers, edits[, what is needed])
MUTATIONS = {
    "claims-before-floor": (
        "claims are read before the floor is raised",
        QUICK, POLLERS,
        [(SETTLED, RAISE, "	transactions.least = least_claim(PG_INT64_MAX);\n	" + PAUSE + "\n"
          "	transactions.least = Min(transactions.least, gid_raise_floor_to_clock());\n"),
         (SETTLED, READ_CLAIMS, "")]),
    "floor-before-claim": (
        "the floor is read before the claim is published",
        QUICK, POLLERS,
        [(CLOCK, PUBLISH + ABOVE, ABOVE + "		" + PAUSE + "\n" + PUBLISH)]),
    "xid-before-claims": (
        "the next xid is read before the claims",
        "early,early,procedure,procedure,prepared", POLLERS,
        [(SETTLED, RAISE, RAISE + NEXT_XID + "	" + PAUSE + "\n"),
         (SETTLED, "	gid_delay_point();\n" + NEXT_XID, "	gid_delay_point();\n")]),
    "running-before-claims": (
        "running transactions are read before the claims",
        QUICK, POLLERS,
        [(SETTLED, RAISE, RAISE + NEXT_XID + READ_RUNNING + "	" + PAUSE + "\n"),
         (SETTLED, "	gid_delay_point();\n" + READ_RUNNING, "	gid_delay_point();\n")]),
    "not-above-floor": (
        "instants are not raised above the floor",
        QUICK, POLLERS,
        [(CLOCK, ABOVE, ABOVE.replace("instant = ", "(void) "))]),
    "without-xip": (
        "the xids in progress at the snapshot are ignored",
        QUICK, POLLERS,
        [(SETTLED, "i < snapshot->xcnt; i++", "i < 0 * snapshot->xcnt; i++"),
         (SETTLED, RAISE, "	" + PAUSE + "\n" + RAISE)]),
    "newest-sample": (
        "the newest sample is taken, whatever its xid",
        "prepared,prepared,procedure,single", POLLERS,
        [(SAMPLES, "	int			count = count_until(samples, xid);\n", "	int			count = xid > 0 ? samples->used : 0;\n")]),
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
    "without-own-claim": (
        "the session's own claim is ignored",
        "single,procedure", "minting,with_bound,literal",
        [(SETTLED, "		if (claim != 0 && claim < instant)",
          "		if (claim != 0 && claim < instant && i != gid_my_slot())")]),
    "sample-without-claims": (
        "samples are made of the floor alone",
        "early,early,prepared,procedure", POLLERS,
        [(SETTLED, "	uint64		first;\n\n	transactions.accounted", "	uint64		first;\n	int64		floor;\n\n	transactions.accounted"),
         (SETTLED, RAISE, RAISE + "	floor = transactions.least;\n"),
         (SETTLED, ADD_SAMPLE, "	sample = floor;\n" + ADD_SAMPLE)]),
    "prepared-as-running": (
        "prepared transactions count as running",
        "prepared,prepared,procedure,single", POLLERS,
        [(SETTLED, "	for (int i = 0; i < MaxBackends; i++)\n	{\n		TransactionId xid =",
          "	for (int i = 0; i < MaxBackends + NUM_AUXILIARY_PROCS + max_prepared_xacts; i++)\n	{\n"
          "		TransactionId xid ="),
         (SETTLED, '#include "access/subtrans.h"\n', '#include "access/subtrans.h"\n#include "access/twophase.h"\n')]),
    "without-own": (
        "only the sample counts, not what was read for this snapshot",
        QUICK, "with_bound,repeatable,literal,stable,generic",
        [(SETTLED, LAST, LAST + "	transactions.least = PG_INT64_MAX;\n"),
         (SETTLED, RAISE, "	" + PAUSE + "\n" + RAISE)]),
    "new-answers": (
        "each call in a statement has an answer of its own",
        QUICK, "parted,parallel,literal",
        [(SETTLED, "	if (cached != NULL)\n		return", "	if (cached != NULL && key.xmax == 0)\n		return")]),
    "cleared-by-worker": (
        "a parallel worker that ends clears the claim of its leader",
        "with_workers,with_workers,procedure,single", POLLERS,
        [(CLOCK, "		IsTransactionState() || IsParallelWorker())\n		return;\n",
          "		IsTransactionState())\n		return;\n	if (IsParallelWorker())\n	{\n"
          "		pg_atomic_write_u64(&gid_server_clock->slots[MyProc->lockGroupLeader - ProcGlobal->allProcs].slot.claim, 0);\n"
          "		return;\n	}\n")]),
    "ended-without-instant": (
        "an ended transaction is remembered without its instant",
        QUICK, POLLERS,
        [(CLOCK, "remember_ended(my_slot(), xid, gid_claimed)", "remember_ended(my_slot(), xid, 0)"),
         (SETTLED, RAISE, "	" + PAUSE + "\n" + RAISE)]),
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
    "claim-lowered": (
        "a claim is lowered within a transaction",
        ",".join(["follower"] * 6), POLLERS,
        [(CLOCK, NOT_LOWERED, """		if (instant < gid_claimed)
		{
			pg_atomic_write_u64(&my_slot()->claim, instant);
			gid_claimed = instant;
			pg_memory_barrier();
			instant = instant_above_floor(instant);
		}
""")],
        "clock"),
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
