/*
 * generator.c
 *		The generator: whose turn it is to be which id.
 *
 * A backend's generator is a (medallion, instant, offset) triple.  The
 * medallion says which generator it is.  A transaction is one instant: its
 * ids differ only in offset, so they stand together, and transactions that
 * follow each other have ids that follow each other.
 *
 * The state is the backend's own and no part of any transaction: what was
 * minted before a rollback is never minted again.
 *
 * It must not know what the functions are called that mint (mint.c).
 */
#include "gid.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/timestamp.h"

/* The medallion of a pinned generator is the node, and the backend's slot. */
#define MAX_SLOTS			(1 << GID_SLOT_BITS)

/*
 * The first offset of an instant is random, so that two generators which drew
 * one medallion still rarely meet, and at most this, so that 2^29 ids fit.
 */
#define MAX_FIRST_OFFSET	GID_MAX_RESERVE

StaticAssertDecl(GID_MAX_NODE == (1 << (GID_MEDALLION_BITS - GID_SLOT_BITS)) - 1,
				 "node and slot fill the medallion");

static GidGenerator generator = {
	.transaction = InvalidLocalTransactionId,
	.node = GID_NO_NODE,
	.instant = -1
};

/* What all ids of this instant have in common, for one kind or another. */
static uint64 ms_bits;			/* in the high word */
static uint64 payload_bits;		/* in the low word */

const GidGenerator *
gid_generator_state(void)
{
	return &generator;
}

static int64
now_instant(void)
{
	return gid_instant_from_timestamp(GetCurrentTimestamp());
}

/* The last offset before a random first one. */
static uint32
before_random_offset(void)
{
	return gid_random_bits() % MAX_FIRST_OFFSET;
}

/* Goes on from an instant and an offset that were not yet used. */
static void
set_instant(int64 instant, uint32 offset)
{
	generator.instant = instant;
	generator.offset = offset;
	ms_bits = (uint64) (instant / 1000) << GID_MS_SHIFT;
	payload_bits = (uint64) (instant % 1000) << GID_MICRO_SHIFT |
		(uint64) generator.medallion << GID_MEDALLION_SHIFT;
}

/* Takes the medallion of the node's, or draws one other than the last. */
static void
take_medallion(void)
{
	uint32		medallion;

	if (gid_node != GID_NO_NODE)
	{
		if (MaxBackends > MAX_SLOTS)
			ereport(ERROR,
					(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
					 errmsg("too many backends for a pinned gid generator"),
					 errdetail("With gid.node set a server can have %d, and this one has slots for %d.",
							   MAX_SLOTS, MaxBackends),
					 errhint("Lower max_connections, or unset gid.node.")));
		medallion = gid_node << GID_SLOT_BITS | MyProcSlot();
	}
	else
	{
		do
			medallion = gid_random_bits() & GID_MAX_MEDALLION;
		while (generator.has_medallion && medallion == generator.medallion);
	}

	generator.medallion = medallion;
	generator.node = gid_node;
	generator.has_medallion = true;
}

/*
 * The last instant is not before the clock.  Should it be held?  If so, ids go
 * on from there and the clock catches up; if not, the clock was set back too
 * far, and its time is to be followed under another medallion.
 *
 * A step is counted once, however many ids are minted until the clock has
 * caught up.
 */
static bool
hold_instant(int64 now)
{
	int64		ahead = generator.instant - now;
	bool		far_ahead = ahead > (int64) gid_max_clock_skew * 1000;
	GidPace		pace = far_ahead ? GID_FAR_AHEAD : GID_AHEAD;

	if (ahead <= 0)
		return true;

	if (far_ahead && generator.node == GID_NO_NODE)
	{
		generator.clock_steps++;
		generator.pace = GID_IN_TIME;
		ereport(LOG,
				(errmsg("clock was set back by %.3f seconds, gid generator follows it",
						ahead / 1e6),
				 errdetail("Ids of this session go on under a new medallion.")));
		return false;
	}

	if (pace > generator.pace)
	{
		generator.clock_steps++;
		generator.pace = pace;
		if (far_ahead)
			ereport(WARNING,
					(errmsg("clock was set back by %.3f seconds, gid generator does not follow it",
							ahead / 1e6),
					 errdetail("The generator is pinned by gid.node, so the ids of this session keep to the time before until the clock has caught up."),
					 errhint("A new session follows the clock.")));
	}
	return true;
}

/*
 * Takes up the transaction that runs now: at its start, or a microsecond
 * after the last instant where that is not earlier.
 */
static void
serve_transaction(void)
{
	int64		start;
	uint32		offset = before_random_offset();

	start = gid_instant_from_timestamp(GetCurrentTransactionStartTimestamp());

	if (!generator.has_medallion || generator.node != gid_node)
		take_medallion();

	if (start > generator.instant)
		generator.pace = GID_IN_TIME;
	else if (hold_instant(now_instant()))
		start = generator.instant + 1;
	else
		take_medallion();

	set_instant(start, offset);
	generator.transaction = MyLocalTransactionId();
}

/*
 * Takes the clock's instant, if it is later than the last; the offset counts
 * on.  It serves no transaction then, so that going back to one instant for a
 * transaction starts anew.
 */
static void
follow_clock(void)
{
	int64		now = now_instant();

	if (!generator.has_medallion || generator.node != gid_node)
	{
		uint32		offset = before_random_offset();

		take_medallion();
		set_instant(Max(now, generator.instant + 1), offset);
	}
	else if (now > generator.instant)
	{
		generator.pace = GID_IN_TIME;
		set_instant(now, generator.offset);
	}
	else if (!hold_instant(now))
	{
		uint32		offset = before_random_offset();

		take_medallion();
		set_instant(now, offset);
	}
	generator.transaction = InvalidLocalTransactionId;
}

/*
 * Waits until the clock shows another microsecond, so that who needs one after
 * the other does not run ahead of it.
 */
static void
await_tick(void)
{
	int64		now = now_instant();

	while (now_instant() == now)
		CHECK_FOR_INTERRUPTS();
}

/*
 * Takes a number of ids that stand next to each other, from 1 to
 * GID_MAX_RESERVE, and returns the first.
 */
GidWords
gid_take(uint8 prefix, uint32 count)
{
	GidWords	first;

	if (unlikely(gid_instant_source == GID_BY_CLOCK))
		follow_clock();
	else if (unlikely(generator.transaction != MyLocalTransactionId()))
		serve_transaction();

	if (unlikely(generator.offset > GID_MAX_OFFSET - count))
	{
		await_tick();
		generator.overflows++;
		set_instant(generator.instant + 1, 0);
	}

	first.high = gid_high_word(prefix, 0) | ms_bits;
	first.low = payload_bits | (generator.offset + 1);
	generator.offset += count;
	generator.minted += count;
	return first;
}

/* Makes sure that whatever is taken next is after an instant. */
void
gid_observe_instant(int64 instant)
{
	if (instant < generator.instant)
		return;

	set_instant(instant + 1, before_random_offset());
	generator.transaction = InvalidLocalTransactionId;
	if (generator.instant > now_instant())
		generator.pace = Max(generator.pace, GID_AHEAD);
}
