/*
 * delay.h
 *		Delays between the steps of the server clock's protocol, for tests.
 *
 * With -DGID_TEST_DELAYS, a delay point sleeps up to 2 ms in one of 16 calls,
 * so that other backends execute steps in between.  The injection points of
 * PostgreSQL 17 are not used, because packaged servers are not configured with
 * them.
 */
#ifndef GID_DELAY_H
#define GID_DELAY_H

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

#endif							/* GID_DELAY_H */
