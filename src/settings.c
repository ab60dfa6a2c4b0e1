/*
 * settings.c
 *		The parameters of the generator.
 *
 * gid.node is for postgresql.conf only, because two servers with one number
 * could mint the same id.  gid.max_clock_skew is for superusers, because an id
 * far ahead of the clock spoils the order for all.  gid.instant is for
 * everybody, because it concerns the order of one's own ids only.
 */
#include "gid.h"

#include <limits.h>

#include "utils/guc.h"

int			gid_node = GID_NO_NODE;
int			gid_max_clock_skew = 10 * 1000;
int			gid_instant_source = GID_BY_TRANSACTION;

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

	DefineCustomIntVariable("gid.max_clock_skew",
							"Sets how far gids may be ahead of the clock.",
							"A clock that is set back further is followed, and gid_observe() rejects a gid that is further ahead.",
							&gid_max_clock_skew,
							10 * 1000, 0, INT_MAX,
							PGC_SUSET, GUC_UNIT_MS, NULL, NULL, NULL);

	DefineCustomEnumVariable("gid.instant",
							 "Sets what gid_new() takes as the instant of a gid.",
							 "The start of the transaction, or the clock.",
							 &gid_instant_source,
							 GID_BY_TRANSACTION, instant_sources,
							 PGC_USERSET, 0, NULL, NULL, NULL);

	MarkGUCPrefixReserved("gid");
}
