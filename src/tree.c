/*
 * tree.c
 *		Reading the trees of expressions and queries.
 *
 * What the files with planner support functions share.  This file must not
 * depend on kinds.
 */
#include "tree.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"

/*
 * Calls the walker with each node below an expression or a query, until it
 * returns true.  A tree can be large, so a walk can be interrupted.
 */
bool
gid_walk(Node *node, GidWalker walker, void *context)
{
	CHECK_FOR_INTERRUPTS();
	if (IsA(node, Query))
		return gid_walk_query((Query *) node, walker, context, 0);
	return gid_walk_expression(node, walker, context);
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
