/*
 * settings.c
 *		The parameters of the generator.
 *
 * Who may set which: a node number is the operator's, because two servers that
 * share one could mint the same id; how far a session may be led by its clock
 * or by others' ids is the superuser's; how instants are taken is anybody's,
 * because it concerns only the order of their own ids.
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
							"Number of this server among those whose gids must never meet, from 0 to 1023.",
							"-1 for none: then each session draws a random number.",
							&gid_node,
							GID_NO_NODE, GID_NO_NODE, GID_MAX_NODE,
							PGC_SIGHUP, 0, NULL, NULL, NULL);

	DefineCustomIntVariable("gid.max_clock_skew",
							"How far the ids of a session may be ahead of the clock.",
							"A clock that is set back by more is followed, and an observed gid further ahead is refused.",
							&gid_max_clock_skew,
							10 * 1000, 0, INT_MAX,
							PGC_SUSET, GUC_UNIT_MS, NULL, NULL, NULL);

	DefineCustomEnumVariable("gid.instant",
							 "What gid_new() takes as the instant of an id.",
							 "The start of the transaction, or the clock.",
							 &gid_instant_source,
							 GID_BY_TRANSACTION, instant_sources,
							 PGC_USERSET, 0, NULL, NULL, NULL);

	MarkGUCPrefixReserved("gid");
}
