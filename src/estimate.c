/*
 * estimate.c
 *		How many rows a comparison with "<", "<=", ">" or ">=" selects.
 *
 * PostgreSQL estimates such a comparison of a timestamptz by interpolation in a
 * bin of the histogram, and a range from its two bounds.  For the type of an
 * extension, it does neither: any range inside one bin would be 1 row.
 *
 * The rules are PostgreSQL's (selfuncs.c, clausesel.c), mostly by its functions:
 *
 *	- Common values, NULLs, the ends of an index, and the check that the role may
 *	  see statistics, or that the operator is leakproof: mcv_selectivity() and
 *	  ineq_histogram_selectivity().  The latter interpolates only between types
 *	  that it knows.  One is macaddr, whose 6 bytes it reads as a number.  The
 *	  first 6 bytes of a gid are the kind, and the time in steps of 256 ms.
 *	- Generic plans and parameters: a value that is not known has the default
 *	  estimate, and so has a range with such a bound.
 *	- A range: clauselist_selectivity() multiplies the estimates of its bounds.
 *	  Therefore the first bound in a list of AND has its own estimate, and each
 *	  further one that of all so far divided by that of all before.  A copy of a
 *	  condition, for example the predicate of an index, is in no list.
 *
 * Not covered: the most common combinations of extended statistics, and the part
 * of a table that a merge join reads.  Both accept only PostgreSQL's estimators.
 *
 * Anyone can use the estimator for an operator of other types.  Therefore it looks
 * at values only if a function of gid implements the operator.
 */
#include "gid.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/xact.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/timestamp.h"

/* The bounds that are estimated together; the conditions searched for them. */
#define MAX_BOUNDS		4
#define MAX_SEARCHED	64

/* A comparison of a column, on the left, with a value. */
typedef struct Bound
{
	Oid			operator;
	Oid			function;
	int16		strategy;
	bool		with_time;
	Node	   *value;
	double		estimate;		/* -1 if it is not known */
} Bound;

#define ID_AT(slot, n)	DatumGetGid((slot)->values[n])

/* Of rows that are evenly between two times, the part before a time. */
static double
part_before(double time, double from, double to)
{
	return time <= from ? 0 : time >= to ? 1 : (time - from) / (to - from);
}

/*
 * The part of a bin that is of a kind and before a time, or of a smaller kind.
 * Kind 0 stands for all.
 *
 * A bin between two kinds contains
 *
 *	- the newest rows of the lower kind, as dense as in the bin before, until now;
 *	- all rows of the kinds between: the rest of the bin;
 *	- the oldest rows of the upper kind, as dense as in the bin after, since the
 *	  oldest time in the histogram.
 *
 * PostgreSQL analyzes a table after a tenth of it has changed.  If now is more than
 * ten bins away, the table gets no rows any more, and the newest time in the
 * histogram replaces now.  If that is as far away, only this kind has ended, and
 * nothing says when: its newest rows are what the oldest of the other kind leave.
 */
static double
part_of_bin(const AttStatsSlot *slot, int bin, uint8 kind, double time)
{
	double		from = gid_time_of(ID_AT(slot, bin));
	double		to = gid_time_of(ID_AT(slot, bin + 1));
	uint8		lower = gid_prefix_of(ID_AT(slot, bin));
	uint8		upper = gid_prefix_of(ID_AT(slot, bin + 1));
	double		before = 0;
	double		after = 0;
	double		first = from;
	double		last = from;
	double		end = GetCurrentStatementStartTimestamp();
	double		newest;
	double		oldest;
	double		begin;

	if (lower == upper)
		return part_before(time, from, to);
	if (bin > 0 && gid_prefix_of(ID_AT(slot, bin - 1)) == lower)
		before = from - gid_time_of(ID_AT(slot, bin - 1));
	if (bin + 2 < slot->nvalues && gid_prefix_of(ID_AT(slot, bin + 2)) == upper)
		after = gid_time_of(ID_AT(slot, bin + 2)) - to;
	for (int i = 0; i < slot->nvalues; i++)
	{
		first = Min(first, gid_time_of(ID_AT(slot, i)));
		last = Max(last, gid_time_of(ID_AT(slot, i)));
	}
	if (end < from || end - from > 10 * before)
		end = last;
	oldest = after > 0 ? Min(1, (to - first) / after) : 0.5;
	newest = 1 - oldest;
	if (before > 0 && end - from > 10 * before)
		end = from + newest * before;
	else if (before > 0)
		newest = Min(1, (end - from) / before);
	oldest = after > 0 ? Min(oldest, 1 - newest) : 1 - newest;
	begin = after > 0 && to - first > after ? to - oldest * after : first;

	return newest * (kind > lower ? 1 : part_before(time, from, end)) +
		oldest * (kind > 0 && kind < upper ? 0 : part_before(time, begin, to)) +
		(1 - newest - oldest) * (kind >= upper ? 1 : kind == lower ? 0 :
								 part_before(time, first, end));
}

/*
 * The fraction of the histogram below an id, or before a time.  Returns -1 if it is
 * not available, or if PostgreSQL can interpolate: for an id in a bin of one kind.
 * In a bin of less than 2^16 ms, the 256 ms that PostgreSQL sees are too coarse.
 * But in the first and the last bin, only PostgreSQL looks at the ends of an index.
 */
static double
histogram_below(VariableStatData *column, Oid function, Datum value, bool by_time)
{
	AttStatsSlot slot;
	int			bin = 0;
	int			bins;
	double		result = -1;

	if (!statistic_proc_security_check(column, function) ||
		!get_attstatsslot(&slot, column->statsTuple, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return -1;
	bins = slot.nvalues - 1;
	if (by_time && bins > 0)
	{
		for (result = 0; bin < bins; bin++)
			result += part_of_bin(&slot, bin, 0, DatumGetTimestampTz(value));
	}
	else if (bins > 0)
	{
		GidWords	id = DatumGetGid(value);
		GidWords	from;
		GidWords	to;

		while (bin < bins - 1 && gid_compare(ID_AT(&slot, bin + 1), id) < 0)
			bin++;
		from = ID_AT(&slot, bin);
		to = ID_AT(&slot, bin + 1);
		if (gid_compare(from, id) >= 0 || gid_compare(id, to) > 0)
			result = -1;
		else if (gid_prefix_of(from) != gid_prefix_of(to))
			result = bin + part_of_bin(&slot, bin, gid_prefix_of(id), gid_time_of(id));
		else if (bin > 0 && bin < bins - 1 && (to.high - from.high) >> 24 == 0)
			result = bin + gid_distance(from, id) / gid_distance(from, to);
	}
	free_attstatsslot(&slot);
	/* like PostgreSQL's, not closer to 0 or 1 than a hundredth of a bin */
	return result < 0 ? -1 : Max(0.01, Min(result, bins - 0.01)) / bins;
}

/*
 * The fraction of the rows, from that of the histogram, which can be -1.  The
 * function says which common values count.
 */
static double
fraction_of_rows(VariableStatData *column, FmgrInfo *function, Datum value,
				 double of_histogram)
{
	Form_pg_statistic statistics = (Form_pg_statistic) GETSTRUCT(column->statsTuple);
	double		common;
	double		result = mcv_selectivity(column, function, InvalidOid, value,
										 true, &common);

	result += (1 - common - statistics->stanullfrac) *
		(of_histogram >= 0 ? of_histogram : 0.5);
	CLAMP_PROBABILITY(result);
	return result;
}

/* The estimate of a bound, alone: see scalarineqsel(). */
static double
estimate_bound(PlannerInfo *root, VariableStatData *column, const Bound *bound)
{
	Const	   *constant;
	bool		is_greater = bound->strategy >= BTGreaterEqualStrategyNumber;
	bool		or_equal = bound->strategy == BTLessEqualStrategyNumber ||
		bound->strategy == BTGreaterEqualStrategyNumber;
	FmgrInfo	function;
	double		result;

	if (bound->estimate >= 0)
		return bound->estimate;
	constant = (Const *) estimate_expression_value(root, bound->value);
	if (IsA(constant, Const) && constant->constisnull)
		return 0;
	if (!IsA(constant, Const) || !HeapTupleIsValid(column->statsTuple))
		return DEFAULT_INEQ_SEL;

	fmgr_info(bound->function, &function);
	result = histogram_below(column, bound->function, constant->constvalue,
							 bound->with_time);
	if (result >= 0 && is_greater)
		result = 1 - result;
	else if (result < 0 && !bound->with_time)
	{
		column->vartype = MACADDROID;	/* used for nothing else */
		result = ineq_histogram_selectivity(root, column, bound->operator,
											&function, is_greater, or_equal,
											InvalidOid, constant->constvalue,
											MACADDROID);
	}
	return fraction_of_rows(column, &function, constant->constvalue, result);
}

/* Whether a comparison of gid bounds a column by a value that is not of the row. */
static bool
get_bound(Node *compared, Oid operator, List *arguments, Bound *bound)
{
	bool		is_left = equal(linitial(arguments), compared);
	PGFunction	address;
	const GidTimeComparison *timed;

	if (list_length(arguments) != 2 ||
		!(is_left || equal(lsecond(arguments), compared)))
		return false;
	bound->value = is_left ? lsecond(arguments) : linitial(arguments);
	bound->operator = is_left ? operator : get_commutator(operator);
	/* an operator that only a COMMUTATOR clause names has no function */
	bound->function = OidIsValid(bound->operator) ?
		get_opcode(bound->operator) : InvalidOid;
	if (!OidIsValid(bound->function))
		return false;
	address = gid_address_of(bound->function);
	timed = gid_time_comparison(address);
	/* the column is the gid, not the time */
	bound->with_time = timed != NULL && timed->gid_first;
	bound->strategy = bound->with_time ? timed->bound.strategy :
		gid_strategy_of(address);
	bound->estimate = -1;
	return bound->strategy != 0 && is_pseudo_constant_clause(bound->value);
}

/*
 * The estimate of a range: see clauselist_selectivity().  "sides" are the estimates
 * of the tightest bound below and above, or 1.  Like that function, it does not
 * recognize the default on i386, where the constant has more digits.
 */
static double
estimate_range(const VariableStatData *column, const double *sides)
{
	double		result = Min(sides[0], sides[1]);

	if (result <= 0 || Max(sides[0], sides[1]) >= 1)
		return result;
	if (!HeapTupleIsValid(column->statsTuple) ||
		sides[0] == DEFAULT_INEQ_SEL || sides[1] == DEFAULT_INEQ_SEL)
		return DEFAULT_RANGE_INEQ_SEL;

	/* both exclude the NULLs */
	result = sides[0] + sides[1] - 1 +
		((Form_pg_statistic) GETSTRUCT(column->statsTuple))->stanullfrac;
	return result < -0.01 ? DEFAULT_RANGE_INEQ_SEL : Max(result, 1.0e-10);
}

/* Returns the condition in a member of a list.  That of OR has such members, too. */
static Node *
clause_of(Node *member)
{
	RestrictInfo *info = (RestrictInfo *) member;

	return !IsA(member, RestrictInfo) ? member :
		(Node *) (info->orclause != NULL ? info->orclause : info->clause);
}

/*
 * Returns the list of AND with the comparison that has these arguments, from a list
 * of conditions and from lists below it; NIL if it is not among "count" conditions.
 * The planner estimates them in order, and keeps the estimate in the RestrictInfo:
 * the search begins with the first that has none.
 */
static List *
find_list(List *members, bool is_or, const List *arguments, int *count)
{
	int			length = list_length(members);
	int			first = 0;

	for (int end = length; first < end;)
	{
		int			middle = (first + end) / 2;
		Node	   *member = list_nth(members, middle);

		while (IsA(member, BoolExpr))
			member = llast(((BoolExpr *) member)->args);
		if (IsA(member, RestrictInfo) && ((RestrictInfo *) member)->norm_selec >= 0)
			first = middle + 1;
		else
			end = middle;
	}
	for (int i = 0; i < length && (*count)-- > 0; i++)
	{
		Node	   *member = clause_of(list_nth(members, (first + i) % length));
		List	   *found = NIL;

		if (IsA(member, BoolExpr))
			found = find_list(((BoolExpr *) member)->args, is_orclause(member),
							  arguments, count);
		else if (IsA(member, OpExpr) && ((OpExpr *) member)->args == arguments)
			found = is_or ? list_make1(member) : members;
		if (found != NIL)
			return found;
	}
	return NIL;
}

PG_FUNCTION_INFO_V1(gid_inequality_sel);
Datum
gid_inequality_sel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *arguments = (List *) PG_GETARG_POINTER(2);
	int			only_table = PG_GETARG_INT32(3);
	VariableStatData column;
	Node	   *value;
	bool		is_left;
	Node	   *compared;
	Bound		bounds[MAX_BOUNDS + 1];
	int			count = 0;
	int			searched = MAX_SEARCHED;
	List	   *list;
	double		sides[] = {1, 1};
	double		before = 1;
	double		result = DEFAULT_INEQ_SEL;

	if (!get_restriction_variable(root, arguments, only_table, &column, &value,
								  &is_left))
		PG_RETURN_FLOAT8(result);
	compared = is_left ? linitial(arguments) : lsecond(arguments);
	list = find_list(column.rel->baserestrictinfo, false, arguments, &searched);
	if (list == NIL)
		list = find_list(column.rel->joininfo, false, arguments, &searched);
	for (int i = 0; i < Min(list_length(list), MAX_SEARCHED) && count < MAX_BOUNDS; i++)
	{
		Node	   *member = list_nth(list, i);
		OpExpr	   *other = (OpExpr *) clause_of(member);

		if (!IsA(other, OpExpr))
			continue;
		if (other->args == arguments)
			break;
		/* the planner has kept the estimate of the first, which is its own */
		if (get_bound(compared, other->opno, other->args, &bounds[count]) &&
			count++ == 0 && IsA(member, RestrictInfo))
			bounds[0].estimate = ((RestrictInfo *) member)->norm_selec;
	}
	if (get_bound(compared, operator, arguments, &bounds[count]))
	{
		bounds[count].value = value;	/* already evaluated */
		for (int i = count < MAX_BOUNDS ? 0 : count; i <= count; i++)
		{
			double		estimate = estimate_bound(root, &column, &bounds[i]);
			int			side = bounds[i].strategy >= BTGreaterEqualStrategyNumber;

			before = estimate_range(&column, sides);
			if (before <= 0)
				before = sides[0] = sides[1] = 1;
			sides[side] = Min(sides[side], estimate);
		}
		result = Min(1, estimate_range(&column, sides) / before);
	}
	ReleaseVariableStats(column);
	PG_RETURN_FLOAT8(result);
}

/* Estimates gid_within() where it is a filter.  Returns whether that is possible. */
bool
gid_estimate_within(SupportRequestSelectivity *request)
{
	VariableStatData column;
	Node	   *value;
	bool		is_left;
	double		result = -1;

	if (request->is_join ||
		!get_restriction_variable(request->root, request->args, request->varRelid,
								  &column, &value, &is_left))
		return false;
	if (is_left && IsA(value, Const) && !((Const *) value)->constisnull &&
		HeapTupleIsValid(column.statsTuple))
	{
		Datum		range = ((Const *) value)->constvalue;
		GidTimes	times = gid_times_in(range);
		FmgrInfo	within;
		double		before = histogram_below(&column, request->funcid,
											 TimestampTzGetDatum(times.from), true);

		result = histogram_below(&column, request->funcid,
								 TimestampTzGetDatum(times.to), true);
		fmgr_info(request->funcid, &within);
		result = fraction_of_rows(&column, &within, range,
								  result < 0 ? -1 : Max(result - before, 0));
	}
	ReleaseVariableStats(column);
	request->selectivity = result;
	return result >= 0;
}
