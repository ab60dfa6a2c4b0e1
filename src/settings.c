/*
 * settings.c
 *		The parameters.
 *
 * gid.node is for postgresql.conf only, because two servers with the same
 * number can mint the same id.  gid.settled_alone is for postgresql.conf,
 * because it depends on where the server's queries are executed.
 * gid.max_clock_skew is for superusers, because with one clock for the server
 * it decides how far ahead of the clock all sessions can be.  gid.instant is
 * for any role, because it affects only the session's own ids.
 */
#include "gid.h"

#include "utils/guc.h"

int			gid_node = GID_NO_NODE;
double		gid_max_clock_skew = 10 * 1000;
int			gid_instant_source = GID_BY_TRANSACTION;
bool		gid_settled_alone = false;
bool		gid_check_comparisons = true;

static const struct config_enum_entry instant_sources[] = {
	{"transaction", GID_BY_TRANSACTION, false},
	{"clock", GID_BY_CLOCK, false},
	{NULL, 0, false}
};

void
gid_define_settings(void)
{
	DefineCustomIntVariable("gid.node",
							"Sets the number of this server among those whose gids must differ.",
							"-1 means none: each session then draws a random medallion.",
							&gid_node,
							GID_NO_NODE, GID_NO_NODE, GID_MAX_NODE,
							PGC_SIGHUP, 0, NULL, NULL, NULL);

	/* A real number, because an int of milliseconds ends at 24.8 days. */
	DefineCustomRealVariable("gid.max_clock_skew",
							 "Sets how far gids may be ahead of the clock.",
							 "A clock that is set back further is followed, and gid_observe() rejects a gid that is further ahead.",
							 &gid_max_clock_skew,
							 10 * 1000, 0, 1e14,
							 PGC_SUSET, GUC_UNIT_MS, NULL, NULL, NULL);

	DefineCustomEnumVariable("gid.instant",
							 "Sets what gid_new() takes as the instant of a gid.",
							 "The start of the transaction, or the clock.",
							 &gid_instant_source,
							 GID_BY_TRANSACTION, instant_sources,
							 PGC_USERSET, 0, NULL, NULL, NULL);

	DefineCustomBoolVariable("gid.settled_alone",
							 "Rejects gid_settled() in queries that name a table.",
							 "For servers that send queries of their tables to other servers.",
							 &gid_settled_alone,
							 false,
							 PGC_SIGHUP, 0, NULL, NULL, NULL);

	DefineCustomBoolVariable("gid.check_comparisons",
							 "Rejects comparisons of gids that are certainly of different kinds.",
							 NULL,
							 &gid_check_comparisons,
							 true,
							 PGC_USERSET, 0, NULL, NULL, NULL);

	MarkGUCPrefixReserved("gid");
}
