/*
 * offset.c
 *		gid + integer and gid - integer.
 *
 * These operators return the ids of a reservation: first, first + 1 and so on.
 */
#include "gid.h"

/* Adds to the offset of a gid.  Raises an error if the sum is out of range. */
static GidWords
move_offset(GidWords id, int64 by)
{
	int64		offset = (int64) gid_offset_of(id) + by;

	if (offset < 0 || offset > GID_MAX_OFFSET)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("gid offset out of range"),
				 errdetail("The offset of the gid is %u, and moving it by %lld leaves the range from 0 to %u.",
						   gid_offset_of(id), (long long) by, GID_MAX_OFFSET)));
	id.low = (id.low - gid_offset_of(id)) | (uint64) offset;
	return id;
}

PG_FUNCTION_INFO_V1(gid_plus);
Datum
gid_plus(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(move_offset(PG_GETARG_GID(0), PG_GETARG_INT32(1)));
}

PG_FUNCTION_INFO_V1(gid_minus);
Datum
gid_minus(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(move_offset(PG_GETARG_GID(0), -(int64) PG_GETARG_INT32(1)));
}
