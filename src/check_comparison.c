/*
 * check_comparison.c
 *		Errors for comparisons of gids of different kinds.
 *
 * All gids of one kind are smaller than all gids of another kind.  Therefore a
 * join on different kinds returns no rows, and a DELETE with a bound of another
 * kind deletes all rows or none.  With gid.check_comparisons, the support
 * function of the comparison operators rejects such a comparison.
 *
 * This file must not depend on how comparisons with times are replaced
 * (planner.c).
 */
#include "gid.h"

#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "utils/acl.h"

/* Functions that return a bound of the kind in their first argument. */
static const PGFunction bound_functions[] = {
	gid_lower_bound_name, gid_lower_bound_number,
	gid_upper_bound_name, gid_upper_bound_number,
	gid_settled_name, gid_settled_number
};

/*
 * Whether an expression certainly is not a parameter.  A constant can be one,
 * because the planner can replace a parameter by its value.
 */
static bool
excludes_parameters(Node *expression)
{
	for (;;)
	{
		if (IsA(expression, RelabelType))
			expression = (Node *) ((RelabelType *) expression)->arg;
		else if (IsA(expression, CoerceToDomain))
			expression = (Node *) ((CoerceToDomain *) expression)->arg;
		else if (IsA(expression, SubLink))
		{
			Query	   *query = castNode(Query, ((SubLink *) expression)->subselect);

			expression = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
		}
		else
			break;
	}
	return IsA(expression, Var) || IsA(expression, FuncExpr) ||
		(IsA(expression, Param) &&
		 ((Param *) expression)->paramkind != PARAM_EXTERN);
}

/*
 * Returns the kind that one side of a comparison certainly has; -1 if unknown.
 * Sets *is_first if the side is the smallest gid of its kind, because that is
 * also the bound above the preceding kind.
 */
static int32
certain_kind(Node *side, bool *is_first)
{
	int32		kind = gid_declared_kind(side);

	*is_first = false;
	if (kind >= 0 && excludes_parameters(side))
		return kind;

	if (IsA(side, Const) && !((Const *) side)->constisnull)
	{
		GidWords	id = DatumGetGid(((Const *) side)->constvalue);

		/* only bounds have zeros here, because generators set byte 7 */
		if (gid_byte7_of(id) != 0 || id.low != 0)
			return -1;
		*is_first = (gid_ms_of(id) == 0);
		kind = gid_prefix_of(id);
		/* the smallest and the largest bound are used for any kind */
		return *is_first && (kind == 0x80 || kind == 0xFF) ? -1 : kind;
	}
	if (IsA(side, FuncExpr))
	{
		FuncExpr   *call = (FuncExpr *) side;
		PGFunction	function;

		if (call->args == NIL || !IsA(linitial(call->args), Const) ||
			!gid_all_may_execute(call->funcid))
			return -1;
		function = gid_address_of(call->funcid);
		for (size_t i = 0; i < lengthof(bound_functions); i++)
		{
			if (function == bound_functions[i])
				return gid_kind_constant(linitial_node(Const, call->args));
		}
	}
	return -1;
}

/*
 * Whether the planner may have derived a condition.  Such conditions are not
 * checked.  When the planner plans a subquery in FROM separately, it adds
 * conditions to the subquery.  For example, it copies a bound of one kind into
 * all branches of a view.  It also derives "a = c" from "a = b AND b = c", even
 * if b can be of any kind.
 *
 * While the relations of a query are being planned, simple_rel_array is set.
 * Before that, PostgreSQL has simplified the conditions that the query itself
 * and the sub-selects in its expressions contain.
 *
 * CHECK constraints and similar expressions have no root.  They are not checked
 * either, because existing tables must stay usable.
 */
static bool
may_be_derived(PlannerInfo *root)
{
	if (root == NULL)
		return true;
	for (; root; root = root->parent_root)
	{
		if (root->simple_rel_array != NULL)
			return true;
	}
	return false;
}

/*
 * Rejects a comparison of gids that are certainly of different kinds.  All gids
 * of one kind are smaller than all gids of the other kind.  Therefore a join on
 * different kinds returns no rows, and a DELETE with a bound of another kind
 * deletes all rows or none.
 */
PG_FUNCTION_INFO_V1(gid_comparison_support);
Datum
gid_comparison_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	int32		left;
	int32		right;
	bool		left_is_first;
	bool		right_is_first;
	char		left_name[GID_KIND_NAME_SIZE];
	char		right_name[GID_KIND_NAME_SIZE];

	if (!gid_check_comparisons || !IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	/* check the right side first: it is often a parameter or an id */
	right = certain_kind(lsecond(request->fcall->args), &right_is_first);
	if (right < 0)
		PG_RETURN_POINTER(NULL);
	left = certain_kind(linitial(request->fcall->args), &left_is_first);
	if (left < 0 || left == right ||
		(left_is_first && left == right + 1) ||
		(right_is_first && right == left + 1) ||
		may_be_derived(request->root))
		PG_RETURN_POINTER(NULL);

	gid_kind_name(left, left_name);
	gid_kind_name(right, right_name);
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("cannot compare gids of kind \"%s\" with gids of kind \"%s\"",
					left_name, right_name),
			 errdetail("Every gid of kind \"%s\" is smaller than every gid of kind \"%s\", and they are never equal.",
					   left < right ? left_name : right_name,
					   left < right ? right_name : left_name),
			 errhint("Check the columns and the kinds of bounds. To compare different kinds, set \"gid.check_comparisons\" to off in the session or for the function.")));
	PG_RETURN_POINTER(NULL);
}
