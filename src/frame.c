/*
 * frame.c
 *		Window frames of a time before or after the current row:
 *
 *		OVER (ORDER BY id RANGE BETWEEN interval '1 hour' PRECEDING AND CURRENT ROW)
 */
#include "gid.h"

#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

/*
 * Support function 3 of the btree class: whether an id is at or before (if the
 * last argument is true), or at or after, the time of the base plus or minus an
 * interval.  Ids of another kind are before or after all times of the base's
 * kind, because a frame is a range in the order of gids.
 */
PG_FUNCTION_INFO_V1(gid_in_range);
Datum
gid_in_range(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);
	GidWords	base = PG_GETARG_GID(1);
	bool		is_less = PG_GETARG_BOOL(4);

	if (gid_prefix_of(id) != gid_prefix_of(base))
		PG_RETURN_BOOL((gid_prefix_of(id) < gid_prefix_of(base)) == is_less);
	return DirectFunctionCall5(in_range_timestamptz_interval,
							   TimestampTzGetDatum(gid_time_of(id)),
							   TimestampTzGetDatum(gid_time_of(base)),
							   PG_GETARG_DATUM(2), PG_GETARG_DATUM(3),
							   BoolGetDatum(is_less));
}
