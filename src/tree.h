/*
 * tree.h
 *		Reading the trees of expressions and queries: see tree.c.
 */
#ifndef GID_TREE_H
#define GID_TREE_H

#include "gid.h"

#include "nodes/nodes.h"

typedef bool (*GidWalker) (Node *node, void *context);

extern bool gid_walk(Node *node, GidWalker walker, void *context);
extern Node *gid_without_labels(Node *expression);

#endif							/* GID_TREE_H */
