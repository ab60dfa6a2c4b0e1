/*
 * settings.c
 *		The configuration parameters.
 *
 * gid.node can be set only in postgresql.conf, because two servers with the
 * same number can mint the same id.
 *
 * gid.max_clock_skew requires a superuser, or a role with SET on the parameter.
 * If the sessions share a clock, the value in one session determines how far all
 * sessions can be ahead of it.
 *
 * Any role can set gid.instant_source and gid.check_comparisons, because they
 * affect only the ids and the queries of the session.
 */
#include "gid.h"

#include "utils/guc.h"

int			gid_node_number = GID_NO_NODE;
double		gid_max_clock_skew = 10 * 1000;
int			gid_instant_source = GID_BY_TRANSACTION;
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
							&gid_node_number,
							GID_NO_NODE, GID_NO_NODE, GID_MAX_NODE,
							PGC_SIGHUP, 0, NULL, NULL, NULL);

	/*
	 * A real number, because an int of milliseconds is limited to 24.8 days.
	 * The maximum of 3,170 years keeps all instants, and the microsecond after
	 * them, within the 48 bits of milliseconds until the clock is in the year
	 * 7719.
	 */
	DefineCustomRealVariable("gid.max_clock_skew",
							 "Sets how far gids may be ahead of the clock.",
							 "A clock that is set back further is followed, and gid_observe() rejects a gid that is further ahead.",
							 &gid_max_clock_skew,
							 10 * 1000, 0, 1e14,
							 PGC_SUSET, GUC_UNIT_MS, NULL, NULL, NULL);

	DefineCustomEnumVariable("gid.instant_source",
							 "Sets what gid_new() takes as the instant of a gid.",
							 "The start of the transaction, or the clock.",
							 &gid_instant_source,
							 GID_BY_TRANSACTION, instant_sources,
							 PGC_USERSET, 0, NULL, NULL, NULL);

	DefineCustomBoolVariable("gid.check_comparisons",
							 "Rejects comparisons of gids that are certainly of different kinds.",
							 NULL,
							 &gid_check_comparisons,
							 true,
							 PGC_USERSET, 0, NULL, NULL, NULL);

	MarkGUCPrefixReserved("gid");
}
