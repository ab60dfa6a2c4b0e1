/*
 * compare.c
 *		The order of gids: operators, btree comparison, min and max.
 *
 * All of these functions are leakproof: they raise no error, and depend only on
 * their arguments.
 */
#include "gid.h"

PG_FUNCTION_INFO_V1(gid_lt);
Datum
gid_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(gid_compare(PG_GETARG_GID(0), PG_GETARG_GID(1)) < 0);
}

PG_FUNCTION_INFO_V1(gid_le);
Datum
gid_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(gid_compare(PG_GETARG_GID(0), PG_GETARG_GID(1)) <= 0);
}

PG_FUNCTION_INFO_V1(gid_ge);
Datum
gid_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(gid_compare(PG_GETARG_GID(0), PG_GETARG_GID(1)) >= 0);
}

PG_FUNCTION_INFO_V1(gid_gt);
Datum
gid_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(gid_compare(PG_GETARG_GID(0), PG_GETARG_GID(1)) > 0);
}

/* Compilers inline memcmp() of a fixed size that is compared with 0. */
static inline bool
same_bytes(FunctionCallInfo fcinfo)
{
	return memcmp(PG_GETARG_POINTER(0), PG_GETARG_POINTER(1), GID_SIZE) == 0;
}

PG_FUNCTION_INFO_V1(gid_eq);
Datum
gid_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(same_bytes(fcinfo));
}

PG_FUNCTION_INFO_V1(gid_ne);
Datum
gid_ne(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!same_bytes(fcinfo));
}

PG_FUNCTION_INFO_V1(gid_cmp);
Datum
gid_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(gid_compare(PG_GETARG_GID(0), PG_GETARG_GID(1)));
}

/* Of equal gids, the first. */
PG_FUNCTION_INFO_V1(gid_smaller);
Datum
gid_smaller(PG_FUNCTION_ARGS)
{
	return PG_GETARG_DATUM(gid_compare(PG_GETARG_GID(0), PG_GETARG_GID(1)) <= 0 ? 0 : 1);
}

PG_FUNCTION_INFO_V1(gid_larger);
Datum
gid_larger(PG_FUNCTION_ARGS)
{
	return PG_GETARG_DATUM(gid_compare(PG_GETARG_GID(0), PG_GETARG_GID(1)) >= 0 ? 0 : 1);
}
