package gid;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;

/**
 * Minting.  All that a process mints without a time is one number, which only grows: the instant, and below it 54
 * random bits.  If the clock shows a later microsecond, that and new random bits are next.  If it does not, the number
 * is counted up by one; so the random bits run over into the next microsecond, and if the clock is set back, the
 * numbers continue.
 */
final class Mint {
	private static final int RANDOM_BITS = 54;
	private static final long MAX_INSTANT = Gid.MAX_MILLI * 1000 + 999;
	/** Random bytes that are left.  They are fetched in blocks, which takes less time. */
	static final ByteBuffer BLOCK = ByteBuffer.allocate(512).limit(0);

	/** Tests replace the source and the clock. */
	static volatile SecureRandom source = new SecureRandom();
	static volatile Clock clock = Clock.systemUTC();

	private static long last;
	private static long low;

	private Mint() {}

	static Gid next(int prefix) {
		long now = instantOf(clock.instant());
		synchronized (BLOCK) {
			if (now > last) {
				low = random();
				last = now;
			} else if (++low >>> RANDOM_BITS != 0) {
				last++;
				low = 0;
			}
			return pack(prefix, last, low);
		}
	}

	static Gid at(int prefix, Instant time) {
		long instant = instantOf(time);
		synchronized (BLOCK) {
			return pack(prefix, instant, random());
		}
	}

	/** Microseconds since 1970, rounded down. */
	private static long instantOf(Instant time) {
		long seconds = time.getEpochSecond();
		if (seconds >= 0 && seconds <= MAX_INSTANT / 1_000_000) {
			long instant = seconds * 1_000_000 + time.getNano() / 1000;
			if (instant <= MAX_INSTANT)
				return instant;
		}
		throw new IllegalArgumentException("timestamp out of range for type gid: " + time
			+ ". A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC.");
	}

	private static long random() {
		if (!BLOCK.hasRemaining()) {
			source.nextBytes(BLOCK.array());
			BLOCK.clear();
		}
		return BLOCK.getLong() >>> 64 - RANDOM_BITS;
	}

	private static Gid pack(long prefix, long instant, long low) {
		return new Gid(prefix << 56 | instant / 1000 << 8 | Gid.OTHER_PAYLOAD, instant % 1000 << RANDOM_BITS | low);
	}
}
