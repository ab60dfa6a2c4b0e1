/*
 * estimate.c
 *		How many rows a comparison with "<", "<=", ">" or ">=" selects.
 *
 * PostgreSQL estimates such a comparison of a timestamptz by interpolation in a
 * bin of the histogram, and a range from its two bounds.  It does neither for the
 * type of an extension: any range inside one bin would be 1 row.  The time in a
 * gid is to replace a column, so the estimator of these operators does both.
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
 *	  further one that of all so far divided by that of all before.  The list is
 *	  found by the address of the arguments.  A copy of a condition counts as alone,
 *	  for example the predicate of an index.
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
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/timestamp.h"

/* After so many bounds in a list, each is estimated alone. */
#define MAX_BOUNDS		8

/* A comparison of a column, on the left, with a value. */
typedef struct Comparison
{
	Oid			operator;
	FmgrInfo	function;
	bool		is_greater;
	bool		or_equal;
	bool		with_time;
} Comparison;

/* The estimates of the tightest bound on each side, or 1. */
typedef struct Range
{
	double		below;
	double		above;
} Range;

/* The place of a gid in the order of times, or in that of gids. */
static double
place_of(Datum gid, bool by_time)
{
	GidWords	id = DatumGetGid(gid);

	return by_time ? (double) gid_time_of(id) : (double) id.high;
}

/* Of rows that are evenly between two places, the part below a place. */
static double
part_below(double place, double from, double to)
{
	return place <= from ? 0 : place >= to ? 1 : (place - from) / (to - from);
}

/*
 * The fraction of the histogram below a place.  Returns -1 if it is not available,
 * or if PostgreSQL can interpolate: in the order of gids, in a bin of one kind.
 *
 * A bin between two kinds has the newest rows of one, and the oldest of the other.
 * Nothing says how many.  All count as the newest, as dense as in the bin before:
 * rather too many of these than one, because queries ask for them.
 */
static double
histogram_below(VariableStatData *column, Oid function, bool by_time,
				double place)
{
	AttStatsSlot slot;
	bool		is_ours = by_time;
	double		width = 0;
	double		result = 0;
	double		least;

	if (!statistic_proc_security_check(column, function) ||
		!get_attstatsslot(&slot, column->statsTuple, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return -1;
	if (slot.nvalues < 2)
	{
		free_attstatsslot(&slot);
		return -1;
	}
	for (int bin = 0; bin + 1 < slot.nvalues; bin++)
	{
		double		from = place_of(slot.values[bin], by_time);
		double		to = place_of(slot.values[bin + 1], by_time);
		bool		is_between = gid_prefix_of(DatumGetGid(slot.values[bin])) !=
			gid_prefix_of(DatumGetGid(slot.values[bin + 1]));
		double		part;

		width = is_between ? width : to - from;
		part = part_below(place, from, from + width);
		is_ours |= is_between && place > from && place < to;
		result += part;
	}
	/* like PostgreSQL's, not closer to 0 or 1 than a hundredth of a bin */
	least = 0.01 / (slot.nvalues - 1);
	result /= slot.nvalues - 1;
	free_attstatsslot(&slot);
	return is_ours ? Max(least, Min(result, 1 - least)) : -1;
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

/* The estimate of a comparison: see scalarineqsel(). */
static double
estimate_comparison(PlannerInfo *root, VariableStatData *column,
					Comparison *comparison, Const *constant)
{
	Datum		value = constant->constvalue;
	bool		by_time = comparison->with_time;
	Oid			type = column->vartype;
	double		result = -1;

	if (constant->constisnull)
		return 0;
	if (!HeapTupleIsValid(column->statsTuple))
		return DEFAULT_INEQ_SEL;

	/* a column of one kind has no bin between two */
	if (by_time || column->atttypmod < 0)
		result = histogram_below(column, comparison->function.fn_oid, by_time,
								 by_time ? (double) DatumGetTimestampTz(value) :
								 place_of(value, false));
	if (result >= 0 && comparison->is_greater)
		result = 1 - result;
	else if (result < 0 && !by_time)
	{
		column->vartype = MACADDROID;
		result = ineq_histogram_selectivity(root, column, comparison->operator,
											&comparison->function,
											comparison->is_greater,
											comparison->or_equal, InvalidOid,
											value, MACADDROID);
		column->vartype = type;
	}
	return fraction_of_rows(column, &comparison->function, value, result);
}

/*
 * Adds a comparison of a column to a range.  Returns false if it is not one of
 * gids, or of a gid with a time, or if its value depends on the row.  "known" is
 * its estimate, or -1.
 */
static bool
add_bound(PlannerInfo *root, VariableStatData *column, Node *compared,
		  Oid operator, List *arguments, double known, Range *range)
{
	bool		is_left = equal(linitial(arguments), compared);
	Node	   *value;
	Comparison	comparison;
	Oid			function;
	PGFunction	address;
	const GidTimeComparison *timed;
	int16		strategy;
	double	   *side;

	if (list_length(arguments) != 2 ||
		!(is_left || equal(lsecond(arguments), compared)))
		return false;
	comparison.operator = is_left ? operator : get_commutator(operator);
	/* an operator that only a COMMUTATOR clause names has no function */
	function = OidIsValid(comparison.operator) ?
		get_opcode(comparison.operator) : InvalidOid;
	if (!OidIsValid(function))
		return false;
	address = gid_address_of(function);
	timed = gid_time_comparison(address);
	/* the column is the gid, not the time */
	comparison.with_time = timed != NULL && timed->gid_first;
	strategy = comparison.with_time ? timed->bound.strategy :
		gid_strategy_of(address);
	if (strategy == 0)
		return false;
	comparison.or_equal = strategy == BTLessEqualStrategyNumber ||
		strategy == BTGreaterEqualStrategyNumber;
	comparison.is_greater = strategy >= BTGreaterEqualStrategyNumber;

	value = estimate_expression_value(root, is_left ? lsecond(arguments) :
									  linitial(arguments));
	if (!IsA(value, Const) && !is_pseudo_constant_clause(value))
		return false;
	if (known < 0 && IsA(value, Const))
	{
		fmgr_info(function, &comparison.function);
		known = estimate_comparison(root, column, &comparison, (Const *) value);
	}
	side = comparison.is_greater ? &range->above : &range->below;
	*side = Min(*side, known >= 0 ? known : DEFAULT_INEQ_SEL);
	return true;
}

/*
 * The estimate of a range: see clauselist_selectivity().  Like that function, it
 * does not recognize the default on i386, where the constant has more digits.
 */
static double
estimate_range(const VariableStatData *column, Range range)
{
	double		result = Min(range.below, range.above);

	if (result <= 0 || Max(range.below, range.above) >= 1)
		return result;
	if (!HeapTupleIsValid(column->statsTuple) ||
		range.below == DEFAULT_INEQ_SEL || range.above == DEFAULT_INEQ_SEL)
		return DEFAULT_RANGE_INEQ_SEL;

	/* both exclude the NULLs */
	result = range.below + range.above - 1 +
		((Form_pg_statistic) GETSTRUCT(column->statsTuple))->stanullfrac;
	return result < -0.01 ? DEFAULT_RANGE_INEQ_SEL : Max(result, 1.0e-10);
}

/* Returns the condition in a member of a list. */
static Node *
clause_of(void *member)
{
	return IsA(member, RestrictInfo) ? (Node *) ((RestrictInfo *) member)->clause :
		member;
}

/*
 * Returns the list of AND with the comparison that has these arguments, from a
 * list of conditions and from lists below it; NIL if there is none.
 */
static List *
find_list(List *members, bool is_or, const List *arguments)
{
	/* the planner estimates the members of a long OR in order */
	static int	last = 0;
	int			first = is_or ? last : 0;

	check_stack_depth();
	for (int i = 0; i < list_length(members); i++)
	{
		int			place = (first + i) % list_length(members);
		Node	   *member = clause_of(list_nth(members, place));
		List	   *found = NIL;

		CHECK_FOR_INTERRUPTS();
		if (IsA(member, BoolExpr))
			found = find_list(((BoolExpr *) member)->args, is_orclause(member),
							  arguments);
		else if (IsA(member, OpExpr) && ((OpExpr *) member)->args == arguments)
			found = is_or ? list_make1(member) : members;
		if (found != NIL)
		{
			last = is_or ? place : last;
			return found;
		}
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
	List	   *list = NIL;
	ListCell   *cell;
	int			count = 0;
	Range		range = {1, 1};
	double		before;
	double		result = DEFAULT_INEQ_SEL;

	if (!get_restriction_variable(root, arguments, only_table, &column, &value,
								  &is_left))
		PG_RETURN_FLOAT8(result);
	compared = is_left ? linitial(arguments) : lsecond(arguments);

	if (column.rel != NULL)
		list = find_list(column.rel->baserestrictinfo, false, arguments);
	if (list == NIL && column.rel != NULL)
		list = find_list(column.rel->joininfo, false, arguments);
	foreach(cell, list)
	{
		OpExpr	   *other = (OpExpr *) clause_of(lfirst(cell));
		double		known = -1;

		if (!IsA(other, OpExpr))
			continue;
		if (other->args == arguments || count == MAX_BOUNDS)
			break;
		/* the planner has kept the estimate of the first, which is its own */
		if (count == 0 && IsA(lfirst(cell), RestrictInfo))
			known = lfirst_node(RestrictInfo, cell)->norm_selec;
		count += add_bound(root, &column, compared, other->opno, other->args,
						   known, &range);
	}

	before = estimate_range(&column, range);
	if (before <= 0 || count == MAX_BOUNDS)
	{
		before = 1;
		range = (Range) {1, 1};
	}
	if (add_bound(root, &column, compared, operator, arguments, -1, &range))
		result = Min(1, estimate_range(&column, range) / before);
	ReleaseVariableStats(column);
	PG_RETURN_FLOAT8(result);
}

/* The estimate of gid_within(): times are in the range "from" and before "to". */
double
gid_estimate_within(VariableStatData *column, Oid function, Datum range,
					TimestampTz from, TimestampTz to)
{
	FmgrInfo	within;
	double		result;

	if (!HeapTupleIsValid(column->statsTuple))
		return -1;
	result = histogram_below(column, function, true, to);
	if (result >= 0)
		result = Max(result - histogram_below(column, function, true, from), 0);
	fmgr_info(function, &within);
	return fraction_of_rows(column, &within, range, result);
}
