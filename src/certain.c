/*
 * certain.c
 *		The kind that an expression certainly has.
 *
 * The planner relies on a kind only if it was checked.  A type modifier proves
 * nothing: PL/pgSQL passes the fields of a record with the modifiers of the
 * first record, and a union of anonymous rows has those of its first branch.
 * The kind is certain for
 *
 *	- a column of a table, also as the output of a sub-select or a view;
 *	- the cast that checks the kind;
 *	- a function that mints a constant kind;
 *	- labels and domains around these.
 *
 * To tell a column of a table from others, this file looks it up in the query
 * of "root".  That can be another query than the column's:
 *
 *	- An expression that belongs to a table, such as the predicate of an index,
 *	  has no root, or that of any query: see is_in_constraint().
 *	- The condition of EXISTS can have the root of the query around it.  Then no
 *	  kind is certain: see moment.c.
 *	- The query around that of the root can be one too far outside, for the
 *	  argument of a function in FROM.  Therefore the columns of outer queries have
 *	  a kind in comparisons only, where it can only cause an error.  The same
 *	  applies to the output of a sub-select after IN, ANY or ALL: the test does
 *	  not tell where it comes from, but has the type modifier of the output.
 *
 * If the kind is not certain, a condition on time remains a filter.
 */
#include "gid.h"

#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

/*
 * How many sub-selects, and branches of set operations, one question follows.  A
 * column that comes from further away has no certain kind.  Without a limit, n
 * comparisons with a union of n tables would take n * n steps.
 */
#define MAX_STEPS	1000

/* Where an expression is. */
typedef struct Scope
{
	PlannerInfo *root;
	Query	   *query;			/* the innermost; NULL if there is none */
	const struct Scope *around; /* of the query, if it is inside that of root */
	int			depth;			/* the number of queries inside that of root */
	Oid			type;			/* gid, or a domain over it */
	bool		is_compared;	/* whether bounds have a kind, too */
	int		   *steps;			/* how many are left */
} Scope;

/* Functions that return a gid of the kind in their first argument. */
static const PGFunction minting_functions[] = {
	gid_new, gid_random, gid_random_at
};
static const PGFunction bound_functions[] = {
	gid_lower_bound, gid_upper_bound, gid_leakproof_lower_bound,
	gid_leakproof_upper_bound, gid_settled, gid_check_compared
};

static int32 kind_of(Scope scope, Node *node);
static int32 kind_of_column(Scope scope, const Var *column);
static int32 kind_of_output(Scope scope, Query *query, int number);

/* Returns an expression without the nodes that only change its type. */
Node *
gid_without_labels(Node *expression)
{
	for (;;)
	{
		if (IsA(expression, RelabelType))
			expression = (Node *) ((RelabelType *) expression)->arg;
		else if (IsA(expression, CoerceToDomain))
			expression = (Node *) ((CoerceToDomain *) expression)->arg;
		else
			return expression;
	}
}

static Scope
inside(const Scope *around, Query *query)
{
	Scope		scope = *around;

	scope.query = query;
	scope.around = around;
	scope.depth++;
	return scope;
}

static Scope
outside(Scope scope, int levels)
{
	for (; levels > 0; levels--)
	{
		if (scope.around != NULL)
			scope = *scope.around;
		else if (scope.root != NULL)
		{
			scope.root = scope.root->parent_root;
			scope.query = scope.root ? scope.root->parse : NULL;
		}
	}
	return scope;
}

/*
 * Whether a column that its query does not have is that of a CHECK constraint.
 * PostgreSQL simplifies the constraints of a table with the root of the query,
 * and numbers the table 1.  Table 1 of the query can be another one.  That makes
 * no difference: the type modifier is that of a column in any case.
 */
static bool
is_in_constraint(Scope scope, const Var *column)
{
	return scope.depth == 0 && scope.root->simple_rel_array != NULL &&
		column->varno == 1 && column->varlevelsup == 0;
}

/* Returns the kind of an output column of UNION, INTERSECT or EXCEPT. */
static int32
kind_of_branches(Scope scope, Query *query, Node *branch, int number)
{
	SetOperationStmt *operation = (SetOperationStmt *) branch;
	int32		kind;

	check_stack_depth();
	if (IsA(branch, RangeTblRef))
		return kind_of_output(scope, rt_fetch(((RangeTblRef *) branch)->rtindex,
											  query->rtable)->subquery, number);
	kind = kind_of_branches(scope, query, operation->larg, number);
	if (kind < 0)
		return -1;
	return kind == kind_of_branches(scope, query, operation->rarg, number) ?
		kind : -1;
}

/* Returns the kind of an output column of a query. */
static int32
kind_of_output(Scope scope, Query *query, int number)
{
	Scope		place = inside(&scope, query);
	TargetEntry *output;

	if (--*scope.steps < 0)
		return -1;
	if (query->setOperations != NULL)
		return kind_of_branches(place, query, query->setOperations, number);
	output = get_tle_by_resno(query->targetList, number);
	return output != NULL ? kind_of(place, (Node *) output->expr) : -1;
}

/* Returns the kind that a type declares, which can be a domain; -1 if none. */
static int32
declared_kind(Scope scope, Oid type, int32 typmod)
{
	if (typmod >= 0 && type == scope.type)
		return typmod;
	return getBaseTypeAndTypmod(type, &typmod) == getBaseType(scope.type) ?
		typmod : -1;
}

static int32
kind_of_column(Scope scope, const Var *column)
{
	int32		declared = declared_kind(scope, column->vartype,
										 column->vartypmod);
	int32		kind = -1;
	Scope		place = outside(scope, column->varlevelsup);
	Query	   *query = place.query;
	RangeTblEntry *entry;
	Node	   *grouped;

	if (declared < 0)
		return -1;
	if (query == NULL)
		return column->varlevelsup == 0 ? declared : -1;
	if (column->varno < 1 || column->varno > list_length(query->rtable))
		return -1;
	/* see the comment at the top */
	if ((int) column->varlevelsup > scope.depth &&
		!scope.is_compared)
		return -1;

	entry = rt_fetch(column->varno, query->rtable);
	switch (entry->rtekind)
	{
		case RTE_RELATION:
		case RTE_NAMEDTUPLESTORE:
			/* not a view with INSTEAD OF triggers, nor "excluded" */
			return entry->relkind == RELKIND_VIEW ||
				entry->relkind == RELKIND_COMPOSITE_TYPE ? -1 : declared;
		case RTE_SUBQUERY:
			/* the query of a view, which has become a part of this one */
			if (entry->subquery == NULL)
				return is_in_constraint(scope, column) ? declared : -1;
			/* one branch can stand for all of UNION ALL */
			if (!entry->inh || entry->subquery->setOperations != NULL)
				kind = kind_of_output(place, entry->subquery, column->varattno);
			break;
		default:
			grouped = gid_grouped(entry, column->varattno);
			if (grouped != NULL)
				kind = kind_of(place, grouped);
	}
	return kind == declared ? kind : -1;
}

static int32
kind_of_call(Scope scope, FuncExpr *call)
{
	PGFunction	function = gid_address_of(call->funcid);
	int32		kind;

	if (function == NULL || call->args == NIL)
		return -1;
	if (function == gid_enforce_kind)
	{
		Const	   *modifier = lsecond(call->args);

		if (!IsA(modifier, Const) || modifier->constisnull)
			return -1;
		kind = DatumGetInt32(modifier->constvalue);
		return gid_is_kind(kind) ? kind : -1;
	}
	if (!IsA(linitial(call->args), Const))
		return -1;
	for (size_t i = 0; i < lengthof(minting_functions); i++)
	{
		if (function == minting_functions[i])
			return gid_kind_constant(linitial_node(Const, call->args));
	}
	for (size_t i = 0; scope.is_compared && i < lengthof(bound_functions); i++)
	{
		if (function == bound_functions[i])
			return gid_kind_constant(linitial_node(Const, call->args));
	}
	return -1;
}

static int32
kind_of(Scope scope, Node *node)
{
	check_stack_depth();
	node = gid_without_labels(node);
	if (IsA(node, Var))
		return kind_of_column(scope, (Var *) node);
	if (IsA(node, FuncExpr))
		return kind_of_call(scope, (FuncExpr *) node);
	if (IsA(node, SubLink) && ((SubLink *) node)->subLinkType == EXPR_SUBLINK)
		return kind_of_output(scope,
							  castNode(Query, ((SubLink *) node)->subselect), 1);
	/* the output of a sub-select that is tested, as in "id <> ALL (SELECT ...)" */
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_SUBLINK &&
		scope.is_compared)
		return declared_kind(scope, ((Param *) node)->paramtype,
							 ((Param *) node)->paramtypmod);
	return -1;
}

static int32
kind_of_expression(PlannerInfo *root, Node *expression, bool is_compared)
{
	int			steps = MAX_STEPS;
	Scope		scope = {root, root ? root->parse : NULL, NULL, 0,
		exprType(expression), is_compared, &steps};
	int32		kind = kind_of(scope, expression);

	return kind >= 0 && root && gid_is_foreign_moment(root) ? -1 : kind;
}

/* Returns the kind that all values of an expression certainly have; -1 if none. */
int32
gid_certain_kind(PlannerInfo *root, Node *expression)
{
	return kind_of_expression(root, expression, false);
}

/* The same for a side of a comparison.  A bound has the kind that it bounds. */
int32
gid_compared_kind(PlannerInfo *root, Node *expression)
{
	return kind_of_expression(root, expression, true);
}
