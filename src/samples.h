/*
 * samples.h
 *		What old xids say about the ids of their transactions.
 *
 * A sample (xid, instant) says: transactions with this xid or a later one have
 * no ids below the instant.  Samples form a staircase: from one to the next,
 * both the xid and the instant increase.
 *
 * This file is plain C.  It must not depend on PostgreSQL, or on how samples
 * are taken and shared (settled.c).
 */
#ifndef GID_SAMPLES_H
#define GID_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct GidSample
{
	uint64_t	xid;			/* 64 bits, so it never wraps around */
	int64_t		instant;		/* Unix microseconds; never 0 */
} GidSample;

/* More than the removal in samples.c ever keeps; see there. */
#define GID_MAX_SAMPLES		600

typedef struct GidSamples
{
	int			used;
	GidSample	samples[GID_MAX_SAMPLES];
} GidSamples;

extern bool gid_needs_sample(const GidSamples *samples, uint64_t xid,
							 int64_t instant);
extern void gid_add_sample(GidSamples *samples, uint64_t xid, int64_t instant);
extern int64_t gid_find_sample(const GidSamples *samples, uint64_t xid);

#endif							/* GID_SAMPLES_H */
