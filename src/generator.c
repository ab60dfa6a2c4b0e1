/*
 * generator.c
 *		The generator of a session: which medallion, instant and offset the
 *		next id has.
 *
 * All ids of a transaction have one instant and differ in their offsets, so
 * they are adjacent.  The state belongs to the backend and to no transaction:
 * a rollback does not return what was minted before.
 *
 * Three causes put the instant ahead of the clock.  Counting on by a
 * microsecond waits for the clock first, so it adds nothing to the lead.  An
 * observed gid adds up to gid.max_clock_skew.  A clock that is set back leaves
 * the instant where it was.  Only the last is a step of the clock, so a step
 * is recognized by comparing the clock with its own earlier readings, never
 * with the instant.
 *
 * This file must not know the SQL functions (mint.c).
 */
#include "generator.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/timestamp.h"

#include "server_clock.h"

/* A pinned medallion is the node and the backend's slot. */
#define MAX_SLOTS			(1 << GID_SLOT_BITS)

StaticAssertDecl(GID_MAX_NODE == (1 << (GID_MEDALLION_BITS - GID_SLOT_BITS)) - 1,
				 "node and slot fill the medallion");

static GidGenerator generator = {
	.node = GID_NO_NODE,
	.instant = -1,
	.transaction = InvalidLocalTransactionId,
	.last_clock = -1,
	.highest_clock = -1,
	.read_by = InvalidLocalTransactionId
};

/* What the ids of this instant have in common, apart from the kind. */
static uint64 high_bits;		/* milliseconds */
static uint64 low_bits;			/* microseconds and medallion */

const GidGenerator *
gid_generator_state(void)
{
	return &generator;
}

static int64
read_clock(void)
{
	return gid_instant_from_timestamp(GetCurrentTimestamp());
}

/*
 * Each transaction starts at a random offset, so that two generators that have
 * one medallion by chance rarely mint the same id.
 */
static uint32
random_offset(void)
{
	return gid_random_bits() % GID_MAX_RESERVE;
}

/*
 * The next id has this instant and the offset after this one, or a later
 * instant if the server's clock requires it.  is_from_clock says that the
 * clock showed the instant, so other sessions may follow it.
 */
static void
set_instant(int64 instant, uint32 offset, bool is_from_clock)
{
	GidWords	id;

	if (is_from_clock)
		generator.is_observed = false;
	if (gid_server_clock)
	{
		instant = gid_claim_instant(instant, is_from_clock);
		if (generator.node != GID_NO_NODE && !generator.is_observed)
			gid_record_pinned_instant(instant);
	}
	id = gid_pack(0, instant, generator.medallion, 0);

	generator.instant = instant;
	generator.offset = offset;
	generator.instant_is_over = false;
	high_bits = id.high;
	low_bits = id.low;
}

/* Sets the medallion: the node's, or a random one other than the last. */
static void
choose_medallion(void)
{
	uint32		medallion;

	gid_reject_parallel_worker("mint gids");
	if (gid_node != GID_NO_NODE)
	{
		if (MaxBackends > MAX_SLOTS)
			ereport(ERROR,
					(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
					 errmsg("too many backends for a pinned gid generator"),
					 errdetail("With \"gid.node\" set, a server supports at most %d backends, but this one is configured for %d.",
							   MAX_SLOTS, MaxBackends),
					 errhint("Decrease \"max_connections\", or unset \"gid.node\".")));
		medallion = gid_node << GID_SLOT_BITS | gid_my_slot();

		/* an earlier session with this slot had the same medallion */
		generator.instant = Max(generator.instant, gid_last_pinned_instant());
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

static bool
needs_medallion(void)
{
	return !generator.has_medallion || generator.node != gid_node;
}

static void
record_reading(int64 now)
{
	generator.last_clock = now;
	generator.read_by = gid_my_transaction();
	generator.read_in = GetCurrentStatementStartTimestamp();
}

/*
 * The start of the current transaction; the clock, if that was set back since.
 * The start is older than the last reading if that was made in the
 * transaction, or in one before it in the same message, which has the same
 * start.  If it is later nevertheless, the clock was set back in between.
 */
static int64
transaction_start(void)
{
	TimestampTz began = GetCurrentTransactionStartTimestamp();
	int64		start = gid_instant_from_timestamp(began);

	if (start > generator.last_clock &&
		(generator.read_by == gid_my_transaction() ||
		 generator.read_in == began))
		return read_clock();
	return start;
}

/*
 * Records a reading of the clock, and returns true if it was set back further
 * than gid.max_clock_skew allows.  Then ids go on from that reading, under a
 * medallion that was chosen anew.  A pinned generator keeps its medallion, and
 * so its instant, and warns.
 */
static bool
clock_was_reset(int64 now)
{
	int64		set_back = generator.highest_clock - now;
	bool		is_new = now < generator.last_clock;
	bool		too_far = set_back > gid_allowed_lead();

	if (too_far && gid_node == GID_NO_NODE)
		choose_medallion();
	record_reading(now);
	if (is_new)
		generator.clock_steps++;

	if (!too_far)
	{
		generator.highest_clock = Max(generator.highest_clock, now);
		return false;
	}

	if (gid_node != GID_NO_NODE)
	{
		if (is_new)
			ereport(WARNING,
					(errmsg("clock moved backwards by %.3f s", set_back / 1e6),
					 errdetail("The gid generator of this session is pinned by \"gid.node\", so it keeps its instant until the clock has caught up."),
					 gid_server_clock ?
					 errhint("When the clock is right, restart the server to follow the clock.") :
					 errhint("A new session follows the clock.")));
		return false;
	}

	/* all of it first, because ereport() can be interrupted */
	generator.highest_clock = now;
	generator.instant = now;
	generator.instant_is_over = true;
	generator.transaction = InvalidLocalTransactionId;
	ereport(LOG,
			(errmsg("clock moved backwards by %.3f s", set_back / 1e6),
			 errdetail("The gid generator of this session follows the clock under a new medallion.")));
	return true;
}

/*
 * Returns the next instant of those that are counted.  Where it is ahead of
 * the clock, waits for the clock's next microsecond first.  A thousand
 * readings take longer than that, so a clock that stands still stops nobody.
 * The wait is too short to be interrupted, and so are those who call this.
 */
static int64
count_instant(int64 now)
{
	if (generator.instant >= now)
	{
		for (int i = 0; i < 1000 && read_clock() == now; i++)
			;
	}
	return generator.instant + 1;
}

/* Begins the instant of the current transaction: its start, or later. */
static void
begin_transaction_instant(void)
{
	uint32		offset = random_offset();
	int64		start = transaction_start();
	bool		is_from_clock = true;

	if (needs_medallion())
		choose_medallion();

	if (unlikely(gid_server_is_later(start)) && gid_hold_server_clock())
		generator.clock_steps++;

	if (likely(start > generator.instant))
	{
		generator.last_clock = Max(generator.last_clock, start);
		generator.highest_clock = start;
	}
	else
	{
		int64		now = read_clock();

		if (clock_was_reset(now))
			start = Min(start, now);
		else
		{
			is_from_clock = false;
			start = count_instant(now);
		}
	}

	set_instant(start, offset, is_from_clock);
	generator.transaction = gid_my_transaction();
}

/*
 * Begins the clock's instant, if that is later than the last.  The offset
 * counts on.  The instant is no transaction's, so that a transaction that
 * wants one for all of its ids begins another.
 */
static void
begin_clock_instant(void)
{
	int64		now = read_clock();

	generator.transaction = InvalidLocalTransactionId;

	if (needs_medallion())
	{
		uint32		offset = random_offset();

		choose_medallion();
		generator.offset = offset;
		generator.instant_is_over = true;
	}

	if (unlikely(gid_server_is_later(now)) && gid_hold_server_clock())
		generator.clock_steps++;

	if (now > generator.instant)
	{
		record_reading(now);
		generator.highest_clock = now;
		set_instant(now, generator.offset, true);
	}
	else if (clock_was_reset(now))
		set_instant(now, random_offset(), true);
	else if (generator.instant_is_over)
		set_instant(count_instant(now), generator.offset, false);
	else if (gid_server_clock && gid_claimed == 0)
		set_instant(generator.instant, generator.offset, false);
}

/*
 * Mints as many ids as are wanted, from 1 to GID_MAX_RESERVE, with offsets
 * that follow each other.  Returns the first.
 */
GidWords
gid_next(uint8 prefix, uint32 count)
{
	GidWords	first;

	if (unlikely(gid_instant_source == GID_BY_CLOCK))
		begin_clock_instant();
	else if (unlikely(generator.transaction != gid_my_transaction()))
		begin_transaction_instant();

	if (unlikely(generator.offset > GID_MAX_OFFSET - count))
	{
		set_instant(count_instant(read_clock()), 0, false);
		generator.overflows++;
	}

	first.high = gid_high_word(prefix, 0) | high_bits;
	first.low = low_bits | (generator.offset + 1);
	generator.offset += count;
	generator.minted += count;
	return first;
}

/* Gives the next id of this session a later instant than this one. */
void
gid_observe_instant(int64 instant)
{
	int64		now = read_clock();

	/* A step must be seen first: the next id would follow it. */
	(void) clock_was_reset(now);
	if (instant < generator.instant)
		return;

	if (instant > generator.instant)
	{
		generator.instant = instant;
		generator.is_observed = (instant > gid_server_time(now));
	}
	generator.instant_is_over = true;
	generator.transaction = InvalidLocalTransactionId;
}
