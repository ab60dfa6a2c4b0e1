/*
 * planner_check.c
 *		Errors for comparisons of gids of different kinds.
 *
 * All gids of one kind are smaller than all gids of another kind.  Therefore a
 * join on different kinds returns no rows, and a DELETE with a bound of another
 * kind deletes all rows or none.  With gid.check_comparisons:
 *
 *	- Two columns whose kinds differ are an error of the query, with any operator.
 *	- "<", "<=", ">=" and ">" of a column and a value of another kind are an error
 *	  of the value.  A function checks a value that is not a constant during
 *	  execution, so that custom and generic plans raise the same errors.
 *	- "=" and "<>" with a value are not checked: they select no row, or all rows,
 *	  as the user wrote.
 *	- Only what the user wrote is checked, see is_exempt().
 *	- A role without EXECUTE on the function that checks gets an error.
 *
 * This file must not depend on how comparisons with times are replaced.
 */
#include "gid.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* Adds a check during execution.  Its SQL name is in the script, too. */
#define CHECK_FUNCTION	"_gid_check_compared"

PG_FUNCTION_INFO_V1(gid_equality_support);
PG_FUNCTION_INFO_V1(gid_inequality_support);
PG_FUNCTION_INFO_V1(gid_check_compared);

/* Functions that return a gid of the kind in their first argument, or the first above. */
static const PGFunction bound_functions[] = {
	gid_lower_bound, gid_upper_bound, gid_leakproof_lower_bound,
	gid_leakproof_upper_bound, gid_range_lower_bound, gid_range_upper_bound,
	gid_settled, gid_check_compared, NULL
};

static void
reject_comparison(bool columns, int32 kind, int32 other)
{
	char		name[GID_KIND_NAME_SIZE];
	char		other_name[GID_KIND_NAME_SIZE];

	gid_kind_name(kind, name);
	gid_kind_name(other, other_name);
	ereport(ERROR,
			(errcode(columns ? ERRCODE_DATATYPE_MISMATCH : ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("cannot compare gids of kind \"%s\" with gids of kind \"%s\"",
					name, other_name),
			 errdetail("Every gid of kind \"%s\" is smaller than every gid of kind \"%s\", and they are never equal.",
					   kind < other ? name : other_name,
					   kind < other ? other_name : name),
			 errhint("Check the columns, the parameters and the kinds of bounds, also in views and policies. To compare different kinds, set \"gid.check_comparisons\" to off in the session or for the function.")));
}

/*
 * Rejects a value that an inequality compares with a column of a kind, unless the
 * value is of this kind, or a bound of it: the smallest gid of the next kind, or
 * of prefix 255, or the smallest or the largest gid.
 */
static void
check_value(int32 kind, GidWords value)
{
	int32		prefix = gid_prefix_of(value);

	if (prefix == kind ||
		gid_compare(value, gid_first_of_kind(kind + 1)) == 0 ||
		gid_compare(value, gid_first_of_kind(GID_FIRST_KIND)) == 0 ||
		gid_compare(value, gid_first_of_kind(PG_UINT8_MAX)) == 0 ||
		(value.high == PG_UINT64_MAX && value.low == PG_UINT64_MAX))
		return;
	reject_comparison(false, kind, prefix);
}

/* The check during execution. */
Datum
gid_check_compared(PG_FUNCTION_ARGS)
{
	check_value(gid_kind_argument(fcinfo), PG_GETARG_GID(1));
	PG_RETURN_DATUM(PG_GETARG_DATUM(1));
}

/*
 * Whether an expression depends on a column, of this query or of an outer one, or
 * on an output that ANY or ALL tests.  *context is the number of sub-selects
 * around the node.
 */
static bool
varies(Node *node, void *context)
{
	int			depth = *(int *) context;

	CHECK_FOR_INTERRUPTS();
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return (int) ((Var *) node)->varlevelsup >= depth;
	if (IsA(node, Param))
		return depth <= 0 && ((Param *) node)->paramkind != PARAM_EXTERN;
	if (!IsA(node, Query))
		return expression_tree_walker(node, gid_walker(varies), context);
	depth++;
	return query_tree_walker((Query *) node, gid_walker(varies), &depth, 0);
}

/*
 * Whether PostgreSQL can have added a condition to the subqueries in FROM of a
 * query.
 *
 * The planner adds conditions that follow from those of the query around: it
 * copies a bound of one kind into all branches of a view, and derives "a = c"
 * from "a = b AND b = c", even if b can be of any kind.  It adds nothing if the
 * query around has no condition, as around the branches of UNION, and only "="
 * with a value to "IN (SELECT ...)", which is not in FROM.  A view that is the
 * target of DELETE is not in FROM either.
 */
static bool
can_add_conditions(PlannerInfo *parent)
{
	FromExpr   *from = parent->parse->jointree;
	ListCell   *cell;

	if (parent->simple_rel_array == NULL ||
		(from->quals == NULL &&
		 (from->fromlist == NIL ||
		  (list_length(from->fromlist) == 1 &&
		   IsA(linitial(from->fromlist), RangeTblRef)))))
		return false;
	foreach(cell, parent->parse->rtable)
	{
		RangeTblEntry *entry = lfirst_node(RangeTblEntry, cell);

		if (entry->rtekind == RTE_SUBQUERY && entry->subquery != NULL &&
			(entry->inFromCl || gid_is_view(entry)))
			return true;
	}
	return false;
}

/*
 * Whether a comparison must not be checked, because the query that PostgreSQL
 * executes may not be the query that a user wrote.
 *
 * What the user wrote is simplified while simple_rel_array is NULL.  Once the
 * array is set, the planner may have derived the condition.  It adds nothing to a
 * query with LIMIT or OFFSET.
 *
 * Expressions of tables have no root, and existing tables must stay usable.  A
 * dump with a materialized view must be restorable, and REFRESH is a
 * security-restricted operation.
 */
static bool
is_exempt(PlannerInfo *root)
{
	if (root == NULL || root->parse == NULL ||
		root->simple_rel_array != NULL || InSecurityRestrictedOperation())
		return true;
	for (; root->parent_root; root = root->parent_root)
	{
		CHECK_FOR_INTERRUPTS();
		if (root->parse->limitCount || root->parse->limitOffset)
			return false;
		if (can_add_conditions(root->parent_root))
			return true;
	}
	return false;
}

/*
 * Whether both sides are columns of the same table.  Policies, the predicates
 * of ON CONFLICT and generated columns compare such columns in queries that do
 * not mention them.
 */
static bool
is_within_table(Node *left, Node *right)
{
	Var		   *a = (Var *) gid_without_labels(left);
	Var		   *b = (Var *) gid_without_labels(right);

	return IsA(a, Var) && IsA(b, Var) &&
		a->varno == b->varno && a->varlevelsup == b->varlevelsup;
}

/*
 * Whether a query adds or validates a foreign key.  PostgreSQL joins the tables
 * as "fk" and "pk", and a dump with such a key must be restorable.  A user's query
 * with these names only loses the check of "=" and "<>".
 */
static bool
is_foreign_key(List *tables)
{
	return list_length(tables) >= 2 &&
		strcmp(linitial_node(RangeTblEntry, tables)->eref->aliasname, "fk") == 0 &&
		strcmp(lsecond_node(RangeTblEntry, tables)->eref->aliasname, "pk") == 0;
}

/*
 * Returns "(SELECT _gid_check_compared('o', value))".
 *
 * Under row-level security, PostgreSQL through version 17 does not use "id < f(
 * (SELECT ...))" as an index condition unless f is leakproof, and the check is
 * not.  It uses "id < (SELECT f(...))".
 */
static Expr *
in_sub_select(FuncExpr *call)
{
	Query	   *query = makeNode(Query);
	SubLink    *sublink = makeNode(SubLink);

	call = copyObject(call);
	IncrementVarSublevelsUp((Node *) call, 1, 0);
	query->commandType = CMD_SELECT;
	query->canSetTag = true;
	query->hasSubLinks = true;
	query->jointree = makeFromExpr(NIL, NULL);
	query->targetList = list_make1(makeTargetEntry((Expr *) call, 1, NULL, false));
	sublink->subLinkType = EXPR_SUBLINK;
	sublink->subselect = (Node *) query;
	sublink->location = -1;
	return (Expr *) sublink;
}

/*
 * Returns "id < _gid_check_compared('o', value)" for "id < value"; NULL if the
 * functions are not available.  PostgreSQL evaluates the check once for each
 * scan if the comparison is an index condition.  The column stays as it is, so
 * that indexes, predicates of indexes and partitions are found.
 */
static Expr *
with_check(FuncExpr *call, int32 kind, int value)
{
	Expr	   *sides[] = {linitial(call->args), lsecond(call->args)};
	Node	   *side = (Node *) sides[value];
	Oid			type = exprType(side);
	Oid			function = gid_find_function(CHECK_FUNCTION, type);
	Oid			family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	int16		strategy = gid_strategy_of(gid_address_of(call->funcid));
	Oid			operator = get_opfamily_member(family, type, type, strategy);
	FuncExpr   *check;
	Expr	   *result;

	if (!OidIsValid(function) || get_opcode(operator) != call->funcid)
		return NULL;
	check = gid_call_with_kind(function, type, kind, side);
	sides[value] = IsA(gid_without_labels(side), SubLink) ?
		in_sub_select(check) : (Expr *) check;
	result = make_opclause(operator, BOOLOID, false, sides[0], sides[1],
						   InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) result);
	return result;
}

/*
 * Rejects a comparison of columns of different kinds.  An inequality of a column
 * and a value gets a check of the value, unless the value is a bound of the kind.
 */
static Expr *
check_comparison(SupportRequestSimplify *request, bool is_equality)
{
	Node	   *sides[2];
	int32		kinds[2];
	int			value;
	int			depth = 0;
	int			any_depth = PG_INT16_MIN;	/* also columns of sub-selects vary */
	Const	   *constant;

	if (!gid_check_comparisons || !IsA(request, SupportRequestSimplify))
		return NULL;
	for (int i = 0; i < 2; i++)
	{
		sides[i] = list_nth(request->fcall->args, i);
		kinds[i] = gid_compared_kind(request->root, sides[i],
									 bound_functions);
	}
	if (kinds[0] == kinds[1] || (is_equality && Min(kinds[0], kinds[1]) < 0) ||
		is_within_table(sides[0], sides[1]) || is_exempt(request->root))
		return NULL;
	if (Min(kinds[0], kinds[1]) >= 0 &&
		varies(sides[0], &any_depth) && varies(sides[1], &any_depth))
	{
		if (!is_equality || !is_foreign_key(request->root->parse->rtable))
			reject_comparison(true, kinds[0], kinds[1]);
		return NULL;
	}

	/* one side must be a column of a kind, and the other one must not vary */
	value = varies(sides[0], &depth) ? 1 : 0;
	if (is_equality || kinds[1 - value] < 0 || varies(sides[value], &depth) ||
		!varies(sides[1 - value], &depth))
		return NULL;

	/* in a domain with a constraint, it can be that of an index predicate */
	constant = (Const *) gid_without_labels(sides[value]);
	if (!IsA(constant, Const))
		return with_check(request->fcall, kinds[1 - value], value);
	if (!constant->constisnull)
		check_value(kinds[1 - value], DatumGetGid(constant->constvalue));
	return NULL;
}

Datum
gid_equality_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(check_comparison((void *) PG_GETARG_POINTER(0), true));
}

Datum
gid_inequality_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(check_comparison((void *) PG_GETARG_POINTER(0), false));
}
