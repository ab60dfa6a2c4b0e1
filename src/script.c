/*
 * script.c
 *		The part of the scripts of the extension that requires a program.
 *
 * A script creates a function in this file, calls it, and drops it.  A DO block
 * would require plpgsql, and dropping that would then drop all columns of type
 * gid.  While a script runs, only pg_catalog and pg_temp are searched.
 */
#include "gid.h"

#include "executor/spi.h"

static void
execute(const char *statements, int expected)
{
	int			result = SPI_execute(statements, false, 0);

	if (result != expected)
		elog(ERROR, "SPI_execute failed: %s", SPI_result_code_string(result));
}

/*
 * Rejects a type that the type gid, or its array type, would hide.  Functions
 * that use such a type would then use gid without an error.  Types in temporary
 * schemas are found before those in pg_catalog.
 */
static void
reject_hidden_type(void)
{
	execute("SELECT t.oid::regtype FROM pg_type t "
			"JOIN pg_namespace n ON n.oid = typnamespace "
			"WHERE typname IN ('gid', '_gid') AND nspname !~ '^pg_(catalog$|temp_)' "
			"ORDER BY typname DESC LIMIT 1",
			SPI_OK_SELECT);
	if (SPI_processed > 0)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("type %s already exists",
						SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1)),
				 errdetail("The extension creates a type of this name in pg_catalog, which PostgreSQL searches first. Functions and queries that do not write the schema would use it instead."),
				 errhint("Rename the existing type, or the table whose rows have this type.")));
}

/*
 * Grants EXECUTE on the functions of the extension to PUBLIC, which is the
 * default unless an administrator changed the default privileges.  An update
 * script must grant it on the new functions only, because the administrator can
 * have revoked it since.
 */
static void
grant_execute(void)
{
	execute("SELECT 'GRANT EXECUTE ON ROUTINE '"
			" || string_agg(objid::regprocedure::text, ', ') || ' TO PUBLIC' "
			"FROM pg_depend WHERE classid = 'pg_proc'::regclass "
			"AND refclassid = 'pg_extension'::regclass AND deptype = 'e' "
			"AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'gid')",
			SPI_OK_SELECT);
	execute(SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1),
			SPI_OK_UTILITY);
}

/*
 * Adds the support functions that versions of PostgreSQL before 18 reject.  A
 * database that pg_upgrade brought from such a version does not have them.
 */
static void
add_support_functions(void)
{
	execute("SELECT WHERE to_regproc('pg_catalog.uuid_skipsupport') IS NOT NULL "
			"AND NOT EXISTS (SELECT FROM pg_amproc WHERE amproc = 'gid_gist_strategy'::regproc)",
			SPI_OK_SELECT);
	if (SPI_processed > 0)
		execute("ALTER OPERATOR FAMILY gid_ops USING btree "
				"ADD FUNCTION 6 (gid, gid) uuid_skipsupport(internal);"
				"ALTER OPERATOR FAMILY gid_ops USING gist "
				"ADD FUNCTION 12 (\"any\", \"any\") gid_gist_strategy(integer)",
				SPI_OK_UTILITY);
}

/* Called by the script that creates the extension. */
PG_FUNCTION_INFO_V1(gid_complete_script);
Datum
gid_complete_script(PG_FUNCTION_ARGS)
{
	SPI_connect();
	reject_hidden_type();
	grant_execute();
	add_support_functions();
	SPI_finish();
	PG_RETURN_VOID();
}

/* Called by each script that updates the extension. */
PG_FUNCTION_INFO_V1(gid_complete_update);
Datum
gid_complete_update(PG_FUNCTION_ARGS)
{
	SPI_connect();
	add_support_functions();
	SPI_finish();
	PG_RETURN_VOID();
}
