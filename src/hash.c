/*
 * hash.c
 *		Hashing of gids, for hash indexes, joins, aggregates and partitions.
 *
 * These are PostgreSQL's own hash functions over the 16 bytes, so a gid and a
 * uuid with the same bytes have the same hash.
 */
#include "gid.h"

#include "common/hashfn.h"

PG_FUNCTION_INFO_V1(gid_hash);
Datum
gid_hash(PG_FUNCTION_ARGS)
{
	return hash_any((unsigned char *) PG_GETARG_POINTER(0), GID_SIZE);
}

PG_FUNCTION_INFO_V1(gid_hash_extended);
Datum
gid_hash_extended(PG_FUNCTION_ARGS)
{
	return hash_any_extended((unsigned char *) PG_GETARG_POINTER(0), GID_SIZE,
							 PG_GETARG_INT64(1));
}
