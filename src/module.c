/*
 * module.c
 *		Loading of the library: defines the settings, and creates the shared
 *		memory if the library is preloaded.  The version of what is loaded.
 *
 * No other file may depend on this one.
 */
#include "gid.h"

#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/builtins.h"

#include "server_clock.h"

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
	gid_watch_catalog();
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
 * The version of the loaded library.  A session that began before an update of
 * the package has an older one than the files.
 */
PG_FUNCTION_INFO_V1(gid_version);
Datum
gid_version(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(GID_VERSION));
}
