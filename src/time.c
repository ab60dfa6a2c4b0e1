/*
 * time.c
 *		Conversion between gids and times.
 *
 * An instant is in microseconds since the Unix epoch, a TimestampTz in
 * microseconds since 2000.  A gid contains whole milliseconds from 1970 to
 * 10889.  If gid_new() minted it, the payload contains the microseconds.
 *
 * For conditions on time, see bound.c.
 */
#include "gid.h"

#include "utils/timestamp.h"

#include "codec.h"

/* The instant of a time.  Raises an error if a gid cannot contain the time. */
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

/*
 * Raises an error if the time of a gid is ahead of the clock by more than
 * gid.max_clock_skew.  The caller passes the time, with microseconds if the gid
 * has them, and the reading of the clock that its volatility permits.
 */
void
gid_reject_future(GidWords id, TimestampTz at, TimestampTz now)
{
	if (at - now > gid_allowed_lead())
	{
		char		text[GID_TEXT_LENGTH];
		char	   *time = pstrdup(timestamptz_to_str(at));

		gid_encode(id, text);
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("gid \"%.*s\" is too far ahead of the clock",
						GID_TEXT_LENGTH, text),
				 errdetail("Its time is %s, the clock is at %s, and \"gid.max_clock_skew\" is %.15g ms.",
						   time, timestamptz_to_str(now), gid_max_clock_skew)));
	}
}

PG_FUNCTION_INFO_V1(gid_timestamp);
Datum
gid_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(gid_time_of(PG_GETARG_GID(0)));
}

PG_FUNCTION_INFO_V1(gid_instant);
Datum
gid_instant(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);

	if (!gid_may_be_muid(id))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(gid_time_of(id) + gid_micro_of(id));
}
