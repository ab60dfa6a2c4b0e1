#!/usr/bin/python3
"""Breaks one rule of the generator, for check/generator.pl: see mutations.py.

Lists name, clock and change.  The clock is that of the system, or one that steps.
A reading of the stepping clock takes longer than the wait of next_microsecond().

Each mutation also adds the function gid_new_run() for the tests.  The mutation "none"
is not listed: it only adds that function.
"""

from mutations import main

# Mints an id and moves the offset as though it had minted n ids, because it would take
# minutes to mint all ids of an instant.
RANDOM = "GID_FUNCTION(gid_random, mint_random(gid_kind_argument(fcinfo)))"
ADD_RUN = ("mint.c", None, RANDOM, RANDOM + """
PG_FUNCTION_INFO_V1(gid_new_run);
Datum
gid_new_run(PG_FUNCTION_ARGS)
{
	GidGenerator *state = (GidGenerator *) gid_generator_state();
	GidWords	first = gid_next(gid_kind_argument(fcinfo));

	state->offset += PG_GETARG_INT32(1) - 1;
	state->minted += PG_GETARG_INT32(1) - 1;
	PG_RETURN_GID(first);
}
""")

# name: (what is done, function, old code, new code, ...)
MUTATIONS = {
    "lead-as-step": (
        "a lead is taken for a step of the clock",
        "follow_if_set_back", "if (generator.highest_clock - now", "if (generator.instant - now"),
    "without-waiting": (
        "counting does not wait for the clock",
        "next_microsecond", "generator.instant >= now", "generator.instant < 0"),
    "counted-forgotten": (
        "a counted instant is not remembered",
        "set_instant", "generator.instant = instant;", "if (is_from_clock) generator.instant = instant;"),
    "counted-twice": (
        "a microsecond more are two",
        "next_microsecond", "generator.instant + 1", "generator.instant + 2"),
    "observed-not-over": (
        "the instant that was observed can be minted",
        "gid_observe_instant", "must_advance = true", "must_advance = false"),
    "observed-in-transaction": (
        "what a transaction observes holds for the next one",
        "gid_observe_instant", "generator.transaction = InvalidLocalTransactionId;", ""),
    "observed-own": (
        "an id of the last instant is not observed",
        "gid_observe_instant", "instant < generator.instant", "instant <= generator.instant"),
    "same-medallion": (
        "a step is followed under the same medallion",
        "follow_clock_back", "choose_medallion();", "generator.must_advance = true;"),
    "held-too-far": (
        "twice the skew that is allowed is held",
        "follow_if_set_back", "if (generator.highest_clock - now", "if ((generator.highest_clock - now) / 2"),
    "highest-forgotten": (
        "a step is measured from the last reading",
        "follow_if_set_back", "Max(generator.highest_clock, now)", "now"),
    "step-counted-again": (
        "a step is counted until the clock has caught up",
        "record_step", "now < generator.last_clock", "now < generator.highest_clock"),
    "step-counted-if-followed": (
        "a step that is held is not counted",
        "record_step", "now < generator.last_clock",
        "now < generator.last_clock && generator.highest_clock - now > gid_allowed_lead()"),
    "start-before-step": (
        "a transaction from before a step takes its start",
        "transaction_start", "start > generator.last_clock", "start < 0"),
    "statement": (
        "the instant is the statement's start",
        "transaction_start", "GetCurrentTransactionStartTimestamp()", "GetCurrentStatementStartTimestamp()"),
    "node-kept": (
        "a session does not take up another gid.node",
        "needs_medallion", "|| generator.node != gid_node", ""),
    "offset-after-overflow": (
        "the offset goes on after an overflow",
        "gid_next", "0, false", "generator.offset / 2, false"),
    "overflow-early": (
        "the last offset is never used",
        "gid_next", "generator.offset >= GID_MAX_OFFSET", "generator.offset >= GID_MAX_OFFSET - 1"),
    "overflow-uncounted": (
        "an overflow is not counted",
        "gid_next", "generator.overflows++;", ""),
    "offset-drawn-high": (
        "an offset is drawn from too many",
        "random_offset", "GID_MAX_OFFSET >> 1", "GID_MAX_OFFSET"),
    "clock-as-transaction": (
        "an instant of the clock is the transaction's",
        "begin_clock_instant", "generator.transaction = InvalidLocalTransactionId;", ""),
    "clock-from-1": (
        "by the clock each instant begins with offset 1",
        "begin_clock_instant", "set_instant(now, generator.offset, true)", "set_instant(now, 0, true)"),
    "savepoint-reused": (
        "what a savepoint minted that is gone is minted again",
        "gid_next", "GidWords id;", "GidWords id; static SubTransactionId minted_in; static uint32 before;",
        "begin_transaction_instant();",
        "begin_transaction_instant(); else if (GetCurrentSubTransactionId() < minted_in) generator.offset = before;"
        "if (GetCurrentSubTransactionId() != minted_in) before = generator.offset;"
        "minted_in = GetCurrentSubTransactionId();"),
    "prepared-kept": (
        "after PREPARE TRANSACTION the next one has the same instant",
        None, "GidWords gid_next(uint8 prefix) { GidWords id;",
        "static void keep(XactEvent event, void *arg) { if (event == XACT_EVENT_PREPARE) generator.transaction++; }"
        "GidWords gid_next(uint8 prefix) { GidWords id;"
        "if (generator.minted == 0) RegisterXactCallback(keep, NULL);"),
}
BY_SYSTEM = ["without-waiting"]

main(["%s|%s|%s" % (name, "system" if name in BY_SYSTEM else "steps", what) for name, (what, *_) in MUTATIONS.items()],
     {name: [("generator.c", function, *edits[i : i + 2]) for i in range(0, len(edits), 2)] + [ADD_RUN]
      for name, (_, function, *edits) in {**MUTATIONS, "none": (None, None)}.items()})
