/*
 * settled.c
 *		The horizon: below it no id of this server becomes visible any more.
 *
 * A transaction can take an early instant and commit late.  Whoever reads up
 * to an id would then miss its rows.  gid_settled() gives an instant such that
 * every transaction with an earlier one that this snapshot does not see has
 * been aborted.
 *
 * Let T be a transaction that the snapshot does not see, with an id below the
 * horizon.  If T was running when who runs was read, its claim was read before
 * that, or it took its instant after the fence was raised, above the horizon.
 * If T is remembered as ended, its instant counts.  If T is aborted, it does
 * not matter.  Else T's xid is not below the first xid that is unaccounted
 * for, and the newest sample up to that xid says that T's ids are not below
 * its instant.
 *
 * The order of the steps is the proof's: the fence is raised, then the claims
 * are read, then the next xid, then who runs, then who has ended.
 */
#include "gid.h"

#include "access/subtrans.h"
#include "access/transam.h"
#include "access/xlog.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "server_clock.h"

/* How many xids are looked at from the snapshot's xmax on. */
#define MAX_XIDS			1000

/* A fence that is further ahead of the clock than this moves on when asked. */
#define SMALL_LEAD			1000	/* microseconds */

/* A remembered transaction, as it was read. */
typedef struct Ended
{
	uint64		xid;
	int64		least;			/* 0 if it minted nothing */
} Ended;

/* What is known of transactions while one question is answered. */
typedef struct Transactions
{
	uint64		next_xid;
	uint64		xmin;			/* the snapshot sees all that ended before */
	TransactionId *running;		/* top-level xids of backends, sorted */
	int			running_count;
	Ended	   *ended;			/* sorted by xid */
	int			ended_count;
	int64		least;			/* of ended ones that the snapshot misses */
} Transactions;

/* Raises the fence to the clock, and returns what it is then. */
static int64
raise_fence_to_clock(void)
{
	int64		now = GetCurrentTimestamp() + UNIX_TO_POSTGRES_EPOCH;
	int64		fence = gid_raise_fence(now);

	/*
	 * Where the clock was set back the fence must still move, or ids that were
	 * minted at its instant would stay above the horizon.
	 */
	if (fence - now > SMALL_LEAD)
		fence = gid_raise_fence(fence + 1);
	pg_memory_barrier();
	return fence;
}

/* The least of an instant and all claims. */
static int64
least_claim(int64 instant)
{
	for (int i = 0; i < MaxBackends; i++)
	{
		int64		claim = pg_atomic_read_u64(&gid_server_clock->slots[i].slot.claim);

		if (claim != 0 && claim < instant)
			instant = claim;
	}
	pg_memory_barrier();
	return instant;
}

/* Halves the samples, but keeps the oldest and the newest. */
static void
thin_samples(GidServerClock *clock)
{
	int			kept = 1;

	for (int i = 2; i < clock->samples_used - 1; i += 2)
		clock->samples[kept++] = clock->samples[i];
	clock->samples[kept++] = clock->samples[clock->samples_used - 1];
	clock->samples_used = kept;
}

/*
 * Adds a sample, unless another says as much of an earlier xid.  Takes away
 * those of which the new one says as much.
 */
static void
add_sample(uint64 xid, int64 instant)
{
	GidServerClock *clock = gid_server_clock;
	int			before;
	int			after;

	LWLockAcquire(clock->lock, LW_EXCLUSIVE);
	before = clock->samples_used;
	while (before > 0 && clock->samples[before - 1].xid > xid)
		before--;
	if (before == 0 || clock->samples[before - 1].instant < instant)
	{
		if (before > 0 && clock->samples[before - 1].xid == xid)
			before--;
		after = before;
		while (after < clock->samples_used &&
			   clock->samples[after].instant <= instant)
			after++;
		if (after == before && clock->samples_used == GID_MAX_SAMPLES)
		{
			thin_samples(clock);
			LWLockRelease(clock->lock);
			add_sample(xid, instant);
			return;
		}
		memmove(&clock->samples[before + 1], &clock->samples[after],
				(clock->samples_used - after) * sizeof(GidSample));
		clock->samples_used += 1 - (after - before);
		clock->samples[before].xid = xid;
		clock->samples[before].instant = instant;
	}
	LWLockRelease(clock->lock);
}

/* The instant of the newest sample up to an xid; 0 if there is none. */
static int64
newest_sample(uint64 xid)
{
	GidServerClock *clock = gid_server_clock;
	int64		instant = 0;

	LWLockAcquire(clock->lock, LW_SHARED);
	for (int i = clock->samples_used - 1; i >= 0; i--)
	{
		if (clock->samples[i].xid <= xid)
		{
			instant = clock->samples[i].instant;
			break;
		}
	}
	LWLockRelease(clock->lock);
	return instant;
}

static int
compare_xid(const void *a, const void *b)
{
	TransactionId x = *(const TransactionId *) a;
	TransactionId y = *(const TransactionId *) b;

	return x < y ? -1 : x > y;
}

static int
compare_ended(const void *a, const void *b)
{
	uint64		x = ((const Ended *) a)->xid;
	uint64		y = ((const Ended *) b)->xid;

	return x < y ? -1 : x > y;
}

/* Makes room for one more element after so many.  Few backends are busy. */
static void *
make_room(void *array, int count, int *room, Size size)
{
	if (count < *room)
		return array;
	*room *= 2;
	return repalloc(array, *room * size);
}

/*
 * Reads which top-level transactions run in backends.  The prepared ones have
 * their entries beyond those of the backends.  They must not count as running,
 * because they have no claim.
 */
static void
read_running(Transactions *transactions)
{
	int			room = 64;
	int			count = 0;

	transactions->running = palloc(room * sizeof(TransactionId));
	for (int i = 0; i < MaxBackends; i++)
	{
		TransactionId xid = *(volatile TransactionId *) &ProcGlobal->allProcs[i].xid;

		if (TransactionIdIsValid(xid))
		{
			transactions->running = make_room(transactions->running, count,
											  &room, sizeof(TransactionId));
			transactions->running[count++] = xid;
		}
	}
	transactions->running_count = count;
	qsort(transactions->running, count, sizeof(TransactionId), compare_xid);
	pg_memory_barrier();
}

/*
 * Reads which transactions ended of late, or were prepared.  Those before xmin
 * are left out, because the snapshot sees them.  They are nearly all where many
 * backends have written something some time ago.  An entry that changes has the
 * xid 0, and so is left out, too.
 */
static void
read_ended(Transactions *transactions)
{
	int			room = 64;
	int			count = 0;

	transactions->ended = palloc(room * sizeof(Ended));
	for (int i = 0; i < MaxBackends; i++)
	{
		GidSlot    *slot = &gid_server_clock->slots[i].slot;

		for (int j = 0; j < GID_ENDED_PER_SLOT; j++)
		{
			Ended		ended;

			ended.xid = pg_atomic_read_u64(&slot->ended[j].xid);
			pg_read_barrier();
			ended.least = pg_atomic_read_u64(&slot->ended[j].least);
			pg_read_barrier();
			if (ended.xid < transactions->xmin ||
				ended.xid != pg_atomic_read_u64(&slot->ended[j].xid))
				continue;
			transactions->ended = make_room(transactions->ended, count,
											&room, sizeof(Ended));
			transactions->ended[count++] = ended;
		}
	}
	transactions->ended_count = count;
	qsort(transactions->ended, count, sizeof(Ended), compare_ended);
}

/* An xid that is not later than the next one, in 64 bits. */
static uint64
widen(const Transactions *transactions, TransactionId xid)
{
	return transactions->next_xid -
		(TransactionId) ((TransactionId) transactions->next_xid - xid);
}

/*
 * Whether it is known what a transaction that the snapshot does not see has to
 * do with the horizon: its claim was read, its instant is remembered, or it
 * will never be visible.
 */
static bool
is_accounted_for(Transactions *transactions, TransactionId xid)
{
	TransactionId top = xid;
	Ended		key;
	Ended	   *ended;

	if (bsearch(&top, transactions->running, transactions->running_count,
				sizeof(TransactionId), compare_xid))
		return true;

	/* pg_subtrans is kept from TransactionXmin on */
	if (TransactionIdFollowsOrEquals(xid, TransactionXmin))
	{
		top = SubTransGetTopmostTransaction(xid);
		if (top != xid &&
			bsearch(&top, transactions->running, transactions->running_count,
					sizeof(TransactionId), compare_xid))
			return true;
	}

	key.xid = widen(transactions, top);
	ended = bsearch(&key, transactions->ended, transactions->ended_count,
					sizeof(Ended), compare_ended);
	if (ended != NULL)
	{
		if (ended->least != 0)
			transactions->least = Min(transactions->least, ended->least);
		return true;
	}
	return TransactionIdDidAbort(top);
}

/* The first xid that the snapshot does not see and that is unaccounted for. */
static uint64
first_unaccounted(Transactions *transactions, Snapshot snapshot)
{
	TransactionId next = (TransactionId) transactions->next_xid;
	TransactionId xid = snapshot->xmax;
	uint64		first;

	for (int i = 0; i < MAX_XIDS && xid != next; i++)
	{
		if (!is_accounted_for(transactions, xid))
			break;
		TransactionIdAdvance(xid);
	}
	first = widen(transactions, xid);

	for (uint32 i = 0; i < snapshot->xcnt; i++)
	{
		if (!is_accounted_for(transactions, snapshot->xip[i]))
			first = Min(first, widen(transactions, snapshot->xip[i]));
	}
	return first;
}

/* The horizon of a snapshot; 0 if it is not known yet. */
static int64
find_horizon(Snapshot snapshot)
{
	Transactions transactions;
	int64		own;
	int64		sample;

	/*
	 * This server was promoted after the snapshot was taken.  A snapshot taken
	 * in recovery lists running transactions in subxip, not in xip, and those
	 * that were prepared by then can still be committed.
	 */
	if (snapshot->takenDuringRecovery)
		return 0;

	gid_delay_point();
	own = raise_fence_to_clock();
	gid_delay_point();
	own = least_claim(own);
	gid_delay_point();
	transactions.next_xid = U64FromFullTransactionId(ReadNextFullTransactionId());
	transactions.xmin = widen(&transactions, snapshot->xmin);
	transactions.least = own;
	add_sample(transactions.next_xid, own);
	gid_delay_point();
	read_running(&transactions);
	gid_delay_point();
	read_ended(&transactions);
	gid_delay_point();

	sample = newest_sample(first_unaccounted(&transactions, snapshot));
	pfree(transactions.running);
	pfree(transactions.ended);
	return Min(sample, transactions.least);
}

/*
 * A snapshot has one horizon, however often it is asked for: a statement asks
 * for each rescan and each partition, and a cursor that saw the horizon rise
 * would jump over rows.  So the answers are kept for the transaction.
 */
typedef struct AnswerKey
{
	TransactionId xmin;
	TransactionId xmax;
	uint64		xip_hash;
} AnswerKey;

typedef struct Answer
{
	AnswerKey	key;			/* hash key, must be first */
	int64		horizon;
} Answer;

static HTAB *answers = NULL;
static LocalTransactionId answers_transaction = InvalidLocalTransactionId;

static int64
horizon_of(Snapshot snapshot)
{
	AnswerKey	key;
	Answer	   *answer;
	int64		horizon;

	if (answers_transaction != gid_my_transaction())
	{
		HASHCTL		control;

		control.keysize = sizeof(AnswerKey);
		control.entrysize = sizeof(Answer);
		control.hcxt = TopTransactionContext;
		answers = hash_create("gid horizons", 16, &control,
							  HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
		answers_transaction = gid_my_transaction();
	}

	memset(&key, 0, sizeof(key));
	key.xmin = snapshot->xmin;
	key.xmax = snapshot->xmax;
	key.xip_hash = hash_bytes_extended((const unsigned char *) snapshot->xip,
									   snapshot->xcnt * sizeof(TransactionId),
									   snapshot->xcnt);
	answer = hash_search(answers, &key, HASH_FIND, NULL);
	if (answer != NULL)
		return answer->horizon;

	horizon = find_horizon(snapshot);
	answer = hash_search(answers, &key, HASH_ENTER, NULL);
	answer->horizon = horizon;
	return horizon;
}

static Datum
settled(FunctionCallInfo fcinfo, uint8 prefix)
{
	Snapshot	snapshot;
	int64		horizon;

	if (gid_server_clock == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("gid must be loaded via \"shared_preload_libraries\""),
				 errdetail("gid_settled() needs to know all sessions of the server."),
				 errhint("Add gid to \"shared_preload_libraries\" and restart the server.")));
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("recovery is in progress"),
				 errdetail("Which gids are settled is known on the primary."),
				 errhint("Ask the primary, and use its answer here once this server has replayed what the primary had written by then.")));

	snapshot = GetActiveSnapshot();
	if (snapshot->snapshot_type != SNAPSHOT_MVCC)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("gid_settled() needs an MVCC snapshot")));
	horizon = horizon_of(snapshot);
	if (horizon == 0)
		PG_RETURN_NULL();
	PG_RETURN_GID(gid_pack(prefix, horizon, 0, 0));
}

PG_FUNCTION_INFO_V1(gid_settled_name);
Datum
gid_settled_name(PG_FUNCTION_ARGS)
{
	return settled(fcinfo, gid_kind_argument_name(fcinfo));
}

PG_FUNCTION_INFO_V1(gid_settled_number);
Datum
gid_settled_number(PG_FUNCTION_ARGS)
{
	return settled(fcinfo, gid_kind_argument_number(fcinfo));
}
