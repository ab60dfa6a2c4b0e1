/*
 * server_clock.c
 *		One clock for all sessions of a server, in shared memory.
 *
 * The floor is the minimum instant: the first id of a transaction is above it.
 * A claim is the lowest instant of a running transaction that has minted.
 *
 * A transaction publishes its claim before it reads the floor, and settled.c
 * raises the floor before it reads the claims.  Both execute a full barrier
 * between their two steps.  Therefore either settled.c reads the claim, or the
 * transaction sees the new floor and uses an instant above it.
 *
 * A session that is ahead of the clock does not move other sessions.  The floor
 * is raised only to the clock, to an instant that was taken from the clock
 * before the clock was set back, or by gid_observe_server().  While the floor
 * is ahead of the clock, sessions raise it by one microsecond at a time, and
 * all of them together at most half as fast as the clock.
 *
 * This file must not depend on how a session chooses its instants
 * (generator.c), or on what the claims are used for (settled.c).
 */
#include "server_clock.h"

#include "access/parallel.h"
#include "access/transam.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/shmem.h"

#include "delay.h"

/*
 * How far "latest" can be behind, in microseconds.  A smaller interval would
 * cause more writes to shared memory.
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

/* Creates the shared memory when the server starts. */
void
gid_attach_server_clock(void)
{
	bool		found;

	gid_server_clock = ShmemInitStruct("gid server clock",
									   gid_server_clock_size(), &found);
	if (found)
		return;

	pg_atomic_init_u64(&gid_server_clock->floor, 0);
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
	}
}

/* Raises an error if gid is not preloaded.  The detail names the function. */
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

/* Raises a shared instant, unless it is already later.  Returns the result. */
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

/*
 * Adds a microsecond to the floor, which is ahead of the clock.  Returns false
 * if another session has already raised it.  The clock must have been read
 * after the floor.
 *
 * First waits until the clock is two microseconds later.  This limits the floor
 * to half the speed of the clock, however many sessions call this function, so
 * the clock always catches up.
 */
static bool
move_floor(uint64 floor, int64 clock)
{
	gid_wait_for_clock(clock, 2);
	return pg_atomic_compare_exchange_u64(&gid_server_clock->floor, &floor,
										  floor + 1);
}

void
gid_raise_floor(int64 instant)
{
	raise_instant(&gid_server_clock->floor, instant);
}

/*
 * Keeps the order of ids if the clock was set back: if the latest instant of the
 * server is ahead of the server's time by at most gid.max_clock_skew, raises the
 * floor above all instants that were taken from the clock.  All sessions then
 * continue after them.  After a larger step, all sessions follow the clock.
 *
 * A session that began after the step knows about it from here only.
 */
static void
hold_if_set_back(void)
{
	uint64		latest = pg_atomic_read_u64(&gid_server_clock->latest);
	int64		floor = pg_atomic_read_u64(&gid_server_clock->floor);
	int64		clock;
	int64		lead;

	pg_read_barrier();			/* the clock is read after the instants */
	clock = gid_nearest_clock();
	lead = (int64) latest - Max(clock, floor);
	if (lead > gid_allowed_lead())
		pg_atomic_compare_exchange_u64(&gid_server_clock->latest, &latest,
									   clock);
	else if (lead > 0)
		gid_raise_floor(latest + LATEST_INTERVAL);
}

/*
 * Returns an instant above the floor, which is at least the intended instant.
 * If the clock is ahead of the floor, returns the current time, not the floor
 * plus one, because all transactions that began before the floor was raised
 * would then share one instant.
 *
 * If the floor is ahead of the clock, raises the floor by a microsecond, and
 * returns the new floor.  This keeps the ids of all sessions in order.
 * Therefore floor + 1 is not accepted as it is while the clock is behind: a
 * session that counts up would leave the floor behind.
 *
 * The loop ends: each time that it is repeated, another session has raised the
 * floor and left its own loop.
 */
static pg_noinline int64
raise_above_floor(int64 instant)
{
	hold_if_set_back();
	for (;;)
	{
		int64		floor = pg_atomic_read_u64(&gid_server_clock->floor);
		int64		clock;

		if (instant > floor + 1)
			return instant;
		clock = gid_nearest_clock();
		if (clock > floor)
			return instant > floor ? instant : clock;
		if (move_floor(floor, clock))
			return floor + 1;
	}
}

/*
 * Returns the instant to use instead of the intended one.  For the first id of
 * a transaction, publishes a claim and returns an instant above the floor.  For
 * later ids, returns an instant that is not below the claim.  If the instant of
 * a later id is not from the clock, it is above the floor, too: otherwise the
 * next transaction of another session could get an earlier instant while the
 * floor is ahead of the clock.
 *
 * Must not raise an error: the claim is cleared only if gid_claimed is set.
 */
int64
gid_claim_instant(int64 instant, bool is_from_clock)
{
	if (gid_claimed != 0)
	{
		if (instant <= gid_claimed)
			return gid_claimed;
		if (!is_from_clock)
			instant = raise_above_floor(instant);
	}
	else
	{
		GidSlot    *slot = my_slot();
		int64		floor;
		int64		latest;

		pg_atomic_write_u64(&slot->claim, instant); /* step 1 */
		gid_delay_point();
		pg_memory_barrier();	/* step 2 */
		floor = pg_atomic_read_u64(&gid_server_clock->floor);	/* step 3 */
		latest = pg_atomic_read_u64(&gid_server_clock->latest);
		if (unlikely(!is_from_clock || instant <= floor + 1 || instant < latest))
			instant = raise_above_floor(instant);
		gid_delay_point();
		pg_atomic_write_u64(&slot->claim, instant); /* step 4 */
		gid_claimed = instant;
	}

	if (is_from_clock && instant >
		(int64) pg_atomic_read_u64(&gid_server_clock->latest) + LATEST_INTERVAL)
		raise_instant(&gid_server_clock->latest, instant);
	return instant;
}

/*
 * Raises the floor to the clock, and returns the floor.  If the floor is ahead
 * of the clock, raises it by a microsecond, because ids whose instant equals
 * the floor would otherwise never be below the horizon.  Raises an error if a
 * gid cannot contain the current time.
 */
int64
gid_raise_floor_to_clock(void)
{
	int64		floor = pg_atomic_read_u64(&gid_server_clock->floor);
	int64		clock = gid_read_clock();

	if (clock >= floor)
		floor = raise_instant(&gid_server_clock->floor, clock);
	else if (move_floor(floor, clock))
		floor++;
	pg_memory_barrier();
	return floor;
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
 * Records a transaction that ended, in place of the oldest.  The xid is 0 while
 * the entry changes.  If a reader finds the same xid before and after it reads the
 * instant, the instant belongs to that xid.
 */
static void
remember_ended(GidSlot *slot, uint64 xid, int64 least)
{
	GidEnded   *ended = slot->ended;

	for (int i = 1; i < GID_ENDED_PER_SLOT; i++)
	{
		if (pg_atomic_read_u64(&slot->ended[i].xid) < pg_atomic_read_u64(&ended->xid))
			ended = &slot->ended[i];
	}
	pg_atomic_write_u64(&ended->xid, 0);
	pg_write_barrier();
	pg_atomic_write_u64(&ended->least, least);
	pg_write_barrier();
	pg_atomic_write_u64(&ended->xid, xid);
}

/*
 * Called at the end of each transaction (COMMIT, ABORT or PREPARE), after the
 * transaction has left the process array.  Records a transaction with an xid
 * even if it minted nothing or was aborted, so that gid_settled() can
 * distinguish it from a transaction that minted.
 *
 * This is a resource release callback, not a transaction callback.  In a
 * transaction callback, another extension may still commit ids of this
 * transaction on other servers.  PostgreSQL calls resource release callbacks
 * after all transaction callbacks, and for each resource owner.
 *
 * At the end of a transaction IsTransactionState() is false.  It is true if a
 * resource owner is released while a transaction is in progress.  If the claim
 * were cleared then, gid_settled() would miss the ids of that transaction.
 */
void
gid_end_transaction(ResourceReleasePhase phase, bool is_commit,
					bool is_top_level, void *arg)
{
	static uint64 remembered = 0;
	uint64		xid;

	/* most calls end here */
	if (phase != RESOURCE_RELEASE_BEFORE_LOCKS || !is_top_level)
		return;
	/* a library that is preloaded later can suppress the hook for the memory */
	if (gid_server_clock == NULL || IsTransactionState() || IsParallelWorker())
		return;

	gid_delay_point();
	xid = U64FromFullTransactionId(GetTopFullTransactionIdIfAny());
	if (xid != 0 && xid != remembered)
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
