/*
 * generator.c
 *		The generator of a session, which chooses the medallion, the instant
 *		and the offset of the next id.
 *
 * By default, the ids of a transaction have one instant and differ in their
 * offsets, so they are adjacent.  The instant changes within a transaction with
 * gid.instant_source = clock, after gid_observe(), and after the last offset.
 * The state is not transactional: ids that were minted before a rollback are
 * not minted again.
 *
 * With one medallion, ids only increase.  So an instant that is ahead of the
 * clock is kept, and the next one is a microsecond later.  That waits for the
 * clock, so it does not increase the lead.  "lead" is how far an observed gid,
 * or the server's floor, has put the instant ahead of the clock.  If the instant
 * is ahead by more than that, the clock was set back.  If it is ahead by more
 * than gid.max_clock_skew in addition, the generator follows the clock, with
 * another medallion.
 *
 * This file must not depend on the functions that mint (mint.c).
 */
#include "gid.h"

#include "access/htup_details.h"
#include "access/parallel.h"
#include "access/xact.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"

#include "server_clock.h"

/* A pinned medallion consists of the node and the slot of the backend. */
#define MAX_SLOTS			(1 << GID_SLOT_BITS)

StaticAssertDecl(GID_MAX_NODE == (1 << (GID_MEDALLION_BITS - GID_SLOT_BITS)) - 1,
				 "node and slot fill the medallion");

static struct
{
	int			node;			/* GID_NO_NODE if the medallion is random */
	bool		has_medallion;	/* false until the first id */
	uint32		medallion;
	int64		instant;		/* Unix microseconds; initially -1 */
	uint32		offset;			/* of the last id */
	bool		must_advance;	/* the next id needs a later instant */
	LocalTransactionId transaction; /* has this instant; invalid if none */

	int64		lead;			/* of the instant over the clock, without a step */
	int64		last_clock;		/* the last reading of the clock; initially -1 */

	/* Counts since the start of the session. */
	int64		minted;
	int64		clock_steps;
	int64		overflows;
}			generator =
{
	.node = GID_NO_NODE,
	.instant = -1,
	.transaction = InvalidLocalTransactionId,
	.last_clock = -1
};

/*
 * Strong random bits, generated in blocks and returned word by word.  The block
 * is filled at its first use in a backend, and never in the postmaster.
 * Therefore no two backends inherit the same block.
 */
#define BLOCK_WORDS		64

static uint64 block[BLOCK_WORDS];
static int	words_left = 0;

uint64
gid_random_bits(void)
{
	if (unlikely(words_left == 0))
	{
		if (!pg_strong_random(block, sizeof(block)))
			ereport(ERROR,
					(errcode(ERRCODE_INTERNAL_ERROR),
					 errmsg("could not generate random values")));
		words_left = BLOCK_WORDS;
	}
	return block[--words_left];
}

/*
 * The bits that all ids of this instant share, whatever their kind: the instant
 * and the medallion.  Computing them for each id would add 16 instructions to
 * each gid_new().
 */
static GidWords shared_bits;

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
	if (is_from_clock)
	{
		generator.last_clock = instant;
		generator.lead = 0;
	}
	if (gid_server_clock)
	{
		int64		claimed = gid_claim_instant(instant, is_from_clock);

		if (claimed != instant)
			generator.lead = Max(claimed - gid_nearest_clock(), 0);
		instant = claimed;
		/* a role must not move later sessions with its slot by observing */
		if (generator.node != GID_NO_NODE && generator.lead == 0)
			gid_record_pinned_instant(instant);
	}
	/* gid_define_settings() explains why this is always so */
	Assert(instant >= 0 && instant <= GID_MAX_INSTANT);

	generator.instant = instant;
	generator.offset = offset;
	generator.must_advance = false;
	shared_bits = gid_pack(0, instant, generator.medallion, 0);
}

/*
 * Raises an error in a parallel worker.  A worker has its own generator, claim
 * and snapshot.  Its transaction ends before the leader stores the ids that the
 * worker returned.
 */
void
gid_reject_parallel_worker(const char *action)
{
	if (IsParallelWorker())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot %s in a parallel worker", action),
				 errhint("Label the calling function PARALLEL RESTRICTED or PARALLEL UNSAFE.")));
}

/* Sets the medallion, pinned or a new random one, and a random offset. */
static void
choose_medallion(void)
{
	uint32		offset = random_offset();
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
	generator.offset = offset;
	generator.node = gid_node_number;
	generator.has_medallion = true;
	generator.must_advance = true;	/* shared_bits has the old medallion */
}

static bool
needs_medallion(void)
{
	return !generator.has_medallion || generator.node != gid_node_number;
}

/*
 * Handles a reading of the clock that is not after the generator's instant.
 * Returns true if the clock was set back by more than gid.max_clock_skew, and the
 * generator continues from the reading.  A pinned generator cannot change its
 * medallion, so it keeps its instant, and warns once about each step.
 */
static bool
follow_if_set_back(int64 now)
{
	bool		is_step = now < generator.last_clock;
	int64		set_back = generator.instant - now - generator.lead;

	generator.last_clock = now;
	generator.clock_steps += is_step;
	if (set_back <= gid_allowed_lead())
		return false;

	if (gid_node_number == GID_NO_NODE)
	{
		choose_medallion();

		/* set the state before ereport(), which can be interrupted */
		generator.instant = now;
		generator.lead = 0;
		generator.transaction = InvalidLocalTransactionId;
		ereport(LOG,
				(errmsg("clock moved backwards by %.3f s", set_back / 1e6),
				 errdetail("The gid generator of this session follows the clock under a new medallion.")));
		return true;
	}

	if (is_step)
		ereport(WARNING,
				(errmsg("clock moved backwards by %.3f s", set_back / 1e6),
				 errdetail("The gid generator of this session is pinned by \"gid.node\", so it keeps its instant until the clock has caught up."),
				 gid_server_clock ?
				 errhint("When the clock is right, restart the server to follow the clock. Then set the cursors of programs that poll back to that time.") :
				 errhint("A new session follows the clock.")));
	return false;
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
	int64		start = gid_instant_from_timestamp(GetCurrentTransactionStartTimestamp());
	bool		is_from_clock = true;

	if (needs_medallion())
		choose_medallion();

	if (unlikely(start <= generator.instant))
	{
		int64		now = gid_read_clock();

		is_from_clock = follow_if_set_back(now);
		start = is_from_clock ? Min(start, now) : next_microsecond(now);
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
		choose_medallion();

	if (now > generator.instant || follow_if_set_back(now))
		set_instant(now, generator.offset, true);
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
	id.high = shared_bits.high | gid_high_word(prefix, 0);
	id.low = shared_bits.low | generator.offset;
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
		generator.lead = Max(instant - now, 0);
	}
	generator.must_advance = true;
	generator.transaction = InvalidLocalTransactionId;
}

PG_FUNCTION_INFO_V1(gid_generator);
Datum
gid_generator(PG_FUNCTION_ARGS)
{
	TupleDesc	descriptor;
	Datum		values[7];
	bool		nulls[7] = {false};
	int			node = generator.has_medallion ? generator.node : gid_node_number;

	gid_reject_parallel_worker("execute gid_generator()");
	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	values[0] = Int32GetDatum(node);
	nulls[0] = (node == GID_NO_NODE);
	values[1] = Int32GetDatum(generator.medallion);
	values[2] = TimestampTzGetDatum(generator.instant - UNIX_TO_POSTGRES_EPOCH);
	values[3] = Int32GetDatum(generator.offset);
	nulls[1] = nulls[2] = nulls[3] = !generator.has_medallion;
	values[4] = Int64GetDatum(generator.minted);
	values[5] = Int64GetDatum(generator.clock_steps);
	values[6] = Int64GetDatum(generator.overflows);

	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(descriptor, values, nulls)));
}
