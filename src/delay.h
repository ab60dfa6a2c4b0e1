/*
 * delay.h
 *		Delays between the steps of the server clock's protocol, for tests.
 *
 * With -DGID_TEST_DELAYS, a delay point sleeps up to 2 ms in one of 16 calls.
 * Packaged servers do not have PostgreSQL's own injection points.
 */
#ifndef GID_DELAY_H
#define GID_DELAY_H

#ifdef GID_TEST_DELAYS
#include "common/pg_prng.h"

#define gid_delay_point() \
	pg_usleep(pg_prng_uint64_range(&pg_global_prng_state, 0, 15) ? 0 : \
			  pg_prng_uint64_range(&pg_global_prng_state, 0, 2000))
#else
#define gid_delay_point()	((void) 0)
#endif

#endif							/* GID_DELAY_H */
