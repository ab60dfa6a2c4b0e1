/*
 * random.c
 *		Strong random bits, generated in blocks and returned word by word.
 *
 * The block is filled at its first use in a backend, and never in the
 * postmaster.  Therefore no two backends inherit the same block.
 */
#include "gid.h"

#define BLOCK_WORDS		64

static uint64 block[BLOCK_WORDS];
static int	words_left = 0;

uint64
gid_random_bits(void)
{
	if (unlikely(words_left == 0))
	{
		if (!pg_strong_random(block, sizeof(block)))
			ereport(ERROR,
					(errcode(ERRCODE_INTERNAL_ERROR),
					 errmsg("could not generate random values")));
		words_left = BLOCK_WORDS;
	}
	return block[--words_left];
}
