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
extern PGFunction gid_address_of(Oid function);
extern Oid	gid_find_function(const char *name, Oid first_type,
							  Oid second_type, PGFunction wanted);

#endif							/* GID_TREE_H */
