/*
 * planner.c
 *		What the planner is told about functions of gids.
 *
 * These are planner support functions.  They only ever replace an expression
 * by one that gives the same value, and where that is not certain they leave
 * it alone.
 */
#include "gid.h"

#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "parser/parsetree.h"

/*
 * The expression behind a column of a subquery that the planner keeps apart,
 * as it keeps INSERT ... SELECT gid_new('o'), because the function is
 * volatile; NULL where that is not one expression for all rows.
 */
static Node *
subquery_column(Var *var, Query *query)
{
	RangeTblEntry *rte;
	TargetEntry *column;

	if (query == NULL || var->varlevelsup != 0 || var->varattno <= 0 ||
		var->varno <= 0 || var->varno > list_length(query->rtable))
		return NULL;

	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind != RTE_SUBQUERY || rte->subquery == NULL ||
		rte->subquery->setOperations != NULL)
		return NULL;

	column = get_tle_by_resno(rte->subquery->targetList, var->varattno);
	return column != NULL ? (Node *) column->expr : NULL;
}

/*
 * The kind that every gid from an expression in a query has, as a type
 * modifier; -1 where that cannot be told.
 */
static int32
kind_of_expression(Node *expression, Query *query)
{
	FuncExpr   *call;
	FmgrInfo	code;

	if (exprTypmod(expression) >= 0)
		return exprTypmod(expression);

	if (IsA(expression, Var))
	{
		expression = subquery_column((Var *) expression, query);
		if (expression == NULL)
			return -1;
	}

	if (!IsA(expression, FuncExpr))
		return -1;
	call = (FuncExpr *) expression;
	if (call->args == NIL || !IsA(linitial(call->args), Const))
		return -1;

	fmgr_info(call->funcid, &code);
	if (!gid_mints_kind(code.fn_addr))
		return -1;
	return gid_kind_constant(linitial(call->args));
}

/* Drops the cast to gid(kind) where it is sure to hold. */
PG_FUNCTION_INFO_V1(gid_enforce_kind_support);
Datum
gid_enforce_kind_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	PlannerInfo *root;
	FuncExpr   *cast;
	Node	   *source;
	Node	   *modifier;
	int32		typmod;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	root = ((SupportRequestSimplify *) request)->root;
	cast = ((SupportRequestSimplify *) request)->fcall;
	source = linitial(cast->args);
	modifier = lsecond(cast->args);
	if (!IsA(modifier, Const) || ((Const *) modifier)->constisnull)
		PG_RETURN_POINTER(NULL);

	typmod = DatumGetInt32(((Const *) modifier)->constvalue);
	if (typmod >= 0 &&
		typmod != kind_of_expression(source, root ? root->parse : NULL))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(relabel_to_typmod(source, typmod));
}
