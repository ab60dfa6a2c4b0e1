/*
 * lookup.c
 *		Functions of gid in the catalog.
 *
 * The planner asks for each comparison which C function implements it.  The
 * answers are kept until a function or an operator changes.  This file must not
 * depend on kinds.
 */
#include "lookup.h"

#include "access/htup_details.h"
#include "catalog/pg_language.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/syscache.h"

typedef struct Known
{
	Oid			function;
	uint64		version;		/* of the catalog */
	PGFunction	address;		/* NULL if it is not a function of gid */
	bool		is_public;		/* whether PUBLIC can execute it */
} Known;

/* Functions whose numbers have the same remainder share an entry. */
static Known known[64];
static uint64 catalog_version = 1;

static void
change_version(Datum unused, GidSysCache cache, uint32 hash)
{
	catalog_version++;
}

/* Called once, when the library is loaded. */
void
gid_watch_catalog(void)
{
	CacheRegisterSyscacheCallback(PROCOID, change_version, (Datum) 0);
	CacheRegisterSyscacheCallback(OPEROID, change_version, (Datum) 0);
}

/* A number above 0 that changes when a function or an operator changes. */
uint64
gid_catalog_version(void)
{
	return catalog_version;
}

/*
 * The address of a function in another language or schema is not looked up:
 * fmgr_info() would load its handler or library, which the current role may not
 * be allowed to use.
 */
static Known
look_up(Oid function)
{
	Known		result = {function, catalog_version, NULL, false};
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

	if (is_candidate)
	{
		fmgr_info(function, &info);
		result.address = info.fn_addr;
	}
	result.is_public = gid_public_may_execute(function);
	return result;
}

static const Known *
known_function(Oid function)
{
	Known	   *entry = &known[function % lengthof(known)];

	if (entry->function != function || entry->version != catalog_version)
		*entry = look_up(function);
	return entry;
}

/*
 * Returns the address of the C function that implements a function of gid; NULL
 * if it is in another language or schema.
 */
PGFunction
gid_address_of(Oid function)
{
	return known_function(function)->address;
}

/* Whether every role may execute a function, so that any plan can call it. */
bool
gid_all_may_execute(Oid function)
{
	return known_function(function)->is_public;
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
