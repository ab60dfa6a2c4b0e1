/*
 * planner.c
 *		Planner support functions, which replace a condition or a cast only if
 *		the kind of the id is certain (planner_certain.c).
 */
#include "gid.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

/*
 * The function of a bound and the operator that compares a gid with it, as they
 * are in a version of the catalog.  They replace a function.
 */
typedef struct Found
{
	Oid			replaced;
	int16		strategy;
	uint64		version;
	FmgrInfo	bound;			/* fn_oid is InvalidOid if they cannot be used */
	Oid			operator;
} Found;

/* Entries with the same remainder share a place.  gid_within() has two. */
static Found found[32];

/* Removes the cast to gid(kind) if the value certainly has the kind. */
PG_FUNCTION_INFO_V1(gid_enforce_kind_support);
Datum
gid_enforce_kind_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	List	   *args;
	int32		typmod;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	args = request->fcall->args;
	/* the cast is strict: a constant NULL was folded, a later NULL gives NULL */
	if (!IsA(lsecond(args), Const) || !IsA(lthird(args), Const))
		PG_RETURN_POINTER(NULL);

	typmod = DatumGetInt32(lsecond_node(Const, args)->constvalue);
	if (typmod >= 0 && typmod != gid_certain_kind(request->root, linitial(args)))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(relabel_to_typmod(linitial(args), typmod));
}

static Found *
find_bound(Oid replaced, GidBound bound, Oid type, Oid time_type)
{
	Found	   *entry = &found[(replaced + bound.strategy) % lengthof(found)];
	uint64		version = gid_catalog_version;
	Oid			function;
	Oid			family;

	if (entry->replaced == replaced && entry->strategy == bound.strategy &&
		entry->version == version)
		return entry;
	function = gid_find_function(bound.function, time_type);
	family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	*entry = (Found) {.replaced = replaced, .strategy = bound.strategy};
	entry->operator = get_opfamily_member(family, type, type, bound.strategy);
	if (OidIsValid(function) && OidIsValid(entry->operator) &&
		gid_public_may_execute(replaced) && gid_public_may_execute(function) &&
		gid_public_may_execute(get_opcode(entry->operator)))
		fmgr_info_cxt(function, &entry->bound, TopMemoryContext);
	entry->version = version;
	return entry;
}

/*
 * Returns the condition that an id is on one side of a bound of its kind, which
 * a function computes from a time or a range.  The condition has a btree operator,
 * which the planner can use in index conditions, for selectivity estimates and
 * for partition pruning.
 *
 * Returns NULL if a function does not exist, or if PUBLIC cannot execute it, because
 * another role can execute the plan later.  The original call, which requires no
 * other privilege, then remains a filter.
 *
 * The function is leakproof, like the original call.  With row-level security, the
 * planner uses a condition on columns as an index condition only if it is.
 */
Expr *
gid_bound_condition(const FuncExpr *call, Node *id, int32 kind, Node *at,
					GidBound bound)
{
	Oid			type = exprType(id);
	Found	   *entry = find_bound(call->funcid, bound, type, exprType(at));
	FuncExpr   *of_kind;
	Expr	   *result;

	if (!OidIsValid(entry->bound.fn_oid))
		return NULL;

	of_kind = gid_call_with_kind(entry->bound.fn_oid, type, kind, at);
	result = make_opclause(entry->operator, BOOLOID, false, (Expr *) id,
						   (Expr *) of_kind, InvalidOid, InvalidOid);
	/* faster than eval_const_expressions(); a NULL was folded before */
	if (IsA(at, Const))
		lsecond(((OpExpr *) result)->args) =
			makeConst(type, -1, InvalidOid, GID_SIZE,
					  FunctionCall2(&entry->bound,
									linitial_node(Const, of_kind->args)->constvalue,
									((Const *) at)->constvalue),
					  false, false);
	set_opfuncid((OpExpr *) result);
	return result;
}

/*
 * Replaces the comparison of a gid with a time by a comparison of two gids if
 * the kind is certain: "id >= time" by "id >= _gid_lower_bound(kind, time)".
 */
PG_FUNCTION_INFO_V1(gid_time_support);
Datum
gid_time_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	const GidTimeComparison *comparison;
	FuncExpr   *call;
	Node	   *id;
	Node	   *time;
	int32		kind;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	call = request->fcall;
	comparison = gid_time_comparison(gid_address_of(call->funcid));
	if (comparison == NULL)
		PG_RETURN_POINTER(NULL);

	id = comparison->gid_first ? linitial(call->args) : lsecond(call->args);
	time = comparison->gid_first ? lsecond(call->args) : linitial(call->args);
	kind = gid_certain_kind(request->root, id);
	if (kind < 0)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(gid_bound_condition(call, id, kind, time, comparison->bound));
}
