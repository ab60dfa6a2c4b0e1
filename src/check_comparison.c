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
 *	- An inequality, or <>, of a column and a value of another kind is an error.
 *	  If the kind of the value is not known yet, a function checks it during
 *	  execution, so that custom and generic plans raise the same errors.
 *	- "=" with a value is not checked, because it cannot select a wrong row.
 *	- Only what the user wrote is checked, see is_exempt().
 *	- A role without EXECUTE on the function that checks gets an error.
 *
 * This file must not depend on how comparisons with times are replaced.
 */
#include "gid.h"

#include "access/stratnum.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "lookup.h"
#include "tree.h"

/* Adds a check during execution.  Its SQL name is in the script, too. */
#define CHECK_FUNCTION	"_gid_check_compared"

PG_FUNCTION_INFO_V1(gid_equality_support);
PG_FUNCTION_INFO_V1(gid_inequality_support);

/*
 * Whether an expression depends on a column of this query or of an outer query.
 * *context is the number of sub-selects around the node.
 */
static bool
depends_on_column(Node *node, void *context)
{
	int		   *depth = (int *) context;

	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return (int) ((Var *) node)->varlevelsup >= *depth;
	if (IsA(node, Param))
		return *depth <= 0 && ((Param *) node)->paramkind != PARAM_EXTERN;
	if (IsA(node, Query))
	{
		bool		result;

		++*depth;
		result = gid_walk(node, depends_on_column, context);
		--*depth;
		return result;
	}
	return gid_walk(node, depends_on_column, context);
}

static bool
has_column(Node *expression)
{
	int			depth = 0;

	return depends_on_column(expression, &depth);
}

/* Whether it contains a column, of this query, an outer one or a sub-select. */
static bool
is_from_column(Node *expression)
{
	int			depth = PG_INT16_MIN;	/* no sub-select is as deep */

	return depends_on_column(expression, &depth);
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

static bool
is_of_alias(PlannerInfo *root, Node *side, const char *alias)
{
	Var		   *column = (Var *) gid_without_labels(side);
	RangeTblEntry *table;

	if (!IsA(column, Var) || column->varlevelsup != 0 ||
		column->varno > list_length(root->parse->rtable))
		return false;
	table = rt_fetch(column->varno, root->parse->rtable);
	return table->alias != NULL && strcmp(table->alias->aliasname, alias) == 0;
}

/*
 * Whether a comparison is that of a foreign key.  When PostgreSQL adds or
 * validates a foreign key, it joins the tables in a query of its own, in which
 * they are named "pk" and "fk".  A dump with such a key must be restorable.  A
 * user's query with these names only loses the check of "=".
 */
static bool
is_foreign_key(PlannerInfo *root, Node *left, Node *right)
{
	return is_of_alias(root, left, "pk") && is_of_alias(root, right, "fk");
}

/* Returns the inequality that a function implements; InvalidOid if none. */
static Oid
inequality_of(Oid function, Oid type)
{
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY |
											  TYPECACHE_EQ_OPR);

	for (int16 strategy = BTLessStrategyNumber;
		 strategy <= BTMaxStrategyNumber; strategy++)
	{
		Oid			operator = strategy == BTEqualStrategyNumber ?
			get_negator(entry->eq_opr) :
			get_opfamily_member(entry->btree_opf, type, type, strategy);

		if (OidIsValid(operator) && get_opcode(operator) == function)
			return operator;
	}
	return InvalidOid;
}

/* Returns "_gid_check_compared('o', value)". */
static Expr *
checked(Oid function, int32 kind, Expr *value)
{
	char		name[GID_KIND_NAME_SIZE];
	Const	   *of_kind = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
									CStringGetTextDatum(gid_kind_name(kind, name)),
									false, false);

	/*
	 * The call has no input collation.  The name of a kind does not require
	 * one, and postgres_fdw would not send a call that has one.
	 */
	return (Expr *) makeFuncExpr(function, exprType((Node *) value),
								 list_make2(of_kind, value),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/*
 * Returns "(SELECT _gid_check_compared('o', value))".
 *
 * With row-level security, PostgreSQL 17 does not use the call of a function that
 * is not leakproof with a sub-select in an index condition.  It uses the result
 * of a sub-select.
 */
static Expr *
checked_sublink(Oid function, int32 kind, Expr *value)
{
	Query	   *query = makeNode(Query);
	SubLink    *sublink = makeNode(SubLink);

	value = copyObject(value);
	IncrementVarSublevelsUp((Node *) value, 1, 0);

	query->commandType = CMD_SELECT;
	query->canSetTag = true;
	query->hasSubLinks = true;
	query->jointree = makeFromExpr(NIL, NULL);
	query->targetList = list_make1(makeTargetEntry(checked(function, kind, value),
												   1, NULL, false));

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
with_check(FuncExpr *call, int32 kind, bool value_is_left)
{
	Expr	   *args[] = {linitial(call->args), lsecond(call->args)};
	int			i = value_is_left ? 0 : 1;
	Oid			type = exprType((Node *) args[i]);
	Oid			operator = inequality_of(call->funcid, type);
	Oid			function = gid_find_function(CHECK_FUNCTION, TEXTOID, type,
											 gid_check_compared);
	Expr	   *result;

	if (!OidIsValid(operator) || !OidIsValid(function))
		return NULL;

	args[i] = IsA(gid_without_labels((Node *) args[i]), SubLink) ?
		checked_sublink(function, kind, args[i]) :
		checked(function, kind, args[i]);
	result = make_opclause(operator, BOOLOID, false, args[0], args[1],
						   InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) result);
	return result;
}

/* Rejects "=" between columns of different kinds. */
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
		is_from_column(left) && is_from_column(right) &&
		!is_exempt(request->root) && !is_within_table(left, right) &&
		!is_foreign_key(request->root, left, right))
		gid_reject_comparison(left_kind, right_kind);
	PG_RETURN_POINTER(NULL);
}

/*
 * Rejects an inequality, or <>, of different kinds.  If the kind of a value that
 * is compared with a column is not known yet, adds a check of the value.
 */
Datum
gid_inequality_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	FuncExpr   *call;
	Node	   *column;
	Node	   *other;
	int32		kind;
	int32		other_kind;
	bool		varies;
	bool		other_varies;
	bool		other_is_left = false;
	Const	   *constant;

	if (!gid_check_comparisons || !IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	call = request->fcall;
	column = linitial(call->args);
	other = lsecond(call->args);
	kind = gid_compared_kind(request->root, column);
	other_kind = gid_compared_kind(request->root, other);
	if (kind == other_kind || is_exempt(request->root) ||
		is_within_table(column, other))
		PG_RETURN_POINTER(NULL);

	varies = has_column(column);
	other_varies = has_column(other);
	if (!varies && other_varies)
	{
		int32		swapped = kind;

		other_is_left = varies = true;
		other_varies = false;
		other = linitial(call->args);
		kind = other_kind;
		other_kind = swapped;
	}
	if (kind >= 0 && other_kind >= 0)
		gid_reject_comparison(kind, other_kind);
	if (kind < 0 || !varies || other_varies)
		PG_RETURN_POINTER(NULL);

	/*
	 * A domain with a constraint hides a constant, which is not replaced: it can
	 * be that of the predicate of an index.
	 */
	constant = (Const *) gid_without_labels(other);
	if (IsA(constant, Const))
	{
		if (!constant->constisnull)
			gid_check_value(kind, DatumGetGid(constant->constvalue));
		PG_RETURN_POINTER(NULL);
	}
	PG_RETURN_POINTER(with_check(call, kind, other_is_left));
}
