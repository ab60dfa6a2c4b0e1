/*
 * codec.c
 *		What the codec costs by itself, outside of PostgreSQL.
 *
 * Prints nanoseconds per id, each the median of many passes over ids that fit
 * in the cache.  codec.rs does the same with the crate that Graft uses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codec.h"

#define IDS		4096
#define PASSES	1001

static GidWords ids[IDS];
static char canonical[IDS][GID_TEXT_LENGTH];
static char compact[IDS][GID_COMPACT_LENGTH];
static GidWords copies[IDS];

/* What is read through here cannot be optimised away. */
#define KEEP(pointer)	__asm__ volatile("" : : "g" (pointer) : "memory")

static void
encode(void)
{
	for (int i = 0; i < IDS; i++)
		gid_encode(ids[i], canonical[i]);
	KEEP(canonical);
}

static void
encode_compact(void)
{
	for (int i = 0; i < IDS; i++)
		gid_encode_compact(ids[i], compact[i]);
	KEEP(compact);
}

static void
decode_text(const char *text, size_t length)
{
	size_t		position;

	for (int i = 0; i < IDS; i++)
		if (gid_decode(text + i * length, length, &copies[i],
					   &position) != GID_TEXT_OK)
			abort();
	KEEP(copies);
}

static void
decode(void)
{
	decode_text(canonical[0], GID_TEXT_LENGTH);
}

static void
decode_compact(void)
{
	decode_text(compact[0], GID_COMPACT_LENGTH);
}

static void
copy(void)
{
	for (int i = 0; i < IDS; i++)
	{
		memcpy(&copies[i], &ids[i], GID_SIZE);
		KEEP(copies);
	}
}

static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

static void
measure(const char *name, void (*pass) (void))
{
	double		ns[PASSES];

	for (int i = 0; i < PASSES; i++)
	{
		struct timespec start;
		struct timespec stop;

		clock_gettime(CLOCK_MONOTONIC, &start);
		pass();
		clock_gettime(CLOCK_MONOTONIC, &stop);
		ns[i] = ((stop.tv_sec - start.tv_sec) * 1e9 +
				 (stop.tv_nsec - start.tv_nsec)) / IDS;
	}
	qsort(ns, PASSES, sizeof(double), compare_doubles);
	printf("%s\t%.1f\n", name, ns[PASSES / 2]);
}

int
main(void)
{
	uint64_t	noise = 1;

	for (int i = 0; i < IDS; i++)
	{
		/* Knuth's constants: any noise will do */
		noise = noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		ids[i].high = gid_high_word(0xEF, UINT64_C(1767225600000) + i);
		ids[i].low = noise;
	}
	measure("encode", encode);
	measure("decode", decode);
	measure("encode_compact", encode_compact);
	measure("decode_compact", decode_compact);
	measure("copy", copy);
	return 0;
}
