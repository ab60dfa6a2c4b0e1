/*
 * planner.c
 *		What the planner is told about functions of gids.
 *
 * These are planner support functions.  They only ever replace an expression
 * by one that gives the same value, and where that is not certain they leave
 * it alone.  Functions are known by their code, not by their names, which can
 * be changed and shadowed.
 */
#include "gid.h"

#include "access/stratnum.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

static PGFunction
code_of(Oid function)
{
	FmgrInfo	flinfo;

	fmgr_info(function, &flinfo);
	return flinfo.fn_addr;
}

static int32 kind_of_expression(Node *expression, Query *query);

/* As kind_of_expression(), for a column of something in the FROM clause. */
static int32
kind_of_column(Var *var, Query *query)
{
	RangeTblEntry *rte;
	TargetEntry *column;

	if (query == NULL || var->varlevelsup != 0 || var->varno <= 0 ||
		var->varno > list_length(query->rtable))
		return var->vartypmod;

	rte = rt_fetch(var->varno, query->rtable);

	/* A function's column definition list is a promise that nobody checks. */
	if (rte->rtekind == RTE_FUNCTION || rte->rtekind == RTE_CTE)
		return -1;

	/* The planner keeps a subquery apart that calls a volatile gid_new(). */
	if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL &&
		rte->subquery->setOperations == NULL)
	{
		column = get_tle_by_resno(rte->subquery->targetList, var->varattno);
		if (column != NULL)
			return kind_of_expression((Node *) column->expr, rte->subquery);
	}
	return var->vartypmod;
}

/*
 * The kind that every gid from an expression in a query has, as a type
 * modifier; -1 where that cannot be told.
 */
static int32
kind_of_expression(Node *expression, Query *query)
{
	Oid			type = getBaseType(exprType(expression));
	int32		typmod = -1;
	FuncExpr   *call;

	/* What a label without a modifier covers may know more. */
	while (IsA(expression, RelabelType) && exprTypmod(expression) < 0)
		expression = (Node *) ((RelabelType *) expression)->arg;

	if (getBaseTypeAndTypmod(exprType(expression), &typmod) != type)
		return -1;
	if (typmod >= 0)
		return typmod;			/* a domain's */

	if (IsA(expression, Var))
		return kind_of_column((Var *) expression, query);
	if (!IsA(expression, FuncExpr) || exprTypmod(expression) >= 0)
		return exprTypmod(expression);

	call = (FuncExpr *) expression;
	if (call->args == NIL || !IsA(linitial(call->args), Const) ||
		!gid_mints_kind(code_of(call->funcid)))
		return -1;
	return gid_kind_constant(linitial(call->args));
}

/* Drops the cast to gid(kind) where it is sure to hold. */
PG_FUNCTION_INFO_V1(gid_enforce_kind_support);
Datum
gid_enforce_kind_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	Node	   *source;
	Node	   *modifier;
	int32		typmod;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	source = linitial(request->fcall->args);
	modifier = lsecond(request->fcall->args);
	if (!IsA(modifier, Const) || ((Const *) modifier)->constisnull)
		PG_RETURN_POINTER(NULL);

	typmod = DatumGetInt32(((Const *) modifier)->constvalue);
	if (typmod >= 0 &&
		typmod != kind_of_expression(source, request->root ?
									 request->root->parse : NULL))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(relabel_to_typmod(source, typmod));
}

/*
 * The function of a name, in the schema of another, that takes a kind by name
 * and a time and has this code; InvalidOid if there is none, because it was
 * renamed or moved.
 */
static Oid
find_bound_function(Oid sibling, const char *name, PGFunction code)
{
	Oid			types[] = {TEXTOID, TIMESTAMPTZOID};
	Oid			function;

	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum(name),
							   PointerGetDatum(buildoidvector(types, 2)),
							   ObjectIdGetDatum(get_func_namespace(sibling)));
	if (OidIsValid(function) && code_of(function) != code)
		return InvalidOid;
	return function;
}

/*
 * Says the comparison of a gid with a time as one with a gid, where the kind is
 * known: "id >= time" is "id >= gid_floor(kind, time)".  All that the planner
 * does with plain comparisons follows: index conditions, partition pruning,
 * estimates.
 */
PG_FUNCTION_INFO_V1(gid_time_support);
Datum
gid_time_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	const GidTimeComparison *comparison;
	List	   *args;
	Node	   *id;
	Node	   *time;
	int32		kind;
	char		name[GID_KIND_NAME_SIZE];
	Oid			type;
	Oid			operator;
	Oid			function;
	Const	   *kind_name;
	Node	   *bound;
	Expr	   *result;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	comparison = gid_time_comparison(code_of(request->fcall->funcid));
	if (comparison == NULL)
		PG_RETURN_POINTER(NULL);

	args = request->fcall->args;
	id = comparison->gid_first ? linitial(args) : lsecond(args);
	time = comparison->gid_first ? lsecond(args) : linitial(args);
	kind = kind_of_expression(id, request->root ? request->root->parse : NULL);
	if (kind < 0)
		PG_RETURN_POINTER(NULL);

	type = exprType(id);
	operator = get_opfamily_member(lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf,
								   type, type, comparison->strategy);
	function = find_bound_function(request->fcall->funcid, comparison->bound,
								   comparison->bound_code);
	if (!OidIsValid(operator) || !OidIsValid(function))
		PG_RETURN_POINTER(NULL);

	kind_name = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
						  CStringGetTextDatum(gid_kind_name((uint8) kind, name)),
						  false, false);
	bound = (Node *) makeFuncExpr(function, type, list_make2(kind_name, time),
								  InvalidOid, DEFAULT_COLLATION_OID,
								  COERCE_EXPLICIT_CALL);
	bound = eval_const_expressions(request->root, bound);

	result = make_opclause(operator, BOOLOID, false, (Expr *) id,
						   (Expr *) bound, InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) result);
	PG_RETURN_POINTER(result);
}
