#!/usr/bin/python3
"""Breaks one rule of the generator, for check/generator.pl.

    generator_mutations.py            lists the mutations: name, clock, change
    generator_mutations.py NAME FILE  edits FILE, which is src/generator.c

Each edit replaces a text that must occur once.  The clock is that of the system,
or one that steps.  A reading of the stepping clock takes longer than the wait of
next_microsecond().
"""
import pathlib
import sys

BEGIN = """	else if (unlikely(generator.transaction != gid_my_transaction()))
		begin_transaction_instant();
"""
OVERFLOW = """		set_instant(next_microsecond(read_clock()), 0, false);
"""
NEXT = """GidWords
gid_next(uint8 prefix, uint32 count)
{
	GidWords	first;

"""
IS_OVER = """		generator.is_observed = (instant > gid_server_time(now));
	}
	generator.must_advance = true;
	generator.transaction = InvalidLocalTransactionId;
"""

# name: (what is done, edits)
MUTATIONS = {
    "lead-as-step": (
        "a lead is taken for a step of the clock",
        [("	if (generator.highest_clock - now <=", "	if (generator.instant - now <=")]),
    "without-waiting": (
        "counting does not wait for the clock",
        [("	if (generator.instant >= now)\n	{", "	if (generator.instant < 0)\n	{")]),
    "counted-forgotten": (
        "a counted instant is not remembered",
        [("	generator.instant = instant;\n	generator.offset", "	generator.instant = is_from_clock ? instant : generator.instant;\n"
          "	generator.offset")]),
    "counted-twice": (
        "a microsecond more are two",
        [("	return generator.instant + 1;", "	return generator.instant + 2;")]),
    "observed-not-over": (
        "the instant that was observed can be minted",
        [(IS_OVER, IS_OVER.replace("must_advance = true", "must_advance = false"))]),
    "observed-in-transaction": (
        "what a transaction observes holds for the next one",
        [(IS_OVER, IS_OVER[:IS_OVER.index("	generator.transaction")])]),
    "observed-own": (
        "an id of the last instant is not observed",
        [("	if (instant < generator.instant)", "	if (instant <= generator.instant)")]),
    "same-medallion": (
        "a step is followed under the same medallion",
        [("	choose_medallion();\n	record_step(now);\n", "	record_step(now);\n")]),
    "held-too-far": (
        "twice the skew that is allowed is held",
        [("(generator.highest_clock - now <=", "((generator.highest_clock - now) / 2 <=")]),
    "highest-forgotten": (
        "a step is measured from the last reading",
        [("Max(generator.highest_clock, now)", "now")]),
    "step-counted-again": (
        "a step is counted until the clock has caught up",
        [("	if (now < generator.last_clock)\n		generator.clock_steps++", "	if (now < generator.highest_clock)\n		generator.clock_steps++")]),
    "step-counted-if-followed": (
        "a step that is held is not counted",
        [("	if (now < generator.last_clock)\n		generator.clock_steps++",
          "	if (now < generator.last_clock && generator.highest_clock - now > gid_allowed_lead())\n		generator.clock_steps++")]),
    "start-before-step": (
        "a transaction from before a step takes its start",
        [("	if (start > generator.last_clock &&", "	if (start < 0 &&")]),
    "statement": (
        "the instant is the statement's start",
        [("began = GetCurrentTransactionStartTimestamp()", "began = GetCurrentStatementStartTimestamp()")]),
    "node-kept": (
        "a session does not take up another gid.node",
        [("	return !generator.has_medallion || generator.node != gid_node;", "	return !generator.has_medallion;")]),
    "offset-after-overflow": (
        "the offset goes on after an overflow",
        [(OVERFLOW, OVERFLOW.replace("0, false", "generator.offset % GID_MAX_RESERVE, false"))]),
    "overflow-early": (
        "the last offset is never used",
        [("generator.offset > GID_MAX_OFFSET - count", "generator.offset >= GID_MAX_OFFSET - count")]),
    "overflow-uncounted": (
        "an overflow is not counted",
        [("		generator.overflows++;\n", "")]),
    "offset-drawn-high": (
        "an offset is drawn from too many",
        [("gid_random_bits() % GID_MAX_RESERVE", "gid_random_bits() % GID_MAX_OFFSET")]),
    "clock-as-transaction": (
        "an instant of the clock is the transaction's",
        [("	generator.transaction = InvalidLocalTransactionId;\n\n	if (needs_medallion())", "	if (needs_medallion())")]),
    "clock-from-1": (
        "by the clock each instant begins with offset 1",
        [("		set_instant(now, generator.offset, true);", "		set_instant(now, 0, true);")]),
    "savepoint-reused": (
        "what a savepoint minted that is gone is minted again",
        [(NEXT, NEXT.replace("	GidWords	first;\n",
          "	GidWords	first;\n	static SubTransactionId minted_in;\n	static uint32 before;\n")),
         (BEGIN, BEGIN + "	else if (GetCurrentSubTransactionId() < minted_in)\n		generator.offset = before;\n"
          "	if (GetCurrentSubTransactionId() != minted_in)\n		before = generator.offset;\n"
          "	minted_in = GetCurrentSubTransactionId();\n")]),
    "prepared-kept": (
        "after PREPARE TRANSACTION the next one has the same instant",
        [(NEXT, "static void\nkeep(XactEvent event, void *arg)\n{\n	if (event == XACT_EVENT_PREPARE)\n"
          "		generator.transaction++;\n}\n\n" + NEXT +
          "	if (generator.minted == 0)\n		RegisterXactCallback(keep, NULL);\n")]),
}
BY_SYSTEM = ["without-waiting"]


def main():
    if len(sys.argv) == 1:
        for name, (what, _) in MUTATIONS.items():
            print("%s|%s|%s" % (name, "system" if name in BY_SYSTEM else "steps", what))
        return
    path = pathlib.Path(sys.argv[2])
    text = path.read_text()
    for old, new in MUTATIONS[sys.argv[1]][1]:
        if old == new:
            sys.exit("%s: nothing is changed in:\n%s" % (sys.argv[1], old))
        if text.count(old) != 1:
            sys.exit("%s: the source has this %d times:\n%s" % (sys.argv[1], text.count(old), old))
        text = text.replace(old, new)
    path.write_text(text)


main()
