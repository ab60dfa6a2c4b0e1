/*
 * samples_test.c
 *		Tests src/samples.c without a server: simulates years of polls, and compares
 *		the stored instants of old xids with the bound that doc/settled.md promises.
 *
 * Prints "name: number of violations" for each simulation, and the largest
 * numbers of samples that remain after samples are removed.
 */
#include "../src/samples.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MS		INT64_C(1000)
#define DAY		(86400 * INT64_C(1000000))
#define PROBES	4096

/* An xid, and the values that determine how precisely its instant is known. */
typedef struct Probe
{
	uint64_t	xid;
	int64_t		assigned;		/* time of its assignment */
	int64_t		interval;		/* between the polls before and after it */
	int64_t		claim;			/* age of the oldest claim at these polls */
} Probe;

static GidSamples samples;
static uint64_t state;
static int	most_left;

static double
uniform(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double) (state >> 11) / (double) (UINT64_C(1) << 53);
}

/* A random number in this range.  All magnitudes are equally probable. */
static int64_t
magnitude(int64_t from, int64_t to)
{
	return (int64_t) (from * pow((double) to / from, uniform()));
}

static int64_t
max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Polls in random intervals in this range.  Claims are up to oldest_claim old. */
static int
poll_for(int64_t duration, int64_t shortest, int64_t longest, int64_t oldest_claim)
{
	static Probe probes[PROBES];
	int			used = 0;
	int			wrong = 0;
	int64_t		start = 1000 * DAY;
	int64_t		now = start;
	int64_t		before = start;
	int64_t		claimed = start;	/* instant of the oldest claim */
	int64_t		claim_ends = start;
	int64_t		age_before = 0;
	uint64_t	xid = 1000;

	samples.used = 0;
	gid_add_sample(&samples, xid, now);
	for (int poll = 0; now < start + duration; poll++)
	{
		int64_t		assigned;
		int64_t		age;
		bool		was_full;

		now += magnitude(shortest, longest);
		assigned = before + (int64_t) (uniform() * (now - before));
		xid += 1 + (uint64_t) (uniform() * 3);
		if (now >= claim_ends)
		{
			claimed = max(now - magnitude(1, oldest_claim), claimed);
			claim_ends = claimed + magnitude(1, oldest_claim);
		}
		age = now - claimed;

		/* Store the new xid.  If the array is full, it can replace another xid. */
		if (used < PROBES || uniform() < 0.1)
			probes[used < PROBES ? used++ : (int) (uniform() * PROBES)] =
				(Probe) {xid - 1, assigned, now - before, max(age, age_before)};
		was_full = (samples.used == GID_MAX_SAMPLES);
		gid_add_sample(&samples, xid, claimed);
		if (was_full && samples.used < GID_MAX_SAMPLES && samples.used > most_left)
			most_left = samples.used;

		for (int i = 0; i < (poll % 1000 == 0 ? used : 4); i++)
		{
			Probe	   *probe = &probes[(int) (uniform() * used)];
			int64_t		known = gid_find_sample(&samples, probe->xid);
			int64_t		late = now - probe->assigned + probe->claim;

			/* Allow two milliseconds, because close samples are not added. */
			if (known == 0 || now - known > late + max(probe->interval, late / 8) + 2 * MS)
				wrong++;
		}
		before = now;
		age_before = age;
	}
	return wrong;
}

/* Adds samples in any order.  They must stay sorted, and none may be lost. */
static int
random_order(void)
{
	int			wrong = 0;

	samples.used = 0;
	for (int i = 1; i < 100000; i++)
	{
		uint64_t	xid = 1 + (uint64_t) (uniform() * i);
		int64_t		instant = 1 + (int64_t) (uniform() * 10 * MS * i);
		int64_t		known = gid_find_sample(&samples, xid);

		gid_add_sample(&samples, xid, instant);
		if (gid_find_sample(&samples, xid) < instant - MS ||
			gid_find_sample(&samples, xid) > max(known, instant))
			wrong++;
		for (int j = 1; j < samples.used; j++)
		{
			if (samples.samples[j].xid <= samples.samples[j - 1].xid ||
				samples.samples[j].instant <= samples.samples[j - 1].instant)
				wrong++;
		}
	}
	return wrong;
}

/*
 * Fills the array with samples of ages from 0 to oldest.  Most of them are as
 * close to each other as possible without being removed.  Adds one more sample,
 * and returns the number of samples that remain.
 */
static int
densest(int64_t oldest)
{
	int64_t		ages[GID_MAX_SAMPLES];
	int			count = 0;

	/* Beginning with the newest, each pair is close to the pair before it. */
	for (int64_t age = 0; age < oldest; age += max(MS, age / 8) + 2)
	{
		ages[count++] = age;
		ages[count++] = age + 1;
	}
	while (count < GID_MAX_SAMPLES)
	{
		ages[count] = ages[count - 1] + 1;
		count++;
	}
	for (int i = 0; i < GID_MAX_SAMPLES; i++)
	{
		samples.samples[i].xid = i + 1;
		samples.samples[i].instant = 2 * oldest - ages[GID_MAX_SAMPLES - 1 - i];
	}
	samples.used = GID_MAX_SAMPLES;
	gid_add_sample(&samples, GID_MAX_SAMPLES + 1, 2 * oldest + 2 * MS);
	return samples.used;
}

int
main(int argc, char **argv)
{
	int64_t		year = 365 * DAY;

	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	printf("a week of polls, from a millisecond to a second: %d\n",
		   poll_for(year / 52, MS, 1000 * MS, 100 * MS));
	printf("ten years of polls, from a second to a day: %d\n",
		   poll_for(10 * year, 1000 * MS, DAY, 10 * MS));
	printf("ten years, while transactions are open for up to a week: %d\n",
		   poll_for(10 * year, MS, DAY, 7 * DAY));
	printf("an hour of polls, up to a thousand in a millisecond: %d\n",
		   poll_for(DAY / 24, 1, 30 * MS, 10 * MS));
	printf("any order: %d\n", random_order());
	printf("most left: %d\n", most_left);
	printf("most in a year: %d\n", densest(year));
	printf("most at all: %d\n", densest((INT64_C(1) << 48) * MS));
	return 0;
}
