/*
 * brin.c
 *		BRIN support functions that need more than the order of gids.
 */
#include "gid.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

/*
 * The minmax operator classes look up operators by the type of the index
 * column.  For a domain they find no operators, unless the class has a storage
 * type.  PostgreSQL's own classes have a storage type, but CREATE OPERATOR
 * CLASS ignores a storage type that is the type itself.  The first insert would
 * fail with an internal error.  Therefore fail when the index is created.
 */
static void
refuse_domain(Oid type)
{
	if (get_typtype(type) == TYPTYPE_DOMAIN)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot create BRIN minmax index over domain %s",
						format_type_extended(type, -1,
											 FORMAT_TYPE_FORCE_QUALIFY)),
				 errhint("Index the base type instead: USING brin ((column::gid)).")));
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
