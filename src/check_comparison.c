/*
 * check_comparison.c
 *		Errors for comparisons of gids of different kinds.
 *
 * All gids of one kind are smaller than all gids of another kind.  Therefore a
 * join on different kinds returns no rows, and a DELETE with a bound of another
 * kind deletes all rows or none.  With gid.check_comparisons:
 *
 *	- Two columns whose kinds are certain and differ are an error, with any
 *	  operator.
 *	- "<", "<=", ">=" and ">" of a column and a value of another kind are an error.
 *	  If the kind of the value is not known yet, a function checks it during
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
		return gid_walk_expression(node, varies, context);
	depth++;
	return gid_walk_query((Query *) node, varies, &depth, 0);
}

/* Whether it contains a column, of this query, an outer one or a sub-select. */
static bool
has_column(Node *side)
{
	int			depth = PG_INT16_MIN;	/* no sub-select is as deep */

	return varies(side, &depth);
}

/*
 * Whether PostgreSQL can have added a condition to the subqueries in FROM of a
 * query.
 *
 * The planner adds conditions on the subquery's outputs that follow from the
 * conditions of the query around it.  For example, it copies a bound of one kind
 * into all branches of a view.  It also derives "a = c" from "a = b AND b = c",
 * even if b can be of any kind.  It has nothing to add if the query around has
 * no condition, as around the branches of UNION.  To a sub-select of "IN (SELECT
 * ...)" and its branches, which are not in FROM, it adds only "=" with a value.
 * A view that is the target of DELETE is not in FROM either.
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
 * CHECK constraints and similar expressions have no root.  They are not checked
 * because existing tables must stay usable.  Materialized views are not checked
 * because a dump must be restorable.  REFRESH is a security-restricted
 * operation.
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
 * Whether a query is that of a foreign key.  When PostgreSQL adds or validates a
 * foreign key, it joins the tables in a query of its own, in which they are named
 * "fk" and "pk".  A dump with such a key must be restorable.  A user's query with
 * these names only loses the check of "=" and "<>".
 */
static bool
is_foreign_key(List *tables)
{
	return list_length(tables) >= 2 &&
		strcmp(linitial_node(RangeTblEntry, tables)->eref->aliasname, "fk") == 0 &&
		strcmp(lsecond_node(RangeTblEntry, tables)->eref->aliasname, "pk") == 0;
}

/* Returns the inequality that a function implements; InvalidOid if none. */
static Oid
inequality_of(Oid function, Oid type)
{
	int16		strategy = gid_strategy_of(gid_address_of(function));
	Oid			operator = get_opfamily_member(
		lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf,
		type, type, strategy);

	return get_opcode(operator) == function ? operator : InvalidOid;
}

/*
 * Returns "(SELECT _gid_check_compared('o', value))".
 *
 * Under row-level security, PostgreSQL through version 17 does not use "id < f(
 * (SELECT ...))" as an index condition unless f is leakproof, and the check is
 * not.  It uses "id < (SELECT f(...))".
 */
static Expr *
checked_sublink(Oid function, Oid type, int32 kind, Node *value)
{
	Query	   *query = makeNode(Query);
	SubLink    *sublink = makeNode(SubLink);
	FuncExpr   *call;

	value = copyObject(value);
	IncrementVarSublevelsUp(value, 1, 0);
	call = gid_call_with_kind(function, type, kind, value);

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
	Oid			operator = inequality_of(call->funcid, type);
	Oid			function = gid_find_function(CHECK_FUNCTION, type);
	Expr	   *result;

	if (!OidIsValid(operator) || !OidIsValid(function))
		return NULL;

	sides[value] = IsA(gid_without_labels(side), SubLink) ?
		checked_sublink(function, type, kind, side) :
		(Expr *) gid_call_with_kind(function, type, kind, side);
	result = make_opclause(operator, BOOLOID, false, sides[0], sides[1],
						   InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) result);
	return result;
}

/* Rejects "=" and "<>" between columns of different kinds. */
Datum
gid_equality_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	Node	   *left;
	Node	   *right;
	int32		left_kind;
	int32		right_kind;

	if (!gid_check_comparisons || !IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	left = linitial(request->fcall->args);
	right = lsecond(request->fcall->args);

	/* look at the right side first: it is often a parameter or an id */
	right_kind = gid_compared_kind(request->root, right);
	if (right_kind < 0)
		PG_RETURN_POINTER(NULL);
	left_kind = gid_compared_kind(request->root, left);
	if (left_kind >= 0 && left_kind != right_kind &&
		has_column(left) && has_column(right) && !is_exempt(request->root) &&
		!is_within_table(left, right) &&
		!is_foreign_key(request->root->parse->rtable))
		gid_reject_comparison(left_kind, right_kind);
	PG_RETURN_POINTER(NULL);
}

/*
 * Rejects an inequality of different kinds.  If the kind of a value that is
 * compared with a column is not known yet, adds a check of the value.
 */
Datum
gid_inequality_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	PlannerInfo *root = request->root;
	Node	   *sides[2];
	int32		kinds[2];
	int			value;
	int			depth = 0;
	Const	   *constant;

	if (!gid_check_comparisons || !IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	for (int i = 0; i < 2; i++)
	{
		sides[i] = list_nth(request->fcall->args, i);
		kinds[i] = gid_compared_kind(root, sides[i]);
	}
	if (kinds[0] == kinds[1] || is_exempt(root) ||
		is_within_table(sides[0], sides[1]))
		PG_RETURN_POINTER(NULL);
	if (kinds[0] >= 0 && kinds[1] >= 0)
		gid_reject_comparison(kinds[0], kinds[1]);

	/* the side of unknown kind must be the only one that does not vary */
	value = kinds[0] < 0 ? 0 : 1;
	if (varies(sides[value], &depth) || !varies(sides[1 - value], &depth))
		PG_RETURN_POINTER(NULL);

	/*
	 * A domain with a constraint hides a constant, which is not replaced: it can
	 * be that of the predicate of an index.
	 */
	constant = (Const *) gid_without_labels(sides[value]);
	if (IsA(constant, Const))
	{
		if (!constant->constisnull)
			gid_check_value(kinds[1 - value], DatumGetGid(constant->constvalue));
		PG_RETURN_POINTER(NULL);
	}
	PG_RETURN_POINTER(with_check(request->fcall, kinds[1 - value], value));
}
