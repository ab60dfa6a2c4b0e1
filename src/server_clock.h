/*
 * server_clock.h
 *		The clock that all sessions of a server share.
 *
 * The clock is in shared memory, and exists only if gid is preloaded.  Every
 * backend must record the transactions that end in it, including a backend that
 * has not used gid yet.
 *
 * Instants are Unix microseconds.  The instant 0 means none.
 */
#ifndef GID_SERVER_CLOCK_H
#define GID_SERVER_CLOCK_H

#include "gid.h"

#include "port/atomics.h"
#include "utils/resowner.h"

/* The number of ended transactions that a slot records. */
#define GID_ENDED_PER_SLOT		3

/* A top-level transaction that had an xid, and ended or was prepared. */
typedef struct GidEnded
{
	pg_atomic_uint64 xid;		/* 64 bits; 0 while the entry changes */
	pg_atomic_uint64 least;		/* lowest instant of its ids */
} GidEnded;

/* The slot of a backend, indexed by its number in the process array. */
typedef struct GidSlot
{
	pg_atomic_uint64 claim;		/* lowest instant of the transaction's ids */
	pg_atomic_uint64 pinned;	/* last instant with a pinned medallion */
	GidEnded	ended[GID_ENDED_PER_SLOT];
} GidSlot;

typedef union GidPaddedSlot
{
	GidSlot		slot;
	char		pad[PG_CACHE_LINE_SIZE];
} GidPaddedSlot;

StaticAssertDecl(sizeof(GidPaddedSlot) == PG_CACHE_LINE_SIZE,
				 "a slot must fit into a cache line");

typedef struct GidServerClock
{
	/*
	 * The minimum instant.  The first id of a transaction gets a later one.
	 * The floor never decreases.
	 */
	pg_atomic_uint64 floor;
	char		pad1[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	/*
	 * At most LATEST_INTERVAL below the latest instant that a session took from
	 * the clock.
	 */
	pg_atomic_uint64 latest;
	char		pad2[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	GidPaddedSlot slots[FLEXIBLE_ARRAY_MEMBER]; /* MaxBackends of them */
} GidServerClock;

StaticAssertDecl(offsetof(GidServerClock, slots) == 2 * PG_CACHE_LINE_SIZE,
				 "floor, latest and slots must be in cache lines of their own");

extern GidServerClock *gid_server_clock;	/* NULL if gid is not preloaded */
extern int64 gid_claimed;		/* claim of the current transaction, or 0 */

extern Size gid_server_clock_size(void);
extern void gid_attach_server_clock(void);
extern void gid_end_transaction(ResourceReleasePhase phase, bool is_commit,
								bool is_top_level, void *arg);
extern void gid_require_server_clock(const char *function);
extern int64 gid_claim_instant(int64 instant, bool is_from_clock);
extern void gid_raise_floor(int64 instant);
extern int64 gid_raise_floor_to_clock(void);
extern int64 gid_last_pinned_instant(void);
extern void gid_record_pinned_instant(int64 instant);

#endif							/* GID_SERVER_CLOCK_H */
