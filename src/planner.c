/*
 * planner.c
 *		Planner support functions.
 *
 * One rule holds throughout: a declared kind is believed, as PostgreSQL
 * believes the n of varchar(n).  The declared kind of an expression is its
 * type modifier, or that of its domain.
 *
 * No kind is looked up by request->root.  It can be NULL, and it can be the
 * planner state of another query than the expression's: when PostgreSQL
 * converts EXISTS to ANY, it simplifies the sub-select with the root of the
 * query around it.
 */
#include "gid.h"

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

/*
 * Labels the call of a function that mints with the kind of its constant
 * argument, so that the kind is declared as a column's is.
 */
PG_FUNCTION_INFO_V1(gid_new_support);
Datum
gid_new_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	Node	   *kind;
	int32		typmod;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	kind = linitial(request->fcall->args);
	if (!IsA(kind, Const))
		PG_RETURN_POINTER(NULL);
	typmod = gid_kind_constant((Const *) kind);
	if (typmod < 0)
		PG_RETURN_POINTER(NULL);

	/* fcall is the caller's to reuse */
	PG_RETURN_POINTER(relabel_to_typmod((Node *) copyObject(request->fcall),
										typmod));
}

/* Whether a query names a table, or a query in its FROM or WITH does. */
static bool
names_table(Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *entry = lfirst_node(RangeTblEntry, cell);

		if (entry->rtekind == RTE_RELATION ||
			(entry->subquery && names_table(entry->subquery)))
			return true;
	}
	foreach(cell, query->cteList)
	{
		if (names_table(castNode(Query, lfirst_node(CommonTableExpr, cell)->ctequery)))
			return true;
	}
	return false;
}

/*
 * With gid.settled_alone, rejects gid_settled() in a query that names a table.
 * A query of a table that several servers hold can be sent to these servers,
 * where each call would return the horizon of another server.
 */
PG_FUNCTION_INFO_V1(gid_settled_support);
Datum
gid_settled_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (!gid_settled_alone || !IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	for (PlannerInfo *root = request->root; root; root = root->parent_root)
	{
		if (names_table(root->parse))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("cannot call gid_settled() in a query that names a table"),
					 errdetail("\"gid.settled_alone\" is on, because other servers may execute such a query."),
					 errhint("Fetch the horizon in a statement of its own, and pass it as a parameter.")));
	}
	PG_RETURN_POINTER(NULL);
}

/* Drops the cast to gid(kind) where that kind is declared already. */
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
	/* the cast is strict, so a constant NULL was folded before */
	if (!IsA(modifier, Const) || !IsA(is_explicit, Const))
		PG_RETURN_POINTER(NULL);

	typmod = DatumGetInt32(((Const *) modifier)->constvalue);
	if (typmod >= 0 && typmod != exprTypmod(source))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(relabel_to_typmod(source, typmod));
}

/*
 * The kind that an expression's type modifier or domain declares; -1 if none.
 * RelabelTypes are stripped first: one without a modifier may hide a declared
 * kind, and the one between a domain and its base type always does.
 */
static int32
declared_kind(Node *expression)
{
	Oid			type = exprType(expression);
	int32		typmod = exprTypmod(expression);

	while (typmod < 0 && IsA(expression, RelabelType))
	{
		expression = (Node *) ((RelabelType *) expression)->arg;
		typmod = exprTypmod(expression);
		if (typmod < 0)
			(void) getBaseTypeAndTypmod(exprType(expression), &typmod);
		if (getBaseType(exprType(expression)) != type)
			return -1;
	}
	return typmod;
}

/*
 * Looks up the symbol and the library of a C function.  Returns false for any
 * other function, and for one that not everybody may execute: a plan can
 * outlive the role that it was made for.
 */
static bool
find_symbol(Oid function, char **symbol, char **library)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	bool		is_c;

	if (!HeapTupleIsValid(tuple))
		return false;
	is_c = ((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId;
	if (is_c)
	{
		bool		isnull;

		*symbol = TextDatumGetCString(SysCacheGetAttr(PROCOID, tuple,
													  Anum_pg_proc_prosrc,
													  &isnull));
		*library = TextDatumGetCString(SysCacheGetAttr(PROCOID, tuple,
													   Anum_pg_proc_probin,
													   &isnull));
	}
	ReleaseSysCache(tuple);
	return is_c && gid_all_may_execute(function);
}

/*
 * Finds the function that gives the bound of a comparison: in the schema of
 * the function that compares, in the same library, by its name in SQL and by
 * its symbol.  InvalidOid if it was renamed or moved.
 */
static Oid
find_bound_function(const GidTimeComparison *comparison, Oid compares,
					const char *library)
{
	Oid			types[] = {TEXTOID, TIMESTAMPTZOID};
	Oid			function;
	char	   *bound_symbol;
	char	   *bound_library;

	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum(comparison->bound),
							   PointerGetDatum(buildoidvector(types, 2)),
							   ObjectIdGetDatum(get_func_namespace(compares)));
	if (!OidIsValid(function) ||
		!find_symbol(function, &bound_symbol, &bound_library) ||
		strcmp(bound_symbol, comparison->bound_symbol) != 0 ||
		strcmp(bound_library, library) != 0)
		return InvalidOid;
	return function;
}

/*
 * Replaces the comparison of a gid with a time by one of two gids, where the
 * kind is declared: "id >= time" by "id >= gid_lower_bound(kind, time)".  All
 * that the planner does with btree operators follows: index conditions,
 * selectivity, partition pruning.
 */
PG_FUNCTION_INFO_V1(gid_time_support);
Datum
gid_time_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	const GidTimeComparison *comparison;
	char	   *symbol;
	char	   *library;
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

	if (!find_symbol(request->fcall->funcid, &symbol, &library))
		PG_RETURN_POINTER(NULL);
	comparison = gid_time_comparison(symbol);
	if (comparison == NULL)
		PG_RETURN_POINTER(NULL);

	args = request->fcall->args;
	id = comparison->gid_first ? linitial(args) : lsecond(args);
	time = comparison->gid_first ? lsecond(args) : linitial(args);

	kind = declared_kind(id);
	if (kind < 0)
		PG_RETURN_POINTER(NULL);

	type = exprType(id);
	operator = get_opfamily_member(lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf,
								   type, type, comparison->strategy);
	if (!OidIsValid(operator) || !gid_all_may_execute(get_opcode(operator)))
		PG_RETURN_POINTER(NULL);
	function = find_bound_function(comparison, request->fcall->funcid, library);
	if (!OidIsValid(function))
		PG_RETURN_POINTER(NULL);

	/*
	 * The bound's name of a kind needs no collation, and postgres_fdw would
	 * not send an expression that has one to another server.
	 */
	kind_name = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
						  CStringGetTextDatum(gid_kind_name(kind, name)),
						  false, false);
	bound = (Node *) makeFuncExpr(function, type, list_make2(kind_name, time),
								  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	/* time is simplified already, so folding a constant needs no root */
	bound = eval_const_expressions(NULL, bound);

	result = make_opclause(operator, BOOLOID, false, (Expr *) id,
						   (Expr *) bound, InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) result);
	PG_RETURN_POINTER(result);
}
