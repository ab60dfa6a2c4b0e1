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
 *	- The condition of EXISTS can have the root of the query around it: see
 *	  is_ambiguous().
 *	- The query around that of the root can be one too far outside, for the
 *	  argument of a function in FROM.  Therefore the columns of outer queries have
 *	  a kind in comparisons only, where it can only cause an error.
 *
 * If the kind is not certain, a condition on time remains a filter.
 */
#include "gid.h"

#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "settled.h"

/* Where an expression is. */
typedef struct Scope
{
	PlannerInfo *root;
	List	   *queries;		/* inside that of the root, the innermost first */
	Oid			type;			/* gid, or a domain over it */
	bool		is_compared;	/* whether bounds have a kind, too */
} Scope;

/* Functions that return a gid of the kind in their first argument. */
static const PGFunction minting_functions[] = {
	gid_new, gid_random, gid_random_at
};
static const PGFunction bound_functions[] = {
	gid_lower_bound, gid_upper_bound, gid_settled, gid_check_compared
};

static int32 kind_of(Scope scope, Node *node);
static int32 kind_of_column(Scope scope, const Var *column);
static int32 kind_of_output(Scope scope, Query *query, int number);

/* Returns the innermost query; NULL if there is none. */
static Query *
query_of(Scope scope)
{
	if (scope.queries != NIL)
		return linitial_node(Query, scope.queries);
	return scope.root ? scope.root->parse : NULL;
}

static Scope
inside(Scope scope, Query *query)
{
	scope.queries = lcons(query, list_copy(scope.queries));
	return scope;
}

static Scope
outside(Scope scope, int levels)
{
	for (; levels > 0; levels--)
	{
		if (scope.queries != NIL)
			scope.queries = list_copy_tail(scope.queries, 1);
		else if (scope.root)
			scope.root = scope.root->parent_root;
	}
	return scope;
}

/* Whether an expression contains a column, or all columns of its table. */
static bool
contains_column(Node *node, void *context)
{
	const Var  *wanted = (const Var *) context;

	if (node == NULL)
		return false;
	if (IsA(node, Var))
	{
		const Var  *column = (const Var *) node;

		return column->varno == wanted->varno &&
			(column->varattno == InvalidAttrNumber ||
			 (column->varattno == wanted->varattno &&
			  column->vartype == wanted->vartype &&
			  column->vartypmod == wanted->vartypmod));
	}
	if (IsA(node, Query))
		return gid_walk_query((Query *) node, contains_column, context);
	return gid_walk_expression(node, contains_column, context);
}

/* A search for sub-selects in which a column has another kind. */
typedef struct DoubtSearch
{
	Scope		scope;
	Var			column;
	int32		kind;
} DoubtSearch;

/* Whether an EXISTS in the query can be what contains the column. */
static bool
finds_doubt(Node *node, void *context)
{
	DoubtSearch *search = (DoubtSearch *) context;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) &&
		((SubLink *) node)->subLinkType == EXISTS_SUBLINK)
	{
		Query	   *query = castNode(Query, ((SubLink *) node)->subselect);

		if (search->column.varlevelsup > 0 ||
			(contains_column((Node *) query->jointree, &search->column) &&
			 kind_of_column(inside(search->scope, query),
							&search->column) != search->kind))
			return true;
	}
	return gid_walk_expression(node, finds_doubt, context);
}

/*
 * Whether a column can be that of another query than the root's.  When
 * PostgreSQL converts EXISTS to ANY, it simplifies the condition of the sub-select
 * with the root of the query around it.  If such a sub-select has the column,
 * too, the kind must be the same in both.
 */
static bool
is_ambiguous(Scope scope, const Var *column, int32 kind)
{
	DoubtSearch search = {scope, *column, kind};
	PlannerInfo *root = scope.root;
	int			levels_up = column->varlevelsup - list_length(scope.queries);

	if (levels_up < 0 || root == NULL || !root->parse->hasSubLinks ||
		root->simple_rel_array != NULL)
		return false;
	search.scope.queries = NIL;
	search.column.varlevelsup = levels_up;
	return gid_walk_query(root->parse, finds_doubt, &search) ||
		finds_doubt((Node *) root->append_rel_list, &search);
}

static bool
is_column_of(Oid table, const Var *column)
{
	HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(table),
										Int16GetDatum(column->varattno));
	Form_pg_attribute attribute;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;
	attribute = (Form_pg_attribute) GETSTRUCT(tuple);
	result = attribute->atttypid == column->vartype &&
		attribute->atttypmod == column->vartypmod;
	ReleaseSysCache(tuple);
	return result;
}

/*
 * Whether a column that its query does not have is that of a CHECK constraint.
 * PostgreSQL simplifies the constraints of a table with the root of the query,
 * and numbers the table 1.
 */
static bool
is_in_constraint(Scope scope, const Var *column)
{
	return scope.queries == NIL && scope.root->simple_rel_array != NULL &&
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
	return kind == kind_of_branches(scope, query, operation->rarg, number) ?
		kind : -1;
}

/* Returns the kind of an output column of a query. */
static int32
kind_of_output(Scope scope, Query *query, int number)
{
	TargetEntry *output = get_tle_by_resno(query->targetList, number);

	scope = inside(scope, query);
	if (query->setOperations != NULL)
		return kind_of_branches(scope, query, query->setOperations, number);
	return output != NULL ? kind_of(scope, (Node *) output->expr) : -1;
}

static int32
kind_of_column(Scope scope, const Var *column)
{
	int32		declared = column->vartypmod;
	int32		kind = -1;
	Scope		place = outside(scope, column->varlevelsup);
	Query	   *query = query_of(place);
	RangeTblEntry *entry;
	Node	   *grouped;

	if ((declared < 0 || column->vartype != scope.type) &&
		(getBaseTypeAndTypmod(column->vartype, &declared) != getBaseType(scope.type) ||
		 declared < 0))
		return -1;
	if (query == NULL)
		return column->varlevelsup == 0 ? declared : -1;
	if (column->varno < 1 || column->varno > list_length(query->rtable))
		return -1;
	/* see the comment at the top */
	if ((int) column->varlevelsup > list_length(scope.queries) &&
		!scope.is_compared)
		return -1;

	entry = rt_fetch(column->varno, query->rtable);
	switch (entry->rtekind)
	{
		case RTE_RELATION:
		case RTE_NAMEDTUPLESTORE:
			/* not a view with INSTEAD OF triggers, nor "excluded" */
			if (entry->relkind == RELKIND_VIEW ||
				entry->relkind == RELKIND_COMPOSITE_TYPE)
				return -1;
			if (!is_column_of(entry->relid, column))
				return is_in_constraint(scope, column) ? declared : -1;
			kind = declared;
			break;
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
	return kind != declared || is_ambiguous(scope, column, kind) ? -1 : kind;
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
		return kind >= 0x80 && kind < PG_UINT8_MAX ? kind : -1;
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
	return -1;
}

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

/* Returns the kind that all values of an expression certainly have; -1 if none. */
int32
gid_certain_kind(PlannerInfo *root, Node *expression)
{
	return kind_of((Scope) {root, NIL, exprType(expression), false},
				   expression);
}

/* The same for a side of a comparison.  A bound has the kind that it bounds. */
int32
gid_compared_kind(PlannerInfo *root, Node *expression)
{
	return kind_of((Scope) {root, NIL, exprType(expression), true},
				   expression);
}

/* The same for an output column of a sub-select in the query of the root. */
int32
gid_output_kind(PlannerInfo *root, Query *query, int number, Oid type)
{
	return kind_of_output((Scope) {root, NIL, type, true}, query, number);
}
