/*
 * brin.c
 *		What BRIN needs to know of gids beyond their order.
 */
#include "gid.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

/*
 * The minmax classes look operators up by the type of the index column.  Over
 * a domain they find none, unless the class names its storage type, which
 * PostgreSQL's own do and CREATE OPERATOR CLASS forgets where it is the type
 * itself.  So a domain would fail at the first insert, with an internal error;
 * say it when the index is made.
 */
static void
refuse_domain(Oid type)
{
	if (get_typtype(type) == TYPTYPE_DOMAIN)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a minmax BRIN index cannot be over domain %s itself",
						format_type_extended(type, -1,
											 FORMAT_TYPE_FORCE_QUALIFY)),
				 errhint("Index the column as its base type: USING brin ((column::gid)).  Conditions on the column use that index.")));
}

PG_FUNCTION_INFO_V1(gid_brin_minmax_opcinfo);
Datum
gid_brin_minmax_opcinfo(PG_FUNCTION_ARGS)
{
	refuse_domain(PG_GETARG_OID(0));
	return brin_minmax_opcinfo(fcinfo);
}

PG_FUNCTION_INFO_V1(gid_brin_minmax_multi_opcinfo);
Datum
gid_brin_minmax_multi_opcinfo(PG_FUNCTION_ARGS)
{
	refuse_domain(PG_GETARG_OID(0));
	return brin_minmax_multi_opcinfo(fcinfo);
}

/* How far apart two gids are, as numbers of 128 bits, for minmax-multi. */
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
