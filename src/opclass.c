/*
 * opclass.c
 *		Support functions of the operator classes that only some versions of
 *		PostgreSQL accept.
 *
 * The script of the extension is the same for all versions.  It creates the
 * function in this file, calls it, and drops it.  A DO block would require
 * plpgsql, and dropping that would then drop all columns of type gid.
 */
#include "gid.h"

#include "executor/spi.h"

PG_FUNCTION_INFO_V1(gid_complete_classes);
Datum
gid_complete_classes(PG_FUNCTION_ARGS)
{
#ifdef GID_HAVE_SKIP_SUPPORT
	SPI_connect();
	SPI_execute("ALTER OPERATOR FAMILY gid_ops USING btree "
				"ADD FUNCTION 6 (gid, gid) gid_skipsupport(internal);"
				"ALTER OPERATOR FAMILY gid_ops USING gist "
				"ADD FUNCTION 12 (\"any\", \"any\") gid_gist_strategy(integer)",
				false, 0);
	SPI_finish();
#endif
	PG_RETURN_VOID();
}
