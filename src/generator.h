/*
 * generator.h
 *		The generator of this session: its state and its functions.
 */
#ifndef GID_GENERATOR_H
#define GID_GENERATOR_H

#include "gid.h"

#include "storage/lock.h"

typedef struct GidGenerator
{
	int			node;			/* GID_NO_NODE if the medallion is random */
	bool		has_medallion;	/* false until the first id */
	uint32		medallion;
	int64		instant;		/* Unix microseconds; initially -1 */
	uint32		offset;			/* of the last id */
	bool		must_advance;	/* the next id needs a later instant */
	LocalTransactionId transaction; /* has this instant; invalid if none */

	int64		lead;			/* of the instant over the clock, without a step */
	int64		last_clock;		/* the last reading of the clock; initially -1 */

	/* Counts since the start of the session. */
	int64		minted;
	int64		clock_steps;
	int64		overflows;
} GidGenerator;

extern const GidGenerator *gid_generator_state(void);
extern void gid_reject_parallel_worker(const char *action);
extern GidWords gid_next(uint8 prefix);
extern void gid_observe_instant(int64 instant);

#endif							/* GID_GENERATOR_H */
