/*
 * server_clock.c
 *		One clock for all sessions of a server, in shared memory.
 *
 * The fence is the minimum instant of first ids.  A claim is the lowest
 * instant of a transaction that has minted and is running.  A transaction
 * publishes its claim before it reads the fence, and settled.c raises the
 * fence before it reads the claims.  With a full barrier between the two steps
 * on either side, at least one of them sees the other: the claim is read, or
 * the instant goes above the fence.
 *
 * No session moves the others.  The fence rises to the clock, to an instant
 * that was taken from the clock before it was set back, or by
 * gid_observe_server().  While it is ahead of the clock, sessions move it on
 * by single microseconds, together no more than half as fast as the clock.
 *
 * This file must not know how a session chooses its instants (generator.c),
 * nor what the claims are read for (settled.c).
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

/* How exact "latest" is, in microseconds: it is seldom written. */
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

/* Raises a shared instant, unless it is later already.  Returns what it is. */
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

/* The wall clock.  It cannot fail, whatever the clock says. */
static int64
wall_clock(void)
{
	return GetCurrentTimestamp() + UNIX_TO_POSTGRES_EPOCH;
}

/*
 * Moves a fence that is ahead of the clock on by a microsecond, unless another
 * session has moved it.  The clock must have been read after the fence.  The
 * wait makes the fence half as fast as the clock, however many sessions call
 * this, so the lead always ends.  Two microseconds take less than a thousand
 * readings; the limit is for a clock that stands still.
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
 * An instant above the fence.  It is the clock's, because all transactions
 * that began before the fence was raised would otherwise share one.  While the
 * fence is ahead of the clock it is moved to the instant that is taken, which
 * keeps the sessions in one order.  A session that took its last instant from
 * the fence then intends fence + 1, which must move the fence, too.
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
 * Returns the instant that an id can have where this one is intended: above
 * the fence if the id is the transaction's first, and not below the claim
 * after that.  Nothing here may fail.
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

/* The clock, or the fence where that is ahead of it. */
int64
gid_server_time(int64 clock)
{
	if (gid_server_clock == NULL)
		return clock;
	return Max(clock, (int64) pg_atomic_read_u64(&gid_server_clock->fence));
}

/*
 * Called where an instant is not later than the server's latest, to see
 * whether the clock was set back, even in a session that has no later instant
 * itself.  If that instant is ahead of the server's time by no more than
 * gid.max_clock_skew, raises the fence above what was taken from the clock
 * before, so that all sessions go on from there, and returns true.  A clock
 * that was set back further is followed.
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
 * Raises the fence to the clock, and returns it.  A fence that is ahead of the
 * clock is moved on, or ids of its instant would stay above the horizon.
 * Raises an error if no gid can hold the clock's time.
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

/* Only ever raises it. */
void
gid_record_pinned_instant(int64 instant)
{
	if (instant > gid_last_pinned_instant())
		pg_atomic_write_u64(&my_slot()->pinned, instant);
}

/*
 * Remembers a transaction that ended.  A reader that sees the xid before and
 * after the instant has read the instant that belongs to it.
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
 * At the end of each transaction, after it has left the process array: at
 * COMMIT, ABORT and PREPARE.  A transaction with an xid is remembered even if
 * it minted nothing: otherwise nothing would distinguish it from one that did.
 * An aborted transaction never becomes visible.
 *
 * This is a callback for resources because PostgreSQL calls these after all
 * callbacks for transactions, where an extension may still have to commit on
 * other servers what this transaction minted.  It is called for each resource
 * owner.
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
