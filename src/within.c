/*
 * within.c
 *		Searching by a range of times: gid_within().
 *
 * If the kind is certain, the planner gets a range of gids instead, as for
 * comparisons with a time (planner.c): "gid_within(id, range)" becomes
 * "id >= _gid_lower_bound(kind, range) AND id < _gid_upper_bound(kind, range)".
 *
 * The functions are leakproof, see gid_times_in().
 */
#include "gid.h"

#include "access/stratnum.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/rangetypes.h"

PG_FUNCTION_INFO_V1(gid_within);
Datum
gid_within(PG_FUNCTION_ARGS)
{
	TimestampTz time = gid_time_of(PG_GETARG_GID(0));
	GidTimes	times = gid_times_in(PG_GETARG_DATUM(1));

	PG_RETURN_BOOL(time >= times.from && time < times.to);
}

static Datum
bound_of_range(FunctionCallInfo fcinfo, bool is_upper)
{
	RangeType  *range = PG_GETARG_RANGE_P(1);
	Datum		known = gid_known_bound(fcinfo, range, VARSIZE(range));
	GidTimes	times;

	if (known)
		return known;
	times = gid_times_in(RangeTypePGetDatum(range));
	return gid_bound_in_plan(fcinfo, range, VARSIZE(range),
							 is_upper ? times.to : times.from);
}

/*
 * Return the smallest gid of a kind in a range, and the smallest one above it.
 * If no gid is in the range, the first is not below the second.
 */
PG_FUNCTION_INFO_V1(gid_range_lower_bound);
Datum
gid_range_lower_bound(PG_FUNCTION_ARGS)
{
	return bound_of_range(fcinfo, false);
}

PG_FUNCTION_INFO_V1(gid_range_upper_bound);
Datum
gid_range_upper_bound(PG_FUNCTION_ARGS)
{
	return bound_of_range(fcinfo, true);
}

/*
 * Both conditions contain the arguments, so these are evaluated twice.  That
 * would be wrong for a volatile function, for a set, and for a sub-select, which
 * can return another row each time, for example with SKIP LOCKED.  The result of
 * a sub-select that was already planned is a parameter.
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

	if (IsA(request, SupportRequestSelectivity))
		PG_RETURN_POINTER(gid_estimate_within((SupportRequestSelectivity *) request) ?
						  request : NULL);
	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	call = request->fcall;
	id = linitial(call->args);
	range = lsecond(call->args);
	kind = gid_certain_kind(request->root, id);
	if (kind < 0 || contain_volatile_functions((Node *) call->args) ||
		expression_returns_set((Node *) call->args) ||
		contain_subplans((Node *) call->args))
		PG_RETURN_POINTER(NULL);

	lower = gid_bound_condition(call, id, kind, range, (GidBound)
								{GID_LOWER_BOUND, BTGreaterEqualStrategyNumber});
	upper = gid_bound_condition(call, copyObject(id), kind, copyObject(range),
								(GidBound) {GID_UPPER_BOUND, BTLessStrategyNumber});
	if (lower == NULL || upper == NULL)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(makeBoolExpr(AND_EXPR, list_make2(lower, upper), -1));
}
