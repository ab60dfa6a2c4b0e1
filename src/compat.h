/*
 * compat.h
 *		Differences between the versions of PostgreSQL, named by feature.
 *
 * No other file may test PG_VERSION_NUM.
 */
#ifndef GID_COMPAT_H
#define GID_COMPAT_H

#if PG_VERSION_NUM < 150000
#error "gid needs PostgreSQL 15 or newer"
#endif

/*
 * Since version 16, the varlena macros are in a separate header, and soft errors
 * exist.  In version 15, every error is hard.
 */
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#else
#define ereturn(escontext, dummy_value, ...) \
	do { \
		(void) (escontext); \
		ereport(ERROR, __VA_ARGS__); \
		return dummy_value; \
	} while (0)
#endif

/*
 * The local transaction id, and the index of the backend in the process array.
 * Version 17 moved the first within PGPROC, and the second out of PGPROC.
 */
#if PG_VERSION_NUM >= 170000
#define gid_my_transaction()	(MyProc->vxid.lxid)
#define gid_my_slot()			(MyProcNumber)
#else
#define gid_my_transaction()	(MyProc->lxid)
#define gid_my_slot()			(MyProc->pgprocno)
#endif

/*
 * Whether PUBLIC can execute a function.  Since version 16, one function checks
 * the privileges of all kinds of objects.
 */
#if PG_VERSION_NUM >= 160000
#define gid_public_may_execute(function) \
	(object_aclcheck(ProcedureRelationId, (function), ACL_ID_PUBLIC, \
					 ACL_EXECUTE) == ACLCHECK_OK)
#else
#define gid_public_may_execute(function) \
	(pg_proc_aclcheck((function), ACL_ID_PUBLIC, ACL_EXECUTE) == ACLCHECK_OK)
#endif

/* Since version 19, the numbers of system caches have a type of their own. */
#if PG_VERSION_NUM >= 190000
#define GidSysCache				SysCacheIdentifier
#else
#define GidSysCache				int
#endif

/*
 * Walkers have a prototype since version 16.  In version 15 their type is
 * "bool (*) ()", which in C23 is a function without arguments.
 */
#if PG_VERSION_NUM >= 160000
#define gid_walker(function)	(function)
#else
#define gid_walker(function)	((bool (*) ()) (void (*) (void)) (function))
#endif

/*
 * Whether a subquery is that of a view.  Since version 16, its entry says so.
 * Before that, the view is the first entry in the range table of its query.
 */
#if PG_VERSION_NUM >= 160000
#define gid_is_view(entry)		((entry)->relkind == RELKIND_VIEW)
#else
#define gid_is_view(entry) \
	((entry)->subquery->rtable != NIL && \
	 linitial_node(RangeTblEntry, (entry)->subquery->rtable)->relkind == RELKIND_VIEW)
#endif

/*
 * Since version 18, the columns of GROUP BY are an entry in the range table.
 * Returns what the n-th one stands for; NULL if the entry is not that of GROUP BY.
 */
#if PG_VERSION_NUM >= 180000
#define gid_grouped(entry, n) \
	((entry)->rtekind == RTE_GROUP && (n) >= 1 && \
	 (n) <= list_length((entry)->groupexprs) ? \
	 (Node *) list_nth((entry)->groupexprs, (n) - 1) : NULL)
#else
#define gid_grouped(entry, n)	((void) (entry), (void) (n), (Node *) NULL)
#endif

/* The columns of an entry in the range table.  Version 18 added OLD and NEW. */
#if PG_VERSION_NUM >= 180000
#define gid_expand_entry(entry, columns) \
	expandRTE((entry), 1, 0, VAR_RETURNING_DEFAULT, -1, true, NULL, (columns))
#else
#define gid_expand_entry(entry, columns) \
	expandRTE((entry), 1, 0, -1, true, NULL, (columns))
#endif

/* Since version 18, a library can contain its name and version. */
#ifdef PG_MODULE_MAGIC_EXT
#define GID_MODULE_MAGIC \
	PG_MODULE_MAGIC_EXT(.name = "gid", .version = GID_VERSION)
#else
#define GID_MODULE_MAGIC		PG_MODULE_MAGIC
#endif

#endif							/* GID_COMPAT_H */
