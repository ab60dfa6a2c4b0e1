/*
 * clock.c
 *		Instants and the clock of the machine: the instant of a time, reading the
 *		clock, waiting for it, and the limit on how far a gid may be ahead of it.
 *
 * An instant is in microseconds since the Unix epoch, a TimestampTz since 2000.  A
 * gid contains whole milliseconds from 1970 to 10889.  The payload of gid_new()
 * contains the microseconds.  For conditions on time, see bound.c.
 *
 * This file must not depend on who reads the clock: a session (generator.c), or
 * all sessions of the server together (server_clock.c).
 */
#include "gid.h"

#include "port/atomics.h"
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

/* The current time.  Raises an error if a gid cannot contain it. */
int64
gid_read_clock(void)
{
	return gid_instant_from_timestamp(GetCurrentTimestamp());
}

/* The current time, or the nearest instant that a gid can contain. */
int64
gid_nearest_clock(void)
{
	int64		clock = GetCurrentTimestamp() + UNIX_TO_POSTGRES_EPOCH;

	return Max(0, Min(clock, GID_MAX_INSTANT));
}

/*
 * Waits until the clock shows at least this many microseconds after a reading,
 * or a time before it.  The limit of a thousand readings, which take longer
 * than two microseconds, is for a clock that does not move.  The wait is too
 * short to need CHECK_FOR_INTERRUPTS().
 */
void
gid_wait_for_clock(int64 reading, int64 microseconds)
{
	for (int i = 0; i < 1000 &&
		 (uint64) (gid_nearest_clock() - reading) < (uint64) microseconds; i++)
		pg_spin_delay();
}

/* How far ids may be ahead of the clock, in microseconds. */
int64
gid_allowed_lead(void)
{
	return (int64) (gid_max_clock_skew * 1000);
}

/*
 * Raises an error if the instant of a gid is ahead of the clock by more than
 * gid.max_clock_skew.  The caller passes the instant, with microseconds if the
 * gid has them, and the reading of the clock that its volatility permits.
 */
void
gid_reject_future(GidWords id, int64 instant, int64 clock)
{
	char	   *time;

	if (instant - clock <= gid_allowed_lead())
		return;
	time = pstrdup(timestamptz_to_str(instant - UNIX_TO_POSTGRES_EPOCH));
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("gid \"%s\" is too far ahead of the clock",
					gid_to_text(id)),
			 errdetail("Its time is %s, the clock is at %s, and \"gid.max_clock_skew\" is %.15g ms.",
					   time, timestamptz_to_str(clock - UNIX_TO_POSTGRES_EPOCH),
					   gid_max_clock_skew)));
}
