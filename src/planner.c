/*
 * planner.c
 *		What the planner is told about functions of gids.
 *
 * These are planner support functions.  They only ever replace an expression
 * by one that gives the same value, and where that is not certain they leave
 * it alone.  Functions are known by their code, not by their names, which can
 * be changed and shadowed.
 *
 * That all gids of an expression are of one kind is certain where the value
 * was checked when it was stored, is checked by a cast, or is minted so.  What
 * the expression's type says is not enough: nobody checks the modifiers in a
 * function's column definition list, or XMLTABLE's defaults, and PostgreSQL
 * hands them on through COALESCE, arrays and the like.  It even stores such
 * values unchecked; then what the column says is believed, here as there.
 */
#include "gid.h"

#include "access/stratnum.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
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

/* The query that an expression is of; NULL if it is of none. */
static Query *
query_of(SupportRequestSimplify *request)
{
	return request->root ? request->root->parse : NULL;
}

/*
 * What a label covers: one without a modifier may hide what is known, and one
 * with a modifier is where a cast was dropped, because of what is known.
 */
static Node *
without_label(Node *expression)
{
	Oid			type = getBaseType(exprType(expression));

	while (IsA(expression, RelabelType))
	{
		Node	   *covered = (Node *) ((RelabelType *) expression)->arg;

		if (getBaseType(exprType(covered)) != type)
			break;
		expression = covered;
	}
	return expression;
}

/* The kind that an expression's type says its gids have; -1 for any. */
static int32
declared_kind(Node *expression)
{
	int32		typmod = exprTypmod(expression);

	if (typmod < 0)
		(void) getBaseTypeAndTypmod(exprType(expression), &typmod);
	return typmod;
}

static int32 kind_of_expression(Node *expression, Query *query);
static int32 kind_of_arms(Node *arms, Query *query, AttrNumber column);

/* As kind_of_expression(), for a column that a query returns. */
static int32
kind_of_result(Query *query, AttrNumber column)
{
	TargetEntry *entry;

	if (query->setOperations != NULL)
		return kind_of_arms(query->setOperations, query, column);

	entry = get_tle_by_resno(query->targetList, column);
	if (entry == NULL)
		return -1;
	return kind_of_expression((Node *) entry->expr, query);
}

/*
 * As kind_of_result(), for arms of a query's set operations.  For all of these
 * both arms have to agree; those of a union must, and others do as a rule.
 */
static int32
kind_of_arms(Node *arms, Query *query, AttrNumber column)
{
	SetOperationStmt *both;
	int32		kind;

	if (IsA(arms, RangeTblRef))
		return kind_of_result(rt_fetch(((RangeTblRef *) arms)->rtindex,
									   query->rtable)->subquery, column);

	both = castNode(SetOperationStmt, arms);
	kind = kind_of_arms(both->larg, query, column);
	if (kind != kind_of_arms(both->rarg, query, column))
		return -1;
	return kind;
}

/* As kind_of_expression(), for a column of something in the FROM clause. */
static int32
kind_of_column(Var *var, Query *query)
{
	RangeTblEntry *rte;
	Node	   *grouped;

	/* There is no query around a table's constraints and indexes. */
	if (query == NULL)
		return declared_kind((Node *) var);

	if (var->varlevelsup != 0 || var->varno <= 0 ||
		var->varno > list_length(query->rtable))
		return -1;

	/* A view that is written to by triggers is one, and stores nothing. */
	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind == RTE_RELATION && rte->relkind != RELKIND_VIEW)
		return declared_kind((Node *) var);

	grouped = GroupExpression(rte, var->varattno);
	if (grouped != NULL)
		return kind_of_expression(grouped, query);

	/* The planner keeps a subquery apart that calls a volatile gid_new(). */
	if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL)
		return kind_of_result(rte->subquery, var->varattno);
	return -1;
}

/*
 * The kind that every gid from an expression in a query is sure to have, as a
 * type modifier; -1 where that cannot be told.
 */
static int32
kind_of_expression(Node *expression, Query *query)
{
	FuncExpr   *call;
	PGFunction	code;

	expression = without_label(expression);
	if (IsA(expression, Var))
		return kind_of_column((Var *) expression, query);
	if (IsA(expression, CoerceToDomain))
		return kind_of_expression((Node *) ((CoerceToDomain *) expression)->arg,
								  query);

	if (!IsA(expression, FuncExpr))
		return -1;

	call = (FuncExpr *) expression;
	code = code_of(call->funcid);
	if (code == gid_enforce_kind)
		return exprTypmod(expression);
	if (gid_mints_kind(code) && IsA(linitial(call->args), Const))
		return gid_kind_constant(linitial(call->args));
	return -1;
}

/* Drops the cast to gid(kind) where it is sure to hold. */
PG_FUNCTION_INFO_V1(gid_enforce_kind_support);
Datum
gid_enforce_kind_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	Node	   *source;
	Node	   *modifier;
	Node	   *is_explicit;
	int32		typmod;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	source = linitial(request->fcall->args);
	modifier = lsecond(request->fcall->args);
	is_explicit = lthird(request->fcall->args);
	/* constants that are NULL do not come here, the function is strict */
	if (!IsA(modifier, Const) || !IsA(is_explicit, Const))
		PG_RETURN_POINTER(NULL);

	typmod = DatumGetInt32(((Const *) modifier)->constvalue);
	if (typmod >= 0 &&
		typmod != kind_of_expression(source, query_of(request)))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(relabel_to_typmod(source, typmod));
}

/*
 * The function of a name, in the schema of another, that takes a kind by name
 * and a time and has this code; InvalidOid if there is none, because it was
 * renamed or moved, or may not be called by everybody: plans outlive roles.
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
	if (OidIsValid(function) &&
		(code_of(function) != code || !AllMayExecute(function)))
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
	/*
	 * The planner may ask about a table's constraint in the midst of a query,
	 * and the constraint's columns are not this query's.  They are right about
	 * themselves, so whatever is found has to agree with what is declared.
	 */
	kind = declared_kind(without_label(id));
	if (kind < 0 || kind != kind_of_expression(id, query_of(request)))
		PG_RETURN_POINTER(NULL);

	type = exprType(id);
	operator = get_opfamily_member(lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf,
								   type, type, comparison->strategy);
	function = find_bound_function(request->fcall->funcid, comparison->bound,
								   comparison->bound_code);
	if (!OidIsValid(operator) || !OidIsValid(function))
		PG_RETURN_POINTER(NULL);

	kind_name = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
						  CStringGetTextDatum(gid_kind_name(kind, name)),
						  false, false);
	/* the name of a kind needs no collation; with one, no other server is asked */
	bound = (Node *) makeFuncExpr(function, type, list_make2(kind_name, time),
								  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	bound = eval_const_expressions(request->root, bound);

	result = make_opclause(operator, BOOLOID, false, (Expr *) id,
						   (Expr *) bound, InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) result);
	PG_RETURN_POINTER(result);
}
