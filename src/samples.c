/*
 * samples.c
 *		Keeps samples for years, in little memory.
 *
 * Each poll can add a sample.  When there are too many, those are removed that
 * leave two others close together.  Two samples are close if their instants are
 * apart by at most a millisecond, or by at most an eighth of the age of the
 * later one.  Its age is the distance from its instant to the newest instant.
 *
 * Therefore what is known about an xid becomes less precise only in proportion
 * to its age.  Of what is left, each second sample is older than the one two
 * after it by more than an eighth and by more than a millisecond.  From a
 * millisecond to a year there are at most 400 samples, and over all instants
 * that a gid can contain, at most 560.
 *
 * This file is plain C.  It must not depend on PostgreSQL, or on how samples
 * are taken and shared (settled.c).
 */
#include "samples.h"

#include <string.h>

#define MIN_INTERVAL	1000	/* microseconds */
#define MAX_FRACTION	8		/* of the age: an eighth */

/* Returns the number of samples with this xid or an earlier one. */
static int
count_until(const GidSamples *samples, uint64_t xid)
{
	int			count = samples->used;

	while (count > 0 && samples->samples[count - 1].xid > xid)
		count--;
	return count;
}

/* Returns the instant of the newest sample up to an xid; 0 if there is none. */
int64_t
gid_find_sample(const GidSamples *samples, uint64_t xid)
{
	int			count = count_until(samples, xid);

	return count > 0 ? samples->samples[count - 1].instant : 0;
}

/*
 * Whether a sample would say more than the existing ones: whether its instant
 * is later, by more than a millisecond, than that of the newest sample up to
 * its xid.
 */
bool
gid_needs_sample(const GidSamples *samples, uint64_t xid, int64_t instant)
{
	int64_t		known = gid_find_sample(samples, xid);

	return known == 0 || instant > known + MIN_INTERVAL;
}

/* Removes samples that leave two others close together. */
static void
remove_close(GidSamples *samples)
{
	GidSample  *sample = samples->samples;
	int			last = samples->used - 1;
	int			kept = 1;

	for (int i = 1; i < last; i++)
	{
		int64_t		interval = sample[i + 1].instant - sample[kept - 1].instant;
		int64_t		age = sample[last].instant - sample[i + 1].instant;

		if (interval > MIN_INTERVAL && interval > age / MAX_FRACTION)
			sample[kept++] = sample[i];
	}
	sample[kept++] = sample[last];
	samples->used = kept;
}

/*
 * Adds a sample if it is needed.  Removes samples of the same or later xids
 * whose instants are not above that of the new one.
 */
void
gid_add_sample(GidSamples *samples, uint64_t xid, int64_t instant)
{
	GidSample  *sample = samples->samples;
	int			before;
	int			after;

	if (!gid_needs_sample(samples, xid, instant))
		return;
	if (samples->used == GID_MAX_SAMPLES)
		remove_close(samples);

	before = count_until(samples, xid - 1);
	after = before;
	while (after < samples->used && sample[after].instant <= instant)
		after++;
	memmove(&sample[before + 1], &sample[after],
			(samples->used - after) * sizeof(GidSample));
	samples->used += 1 - (after - before);
	sample[before].xid = xid;
	sample[before].instant = instant;
}
