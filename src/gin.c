/*
 * gin.c
 *		The GIN class for one id, so that a GIN index can combine an id with, for
 *		example, an array of tags.  Arrays of ids use PostgreSQL's own class.
 *
 * The key of a row is its id.  A range is a partial match: the scan starts at a
 * key, and ends at the first key that compare_partial rejects.
 *
 * This file must not depend on what the bits of an id mean.
 */
#include "gid.h"

#include "access/gin.h"
#include "access/stratnum.h"

PG_FUNCTION_INFO_V1(gid_gin_extract_value);
Datum
gid_gin_extract_value(PG_FUNCTION_ARGS)
{
	Datum	   *keys = palloc(sizeof(Datum));

	keys[0] = PG_GETARG_DATUM(0);
	*(int32 *) PG_GETARG_POINTER(1) = 1;
	PG_RETURN_POINTER(keys);
}

/*
 * Returns the key at which a scan starts.  A scan for smaller ids starts at the
 * smallest gid, so the id of the query is kept as well.
 */
PG_FUNCTION_INFO_V1(gid_gin_extract_query);
Datum
gid_gin_extract_query(PG_FUNCTION_ARGS)
{
	Datum		query = PG_GETARG_DATUM(0);
	StrategyNumber strategy = PG_GETARG_UINT16(2);
	Datum	   *keys = palloc(sizeof(Datum));
	bool	   *is_partial = palloc(sizeof(bool));
	Pointer    *extra = palloc(sizeof(Pointer));

	keys[0] = strategy < BTEqualStrategyNumber ?
		GidGetDatum(gid_first_of_kind(GID_FIRST_KIND)) : query;
	*is_partial = (strategy != BTEqualStrategyNumber);
	*extra = DatumGetPointer(query);

	*(int32 *) PG_GETARG_POINTER(1) = 1;
	*(bool **) PG_GETARG_POINTER(3) = is_partial;
	*(Pointer **) PG_GETARG_POINTER(4) = extra;
	PG_RETURN_POINTER(keys);
}

/*
 * Returns 0 if a key matches, less if a later one can, and more if none can.  A
 * scan for larger ids starts at the id of the query.
 */
PG_FUNCTION_INFO_V1(gid_gin_compare_partial);
Datum
gid_gin_compare_partial(PG_FUNCTION_ARGS)
{
	GidWords	key = PG_GETARG_GID(1);
	StrategyNumber strategy = PG_GETARG_UINT16(2);
	int			order = gid_compare(key, DatumGetGid(PG_GETARG_DATUM(3)));

	if (strategy < BTEqualStrategyNumber)
		PG_RETURN_INT32(order > 0 || (order == 0 && strategy == BTLessStrategyNumber));
	PG_RETURN_INT32(order == 0 && strategy == BTGreaterStrategyNumber ? -1 : 0);
}

/* A row has one key, so it matches if the key does. */
PG_FUNCTION_INFO_V1(gid_gin_consistent);
Datum
gid_gin_consistent(PG_FUNCTION_ARGS)
{
	const bool *is_found = (const bool *) PG_GETARG_POINTER(0);

	*(bool *) PG_GETARG_POINTER(5) = false; /* no need to recheck */
	PG_RETURN_BOOL(is_found[0]);
}
