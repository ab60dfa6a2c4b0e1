/*
 * compat.h
 *		What differs between the versions of PostgreSQL, named by feature.
 *
 * No other file may ask for PG_VERSION_NUM.
 */
#ifndef GID_COMPAT_H
#define GID_COMPAT_H

#if PG_VERSION_NUM < 150000
#error "gid needs PostgreSQL 15 or newer"
#endif

/* The varlena macros have a header of their own since 16. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* Soft errors, since 16.  Before, every caller wants a hard one. */
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#else
#define ereturn(escontext, dummy_value, ...) \
	do { \
		(void) (escontext); \
		ereport(ERROR, __VA_ARGS__); \
		return dummy_value; \
	} while (0)
#endif

/* The number of histogram bounds and common values that ANALYZE is to find. */
#if PG_VERSION_NUM >= 170000
#define gid_stats_target(stats)		((stats)->attstattarget)
#else
#define gid_stats_target(stats)		((stats)->attr->attstattarget)
#endif

/*
 * The local transaction id, and the index of the backend in the process array.
 * Version 17 moved the one within PGPROC and the other out of it.
 */
#if PG_VERSION_NUM >= 170000
#define gid_my_transaction()	(MyProc->vxid.lxid)
#define gid_my_slot()			(MyProcNumber)
#else
#define gid_my_transaction()	(MyProc->lxid)
#define gid_my_slot()			(MyProc->pgprocno)
#endif

/*
 * Whether PUBLIC can execute a function: one check for all objects, since 16.
 */
#if PG_VERSION_NUM >= 160000
#define gid_all_may_execute(function) \
	(object_aclcheck(ProcedureRelationId, (function), ACL_ID_PUBLIC, \
					 ACL_EXECUTE) == ACLCHECK_OK)
#else
#define gid_all_may_execute(function) \
	(pg_proc_aclcheck((function), ACL_ID_PUBLIC, ACL_EXECUTE) == ACLCHECK_OK)
#endif

/* Walkers have a prototype since 16.  In C23 "()" means that they take nothing. */
#if PG_VERSION_NUM >= 160000
#define gid_walk_expression(node, walker, context) \
	expression_tree_walker((node), (walker), (context))
#else
#define gid_walk_expression(node, walker, context) \
	expression_tree_walker((node), \
						   (bool (*) ()) (void (*) (void)) (walker), (context))
#endif

/* Skip scans of a btree, since 18. */
#if PG_VERSION_NUM >= 180000
#define GID_HAVE_SKIP_SUPPORT
#include "utils/skipsupport.h"
#endif

/* A library contains its name and version, since 18. */
#ifdef PG_MODULE_MAGIC_EXT
#define GID_MODULE_MAGIC \
	PG_MODULE_MAGIC_EXT(.name = "gid", .version = GID_VERSION)
#else
#define GID_MODULE_MAGIC		PG_MODULE_MAGIC
#endif

#endif							/* GID_COMPAT_H */
