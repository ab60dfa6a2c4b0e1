/*
 * server_clock.h
 *		What the sessions of a server tell each other about their instants.
 *
 * All of it is in shared memory, and only where gid is preloaded: a session
 * that had not loaded the library yet could not be told from one that has
 * minted nothing.
 *
 * Instants are Unix microseconds.  No id has the instant 0, so 0 means none.
 */
#ifndef GID_SERVER_CLOCK_H
#define GID_SERVER_CLOCK_H

#include "gid.h"

#include "port/atomics.h"
#include "storage/lwlock.h"

/* How many ended transactions a slot remembers. */
#define GID_ENDED_PER_SLOT		3

/* A transaction with an xid that ended or was prepared. */
typedef struct GidEnded
{
	pg_atomic_uint64 xid;		/* 64 bits; 0 while the entry changes */
	pg_atomic_uint64 least;		/* instant of its ids */
} GidEnded;

/* What a backend tells; indexed by its number in the process array. */
typedef struct GidSlot
{
	pg_atomic_uint64 claim;		/* least instant of the current transaction */
	pg_atomic_uint64 last;		/* last instant of any of its transactions */
	GidEnded	ended[GID_ENDED_PER_SLOT];
	uint32		next_ended;		/* used by the backend alone */
} GidSlot;

typedef union GidPaddedSlot
{
	GidSlot		slot;
	char		pad[PG_CACHE_LINE_SIZE];
} GidPaddedSlot;

/* A transaction with xid or a later one has ids of this instant or later. */
typedef struct GidSample
{
	uint64		xid;
	int64		instant;
} GidSample;

#define GID_MAX_SAMPLES			256

typedef struct GidServerClock
{
	/* No transaction takes an instant up to this with its first id. */
	pg_atomic_uint64 fence;
	char		pad1[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	/* The latest instant of any transaction's first id, to a millisecond. */
	pg_atomic_uint64 latest;
	char		pad2[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	/* Both increase; protected by the lock. */
	LWLock	   *lock;
	int			samples_used;
	GidSample	samples[GID_MAX_SAMPLES];

	GidPaddedSlot slots[FLEXIBLE_ARRAY_MEMBER]; /* MaxBackends of them */
} GidServerClock;

extern GidServerClock *gid_server_clock;	/* NULL if gid is not preloaded */
extern int64 gid_claimed;		/* by the current transaction; 0 if nothing */

extern void gid_request_server_clock(void);
extern int64 gid_claim_instant(int64 instant, bool is_ahead);
extern int64 gid_server_time(int64 clock);
extern bool gid_hold_server_clock(void);
extern int64 gid_raise_fence(int64 instant);
extern int64 gid_last_instant_of_slot(void);

/* Whether the next id is the first of its transaction. */
static inline bool
gid_needs_claim(void)
{
	return gid_server_clock && gid_claimed == 0;
}

/* Whether some transaction of the server has had a later instant. */
static inline bool
gid_server_is_later(int64 instant)
{
	return gid_server_clock &&
		(int64) pg_atomic_read_u64(&gid_server_clock->latest) > instant;
}

/*
 * Sleeps now and then, in builds for tests, at the points where another
 * backend's step in between makes a difference.
 */
#ifdef GID_TEST_DELAYS
#include "common/pg_prng.h"
#define gid_delay_point() \
	do { \
		if (pg_prng_uint64_range(&pg_global_prng_state, 0, 15) == 0) \
			pg_usleep(pg_prng_uint64_range(&pg_global_prng_state, 0, 2000)); \
	} while (0)
#else
#define gid_delay_point()	((void) 0)
#endif

#endif							/* GID_SERVER_CLOCK_H */
