/*
 * planner_certain.c
 *		The kind that an expression certainly has.
 *
 * Trusted are the type modifier of a column of a table, also as the output of the
 * sub-selects of its query, the cast that checks the kind, and a call that mints
 * a constant kind.  Not trusted are the modifiers of parameters and of all other
 * expressions: nobody checks that of a PL/pgSQL record or of a union of anonymous
 * rows.  A column that the query of "root" cannot have is one that PostgreSQL
 * simplifies for another query or for a table, such as the condition of EXISTS,
 * a CHECK constraint or the predicate of an index: its modifier is trusted, as
 * varchar_support() trusts every modifier.
 */
#include "gid.h"

#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

/* Functions that return a gid of the kind in their first argument. */
static const PGFunction minting_functions[] = {
	gid_new, gid_random, gid_random_at, NULL
};

static int32 kind_of(Query *query, Node *labelled);

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

/*
 * Returns the kind that an expression without labels declares; -1 if none.  With
 * labels, it is a gid or of a domain over gid.
 */
static int32
declared_kind(Node *node, Node *labelled)
{
	int32		typmod = exprTypmod(node);

	return getBaseTypeAndTypmod(exprType(node), &typmod) ==
		getBaseType(exprType(labelled)) ? typmod : -1;
}

/*
 * Returns the kind of an output column of a query; with a branch, that of this
 * branch of UNION, INTERSECT or EXCEPT.
 */
static int32
kind_of_output(Query *query, Node *branch, int number)
{
	SetOperationStmt *operation = (SetOperationStmt *) branch;
	int32		kind;

	check_stack_depth();
	if (branch == NULL)
		return kind_of(query, (Node *) get_tle_by_resno(query->targetList,
														 number)->expr);
	if (IsA(branch, RangeTblRef))
	{
		query = rt_fetch(((RangeTblRef *) branch)->rtindex, query->rtable)->subquery;
		return kind_of_output(query, query->setOperations, number);
	}
	kind = kind_of_output(query, operation->larg, number);
	return kind >= 0 && kind == kind_of_output(query, operation->rarg, number) ?
		kind : -1;
}

/* Returns the kind of a column that declares a kind. */
static int32
kind_of_column(Query *query, const Var *column, int32 declared)
{
	RangeTblEntry *entry;
	int			number = column->varattno;
	Node	   *source = NULL;	/* what the column is in this query */
	TargetEntry *output;
	List	   *columns;
	int32		kind = -1;

	if (declared < 0 || column->varlevelsup > 0)
		return -1;
	if (query == NULL || column->varno < 1 ||
		column->varno > list_length(query->rtable))
		return declared;

	entry = rt_fetch(column->varno, query->rtable);
	switch (entry->rtekind)
	{
		case RTE_RELATION:
		case RTE_NAMEDTUPLESTORE:
			/* not a view with INSTEAD OF triggers, nor "excluded" */
			return entry->relkind == RELKIND_VIEW ||
				entry->relkind == RELKIND_COMPOSITE_TYPE ? -1 : declared;
		case RTE_JOIN:
			return -1;			/* of FULL JOIN USING, in a sub-select */
		case RTE_SUBQUERY:
			/* a subquery that has become a part of this query has no columns */
			output = entry->subquery == NULL ? NULL :
				get_tle_by_resno(entry->subquery->targetList, number);
			source = output == NULL ? NULL : (Node *) output->expr;
			break;
		default:
			source = gid_grouped(entry, number);
			if (source != NULL)
				break;
			gid_expand_entry(entry, &columns);
			if (number >= 1 && number <= list_length(columns))
				source = list_nth(columns, number - 1);
	}
	if (source == NULL || exprType(source) != column->vartype ||
		exprTypmod(source) != column->vartypmod)
		return declared;		/* the column of another query */
	if (entry->rtekind == RTE_SUBQUERY)
		kind = kind_of_output(entry->subquery, entry->subquery->setOperations,
							  number);
	else if (gid_grouped(entry, number) != NULL)
		kind = kind_of(query, source);
	return kind == declared ? kind : -1;
}

/*
 * Returns the kind of a call of one of these functions, with a constant kind, or
 * of the cast that checks the kind; -1 for other calls.
 */
static int32
kind_of_call(const FuncExpr *call, const PGFunction *functions)
{
	PGFunction	function = gid_address_of(call->funcid);
	Const	   *kind;

	if (function == NULL || call->args == NIL)
		return -1;
	if (function == gid_enforce_kind)
	{
		kind = lsecond(call->args);
		return IsA(kind, Const) && !kind->constisnull &&
			gid_is_kind(DatumGetInt32(kind->constvalue)) ?
			DatumGetInt32(kind->constvalue) : -1;
	}
	kind = linitial(call->args);
	while (*functions != NULL && *functions != function)
		functions++;
	return *functions != NULL && IsA(kind, Const) ? gid_kind_constant(kind) : -1;
}

static int32
kind_of(Query *query, Node *labelled)
{
	Node	   *node = gid_without_labels(labelled);

	check_stack_depth();
	if (IsA(node, Var))
		return kind_of_column(query, (Var *) node, declared_kind(node, labelled));
	return IsA(node, FuncExpr) ?
		kind_of_call((FuncExpr *) node, minting_functions) : -1;
}

/* Returns the kind that all values of an expression certainly have; -1 if none. */
int32
gid_certain_kind(PlannerInfo *root, Node *expression)
{
	return kind_of(root != NULL ? root->parse : NULL, expression);
}

/*
 * Returns the kind of a side of a comparison, where a wrong kind can only cause
 * an error.  Calls of "bounds" have the kind that they bound.  The modifiers of a
 * column of an outer query, and of an output that IN, ANY or ALL tests, are trusted.
 */
int32
gid_compared_kind(PlannerInfo *root, Node *expression, const PGFunction *bounds)
{
	Query	   *query = root != NULL ? root->parse : NULL;
	Node	   *node = gid_without_labels(expression);
	int32		kind;

	while (IsA(node, SubLink) && ((SubLink *) node)->subLinkType == EXPR_SUBLINK)
	{
		query = castNode(Query, ((SubLink *) node)->subselect);
		expression = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
		node = gid_without_labels(expression);
	}
	kind = kind_of(query, expression);
	if (kind < 0 && IsA(node, FuncExpr))
		return kind_of_call((FuncExpr *) node, bounds);
	if ((IsA(node, Var) && ((Var *) node)->varlevelsup > 0) ||
		(IsA(node, Param) && ((Param *) node)->paramkind == PARAM_SUBLINK))
		return declared_kind(node, expression);
	return kind;
}
