/*
 * server_clock.c
 *		One clock for all sessions of a server, in shared memory.
 *
 * Three things are kept here.  The fence: no transaction takes an instant up
 * to it with its first id.  The claims: the least instant of each transaction
 * that has minted and is running.  The ended transactions: the last few of
 * each backend.  settled.c tells from them which ids can still become visible.
 *
 * A transaction publishes its claim before it reads the fence, and whoever
 * raises the fence reads the claims afterwards.  With a full barrier between
 * the two steps on either side, at least one sees the other: either the claim
 * is seen, or the instant goes above the fence.
 *
 * This file must not know what is asked of it (settled.c), nor how a session
 * chooses its instants (generator.c).
 */
#include "server_clock.h"

#include "access/transam.h"
#include "access/xact.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "generator.h"

/* How often the latest instant is written, in microseconds. */
#define LATEST_INTERVAL		1000

GidServerClock *gid_server_clock = NULL;
int64		gid_claimed = 0;

static shmem_request_hook_type previous_request_hook = NULL;
static shmem_startup_hook_type previous_startup_hook = NULL;

static Size
server_clock_size(void)
{
	return add_size(offsetof(GidServerClock, slots),
					mul_size(MaxBackends, sizeof(GidPaddedSlot)));
}

static void
request_memory(void)
{
	if (previous_request_hook)
		previous_request_hook();
	RequestAddinShmemSpace(server_clock_size());
	RequestNamedLWLockTranche("gid", 1);
}

static void
attach_memory(void)
{
	bool		found;

	if (previous_startup_hook)
		previous_startup_hook();

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	gid_server_clock = ShmemInitStruct("gid", server_clock_size(), &found);
	if (!found)
	{
		pg_atomic_init_u64(&gid_server_clock->fence, 0);
		pg_atomic_init_u64(&gid_server_clock->latest, 0);
		gid_server_clock->lock = &GetNamedLWLockTranche("gid")->lock;
		gid_server_clock->samples_used = 0;
		for (int i = 0; i < MaxBackends; i++)
		{
			GidSlot    *slot = &gid_server_clock->slots[i].slot;

			pg_atomic_init_u64(&slot->claim, 0);
			pg_atomic_init_u64(&slot->last, 0);
			for (int j = 0; j < GID_ENDED_PER_SLOT; j++)
			{
				pg_atomic_init_u64(&slot->ended[j].xid, 0);
				pg_atomic_init_u64(&slot->ended[j].least, 0);
			}
			slot->next_ended = 0;
		}
	}
	LWLockRelease(AddinShmemInitLock);
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

int64
gid_raise_fence(int64 instant)
{
	return gid_server_clock ?
		raise_instant(&gid_server_clock->fence, instant) : 0;
}

/* The wall clock.  It cannot fail, whatever the clock says. */
static int64
wall_clock(void)
{
	return GetCurrentTimestamp() + UNIX_TO_POSTGRES_EPOCH;
}

/*
 * An instant above the fence, for a transaction that began before the fence
 * was raised.  It is the clock's, rather than the fence's and a microsecond
 * more, so that such transactions do not all share one instant.  While the
 * fence is ahead of the clock it is moved to the instant that is taken, so
 * that the sessions stay in one order.
 */
static int64
instant_above(int64 fence)
{
	for (;;)
	{
		int64		now = wall_clock();
		uint64		expected = fence;

		if (now > fence)
			return now;
		if (pg_atomic_compare_exchange_u64(&gid_server_clock->fence, &expected,
										   fence + 1))
			return fence + 1;
		fence = expected;
	}
}

/*
 * Claims an instant for the current transaction, before its first id and
 * wherever it would go below its claim.  Returns the instant to use, which is
 * later where the fence was raised in the meantime.  A claim that is ahead of
 * the clock moves the fence.  Nothing here may fail.
 */
int64
gid_claim_instant(int64 instant, bool is_ahead)
{
	GidSlot    *slot;
	bool		is_first = (gid_claimed == 0);
	int64		fence;

	if (!is_first && instant >= gid_claimed)
		return instant;

	slot = my_slot();
	pg_atomic_write_u64(&slot->claim, instant);
	gid_claimed = instant;
	gid_delay_point();
	pg_memory_barrier();
	fence = pg_atomic_read_u64(&gid_server_clock->fence);
	gid_delay_point();
	if (instant <= fence)
	{
		instant = instant_above(fence);
		if (is_first)
		{
			pg_atomic_write_u64(&slot->claim, instant);
			gid_claimed = instant;
		}
	}

	if (is_ahead)
		raise_instant(&gid_server_clock->fence, instant);
	if (instant > (int64) pg_atomic_read_u64(&gid_server_clock->latest) +
		LATEST_INTERVAL)
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
 * Compares the clock with the server's latest instant, and so sees that it was
 * set back even in a session that has no later instant itself.  Up to
 * gid.max_clock_skew the fence is raised to the last instant of all sessions,
 * so that all go on from there; then returns true.  Further than that the
 * clock is followed.
 */
bool
gid_hold_server_clock(void)
{
	uint64		latest = pg_atomic_read_u64(&gid_server_clock->latest);
	int64		clock;
	int64		last = latest;

	pg_read_barrier();			/* the clock is read after the instant */
	clock = wall_clock();
	if (last <= gid_server_time(clock))
		return false;
	if (last - clock > gid_allowed_lead())
	{
		pg_atomic_compare_exchange_u64(&gid_server_clock->latest, &latest,
									   clock);
		return false;
	}

	for (int i = 0; i < MaxBackends; i++)
	{
		int64		of_slot = pg_atomic_read_u64(&gid_server_clock->slots[i].slot.last);

		if (of_slot - clock <= gid_allowed_lead())
			last = Max(last, of_slot);
	}
	gid_raise_fence(last);
	return true;
}

/* The last instant that a session with this backend's slot has used, or 0. */
int64
gid_last_instant_of_slot(void)
{
	return gid_server_clock ? pg_atomic_read_u64(&my_slot()->last) : 0;
}

/*
 * Remembers a transaction that ended.  A reader that sees the xid before and
 * after the instant has read the instant that belongs to it.
 */
static void
remember_ended(GidSlot *slot, FullTransactionId xid, int64 least)
{
	GidEnded   *ended = &slot->ended[slot->next_ended++ % GID_ENDED_PER_SLOT];

	pg_atomic_write_u64(&ended->xid, 0);
	pg_write_barrier();
	pg_atomic_write_u64(&ended->least, least);
	pg_write_barrier();
	pg_atomic_write_u64(&ended->xid, U64FromFullTransactionId(xid));
}

/*
 * At the end of each transaction, after it has left the process array.  One
 * with an xid is remembered even if it minted nothing: else it could not be
 * told from one that did.  An aborted one never becomes visible.
 */
static void
end_transaction(XactEvent event, void *arg)
{
	FullTransactionId xid;

	if (event != XACT_EVENT_COMMIT && event != XACT_EVENT_ABORT &&
		event != XACT_EVENT_PREPARE)
		return;

	gid_delay_point();
	xid = GetTopFullTransactionIdIfAny();
	if (event != XACT_EVENT_ABORT && FullTransactionIdIsValid(xid))
		remember_ended(my_slot(), xid, gid_claimed);

	if (gid_claimed != 0)
	{
		GidSlot    *slot = my_slot();

		pg_atomic_write_u64(&slot->last, gid_generator_state()->instant);
		gid_delay_point();
		pg_write_barrier();
		pg_atomic_write_u64(&slot->claim, 0);
		gid_claimed = 0;
	}
}

/* A row of gid_claims(): of a backend, or of an xid.  0 stands for NULL. */
static void
put_claim(ReturnSetInfo *result, int pid, int64 instant, TransactionId xid)
{
	Datum		values[3];
	bool		nulls[3];

	values[0] = Int32GetDatum(pid);
	nulls[0] = (pid == 0);
	values[1] = TimestampTzGetDatum(instant - UNIX_TO_POSTGRES_EPOCH);
	nulls[1] = (instant == 0);
	values[2] = TransactionIdGetDatum(xid);
	nulls[2] = (xid == 0);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* The backends that have a claim, and the transactions that are remembered. */
PG_FUNCTION_INFO_V1(gid_claims);
Datum
gid_claims(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	if (gid_server_clock == NULL)
		return (Datum) 0;

	for (int i = 0; i < MaxBackends; i++)
	{
		GidSlot    *slot = &gid_server_clock->slots[i].slot;
		int64		claim = pg_atomic_read_u64(&slot->claim);

		if (claim != 0)
			put_claim(result, ProcGlobal->allProcs[i].pid, claim, 0);
		for (int j = 0; j < GID_ENDED_PER_SLOT; j++)
		{
			uint64		xid = pg_atomic_read_u64(&slot->ended[j].xid);

			if (xid != 0)
				put_claim(result, 0,
						  pg_atomic_read_u64(&slot->ended[j].least),
						  (TransactionId) xid);
		}
	}
	return (Datum) 0;
}

/* Called as the library is loaded: sets all up if that is by preloading. */
void
gid_request_server_clock(void)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	previous_request_hook = shmem_request_hook;
	shmem_request_hook = request_memory;
	previous_startup_hook = shmem_startup_hook;
	shmem_startup_hook = attach_memory;
	RegisterXactCallback(end_transaction, NULL);
}
