/*
 * settled.c
 *		The horizon: no id of this server below it becomes visible later.
 *
 * A transaction can have an early instant and commit late.  A program that has
 * already read larger ids would then miss the rows of that transaction.
 * gid_settled() returns the horizon, an instant: every transaction with an
 * earlier instant is visible to the snapshot or was aborted.  gid_unsettled()
 * returns what delays the horizon.
 *
 * The algorithm is in find_horizon(), in numbered steps.  It is correct for the
 * following reason.  Let T be a transaction that the snapshot does not see.
 *
 *	- If T was running in step 4, either step 2 read T's claim, or T published
 *	  its claim later.  Then T's ids are above the floor of step 1.
 *	- If T is recorded as ended, the horizon is not above T's instant.
 *	- Otherwise T's xid is not below the first xid that is unaccounted for.  The
 *	  newest sample up to that xid limits the horizon, and T's ids are not below
 *	  the instant of that sample.
 */
#include "gid.h"

#include "access/htup_details.h"
#include "access/subtrans.h"
#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_authid.h"
#include "commands/dbcommands.h"	/* get_database_name() before version 19 */
#include "common/hashfn.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "tcop/pquery.h"
#include "utils/acl.h"
#include "utils/fmgrprotos.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/tuplestore.h"

#include "delay.h"
#include "samples.h"
#include "server_clock.h"

/*
 * The number of times that one call reads pg_subtrans.  Each reading acquires a
 * lock, and can read a page from disk, and any role can create thousands of
 * subtransactions.  The limit keeps the price for other roles under a few
 * milliseconds.  If it is reached, the horizon is lower than it could be.
 */
#define MAX_LOOKUPS			1000

/* The samples of all sessions, in shared memory. */
typedef struct SharedSamples
{
	LWLock	   *lock;			/* protects the samples */
	GidSamples	samples;
} SharedSamples;

static SharedSamples *shared = NULL;

/* A top-level transaction that is accounted for. */
typedef struct AccountedXid
{
	uint64		xid;
	int64		least;			/* lowest instant, if recorded; otherwise 0 */
} AccountedXid;

/* What is known about transactions while a horizon is computed. */
typedef struct Transactions
{
	uint64		next_xid;
	int64		least;			/* the horizon is not above this instant */
	AccountedXid *accounted;	/* sorted by xid */
	int			used;
} Transactions;

Size
gid_samples_size(void)
{
	return sizeof(SharedSamples);
}

/* Creates the shared memory when the server starts. */
void
gid_attach_samples(LWLock *lock)
{
	bool		found;

	shared = ShmemInitStruct("gid samples", sizeof(SharedSamples), &found);
	if (found)
		return;
	shared->lock = lock;
	shared->samples.used = 0;
}

/* Returns the lowest of the given instant and all claims. */
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

/*
 * Adds a sample.  Most of them are not needed while many sessions poll.  The
 * shared lock keeps these sessions from waiting for each other.
 */
static void
add_sample(uint64 xid, int64 instant)
{
	bool		is_needed;

	LWLockAcquire(shared->lock, LW_SHARED);
	is_needed = gid_needs_sample(&shared->samples, xid, instant);
	LWLockRelease(shared->lock);
	if (!is_needed)
		return;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	gid_add_sample(&shared->samples, xid, instant);
	LWLockRelease(shared->lock);
}

static int64
find_sample(uint64 xid)
{
	int64		instant;

	LWLockAcquire(shared->lock, LW_SHARED);
	instant = gid_find_sample(&shared->samples, xid);
	LWLockRelease(shared->lock);
	return instant;
}

/* Converts an xid to 64 bits.  It must not be later than the next xid. */
static uint64
widen(const Transactions *transactions, TransactionId xid)
{
	return transactions->next_xid -
		(TransactionId) ((TransactionId) transactions->next_xid - xid);
}

/* Makes room for one running and all recorded transactions of each backend. */
static void
allocate_accounted(Transactions *transactions)
{
	transactions->accounted = palloc(MaxBackends * (1 + GID_ENDED_PER_SLOT) *
									 sizeof(AccountedXid));
	transactions->used = 0;
}

static void
add_accounted(Transactions *transactions, uint64 xid, int64 least)
{
	transactions->accounted[transactions->used++] = (AccountedXid) {xid, least};
}

/*
 * Reads which top-level transactions are running in backends.  Their claims
 * have already been read.  Prepared transactions must not count as running,
 * because they have no claim.  Their entries follow those of the backends, so
 * the loop does not reach them.
 *
 * ProcArrayLock is not required.  A transaction that ends after this function
 * has read its xid still had its claim when the claims were read.  A
 * transaction whose xid was already cleared, by itself or by the leader of its
 * group, is searched for among the ended transactions.  If it is not recorded
 * there yet, it is unaccounted for, and a sample limits the horizon.
 */
static void
read_running(Transactions *transactions)
{
	for (int i = 0; i < MaxBackends; i++)
	{
		TransactionId xid = *(volatile TransactionId *) &ProcGlobal->allProcs[i].xid;

		if (TransactionIdIsValid(xid))
			add_accounted(transactions, widen(transactions, xid), 0);
	}
	pg_memory_barrier();
}

static int
compare_accounted(const void *a, const void *b)
{
	uint64		x = ((const AccountedXid *) a)->xid;
	uint64		y = ((const AccountedXid *) b)->xid;

	return x < y ? -1 : x > y;
}

/*
 * Reads which transactions ended recently or were prepared.  Ignores those
 * before xmin, because the snapshot sees them.  These are nearly all of the
 * entries if many backends are idle.  Also ignores an entry that is being
 * changed, because its xid is 0.  Then sorts what is accounted for.
 */
static void
read_ended(Transactions *transactions, uint64 xmin)
{
	for (int i = 0; i < MaxBackends; i++)
	{
		GidSlot    *slot = &gid_server_clock->slots[i].slot;

		for (int j = 0; j < GID_ENDED_PER_SLOT; j++)
		{
			uint64		xid = pg_atomic_read_u64(&slot->ended[j].xid);
			int64		least;

			pg_read_barrier();
			least = pg_atomic_read_u64(&slot->ended[j].least);
			pg_read_barrier();
			if (xid >= xmin && xid == pg_atomic_read_u64(&slot->ended[j].xid))
				add_accounted(transactions, xid, least);
		}
	}
	qsort(transactions->accounted, transactions->used, sizeof(AccountedXid),
		  compare_accounted);
}

static AccountedXid *
find_accounted(const Transactions *transactions, TransactionId xid)
{
	AccountedXid key = {widen(transactions, xid), 0};

	return bsearch(&key, transactions->accounted, transactions->used,
				   sizeof(AccountedXid), compare_accounted);
}

/*
 * Whether a top-level transaction is accounted for.  If its instant is recorded,
 * makes sure that the horizon is not above it.
 */
static bool
is_accounted_for(Transactions *transactions, TransactionId xid)
{
	AccountedXid *found = find_accounted(transactions, xid);

	if (found != NULL && found->least != 0)
		transactions->least = Min(transactions->least, found->least);
	return found != NULL;
}

/*
 * Returns the first xid that the snapshot does not see and that is unaccounted
 * for; the next xid if there is none.
 *
 * A subtransaction does not count.  Its top-level transaction has an earlier
 * xid, and the snapshot does not see that one either.  So it is checked here,
 * from the snapshot's xmax on or in xip, which contains no subtransactions.
 */
static uint64
first_unaccounted(Transactions *transactions, Snapshot snapshot)
{
	TransactionId next = (TransactionId) transactions->next_xid;
	TransactionId xid = snapshot->xmax;
	int			lookups = 0;
	uint64		first;

	while (xid != next &&
		   (is_accounted_for(transactions, xid) ||
			(lookups++ < MAX_LOOKUPS &&
			 TransactionIdIsValid(SubTransGetParent(xid)))))
	{
		CHECK_FOR_INTERRUPTS();
		TransactionIdAdvance(xid);
	}
	first = widen(transactions, xid);

	for (uint32 i = 0; i < snapshot->xcnt; i++)
	{
		uint64		in_progress = widen(transactions, snapshot->xip[i]);

		if (in_progress < first &&
			!is_accounted_for(transactions, snapshot->xip[i]))
			first = in_progress;
	}
	return first;
}

/* Computes the horizon of a snapshot.  Returns 0 if it is not known yet. */
static int64
find_horizon(Snapshot snapshot)
{
	Transactions transactions;
	int64		sample;
	uint64		first;

	allocate_accounted(&transactions);
	transactions.least = gid_raise_floor_to_clock();	/* step 1 */
	gid_delay_point();
	transactions.least = least_claim(transactions.least);	/* step 2 */
	gid_delay_point();
	transactions.next_xid = U64FromFullTransactionId(ReadNextFullTransactionId());
	sample = transactions.least;
	add_sample(transactions.next_xid, sample);	/* step 3 */
	gid_delay_point();
	read_running(&transactions);	/* step 4 */
	gid_delay_point();
	read_ended(&transactions, widen(&transactions, snapshot->xmin));
	gid_delay_point();
	first = first_unaccounted(&transactions, snapshot); /* step 5 */
	pfree(transactions.accounted);
	if (first != transactions.next_xid)
		sample = find_sample(first);
	return Min(sample, transactions.least); /* step 6 */
}

/*
 * All calls of a statement with the same snapshot must return the same horizon.  A
 * statement calls gid_settled() for each rescan and each partition.  If the horizon
 * rose in between, a cursor would skip rows.  Therefore the horizons are kept until
 * the transaction ends.
 *
 * The key identifies a snapshot by its contents, and the statement or the cursor
 * by its time.  Without the time, a program that never commits would keep the
 * horizon until another transaction gets an xid.  The statements of a function or
 * a DO block have the time of the call.
 */
typedef struct SnapshotKey
{
	TimestampTz statement;
	uint64		xip_hash;
	TransactionId xmin;
	TransactionId xmax;
	uint64		xcnt;			/* 64 bits, so the key has no padding */
} SnapshotKey;

typedef struct CachedHorizon
{
	SnapshotKey snapshot;		/* hash key, must be first */
	int64		horizon;
} CachedHorizon;

static HTAB *horizon_cache;		/* in TopTransactionContext */
static LocalTransactionId horizon_transaction = InvalidLocalTransactionId;

static int64
horizon_of(Snapshot snapshot)
{
	SnapshotKey key = {
		.statement = ActivePortal != NULL ? ActivePortal->creation_time : 0,
		.xip_hash = hash_bytes_extended((const unsigned char *) snapshot->xip,
										snapshot->xcnt * sizeof(TransactionId), 0),
		.xmin = snapshot->xmin,
		.xmax = snapshot->xmax,
		.xcnt = snapshot->xcnt
	};
	CachedHorizon *cached;
	int64		horizon;

	if (horizon_transaction != gid_my_transaction())
	{
		HASHCTL		control = {
			.keysize = sizeof(SnapshotKey),
			.entrysize = sizeof(CachedHorizon),
			.hcxt = TopTransactionContext
		};

		horizon_cache = hash_create("gid horizons", 16, &control,
									HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
		horizon_transaction = gid_my_transaction();
	}

	cached = hash_search(horizon_cache, &key, HASH_FIND, NULL);
	if (cached != NULL)
		return cached->horizon;

	horizon = find_horizon(snapshot);
	cached = hash_search(horizon_cache, &key, HASH_ENTER, NULL);
	cached->horizon = horizon;
	return horizon;
}

PG_FUNCTION_INFO_V1(gid_settled);
Datum
gid_settled(PG_FUNCTION_ARGS)
{
	uint8		prefix = gid_kind_argument(fcinfo);
	Snapshot	snapshot;
	int64		horizon;

	gid_require_server_clock("gid_settled()");
	gid_reject_parallel_worker("execute gid_settled()");
	if (!ActiveSnapshotSet())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("gid_settled() requires a snapshot"),
				 errdetail("After COMMIT or ROLLBACK, PL/pgSQL casts values and checks domains without a snapshot."),
				 errhint("Call gid_settled() in a query.")));
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("recovery is in progress"),
				 errdetail("Only the primary can compute the horizon."),
				 errhint("Fetch the horizon and then pg_current_wal_insert_lsn() on the primary, and use the horizon here after this server has replayed that position.")));

	snapshot = GetActiveSnapshot();
	if (snapshot->snapshot_type != SNAPSHOT_MVCC)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("gid_settled() requires an MVCC snapshot")));

	/*
	 * If the snapshot was taken in recovery, this server has been promoted
	 * since.  Such a snapshot lists running transactions in subxip, not in xip.
	 * Those that were prepared at that time can still be committed.
	 */
	if (snapshot->takenDuringRecovery)
		PG_RETURN_NULL();

	horizon = horizon_of(snapshot);
	if (horizon == 0)
		PG_RETURN_NULL();
	PG_RETURN_GID(gid_pack(prefix, horizon, 0, 0));
}

/*
 * Adds a row to the result of gid_unsettled(), for a backend or, without a pid,
 * for the prepared transaction with this name.  The instant is 0 if it is unknown.
 */
static void
add_unsettled(ReturnSetInfo *result, int pid, int64 instant, Datum name,
			  Oid database, Oid role)
{
	bool		sees = has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		has_privs_of_role(GetUserId(), role);
	char	   *database_name = get_database_name(database);
	TimestampTz since = instant - UNIX_TO_POSTGRES_EPOCH;
	Datum		values[] = {Int32GetDatum(pid), TimestampTzGetDatum(since), name, 0};
	bool		nulls[] = {pid == 0, !sees || instant == 0, pid != 0,
		database_name == NULL};

	if (database_name != NULL)
		values[3] = DirectFunctionCall1(namein, CStringGetDatum(database_name));
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* Adds the backends that have a claim. */
static void
add_claims(ReturnSetInfo *result)
{
	for (int i = 0; i < MaxBackends; i++)
	{
		GidSlot    *slot = &gid_server_clock->slots[i].slot;
		volatile PGPROC *proc = &ProcGlobal->allProcs[i];
		int64		claim = pg_atomic_read_u64(&slot->claim);
		int			pid = proc->pid;
		Oid			role = proc->roleId;
		Oid			database = proc->databaseId;

		/* check that the pid is not that of another session with this slot */
		pg_read_barrier();
		if (claim != 0 && claim == (int64) pg_atomic_read_u64(&slot->claim))
			add_unsettled(result, pid, claim, 0, database, role);
	}
}

/*
 * Adds the prepared transactions, except those that certainly minted nothing.
 * The horizon waits for a transaction's first id, or, if that is not recorded any
 * more, stays at the sample for its xid.
 */
static void
add_prepared(ReturnSetInfo *result)
{
	Transactions transactions;

	SPI_connect();
	if (SPI_execute("SELECT transaction, gid, dbid, ownerid FROM pg_catalog.pg_prepared_xact()",
					false, 0) != SPI_OK_SELECT)
		elog(ERROR, "could not list the prepared transactions");
	allocate_accounted(&transactions);
	transactions.next_xid = U64FromFullTransactionId(ReadNextFullTransactionId());
	read_ended(&transactions, FirstNormalTransactionId);

	for (uint64 i = 0; i < SPI_processed; i++)
	{
		Datum		values[4];
		bool		nulls[4];	/* none of them is */
		AccountedXid *found;

		heap_deform_tuple(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, values,
						  nulls);
		found = find_accounted(&transactions, DatumGetTransactionId(values[0]));
		if (found == NULL || found->least != 0)
			add_unsettled(result, 0, found != NULL ? found->least :
						  find_sample(widen(&transactions, DatumGetTransactionId(values[0]))),
						  values[1], DatumGetObjectId(values[2]),
						  DatumGetObjectId(values[3]));
	}
	SPI_finish();
}

/*
 * Returns the transactions that delay the horizon.  The instant is NULL for
 * those of roles whose sessions' start pg_stat_activity hides.
 *
 * The claims are read first.  A transaction that is being prepared keeps its
 * claim until it is in the list of prepared transactions.
 */
PG_FUNCTION_INFO_V1(gid_unsettled);
Datum
gid_unsettled(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	if (gid_server_clock == NULL)
		return (Datum) 0;
	add_claims(result);
	add_prepared(result);
	return (Datum) 0;
}
