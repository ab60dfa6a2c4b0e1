/*
 * time.c
 *		Conversion of a time to an instant.
 *
 * An instant is in microseconds since the Unix epoch, a TimestampTz in
 * microseconds since 2000.  A gid contains whole milliseconds from 1970 to
 * 10889.  If gid_new() minted it, the payload contains the microseconds.
 *
 * This file must not depend on the clock (clock.c).  For conditions on time, see
 * bound.c, which accepts all times.
 */
#include "gid.h"

#include "utils/timestamp.h"

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
