/*
 * gid.c
 *		Loading of the library: defines the settings, and creates the shared
 *		memory if the library is preloaded.
 *
 * This file must not depend on what the shared memory is used for
 * (server_clock.c, settled.c).
 */
#include "gid.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "server_clock.h"
#include "settled.h"

GID_MODULE_MAGIC;

extern void _PG_init(void);

static shmem_request_hook_type previous_request_hook = NULL;
static shmem_startup_hook_type previous_startup_hook = NULL;

static void
request_memory(void)
{
	if (previous_request_hook)
		previous_request_hook();
	RequestAddinShmemSpace(gid_server_clock_size());
	RequestAddinShmemSpace(gid_samples_size());
	RequestNamedLWLockTranche("gid", 1);
}

static void
attach_memory(void)
{
	if (previous_startup_hook)
		previous_startup_hook();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	gid_attach_server_clock();
	gid_attach_samples(&GetNamedLWLockTranche("gid")->lock);
	LWLockRelease(AddinShmemInitLock);
}

void
_PG_init(void)
{
	gid_define_settings();
	if (process_shared_preload_libraries_in_progress)
	{
		previous_request_hook = shmem_request_hook;
		shmem_request_hook = request_memory;
		previous_startup_hook = shmem_startup_hook;
		shmem_startup_hook = attach_memory;
		RegisterResourceReleaseCallback(gid_end_transaction, NULL);
	}
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
