/*
 * script.c
 *		The part of the script of the extension that requires a program.
 *
 * The script creates the function in this file, calls it, and drops it.  A DO
 * block would require plpgsql, and dropping that would then drop all columns of
 * type gid.  While the script runs, only pg_catalog and pg_temp are searched.
 */
#include "gid.h"

#include "executor/spi.h"

/*
 * Rejects a type that the type gid, or its array type, would hide.  Functions
 * that use such a type would then use gid without an error.  Types in temporary
 * schemas are found before those in pg_catalog.
 */
static void
reject_hidden_type(void)
{
	SPI_execute("SELECT oid::regtype FROM pg_type "
				"WHERE typname IN ('gid', '_gid') "
				"AND typnamespace::regnamespace::text !~ '^pg_(catalog$|temp_)' "
				"ORDER BY typname DESC LIMIT 1",
				true, 0);
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
	SPI_execute("SELECT 'GRANT EXECUTE ON ROUTINE '"
				" || string_agg(objid::regprocedure::text, ', ') || ' TO PUBLIC' "
				"FROM pg_depend WHERE classid = 'pg_proc'::regclass "
				"AND refclassid = 'pg_extension'::regclass AND deptype = 'e' "
				"AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'gid')",
				true, 0);
	SPI_execute(SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1),
				false, 0);
}

PG_FUNCTION_INFO_V1(gid_complete_script);
Datum
gid_complete_script(PG_FUNCTION_ARGS)
{
	SPI_connect();
	reject_hidden_type();
	grant_execute();
#ifdef GID_HAVE_SKIP_SUPPORT
	SPI_execute("ALTER OPERATOR FAMILY gid_ops USING btree "
				"ADD FUNCTION 6 (gid, gid) gid_skipsupport(internal);"
				"ALTER OPERATOR FAMILY gid_ops USING gist "
				"ADD FUNCTION 12 (\"any\", \"any\") gid_gist_strategy(integer)",
				false, 0);
#endif
	SPI_finish();
	PG_RETURN_VOID();
}
