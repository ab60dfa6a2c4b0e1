/*
 * hash.c
 *		Hashing of gids, for hash indexes, joins, aggregates and partitions.
 *
 * Hash partitions and hash indexes depend on these values.  Once released they
 * are the same in every version and on every machine.
 *
 * hash_any() would do.  It takes 89 instructions for 16 bytes, and this takes
 * 23: one multiplication combines the words, and the finalizer of MurmurHash3
 * spreads the bits of counters well.
 */
#include "gid.h"

#include "common/hashfn.h"

/* 2^64 divided by the golden ratio, as hash_combine64() uses it. */
#define GOLDEN_RATIO		UINT64CONST(0x9E3779B97F4A7C15)

/* With the seed 0, both functions agree in the low 32 bits. */
static inline uint64
hash_words(GidWords id, uint64 seed)
{
	return murmurhash64((id.high * GOLDEN_RATIO + id.low) ^ murmurhash64(seed));
}

PG_FUNCTION_INFO_V1(gid_hash);
Datum
gid_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_UINT32((uint32) hash_words(PG_GETARG_GID(0), 0));
}

PG_FUNCTION_INFO_V1(gid_hash_extended);
Datum
gid_hash_extended(PG_FUNCTION_ARGS)
{
	PG_RETURN_UINT64(hash_words(PG_GETARG_GID(0), PG_GETARG_INT64(1)));
}
