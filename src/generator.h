/*
 * generator.h
 *		The state of this session's generator, and its functions.
 */
#ifndef GID_GENERATOR_H
#define GID_GENERATOR_H

#include "gid.h"

#include "datatype/timestamp.h"
#include "storage/lock.h"

typedef struct GidGenerator
{
	int			node;			/* GID_NO_NODE if the medallion is random */
	bool		has_medallion;	/* false until the first id */
	uint32		medallion;
	int64		instant;		/* Unix microseconds; -1 at first */
	uint32		offset;			/* of the last id */
	bool		instant_is_over;	/* the next id needs a later instant */
	bool		is_observed;	/* ahead of the server, by gid_observe() */
	LocalTransactionId transaction; /* whose instant it is, if any one's */

	/* Readings of the clock, in Unix microseconds; -1 at first. */
	int64		last_clock;		/* the last reading */
	int64		highest_clock;	/* what a set-back is measured from */
	LocalTransactionId read_by; /* the transaction that made it */
	TimestampTz read_in;		/* the start of its statement */

	/* Counts since the start of the session. */
	int64		minted;
	int64		clock_steps;
	int64		overflows;
} GidGenerator;

/* Half of an instant's offsets: as many fit after any first offset. */
#define GID_MAX_RESERVE		(1 << (GID_OFFSET_BITS - 1))

extern const GidGenerator *gid_generator_state(void);
extern GidWords gid_next(uint8 prefix, uint32 count);
extern void gid_observe_instant(int64 instant);

#endif							/* GID_GENERATOR_H */
