/*
 * server_clock.c
 *		One clock for all sessions of a server, in shared memory.
 *
 * The fence is the minimum instant of first ids.  A claim is the lowest
 * instant of a running transaction that has minted.  A transaction publishes
 * its claim before it reads the fence, and settled.c raises the fence before
 * it reads the claims.  Both execute a full barrier between their two steps.
 * Therefore either settled.c reads the claim, or the transaction sees the new
 * fence and uses an instant above it.
 *
 * No session moves the others.  The fence rises only to the clock, to an
 * instant that was taken from the clock before it was set back, or by
 * gid_observe_server().  While the fence is ahead of the clock, sessions raise
 * it by single microseconds, together at most half as fast as the clock.
 *
 * This file must not know how a session chooses its instants (generator.c),
 * nor what the claims are used for (settled.c).
 */
#include "server_clock.h"

#include "access/parallel.h"
#include "access/transam.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/timestamp.h"

#include "delay.h"

/*
 * Precision of "latest" in microseconds.  It is low to avoid frequent writes.
 */
#define LATEST_INTERVAL		1000

GidServerClock *gid_server_clock = NULL;
int64		gid_claimed = 0;

Size
gid_server_clock_size(void)
{
	return add_size(offsetof(GidServerClock, slots),
					mul_size(MaxBackends, sizeof(GidPaddedSlot)));
}

/* Creates the shared memory, as the server starts. */
void
gid_attach_server_clock(void)
{
	bool		found;

	gid_server_clock = ShmemInitStruct("gid server clock",
									   gid_server_clock_size(), &found);
	if (found)
		return;

	pg_atomic_init_u64(&gid_server_clock->fence, 0);
	pg_atomic_init_u64(&gid_server_clock->latest, 0);
	for (int i = 0; i < MaxBackends; i++)
	{
		GidSlot    *slot = &gid_server_clock->slots[i].slot;

		pg_atomic_init_u64(&slot->claim, 0);
		pg_atomic_init_u64(&slot->pinned, 0);
		for (int j = 0; j < GID_ENDED_PER_SLOT; j++)
		{
			pg_atomic_init_u64(&slot->ended[j].xid, 0);
			pg_atomic_init_u64(&slot->ended[j].least, 0);
		}
		slot->next_ended = 0;
	}
}

/* Raises an error if there is none, with the name of the SQL function. */
void
gid_require_server_clock(const char *function)
{
	if (gid_server_clock == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("gid must be loaded via \"shared_preload_libraries\""),
				 errdetail("%s requires memory that all sessions of the server share.", function),
				 errhint("Add gid to \"shared_preload_libraries\" and restart the server.")));
}

static inline GidSlot *
my_slot(void)
{
	Assert(gid_my_slot() < MaxBackends);
	return &gid_server_clock->slots[gid_my_slot()].slot;
}

/* Raises a shared instant, unless it is already later.  Returns its value. */
static int64
raise_instant(pg_atomic_uint64 *shared, int64 instant)
{
	uint64		current = pg_atomic_read_u64(shared);

	while ((int64) current < instant)
	{
		if (pg_atomic_compare_exchange_u64(shared, &current, instant))
			return instant;
	}
	return current;
}

/* Reads the wall clock.  Does not raise an error, whatever the time. */
static int64
wall_clock(void)
{
	return GetCurrentTimestamp() + UNIX_TO_POSTGRES_EPOCH;
}

/*
 * Raises a fence that is ahead of the clock by a microsecond, unless another
 * session has raised it.  The clock must have been read after the fence.  The
 * wait limits the fence to half the speed of the clock, however many sessions
 * call this function, so the clock always catches up.  Two microseconds take
 * less than a thousand readings; the limit is for a clock that stands still.
 */
static bool
move_fence(uint64 fence, int64 clock)
{
	for (int i = 0; i < 1000 && (uint64) (wall_clock() - clock) < 2; i++)
		;
	return pg_atomic_compare_exchange_u64(&gid_server_clock->fence, &fence,
										  fence + 1);
}

/*
 * Returns an instant above the fence.  This is the clock's, not the fence plus
 * one: otherwise all transactions that began before the fence was raised would
 * share one instant.  While the fence is ahead of the clock, the fence is
 * raised to the returned instant, which keeps the ids of all sessions in
 * order.  A session that took its last instant from the fence then intends
 * fence + 1, which must raise the fence, too.
 */
static int64
instant_above_fence(int64 instant)
{
	for (;;)
	{
		int64		fence = pg_atomic_read_u64(&gid_server_clock->fence);
		int64		clock;

		if (likely(instant > fence + 1))
			return instant;
		clock = wall_clock();
		if (clock > fence)
			return instant > fence ? instant : clock;
		if (move_fence(fence, clock))
			return fence + 1;
	}
}

/*
 * Returns the instant to use in place of an intended one: above the fence for
 * the first id of a transaction, and not below the claim for later ids.  Must
 * not raise an error.
 */
int64
gid_claim_instant(int64 instant, bool is_from_clock)
{
	if (gid_claimed != 0)
	{
		if (instant <= gid_claimed)
			return gid_claimed;
	}
	else
	{
		GidSlot    *slot = my_slot();

		pg_atomic_write_u64(&slot->claim, instant); /* step 1 */
		gid_delay_point();
		pg_memory_barrier();	/* step 2 */
		instant = instant_above_fence(instant); /* step 3 */
		gid_delay_point();
		pg_atomic_write_u64(&slot->claim, instant); /* step 4 */
		gid_claimed = instant;
	}

	if (is_from_clock && instant >
		(int64) pg_atomic_read_u64(&gid_server_clock->latest) + LATEST_INTERVAL)
		raise_instant(&gid_server_clock->latest, instant);
	return instant;
}

/* The clock, or the fence if the fence is ahead of the clock. */
int64
gid_server_time(int64 clock)
{
	if (gid_server_clock == NULL)
		return clock;
	return Max(clock, (int64) pg_atomic_read_u64(&gid_server_clock->fence));
}

/*
 * Checks whether the clock was set back.  Called if an instant is not later
 * than the latest instant of the server, which also finds a step in sessions
 * that have no later instant themselves.  If the latest instant is ahead of
 * the server's time by at most gid.max_clock_skew, raises the fence above the
 * instants that were taken from the clock before, so that all sessions
 * continue after them, and returns true.  Otherwise the clock is followed.
 */
bool
gid_hold_server_clock(void)
{
	uint64		latest = pg_atomic_read_u64(&gid_server_clock->latest);
	int64		clock;
	int64		lead;

	pg_read_barrier();			/* the clock is read after the instant */
	clock = wall_clock();
	lead = (int64) latest - gid_server_time(clock);
	if (lead <= 0)
		return false;
	if (lead > gid_allowed_lead())
	{
		pg_atomic_compare_exchange_u64(&gid_server_clock->latest, &latest,
									   clock);
		return false;
	}
	gid_raise_fence(latest + LATEST_INTERVAL);
	return true;
}

void
gid_raise_fence(int64 instant)
{
	raise_instant(&gid_server_clock->fence, instant);
}

/*
 * Raises the fence to the clock, and returns the fence.  If the fence is ahead
 * of the clock, raises it by a microsecond; otherwise ids with its instant
 * would stay above the horizon.  Raises an error if a gid cannot contain the
 * clock's time.
 */
int64
gid_raise_fence_to_clock(void)
{
	int64		fence = pg_atomic_read_u64(&gid_server_clock->fence);
	int64		clock = gid_instant_from_timestamp(GetCurrentTimestamp());

	if (clock >= fence)
		fence = raise_instant(&gid_server_clock->fence, clock);
	else if (move_fence(fence, clock))
		fence++;
	pg_memory_barrier();
	return fence;
}

/* The last instant that was used under this slot's pinned medallion, or 0. */
int64
gid_last_pinned_instant(void)
{
	return gid_server_clock ? pg_atomic_read_u64(&my_slot()->pinned) : 0;
}

/* Records an instant of the pinned medallion.  It never decreases. */
void
gid_record_pinned_instant(int64 instant)
{
	if (instant > gid_last_pinned_instant())
		pg_atomic_write_u64(&my_slot()->pinned, instant);
}

/*
 * Records a transaction that ended.  If a reader finds the same xid before and
 * after it reads the instant, the instant belongs to that xid.
 */
static void
remember_ended(GidSlot *slot, uint64 xid, int64 least)
{
	GidEnded   *ended = &slot->ended[slot->next_ended++ % GID_ENDED_PER_SLOT];

	pg_atomic_write_u64(&ended->xid, 0);
	pg_write_barrier();
	pg_atomic_write_u64(&ended->least, least);
	pg_write_barrier();
	pg_atomic_write_u64(&ended->xid, xid);
}

/*
 * Called at the end of each transaction (COMMIT, ABORT or PREPARE), after it
 * has left the process array.  A transaction with an xid is recorded even if
 * it minted nothing, so that gid_settled() can distinguish it from a
 * transaction that did.  An aborted transaction is not recorded, because it
 * never becomes visible.
 *
 * This is a callback for resources, because PostgreSQL calls these after all
 * callbacks for transactions, in which another extension may still have to
 * commit on other servers what this transaction minted.  It is called for each
 * resource owner.
 */
void
gid_end_transaction(ResourceReleasePhase phase, bool is_commit,
					bool is_top_level, void *arg)
{
	static uint64 remembered = 0;
	uint64		xid;

	if (phase != RESOURCE_RELEASE_BEFORE_LOCKS || !is_top_level ||
		IsTransactionState() || IsParallelWorker())
		return;

	gid_delay_point();
	xid = U64FromFullTransactionId(GetTopFullTransactionIdIfAny());
	if (is_commit && xid != 0 && xid != remembered)
	{
		remember_ended(my_slot(), xid, gid_claimed);
		remembered = xid;
	}

	if (gid_claimed != 0)
	{
		gid_delay_point();
		pg_write_barrier();
		pg_atomic_write_u64(&my_slot()->claim, 0);
		gid_claimed = 0;
	}
}
