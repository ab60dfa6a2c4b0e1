/*
 * planner.c
 *		Planner support functions.
 *
 * One rule applies throughout: a condition or a cast is replaced only if the kind
 * of the id is certain (certain.c).
 */
#include "gid.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "lookup.h"
#include "tree.h"

/* Removes the cast to gid(kind) if the value certainly has the kind. */
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
	if (typmod >= 0 && typmod != gid_certain_kind(request->root, source))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(relabel_to_typmod(source, typmod));
}

/* Whether a time depends on a column, of this query or of an outer one. */
static bool
varies(Node *time, void *context)
{
	if (time == NULL)
		return false;
	if (IsA(time, Var) || IsA(time, SubLink) || IsA(time, SubPlan) ||
		(IsA(time, Param) && ((Param *) time)->paramkind != PARAM_EXTERN))
		return true;
	return gid_walk(time, varies, context);
}

/*
 * Finds the function of a bound, and the operator, unless the catalog is as it was
 * when they were found.
 */
static void
find_bound_function(GidBoundFunction *bound_of, Oid type, Oid time_type)
{
	uint64		version = gid_catalog_version();
	Oid			family;

	if (bound_of->version == version)
		return;
	family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	bound_of->operator = get_opfamily_member(family, type, type,
											 bound_of->strategy);
	bound_of->function = gid_find_function(bound_of->name,
										   bound_of->takes_name ? TEXTOID : type,
										   time_type, bound_of->address);
	if (OidIsValid(bound_of->operator) && OidIsValid(bound_of->function) &&
		!(gid_all_may_execute(bound_of->function) &&
		  gid_all_may_execute(get_opcode(bound_of->operator))))
		bound_of->function = InvalidOid;
	bound_of->version = version;
}

/*
 * Returns the condition that an id is on one side of a bound of its kind, which
 * a function computes from a time or a range.  The condition has a btree operator,
 * which the planner can use in index conditions, for selectivity estimates and
 * for partition pruning.
 *
 * Returns NULL if a function does not exist, or if PUBLIC cannot execute it.  The
 * original condition, which requires no other privilege, then remains a filter.
 * The privilege of the current role is not enough, because another role can
 * execute the plan later.
 *
 * If the second argument of the bound can vary, the first is a gid of the kind,
 * not the name of the kind.  That function is leakproof, like the original call.
 * With row-level security, the planner uses a condition on columns as an index
 * condition only if it is leakproof.
 */
Expr *
gid_bound_condition(Node *id, int32 kind, Node *at, GidBoundFunction *bound_of)
{
	Oid			type = exprType(id);
	char		name[GID_KIND_NAME_SIZE];
	Const	   *of_kind;
	Expr	   *bound;
	Expr	   *result;

	find_bound_function(bound_of, type, exprType(at));
	if (!OidIsValid(bound_of->operator) || !OidIsValid(bound_of->function))
		return NULL;

	/*
	 * The call has no input collation.  The name of a kind does not require
	 * one, and postgres_fdw would not send a call that has one.
	 */
	of_kind = bound_of->takes_name ?
		makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
				  CStringGetTextDatum(gid_kind_name(kind, name)), false, false) :
		makeConst(type, -1, InvalidOid, GID_SIZE,
				  GidGetDatum(gid_first_of_kind(kind)), false, false);
	/* faster than eval_const_expressions(); a NULL was folded before */
	bound = IsA(at, Const) ?
		(Expr *) makeConst(type, -1, InvalidOid, GID_SIZE,
						   OidFunctionCall2(bound_of->function,
											of_kind->constvalue,
											((Const *) at)->constvalue),
						   false, false) :
		(Expr *) makeFuncExpr(bound_of->function, type, list_make2(of_kind, at),
							  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	result = make_opclause(bound_of->operator, BOOLOID, false, (Expr *) id,
						   bound, InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) result);
	return result;
}

/*
 * Replaces the comparison of a gid with a time by a comparison of two gids if
 * the kind is certain: "id >= time" by "id >= gid_lower_bound(kind, time)".
 */
PG_FUNCTION_INFO_V1(gid_time_support);
Datum
gid_time_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	GidTimeComparison *comparison;
	FuncExpr   *call;
	Node	   *id;
	Node	   *time;
	int32		kind;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	call = request->fcall;
	comparison = gid_time_comparison(gid_address_of(call->funcid));
	if (comparison == NULL || !gid_all_may_execute(call->funcid))
		PG_RETURN_POINTER(NULL);

	id = comparison->gid_first ? linitial(call->args) : lsecond(call->args);
	time = comparison->gid_first ? lsecond(call->args) : linitial(call->args);
	kind = gid_certain_kind(request->root, id);
	if (kind < 0)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(gid_bound_condition(id, kind, time,
										  varies(time, NULL) ?
										  &comparison->bound_of_gid :
										  &comparison->bound_of_name));
}
