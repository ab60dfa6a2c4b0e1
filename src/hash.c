/*
 * hash.c
 *		Hashing of gids, for hash indexes, joins, aggregates and partitions.
 *
 * Which partition a row is in, and where a hash index keeps it, depends on
 * these values: once released they never change, in no version and on no
 * machine.
 *
 * Both words are mixed into one by a multiplication, and that by MurmurHash3's
 * last step, which is good on counters.
 */
#include "gid.h"

#include "common/hashfn.h"

/* 2^64 over the golden ratio: odd, with no pattern that ids could repeat. */
#define FACTOR		UINT64CONST(0x9E3779B97F4A7C15)

/* A seed of 0 leaves nothing behind, as PostgreSQL asks of the two hashes. */
static inline uint64
hash_words(GidWords id, uint64 seed)
{
	return murmurhash64((id.high * FACTOR + id.low) ^ murmurhash64(seed));
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
