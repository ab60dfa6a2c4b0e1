/*
 * brin.c
 *		How far two gids are apart, for BRIN minmax-multi indexes.
 */
#include "gid.h"

#include <math.h>

PG_FUNCTION_INFO_V1(gid_brin_distance);
Datum
gid_brin_distance(PG_FUNCTION_ARGS)
{
	GidWords	from = PG_GETARG_GID(0);
	GidWords	to = PG_GETARG_GID(1);
	uint64		low = to.low - from.low;
	uint64		high = to.high - from.high - (to.low < from.low);

	/* The caller gives them in order, so that this is never negative. */
	PG_RETURN_FLOAT8(ldexp((double) high, 64) + (double) low);
}
