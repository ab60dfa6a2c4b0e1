/*
 * planner_lookup.c
 *		Functions of gid in the catalog, and calls of them.
 *
 * The planner asks for each comparison which C function implements it.  The
 * answers are kept until a function or an operator changes.  This file must not
 * depend on the planner's state.
 */
#include "gid.h"

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_language.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/syscache.h"

typedef struct Known
{
	Oid			function;
	uint64		version;		/* of the catalog */
	PGFunction	address;		/* NULL if it is not a function of gid */
} Known;

/* Functions whose numbers have the same remainder share an entry. */
static Known known[64];

/* Above 0, and changes when a function or an operator changes. */
uint64		gid_catalog_version = 1;

static void
change_version(Datum unused, GidSysCache cache, uint32 hash)
{
	gid_catalog_version++;
}

/* Called once, when the library is loaded. */
void
gid_watch_catalog(void)
{
	CacheRegisterSyscacheCallback(PROCOID, change_version, (Datum) 0);
	CacheRegisterSyscacheCallback(OPEROID, change_version, (Datum) 0);
}

/*
 * Returns the address of the C function that implements a function of gid; NULL
 * if it is in another language or schema.  The address of such a function is not
 * looked up: fmgr_info() would load its handler or library, which the current
 * role may not be allowed to use.
 */
PGFunction
gid_address_of(Oid function)
{
	Known	   *entry = &known[function % lengthof(known)];
	uint64		version = gid_catalog_version;	/* can change below */
	HeapTuple	tuple;
	Form_pg_proc row;
	FmgrInfo	info = {0};

	if (entry->function == function && entry->version == version)
		return entry->address;

	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	row = (Form_pg_proc) GETSTRUCT(tuple);
	if (row->prolang == ClanguageId && row->pronamespace == PG_CATALOG_NAMESPACE)
		fmgr_info(function, &info);
	ReleaseSysCache(tuple);
	*entry = (Known) {function, version, info.fn_addr};
	return entry->address;
}

/*
 * Finds a function of gid with the name of a kind and a value.  Returns InvalidOid
 * if there is none, for example in an older version of the extension.
 */
Oid
gid_find_function(const char *name, Oid value_type)
{
	Oid			types[] = {TEXTOID, value_type};

	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum(name),
						   PointerGetDatum(buildoidvector(types, 2)),
						   ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
}

/*
 * Returns the call of a function with the name of a kind and a value.  It has no
 * input collation: postgres_fdw would not send a call that has one.
 */
FuncExpr *
gid_call_with_kind(Oid function, Oid result_type, int32 kind, Node *value)
{
	char		name[GID_KIND_NAME_SIZE];
	Const	   *of_kind = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
									CStringGetTextDatum(gid_kind_name(kind, name)),
									false, false);

	return makeFuncExpr(function, result_type, list_make2(of_kind, value),
						InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}
