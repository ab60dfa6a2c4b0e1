/*
 * bound.c
 *		Searching by creation time.
 *
 * A comparison of a gid with a time compares gid_timestamp() with the time.
 * Within one kind, this is equivalent to a comparison with a bound, which is a
 * gid.  The lower bound is the first gid at or after the time.  The upper bound
 * is the first gid after the time.  planner.c replaces comparisons with times
 * by comparisons with bounds.
 *
 * These operators are not in a btree operator family, because gids of different
 * kinds do not sort by time.  Window frames by time are in the order of gids.
 */
#include "gid.h"

#include "access/stratnum.h"
#include "utils/fmgrprotos.h"
#include "utils/rangetypes.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/* The smallest gid of a kind.  No generator mints it: byte 7 is 0. */
GidWords
gid_first_of_kind(uint8 prefix)
{
	GidWords	id = {(uint64) prefix << GID_PREFIX_SHIFT, 0};

	return id;
}

/*
 * Returns the smallest gid of a kind at or after a time.  If the time is after
 * the last millisecond of a gid, returns the smallest gid above the kind.
 * Therefore "id >= bound" and "id < bound" are right for every time, including
 * infinity.
 */
GidWords
gid_bound_at(uint8 prefix, TimestampTz at)
{
	GidWords	id = gid_first_of_kind(prefix);

	if (at > (int64) GID_MAX_MS * 1000 - UNIX_TO_POSTGRES_EPOCH)
		id = gid_first_of_kind(prefix + 1);
	else if (at > -UNIX_TO_POSTGRES_EPOCH)
	{
		int64		instant = at + UNIX_TO_POSTGRES_EPOCH;

		id.high |= (uint64) ((instant + 999) / 1000) << GID_MS_SHIFT;
	}
	return id;
}

/* The microsecond after a time. */
TimestampTz
gid_time_after(TimestampTz at)
{
	return at == DT_NOEND ? at : at + 1;
}

/*
 * Returns the times in a tstzrange.  Times are compared as numbers, so that no
 * function of the range type is called, which could raise an error.
 */
GidTimes
gid_times_in(Datum range)
{
	RangeType  *value = DatumGetRangeTypeP(range);
	RangeBound	lower;
	RangeBound	upper;
	bool		is_empty;
	GidTimes	times = {DT_NOBEGIN, DT_NOEND};

	range_deserialize(lookup_type_cache(RangeTypeGetOid(value), TYPECACHE_RANGE_INFO),
					  value, &lower, &upper, &is_empty);
	if (is_empty)
		return (GidTimes) {DT_NOBEGIN, DT_NOBEGIN};
	/* on a 32-bit machine the values are pointers, and NULL if infinite */
	if (!lower.infinite)
		times.from = DatumGetTimestampTz(lower.val);
	if (!lower.infinite && !lower.inclusive)
		times.from = gid_time_after(times.from);
	if (!upper.infinite)
		times.to = DatumGetTimestampTz(upper.val);
	if (!upper.infinite && upper.inclusive)
		times.to = gid_time_after(times.to);
	return times;
}

PG_FUNCTION_INFO_V1(gid_lower_bound);
Datum
gid_lower_bound(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(gid_bound_at(gid_kind_argument(fcinfo), PG_GETARG_TIMESTAMPTZ(1)));
}

PG_FUNCTION_INFO_V1(gid_upper_bound);
Datum
gid_upper_bound(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(gid_bound_at(gid_kind_argument(fcinfo),
							   gid_time_after(PG_GETARG_TIMESTAMPTZ(1))));
}

/*
 * Computes the bound at a value, from its time.  The bounds in plans are leakproof.
 * They raise no error, but return NULL for an unknown kind, which the planner does
 * not write.
 */
Datum
gid_bound_in_plan(FunctionCallInfo fcinfo, const void *value, Size size,
				  TimestampTz at)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	GidKnownBound *known = flinfo->fn_extra;
	text	   *name = PG_GETARG_TEXT_PP(0);
	uint8		prefix = known ? known->prefix :
		gid_find_kind(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));

	if (prefix == 0)
		PG_RETURN_NULL();
	if (known != NULL || !gid_has_constant_kind(flinfo))
		PG_RETURN_GID(gid_bound_at(prefix, at));

	known = MemoryContextAlloc(flinfo->fn_mcxt, offsetof(GidKnownBound, value) + size);
	known->prefix = prefix;
	gid_store(gid_bound_at(prefix, at), known->id);
	known->size = size;
	memcpy(known->value, value, size);
	flinfo->fn_extra = known;
	return PointerGetDatum(known->id);
}

static Datum
bound_at_time(FunctionCallInfo fcinfo, TimestampTz at)
{
	Datum		known = gid_known_bound(fcinfo, &at, sizeof(at));

	return known ? known : gid_bound_in_plan(fcinfo, &at, sizeof(at), at);
}

PG_FUNCTION_INFO_V1(gid_leakproof_lower_bound);
Datum
gid_leakproof_lower_bound(PG_FUNCTION_ARGS)
{
	return bound_at_time(fcinfo, PG_GETARG_TIMESTAMPTZ(1));
}

PG_FUNCTION_INFO_V1(gid_leakproof_upper_bound);
Datum
gid_leakproof_upper_bound(PG_FUNCTION_ARGS)
{
	return bound_at_time(fcinfo, gid_time_after(PG_GETARG_TIMESTAMPTZ(1)));
}

/* Two functions that compare a gid with a time, and the time with the gid. */
#define TIME_COMPARISON(gid_first, time_first, operator) \
PG_FUNCTION_INFO_V1(gid_first); \
PG_FUNCTION_INFO_V1(time_first); \
Datum \
gid_first(PG_FUNCTION_ARGS) \
{ \
	PG_RETURN_BOOL(gid_time_of(PG_GETARG_GID(0)) operator PG_GETARG_TIMESTAMPTZ(1)); \
} \
Datum \
time_first(PG_FUNCTION_ARGS) \
{ \
	PG_RETURN_BOOL(PG_GETARG_TIMESTAMPTZ(0) operator gid_time_of(PG_GETARG_GID(1))); \
} \
extern Datum time_first(PG_FUNCTION_ARGS)

/* These are leakproof: they raise no error. */
TIME_COMPARISON(gid_lt_timestamptz, timestamptz_lt_gid, <);
TIME_COMPARISON(gid_le_timestamptz, timestamptz_le_gid, <=);
TIME_COMPARISON(gid_ge_timestamptz, timestamptz_ge_gid, >=);
TIME_COMPARISON(gid_gt_timestamptz, timestamptz_gt_gid, >);

static const GidTimeComparison comparisons[] = {
	{gid_lt_timestamptz, true, {GID_LOWER_BOUND, BTLessStrategyNumber}},
	{gid_ge_timestamptz, true, {GID_LOWER_BOUND, BTGreaterEqualStrategyNumber}},
	{gid_le_timestamptz, true, {GID_UPPER_BOUND, BTLessStrategyNumber}},
	{gid_gt_timestamptz, true, {GID_UPPER_BOUND, BTGreaterEqualStrategyNumber}},
	{timestamptz_gt_gid, false, {GID_LOWER_BOUND, BTLessStrategyNumber}},
	{timestamptz_le_gid, false, {GID_LOWER_BOUND, BTGreaterEqualStrategyNumber}},
	{timestamptz_ge_gid, false, {GID_UPPER_BOUND, BTLessStrategyNumber}},
	{timestamptz_lt_gid, false, {GID_UPPER_BOUND, BTGreaterEqualStrategyNumber}}
};

/* Returns the comparison that a function implements; NULL if none. */
const GidTimeComparison *
gid_time_comparison(PGFunction compares)
{
	for (size_t i = 0; i < lengthof(comparisons); i++)
	{
		if (comparisons[i].compares == compares)
			return &comparisons[i];
	}
	return NULL;
}

/*
 * Support function 3 of the btree class, for "ORDER BY id RANGE interval".
 * Whether an id is at or before (if the last argument is true), or at or after,
 * the time of the base plus or minus an interval.  Ids of another kind are before
 * or after all times of the base's kind: a frame is a range in the order of gids.
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
