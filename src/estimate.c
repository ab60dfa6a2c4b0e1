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
 *	- A range: clauselist_selectivity() would multiply the estimates of bounds.
 *	  Therefore the first bound of a list has its own estimate, and each further
 *	  one the estimate of all so far divided by that of all before.  The product is
 *	  the estimate of the range.  The list is found by the address of the arguments,
 *	  in the conditions of the table, below OR, AND, NOT, IS TRUE, and in HAVING.
 *	  A copy of a condition counts as alone, for example the predicate of an index.
 *
 * Not covered: the most common combinations of extended statistics, and the part
 * of a table that a merge join reads.  Both accept only PostgreSQL's estimators.
 *
 * Anyone can use the estimator for an operator of other types.  Therefore it looks
 * at values only if a function of gid implements the operator.
 */
#include "gid.h"

#include "access/htup_details.h"
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

#include "tree.h"

#define DECLARE(name) \
	extern PGDLLEXPORT Datum gid_##name(PG_FUNCTION_ARGS); \
	extern PGDLLEXPORT Datum gid_##name##_timestamptz(PG_FUNCTION_ARGS)

DECLARE(lt);
DECLARE(le);
DECLARE(ge);
DECLARE(gt);

/* More bounds of a list than this are estimated one by one. */
#define MAX_BOUNDS		8

typedef struct Comparison
{
	PGFunction	address;
	bool		is_greater;
	bool		or_equal;
	bool		with_time;
} Comparison;

#define COMPARISON(name, is_greater, or_equal) \
	{gid_##name, is_greater, or_equal, false}, \
	{gid_##name##_timestamptz, is_greater, or_equal, true}

static const Comparison comparisons[] = {
	COMPARISON(lt, false, false),
	COMPARISON(le, false, true),
	COMPARISON(ge, true, true),
	COMPARISON(gt, true, false)
};

/* A comparison of a column, on the left, with a value. */
typedef struct Bound
{
	const Comparison *comparison;
	Oid			operator;
	FmgrInfo	function;
	Node	   *value;
} Bound;

/* Estimates of the bounds on either side, or -1. */
typedef struct Range
{
	double		below;			/* of the lowest upper bound */
	double		above;			/* of the highest lower bound */
} Range;

/* Describes a comparison.  Returns false if it is not one of those above. */
static bool
describe(PlannerInfo *root, Oid operator, bool column_is_left, Node *value,
		 Bound *bound)
{
	Oid			function;
	PGFunction	address;

	if (!column_is_left)
		operator = get_commutator(operator);
	function = OidIsValid(operator) ? get_opcode(operator) : InvalidOid;
	address = OidIsValid(function) ? gid_address_of(function) : NULL;
	for (size_t i = 0; i < lengthof(comparisons); i++)
	{
		if (comparisons[i].address == address)
		{
			bound->comparison = &comparisons[i];
			bound->operator = operator;
			fmgr_info(function, &bound->function);
			bound->value = estimate_expression_value(root, value);
			return true;
		}
	}
	return false;
}

/*
 * The rows at one end of a bin whose ends have different kinds.  They are as
 * dense as in the next bin of their kind, of which the two gids are the ends, but
 * not more than half of the rows of the bin.
 */
static double
part_of_bin(double milliseconds, GidWords from, GidWords to)
{
	double		width = gid_prefix_of(from) == gid_prefix_of(to) ?
		(double) gid_ms_of(to) - (double) gid_ms_of(from) : 0;

	if (milliseconds <= 0)
		return 0;
	return milliseconds < width / 2 ? milliseconds / width : 0.5;
}

/*
 * The fraction of a bin, from the bound "low" to the next, that is before a time.
 * *low_part gets the part of the kind of "low", if the kinds differ.
 */
static double
before_time(const AttStatsSlot *slot, int low, double ms, double *low_part)
{
	GidWords	from = DatumGetGid(slot->values[low]);
	GidWords	to = DatumGetGid(slot->values[low + 1]);
	double		since = ms - (double) gid_ms_of(from);
	double		until = (double) gid_ms_of(to) - ms;

	if (gid_prefix_of(from) == gid_prefix_of(to))
		return since <= 0 ? 0 : until <= 0 ? 1 : since / (since + until);
	*low_part = part_of_bin(since, low > 0 ? DatumGetGid(slot->values[low - 1]) :
							gid_first_of_kind(0), from);
	return *low_part + 0.5 -
		part_of_bin(until, to, low + 2 < slot->nvalues ?
					DatumGetGid(slot->values[low + 2]) : gid_first_of_kind(0));
}

/*
 * The fraction of the histogram before a time, of all kinds.  Like PostgreSQL's,
 * it is not closer to 0 or 1 than a hundredth of a bin.
 */
static double
histogram_before_time(const AttStatsSlot *slot, double ms)
{
	double		least = 0.01 / (slot->nvalues - 1);
	double		result = 0;
	double		unused;

	for (int i = 0; i + 1 < slot->nvalues; i++)
		result += before_time(slot, i, ms, &unused);
	result /= slot->nvalues - 1;
	return Max(least, Min(result, 1 - least));
}

/*
 * The fraction of the histogram below a gid if the ends of its bin have different
 * kinds: otherwise -1.
 */
static double
histogram_below_gid(const AttStatsSlot *slot, GidWords id)
{
	int			low = 0;
	int			high = slot->nvalues - 1;
	double		ms = (double) gid_ms_of(id);
	double		fraction = 0.5;
	double		low_part;

	if (gid_compare(id, DatumGetGid(slot->values[low])) < 0 ||
		gid_compare(id, DatumGetGid(slot->values[high])) >= 0)
		return -1;
	while (low + 1 < high)
	{
		int			middle = (low + high) / 2;

		if (gid_compare(DatumGetGid(slot->values[middle]), id) <= 0)
			low = middle;
		else
			high = middle;
	}
	if (gid_prefix_of(DatumGetGid(slot->values[low])) ==
		gid_prefix_of(DatumGetGid(slot->values[high])))
		return -1;

	if (gid_prefix_of(id) == gid_prefix_of(DatumGetGid(slot->values[low])))
	{
		(void) before_time(slot, low, ms, &fraction);
	}
	else if (gid_prefix_of(id) == gid_prefix_of(DatumGetGid(slot->values[high])))
	{
		fraction = before_time(slot, low, ms, &low_part);
		fraction += 0.5 - low_part;
	}
	return (low + fraction) / (slot->nvalues - 1);
}

/* Whether the histogram of gids is available, for a function of this role. */
static bool
get_histogram(VariableStatData *column, Oid function, AttStatsSlot *slot)
{
	if (!HeapTupleIsValid(column->statsTuple) ||
		!statistic_proc_security_check(column, function) ||
		!get_attstatsslot(slot, column->statsTuple, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return false;
	if (slot->nvalues > 1)
		return true;
	free_attstatsslot(slot);
	return false;
}

/* Unix milliseconds, with a fraction; infinite times are far away. */
static double
unix_ms(TimestampTz at)
{
	return ((double) at + UNIX_TO_POSTGRES_EPOCH) / 1000;
}

/* The fraction of the histogram that a bound selects; -1 if there is none. */
static double
histogram_selectivity_of(PlannerInfo *root, VariableStatData *column,
						 Bound *bound, Datum value)
{
	const Comparison *comparison = bound->comparison;
	double		below = -1;
	AttStatsSlot slot;

	/* a column of one kind has no bin with two */
	if ((comparison->with_time || column->atttypmod < 0) &&
		get_histogram(column, bound->function.fn_oid, &slot))
	{
		below = comparison->with_time ?
			histogram_before_time(&slot, unix_ms(DatumGetTimestampTz(value))) :
			histogram_below_gid(&slot, DatumGetGid(value));
		free_attstatsslot(&slot);
	}
	if (below >= 0)
		return comparison->is_greater ? 1 - below : below;
	if (comparison->with_time)
		return -1;
	return ineq_histogram_selectivity(root, column, bound->operator,
									  &bound->function, comparison->is_greater,
									  comparison->or_equal, InvalidOid, value,
									  MACADDROID);
}

/* The estimate of one bound: see scalarineqsel(). */
static double
estimate_bound(PlannerInfo *root, VariableStatData *column, Bound *bound)
{
	Const	   *constant = (Const *) bound->value;
	Oid			type = column->vartype;
	double		of_common;
	double		all_common;
	double		of_histogram;
	double		result;

	if (!IsA(constant, Const))
		return DEFAULT_INEQ_SEL;
	if (constant->constisnull)
		return 0;
	if (!HeapTupleIsValid(column->statsTuple))
		return DEFAULT_INEQ_SEL;

	of_common = mcv_selectivity(column, &bound->function, InvalidOid,
								constant->constvalue, true, &all_common);
	column->vartype = MACADDROID;
	of_histogram = histogram_selectivity_of(root, column, bound,
											constant->constvalue);
	column->vartype = type;

	result = 1 - all_common -
		((Form_pg_statistic) GETSTRUCT(column->statsTuple))->stanullfrac;
	result *= of_histogram >= 0 ? of_histogram : 0.5;
	result += of_common;
	CLAMP_PROBABILITY(result);
	return result;
}

static void
add_bound(Range *range, const Bound *bound, double estimate)
{
	double	   *side = bound->comparison->is_greater ? &range->above : &range->below;

	if (*side < 0 || *side > estimate)
		*side = estimate;
}

/* The estimate of a range: see clauselist_selectivity(). */
static double
estimate_range(const VariableStatData *column, const Range *range)
{
	double		result;

	if (range->below < 0 || range->above < 0)
		return Max(range->below, range->above);
	if (range->below == DEFAULT_INEQ_SEL || range->above == DEFAULT_INEQ_SEL)
		return DEFAULT_RANGE_INEQ_SEL;

	/* both exclude the NULLs */
	result = range->below + range->above - 1;
	if (HeapTupleIsValid(column->statsTuple))
		result += ((Form_pg_statistic) GETSTRUCT(column->statsTuple))->stanullfrac;
	if (result < -0.01)
		return DEFAULT_RANGE_INEQ_SEL;
	return Max(result, 1.0e-10);
}

static List *find_list(List *clauses, const List *arguments);

/*
 * Where the last search in OR found something.  It is compared only, and is not
 * followed: the planner estimates the conditions of a long OR in order.
 */
static const List *last_or;
static int	last_place;

static List *
find_below_or(List *clauses, const List *arguments)
{
	int			count = list_length(clauses);
	int			first = clauses == last_or ? last_place : 0;

	for (int i = 0; i < count; i++)
	{
		int			place = (first + i) % count;
		Node	   *clause = list_nth(clauses, place);
		List	   *found;

		CHECK_FOR_INTERRUPTS();
		/* each is a list of its own */
		if (is_andclause(clause))
			found = find_list(((BoolExpr *) clause)->args, arguments);
		else if (!IsA(clause, OpExpr) || ((OpExpr *) clause)->args == arguments)
			found = find_list(list_make1(clause), arguments);
		else
			found = NIL;
		if (found != NIL)
		{
			last_or = clauses;
			last_place = place;
			return found;
		}
	}
	return NIL;
}

/* Returns the list of AND that contains the comparison with these arguments. */
static List *
find_list(List *clauses, const List *arguments)
{
	ListCell   *cell;

	check_stack_depth();
	foreach(cell, clauses)
	{
		Node	   *clause = lfirst(cell);
		List	   *found = NIL;

		if (IsA(clause, RestrictInfo))
			clause = (Node *) ((RestrictInfo *) clause)->clause;
		if (IsA(clause, BooleanTest))
			clause = (Node *) ((BooleanTest *) clause)->arg;

		if (IsA(clause, OpExpr))
		{
			if (((OpExpr *) clause)->args == arguments)
				return clauses;
		}
		else if (is_orclause(clause))
			found = find_below_or(((BoolExpr *) clause)->args, arguments);
		else if (IsA(clause, BoolExpr))
			found = find_list(((BoolExpr *) clause)->args, arguments);
		if (found != NIL)
			return found;
	}
	return NIL;
}

/* Returns the comparison in a member of a list; NULL if it is something else. */
static OpExpr *
comparison_in(void *clause)
{
	if (IsA(clause, RestrictInfo))
		clause = ((RestrictInfo *) clause)->clause;
	return IsA(clause, OpExpr) ? clause : NULL;
}

/* The tables that a condition requires, which depend on where it was written. */
static Relids
place_of(void *clause)
{
	return IsA(clause, RestrictInfo) ? ((RestrictInfo *) clause)->required_relids :
		NULL;
}

/*
 * The estimate of a comparison, which depends on the comparisons of the same
 * column before it in its list.
 */
static double
estimate_in_list(PlannerInfo *root, VariableStatData *column, Bound *bound,
				 List *arguments, Node *compared)
{
	double		alone = estimate_bound(root, column, bound);
	List	   *clauses = NIL;
	Range		range = {-1, -1};
	double		before;
	Relids		place = NULL;
	ListCell   *cell;
	int			count = 0;

	/* a value of another table, or a volatile one, is not a bound of a range */
	if (!IsA(bound->value, Const) && !is_pseudo_constant_clause(bound->value))
		return alone;
	if (column->rel != NULL)
	{
		clauses = find_list(column->rel->baserestrictinfo, arguments);
		if (clauses == NIL)
			clauses = find_list(column->rel->joininfo, arguments);
	}
	if (clauses == NIL && root->parse->havingQual != NULL &&
		IsA(root->parse->havingQual, List))
		clauses = find_list((List *) root->parse->havingQual, arguments);

	/* conditions of different joins are not estimated together */
	foreach(cell, clauses)
	{
		OpExpr	   *clause = comparison_in(lfirst(cell));

		if (clause != NULL && clause->args == arguments)
			place = place_of(lfirst(cell));
	}
	foreach(cell, clauses)
	{
		OpExpr	   *clause = comparison_in(lfirst(cell));
		bool		is_left;
		Bound		other;

		CHECK_FOR_INTERRUPTS();
		if (clause == NULL || list_length(clause->args) != 2 ||
			!bms_equal(place_of(lfirst(cell)), place))
			continue;
		if (clause->args == arguments)
			break;
		is_left = equal(linitial(clause->args), compared);
		if ((is_left || equal(lsecond(clause->args), compared)) &&
			describe(root, clause->opno, is_left,
					 is_left ? lsecond(clause->args) : linitial(clause->args),
					 &other) &&
			(IsA(other.value, Const) || is_pseudo_constant_clause(other.value)))
		{
			if (++count == MAX_BOUNDS)
				return alone;
			add_bound(&range, &other, estimate_bound(root, column, &other));
		}
	}
	before = estimate_range(column, &range);
	if (before <= 0)
		return alone;
	add_bound(&range, bound, alone);
	return Min(1, estimate_range(column, &range) / before);
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
	Bound		bound;
	double		result = DEFAULT_INEQ_SEL;

	if (!get_restriction_variable(root, arguments, only_table, &column, &value,
								  &is_left))
		PG_RETURN_FLOAT8(result);
	if (describe(root, operator, is_left, value, &bound))
		result = estimate_in_list(root, &column, &bound, arguments,
								  is_left ? linitial(arguments) : lsecond(arguments));
	ReleaseVariableStats(column);
	PG_RETURN_FLOAT8(result);
}

/*
 * The fraction of rows for which gid_within() returns true, if the range is a
 * constant, from "from" and before "to".
 */
double
gid_estimate_within(VariableStatData *column, Oid function, Datum range,
					TimestampTz from, TimestampTz to)
{
	FmgrInfo	within;
	double		of_common;
	double		all_common;
	double		result;
	AttStatsSlot slot;

	if (!HeapTupleIsValid(column->statsTuple))
		return -1;
	fmgr_info(function, &within);
	of_common = mcv_selectivity(column, &within, InvalidOid, range, true,
								&all_common);
	result = 0.5;
	if (get_histogram(column, function, &slot))
	{
		result = histogram_before_time(&slot, unix_ms(to)) -
			histogram_before_time(&slot, unix_ms(from));
		free_attstatsslot(&slot);
	}
	result *= 1 - all_common -
		((Form_pg_statistic) GETSTRUCT(column->statsTuple))->stanullfrac;
	result = Max(result, 0) + of_common;
	CLAMP_PROBABILITY(result);
	return result;
}
