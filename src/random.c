/*
 * random.c
 *		Strong random bits, drawn in blocks and handed out a word at a time.
 *
 * The block belongs to this process: it is filled at first use, never in the
 * postmaster, so that no two backends inherit the same one.
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
