/*
 * mint.c
 *		SQL functions that mint ids, and that move the generator.
 */
#include "gid.h"

#include "utils/timestamp.h"

#include "server_clock.h"

PG_FUNCTION_INFO_V1(gid_new);
Datum
gid_new(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(gid_next(gid_kind_argument(fcinfo)));
}

/* An id for the current millisecond, with 64 random bits. */
PG_FUNCTION_INFO_V1(gid_random);
Datum
gid_random(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(gid_with_payload(gid_kind_argument(fcinfo),
								   gid_read_clock() / 1000, gid_random_bits()));
}

/* An id for a given time: its microseconds, and 54 random bits. */
PG_FUNCTION_INFO_V1(gid_random_at);
Datum
gid_random_at(PG_FUNCTION_ARGS)
{
	uint8		prefix = gid_kind_argument(fcinfo);
	int64		instant = gid_instant_from_timestamp(PG_GETARG_TIMESTAMPTZ(1));
	uint64		micro = instant % 1000;

	PG_RETURN_GID(gid_with_payload(prefix, instant / 1000,
								   micro << GID_MICRO_SHIFT |
								   gid_random_bits() >> (64 - GID_MICRO_SHIFT)));
}

/*
 * Returns the instant of a gid: all ids of the kind with a later instant are
 * larger than the gid.  If the payload is not a muid, byte 7 or the payload can
 * be larger than in any id that gid_new() mints in that millisecond.  The
 * instant is then the last microsecond of the millisecond.
 */
static int64
observed_instant(GidWords id)
{
	uint32		micro = gid_has_muid(id) ? gid_micro_of(id) : GID_MAX_MICRO;
	int64		instant = gid_ms_of(id) * 1000 + micro;

	gid_reject_future(id, instant, gid_nearest_clock());
	return instant;
}

PG_FUNCTION_INFO_V1(gid_observe);
Datum
gid_observe(PG_FUNCTION_ARGS)
{
	gid_reject_parallel_worker("execute gid_observe()");
	gid_observe_instant(observed_instant(PG_GETARG_GID(0)));
	PG_RETURN_VOID();
}

/* Moves all sessions of the server, so PUBLIC does not have EXECUTE. */
PG_FUNCTION_INFO_V1(gid_observe_server);
Datum
gid_observe_server(PG_FUNCTION_ARGS)
{
	int64		instant;

	gid_require_server_clock("gid_observe_server()");
	gid_reject_parallel_worker("execute gid_observe_server()");
	instant = observed_instant(PG_GETARG_GID(0));
	gid_raise_floor(instant);
	gid_observe_instant(instant);	/* for a transaction that has minted */
	PG_RETURN_VOID();
}
