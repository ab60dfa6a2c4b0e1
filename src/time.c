/*
 * time.c
 *		Between gids and times.
 *
 * An instant is in microseconds since the Unix epoch; a TimestampTz in
 * microseconds since 2000.  A gid holds whole milliseconds from 1970 to
 * 10889, and gid_new() adds the microseconds in the payload.
 */
#include "gid.h"

#include "utils/timestamp.h"

#define UNIX_TO_POSTGRES_EPOCH \
	((POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

/* The instant of a time that a gid can hold; an error for any other. */
int64
gid_instant_from_timestamp(TimestampTz at)
{
	if (at < -UNIX_TO_POSTGRES_EPOCH ||
		at > GID_MAX_INSTANT - UNIX_TO_POSTGRES_EPOCH)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for type gid: \"%s\"",
						timestamptz_to_str(at)),
				 errdetail("A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC.")));
	return at + UNIX_TO_POSTGRES_EPOCH;
}

PG_FUNCTION_INFO_V1(gid_timestamp);
Datum
gid_timestamp(PG_FUNCTION_ARGS)
{
	int64		ms = gid_ms_of(PG_GETARG_GID(0));

	PG_RETURN_TIMESTAMPTZ(ms * 1000 - UNIX_TO_POSTGRES_EPOCH);
}

PG_FUNCTION_INFO_V1(gid_instant);
Datum
gid_instant(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);

	if (!gid_may_be_muid(id))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ((int64) gid_ms_of(id) * 1000 + gid_micro_of(id) -
						  UNIX_TO_POSTGRES_EPOCH);
}

/*
 * The smallest possible gid of a kind whose gid_timestamp() is at or after a
 * time.  Where the kind has none, because the time is past the last
 * millisecond, it is the smallest gid above the whole kind: so "id >= floor"
 * and "id < floor" are right for every time, infinite ones included.
 */
static GidWords
floor_of(uint8 prefix, TimestampTz at)
{
	GidWords	id = {(uint64) prefix << GID_PREFIX_SHIFT, 0};

	if (at > (int64) GID_MAX_MS * 1000 - UNIX_TO_POSTGRES_EPOCH)
		id.high += UINT64CONST(1) << GID_PREFIX_SHIFT;
	else if (at > -UNIX_TO_POSTGRES_EPOCH)
	{
		int64		instant = at + UNIX_TO_POSTGRES_EPOCH;

		id.high |= (uint64) ((instant + 999) / 1000) << GID_MS_SHIFT;
	}
	return id;
}

PG_FUNCTION_INFO_V1(gid_floor_name);
Datum
gid_floor_name(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(floor_of(gid_kind_argument_name(fcinfo),
						   PG_GETARG_TIMESTAMPTZ(1)));
}

PG_FUNCTION_INFO_V1(gid_floor_number);
Datum
gid_floor_number(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(floor_of(gid_kind_argument_number(fcinfo),
						   PG_GETARG_TIMESTAMPTZ(1)));
}
