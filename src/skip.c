/*
 * skip.c
 *		Skip support: the next and the previous gid.
 *
 * With skip support, a condition on x alone can use an index on (gid, x).  The
 * scan skips from one gid to the next gid that the index contains.  PostgreSQL
 * supports this since version 18.
 */
#include "gid.h"

#ifdef GID_HAVE_SKIP_SUPPORT

#define LOWEST_HIGH		(UINT64CONST(1) << 63)

static Datum
skip_decrement(Relation rel, Datum existing, bool *overflow)
{
	GidWords	id = DatumGetGid(existing);

	*overflow = (id.high == LOWEST_HIGH && id.low == 0);
	if (*overflow)
		return (Datum) 0;
	if (id.low-- == 0)
		id.high--;
	return GidGetDatum(id);
}

static Datum
skip_increment(Relation rel, Datum existing, bool *overflow)
{
	GidWords	id = DatumGetGid(existing);

	*overflow = (id.high == PG_UINT64_MAX && id.low == PG_UINT64_MAX);
	if (*overflow)
		return (Datum) 0;
	if (++id.low == 0)
		id.high++;
	return GidGetDatum(id);
}

#endif

/* Exists in all versions, so that the catalogs differ as little as possible. */
PG_FUNCTION_INFO_V1(gid_skipsupport);
Datum
gid_skipsupport(PG_FUNCTION_ARGS)
{
#ifdef GID_HAVE_SKIP_SUPPORT
	SkipSupport support = (SkipSupport) PG_GETARG_POINTER(0);
	GidWords	lowest = {LOWEST_HIGH, 0};
	GidWords	highest = {PG_UINT64_MAX, PG_UINT64_MAX};

	support->decrement = skip_decrement;
	support->increment = skip_increment;
	support->low_elem = GidGetDatum(lowest);
	support->high_elem = GidGetDatum(highest);
#endif
	PG_RETURN_VOID();
}
