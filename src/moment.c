/*
 * moment.c
 *		The moments at which PostgreSQL simplifies expressions of one query.
 *
 * PostgreSQL calls a support function with the state of a query, "root".  In 15,
 * 17, 18 and 19, eval_const_expressions() and estimate_expression_value() are
 * called with these roots (from the sources of 15 and 18, and all calls in the
 * four programs):
 *
 *	- that of the query: all clauses (preprocess_expression), functions in FROM,
 *	  conditions of children, derived equalities, new target lists of MERGE and
 *	  UPDATE, elements of VALUES in IN (18), estimates, TABLESAMPLE;
 *	- none, or one without a query, for expressions of tables: indexes, partition
 *	  bounds, statistics, COPY ... WHERE, ALTER TABLE, expression_planner();
 *	- that of the query, for expressions and predicates of indexes (19);
 *	- that of any query that reads the table, for CHECK constraints: certain.c;
 *	- that of the query around EXISTS, for its LIMIT, which has no columns of its
 *	  own (simplify_EXISTS_query);
 *	- that of the query around EXISTS, for its condition (convert_EXISTS_to_ANY).
 *
 * In the last case, the columns are those of another query.  This file recognizes
 * these calls, so that what a column is never depends on the moment.
 *
 * When it is called, PostgreSQL has just planned the sub-select, so the
 * sub-select is the last one in root->glob.  It has not yet stored the expression
 * that contains the resulting SubPlan.  At all other moments, either another
 * sub-select is the last one, or its SubPlan is visible in the query: the whole
 * expression is simplified before its sub-selects are planned, and stored before
 * the next expression is simplified.
 *
 * The answers are remembered for each level of the query, so that n sub-selects
 * do not cause n searches.  This file must not depend on kinds.
 */
#include "gid.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"

/* What was found at one level of the query, in the query of a root. */
typedef struct Moment
{
	PlannerInfo *root;
	int			subplans;		/* how many there were; 0 if it was not asked */
	uint64		stored;			/* which expressions the query contained */
	bool		is_foreign;		/* whether the expression was of another query */
} Moment;

/*
 * What is remembered belongs to one call of the planner, and is forgotten when
 * its memory is freed.  Levels that are LEVELS apart share an entry.
 */
#define LEVELS	32

static Moment moments[LEVELS];
static PlannerGlobal *planning = NULL;

static void
forget(void *of)
{
	if (planning == of)
		planning = NULL;
}

static Moment *
moment_of(PlannerInfo *root)
{
	Moment	   *moment = &moments[root->query_level % LEVELS];

	if (planning != root->glob)
	{
		MemoryContextCallback *callback;

		callback = MemoryContextAlloc(root->planner_cxt, sizeof(*callback));
		callback->func = forget;
		callback->arg = root->glob;
		MemoryContextRegisterResetCallback(root->planner_cxt, callback);
		planning = root->glob;
		memset(moments, 0, sizeof(moments));
	}
	if (moment->root != root)
		*moment = (Moment) {root, 0, 0, false};
	return moment;
}

/* Whether a node, or the first one of a list, only contains places of expressions. */
static bool
is_container(const Node *node)
{
	if (IsA(node, List))
		node = linitial((const List *) node);
	switch (node == NULL ? T_Invalid : nodeTag(node))
	{
		case T_RangeTblRef:
		case T_FromExpr:
		case T_JoinExpr:
		case T_WithCheckOption:
		case T_OnConflictExpr:
		case T_MergeAction:
			return true;
		default:
			return false;
	}
}

static void
add_address(uint64 *addresses, const void *node)
{
	*addresses = hash_combine64(*addresses, (uint64) (uintptr_t) node);
}

static bool
add_place(Node *node, void *context)
{
	CHECK_FOR_INTERRUPTS();
	add_address(context, node);
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		ListCell   *cell;

		foreach(cell, ((RangeTblEntry *) node)->securityQuals)
			add_address(context, lfirst(cell));
		return false;
	}
	return is_container(node) &&
		gid_walk_expression(node, add_place, context);
}

/*
 * Returns a number that changes when PostgreSQL stores a simplified expression in
 * the query, because the expression is a copy.
 */
static uint64
stored_expressions(PlannerInfo *root)
{
	uint64		addresses = list_length(root->init_plans);

	gid_walk_query(root->parse, add_place, &addresses,
				   QTW_EXAMINE_RTES_BEFORE);
	add_address(&addresses, root->append_rel_list);
	return hash_combine64(addresses, list_length(root->placeholder_list));
}

static bool
is_subplan(Node *node, void *context)
{
	CHECK_FOR_INTERRUPTS();
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubPlan) && ((SubPlan *) node)->plan_id == *(int *) context)
		return true;
	return gid_walk_expression(node, is_subplan, context);
}

static bool
contains_subplan(PlannerInfo *root, int id)
{
	return gid_walk_query(root->parse, is_subplan, &id, 0) ||
		is_subplan((Node *) root->append_rel_list, &id) ||
		is_subplan((Node *) root->init_plans, &id) ||
		is_subplan((Node *) root->placeholder_list, &id);
}

/*
 * Whether PostgreSQL simplifies the condition of EXISTS with the root of the
 * query around it.  Such a sub-select has no target list.
 */
bool
gid_is_foreign_moment(PlannerInfo *root)
{
	int			subplans = list_length(root->glob->subplans);
	PlannerInfo *last = subplans > 0 ? llast(root->glob->subroots) : NULL;
	Moment	   *moment;
	uint64		stored;

	if (last == NULL || last->parent_root != root ||
		last->parse->targetList != NIL)
		return false;

	moment = moment_of(root);
	if (moment->subplans == subplans && !moment->is_foreign)
		return false;
	stored = stored_expressions(root);
	if (moment->subplans == 0 || moment->stored != stored)
		moment->is_foreign = !contains_subplan(root, subplans);
	else if (moment->subplans != subplans)
		moment->is_foreign = true;	/* planned since, and not stored */
	moment->subplans = subplans;
	moment->stored = stored;
	return moment->is_foreign;
}
