/*
 * within.c
 *		gid_within(): whether the creation time of a gid is in a range of times.
 *
 * If the kind is declared, the planner gets a range of gids instead, as for
 * comparisons with a time (planner.c): "gid_within(id, range)" becomes
 * "id >= _gid_lower_bound(kind, range) AND id < _gid_upper_bound(kind, range)".
 *
 * These functions are leakproof.  They compare times as numbers, so they do not
 * call functions of the range type.
 */
#include "gid.h"

#include "access/stratnum.h"
#include "catalog/pg_proc.h"
#include "nodes/makefuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "rewrite/rewriteManip.h"
#include "utils/acl.h"
#include "utils/rangetypes.h"
#include "utils/timestamp.h"

typedef struct TimeRange
{
	TimestampTz lower;
	TimestampTz upper;
	bool		includes_lower;
	bool		includes_upper;
} TimeRange;

static TimeRange
range_argument(FunctionCallInfo fcinfo)
{
	RangeType  *value = PG_GETARG_RANGE_P(1);
	RangeBound	lower;
	RangeBound	upper;
	bool		is_empty;
	TimeRange	range = {DT_NOBEGIN, DT_NOEND, false, false};

	range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(value)), value,
					  &lower, &upper, &is_empty);
	if (is_empty)
	{
		range.lower = DT_NOEND;
		range.upper = DT_NOBEGIN;
		return range;
	}
	/* on a 32-bit machine, the value is a pointer, and NULL if infinite */
	if (!lower.infinite)
		range.lower = DatumGetTimestampTz(lower.val);
	if (!upper.infinite)
		range.upper = DatumGetTimestampTz(upper.val);
	range.includes_lower = lower.inclusive;
	range.includes_upper = upper.inclusive;
	return range;
}

PG_FUNCTION_INFO_V1(gid_within);
Datum
gid_within(PG_FUNCTION_ARGS)
{
	TimestampTz time = gid_time_of(PG_GETARG_GID(0));
	TimeRange	range = range_argument(fcinfo);

	PG_RETURN_BOOL((range.includes_lower ? time >= range.lower : time > range.lower) &&
				   (range.includes_upper ? time <= range.upper : time < range.upper));
}

/*
 * Returns the smallest gid of the argument's kind in the range.  If there is
 * none, the result is not below gid_range_upper_bound().
 */
PG_FUNCTION_INFO_V1(gid_range_lower_bound);
Datum
gid_range_lower_bound(PG_FUNCTION_ARGS)
{
	uint8		prefix = gid_prefix_of(PG_GETARG_GID(0));
	TimeRange	range = range_argument(fcinfo);

	PG_RETURN_GID(range.includes_lower ? gid_bound_at(prefix, range.lower) :
				  gid_bound_after(prefix, range.lower));
}

/* Returns the smallest gid above those of the argument's kind in the range. */
PG_FUNCTION_INFO_V1(gid_range_upper_bound);
Datum
gid_range_upper_bound(PG_FUNCTION_ARGS)
{
	uint8		prefix = gid_prefix_of(PG_GETARG_GID(0));
	TimeRange	range = range_argument(fcinfo);

	PG_RETURN_GID(range.includes_upper ? gid_bound_after(prefix, range.upper) :
				  gid_bound_at(prefix, range.upper));
}

static const GidBoundFunction range_lower = {"_gid_lower_bound", gid_range_lower_bound};
static const GidBoundFunction range_upper = {"_gid_upper_bound", gid_range_upper_bound};

/*
 * Both conditions contain the arguments, so these are evaluated twice.  That
 * would be wrong for a volatile function, and slow for a sub-select that is
 * evaluated for each row.
 */
PG_FUNCTION_INFO_V1(gid_within_support);
Datum
gid_within_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	FuncExpr   *call;
	Node	   *id;
	Node	   *range;
	int32		kind;
	Expr	   *lower;
	Expr	   *upper;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	call = request->fcall;
	id = linitial(call->args);
	range = lsecond(call->args);
	kind = gid_declared_kind(id);
	if (kind < 0 || !gid_all_may_execute(call->funcid) ||
		contain_volatile_functions((Node *) call->args) ||
		(checkExprHasSubLink((Node *) call->args) &&
		 (!IsA(id, Var) || contain_vars_of_level(range, 0))))
		PG_RETURN_POINTER(NULL);

	lower = gid_bound_condition(call, id, kind, range, &range_lower,
								BTGreaterEqualStrategyNumber);
	upper = gid_bound_condition(call, copyObject(id), kind, copyObject(range),
								&range_upper, BTLessStrategyNumber);
	if (lower == NULL || upper == NULL)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(makeBoolExpr(AND_EXPR, list_make2(lower, upper), -1));
}
