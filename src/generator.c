/*
 * generator.c
 *		The generator of a session, which chooses the medallion, the instant
 *		and the offset of the next id.
 *
 * All ids of a transaction have one instant and differ in their offsets, so
 * they are adjacent.  The state is not transactional: ids that were minted
 * before a rollback are not minted again.
 *
 * Three causes put the instant ahead of the clock.  Adding a microsecond waits
 * for the clock first, so it does not increase the lead.  An observed gid adds
 * at most gid.max_clock_skew.  A clock that is set back leaves the instant
 * where it was.  Only the last cause is a step of the clock.  Therefore a step
 * is recognized by comparing the clock with its own earlier readings, never
 * with the instant.
 *
 * This file must not depend on the SQL functions (mint.c).
 */
#include "generator.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "storage/proc.h"

#include "server_clock.h"

/* A pinned medallion consists of the node and the slot of the backend. */
#define MAX_SLOTS			(1 << GID_SLOT_BITS)

StaticAssertDecl(GID_MAX_NODE == (1 << (GID_MEDALLION_BITS - GID_SLOT_BITS)) - 1,
				 "node and slot fill the medallion");

static GidGenerator generator = {
	.node = GID_NO_NODE,
	.instant = -1,
	.transaction = InvalidLocalTransactionId,
	.last_clock = -1,
	.highest_clock = -1,
	.reading_lxid = InvalidLocalTransactionId
};

/*
 * The bits that all ids of this instant share, whatever their kind.  Computing
 * them for each id would add 16 instructions to each gid_new().
 */
static uint64 high_bits;		/* milliseconds */
static uint64 low_bits;			/* microseconds and medallion */

const GidGenerator *
gid_generator_state(void)
{
	return &generator;
}

/*
 * Each transaction starts at a random offset, so that two generators that have
 * the same medallion by chance rarely mint the same id.  It is in the lower
 * half, so that at least half of the offsets of an instant follow it.
 */
static uint32
random_offset(void)
{
	return gid_random_bits() & (GID_MAX_OFFSET >> 1);
}

/*
 * Sets the instant of the next ids, and the offset that precedes theirs.  The
 * server's clock can replace the instant by a later one.
 *
 * is_from_clock is true if the clock showed the instant.  Only such instants
 * are published, so that all sessions continue after them if the clock is set
 * back.
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
	/* gid_define_settings() explains why this is always so */
	Assert(instant >= 0 && instant <= GID_MAX_INSTANT);
	id = gid_pack(0, instant, generator.medallion, 0);

	generator.instant = instant;
	generator.offset = offset;
	generator.must_advance = false;
	high_bits = id.high;
	low_bits = id.low;
}

/* Sets the medallion: pinned if gid.node is set, otherwise a new random one. */
static void
choose_medallion(void)
{
	uint32		medallion;

	/* each worker starts without a medallion, and so comes here first */
	gid_reject_parallel_worker("mint gids");
	if (gid_node_number != GID_NO_NODE)
	{
		if (MaxBackends > MAX_SLOTS)
			ereport(ERROR,
					(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
					 errmsg("too many backends for a pinned gid generator"),
					 errdetail("With \"gid.node\" set, a server supports at most %d backends, but this one is configured for %d.",
							   MAX_SLOTS, MaxBackends),
					 errhint("Decrease \"max_connections\", or unset \"gid.node\".")));
		medallion = gid_node_number << GID_SLOT_BITS | gid_my_slot();

		/* start after an earlier session that had the same slot */
		generator.instant = Max(generator.instant, gid_last_pinned_instant());
	}
	else
	{
		do
			medallion = gid_random_bits() & GID_MAX_MEDALLION;
		while (generator.has_medallion && medallion == generator.medallion);
	}

	generator.medallion = medallion;
	generator.node = gid_node_number;
	generator.has_medallion = true;
	generator.must_advance = true;	/* low_bits has the old medallion */
}

static bool
needs_medallion(void)
{
	return !generator.has_medallion || generator.node != gid_node_number;
}

static void
record_reading(int64 now)
{
	generator.last_clock = now;
	generator.reading_lxid = gid_my_transaction();
	generator.reading_statement_start = GetCurrentStatementStartTimestamp();
}

/*
 * Returns the start of the current transaction, or the current time if the
 * clock was set back after the start.
 *
 * A reading that was made in this transaction is normally later than the start.
 * The same applies to a reading in an earlier transaction of the same client
 * message, because both transactions have the same start.  If such a reading is
 * earlier, the clock was set back between the start and the reading.
 */
static int64
transaction_start(void)
{
	TimestampTz began = GetCurrentTransactionStartTimestamp();
	int64		start = gid_instant_from_timestamp(began);

	if (start > generator.last_clock &&
		(generator.reading_lxid == gid_my_transaction() ||
		 generator.reading_statement_start == began))
	{
		int64		now = gid_read_clock();

		/* only record_step() decreases last_clock, because it counts */
		record_reading(Max(generator.last_clock, now));
		return now;
	}
	return start;
}

/* Records a reading of the clock, and counts a step if the clock went back. */
static void
record_step(int64 now)
{
	if (now < generator.last_clock)
		generator.clock_steps++;
	record_reading(now);
}

/*
 * Follows a clock that was set back: continues from this reading with a new
 * medallion, so that no id is minted twice.
 */
static void
follow_clock_back(int64 now)
{
	int64		set_back = generator.highest_clock - now;

	choose_medallion();
	record_step(now);

	/* set the state before ereport(), which can be interrupted */
	generator.highest_clock = now;
	generator.instant = now;
	generator.transaction = InvalidLocalTransactionId;
	ereport(LOG,
			(errmsg("clock moved backwards by %.3f s", set_back / 1e6),
			 errdetail("The gid generator of this session follows the clock under a new medallion.")));
}

/*
 * Warns once about each step of the clock.  A pinned generator cannot change
 * its medallion, so it keeps its instant.  Otherwise it could mint the same id
 * twice.
 */
static void
warn_of_step(int64 now)
{
	bool		is_new = now < generator.last_clock;

	record_step(now);
	if (is_new)
		ereport(WARNING,
				(errmsg("clock moved backwards by %.3f s",
						(generator.highest_clock - now) / 1e6),
				 errdetail("The gid generator of this session is pinned by \"gid.node\", so it keeps its instant until the clock has caught up."),
				 gid_server_clock ?
				 errhint("When the clock is right, restart the server to follow the clock.") :
				 errhint("A new session follows the clock.")));
}

/*
 * Handles a reading of the clock that is not after the generator's instant.
 * Returns true if the generator continues from the reading, because the clock
 * was set back by more than gid.max_clock_skew and the generator is not pinned.
 */
static bool
follow_if_set_back(int64 now)
{
	if (generator.highest_clock - now <= gid_allowed_lead())
	{
		record_step(now);
		generator.highest_clock = Max(generator.highest_clock, now);
		return false;
	}
	if (gid_node_number != GID_NO_NODE)
	{
		warn_of_step(now);
		return false;
	}
	follow_clock_back(now);
	return true;
}

/*
 * Checks whether the clock was set back, if the intended instant is before the
 * latest instant of the server.  If so, all sessions continue after the latest
 * instant, unless the step is larger than gid.max_clock_skew.
 */
static void
check_server_clock(int64 reading)
{
	if (unlikely(gid_server_is_later(reading)) && gid_hold_server_clock())
		generator.clock_steps++;
}

/*
 * Returns the microsecond after the generator's instant.  If that is ahead of
 * the clock, first waits until the clock shows another microsecond.
 */
static int64
next_microsecond(int64 now)
{
	if (generator.instant >= now)
		gid_wait_for_clock(now, 1);
	return generator.instant + 1;
}

/*
 * Chooses the instant of the current transaction: its start, or the microsecond
 * after the last instant if that is later.
 */
static void
begin_transaction_instant(void)
{
	uint32		offset = random_offset();
	int64		start = transaction_start();
	bool		is_from_clock = true;

	if (needs_medallion())
		choose_medallion();

	check_server_clock(start);

	if (likely(start > generator.instant))
	{
		generator.last_clock = Max(generator.last_clock, start);
		generator.highest_clock = start;
	}
	else
	{
		int64		now = gid_read_clock();

		if (follow_if_set_back(now))
			start = Min(start, now);
		else
		{
			is_from_clock = false;
			start = next_microsecond(now);
		}
	}

	set_instant(start, offset, is_from_clock);
	generator.transaction = gid_my_transaction();
}

/*
 * Chooses the instant of the next id with gid.instant_source = clock: the
 * current time if that is later than the last instant.  The offset continues.
 *
 * The instant belongs to no transaction.  If gid.instant_source is changed
 * within the transaction, the next id therefore has a new instant.
 */
static void
begin_clock_instant(void)
{
	int64		now = gid_read_clock();

	generator.transaction = InvalidLocalTransactionId;

	if (needs_medallion())
	{
		uint32		offset = random_offset();

		choose_medallion();
		generator.offset = offset;
	}

	check_server_clock(now);

	if (now > generator.instant)
	{
		record_reading(now);
		generator.highest_clock = now;
		set_instant(now, generator.offset, true);
	}
	else if (follow_if_set_back(now))
		set_instant(now, random_offset(), true);
	else if (generator.must_advance)
		set_instant(next_microsecond(now), generator.offset, false);
	else if (gid_server_clock && gid_claimed == 0)
		set_instant(generator.instant, generator.offset, false);
}

/* Mints an id: one more than the last offset of the instant. */
GidWords
gid_next(uint8 prefix)
{
	GidWords	id;

	/* see choose_medallion() */
	Assert(!IsParallelWorker() || !generator.has_medallion);

	if (unlikely(gid_instant_source == GID_BY_CLOCK))
		begin_clock_instant();
	else if (unlikely(generator.transaction != gid_my_transaction()))
		begin_transaction_instant();

	if (unlikely(generator.offset >= GID_MAX_OFFSET))
	{
		set_instant(next_microsecond(gid_read_clock()), 0, false);
		generator.overflows++;
	}

	generator.offset++;
	generator.minted++;
	id.high = gid_high_word(prefix, 0) | high_bits;
	id.low = low_bits | generator.offset;
	return id;
}

/* Makes the instants of the next ids of this session later than this one. */
void
gid_observe_instant(int64 instant)
{
	int64		now = gid_read_clock();

	/* detect a step of the clock before the instant changes */
	(void) follow_if_set_back(now);
	if (instant < generator.instant)
		return;

	if (instant > generator.instant)
	{
		generator.instant = instant;
		generator.is_observed = (instant > gid_server_time(now));
	}
	generator.must_advance = true;
	generator.transaction = InvalidLocalTransactionId;
}
