/*
 * tree.c
 *		Reading the trees of expressions and queries.
 *
 * What the files with planner support functions share.  This file must not
 * depend on kinds.
 */
#include "tree.h"

#include "access/htup_details.h"
#include "catalog/pg_language.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

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

/*
 * Returns the address of the C function that implements a function of gid; NULL
 * if the function is in another language or schema.  fmgr_info() would load its
 * handler or library, which the current role may not be allowed to use.
 */
PGFunction
gid_address_of(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc row;
	bool		is_candidate;
	FmgrInfo	info;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	row = (Form_pg_proc) GETSTRUCT(tuple);
	is_candidate = row->prolang == ClanguageId &&
		row->pronamespace == PG_CATALOG_NAMESPACE;
	ReleaseSysCache(tuple);
	if (!is_candidate)
		return NULL;

	fmgr_info(function, &info);
	return info.fn_addr;
}

/*
 * Finds a function of gid by its SQL name, its two arguments and its C function.
 * Returns InvalidOid if there is none, for example because the database still
 * has an older version of the extension.
 */
Oid
gid_find_function(const char *name, Oid first_type, Oid second_type,
				  PGFunction wanted)
{
	Oid			types[] = {first_type, second_type};
	Oid			function;

	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum(name),
							   PointerGetDatum(buildoidvector(types, 2)),
							   ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
	return OidIsValid(function) && gid_address_of(function) == wanted ?
		function : InvalidOid;
}
