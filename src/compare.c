/*
 * compare.c
 *		The order of gids: operators, btree comparison, min and max.
 *
 * All of these functions are leakproof: they raise no error, and depend only on
 * their arguments.
 */
#include "gid.h"

#define GID_OPERATOR(name, op) \
PG_FUNCTION_INFO_V1(name); \
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	PG_RETURN_BOOL(gid_compare(PG_GETARG_GID(0), PG_GETARG_GID(1)) op 0); \
}

GID_OPERATOR(gid_lt, <)
GID_OPERATOR(gid_le, <=)
GID_OPERATOR(gid_ge, >=)
GID_OPERATOR(gid_gt, >)

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
#define GID_CHOICE(name, op) \
PG_FUNCTION_INFO_V1(name); \
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	return PG_GETARG_DATUM(gid_compare(PG_GETARG_GID(0), PG_GETARG_GID(1)) op 0 ? 0 : 1); \
}

GID_CHOICE(gid_smaller, <=)
GID_CHOICE(gid_larger, >=)
