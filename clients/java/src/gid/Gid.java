package gid;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An id of PostgreSQL's extension gid: 16 bytes that sort by creation time, contain their kind, and print as 24
 * characters.  Ids are equal, sorted and hashed by their bytes, as on the server.
 *
 * <p>A kind is a name ("volume", "log", "segment", "a" to "z", in upper or lower case) or a number from 128 to 254 as
 * text.  What is wrong with a value is an {@link IllegalArgumentException} with the server's reason.
 *
 * @param high the first 8 bytes
 * @param low the other 8 bytes
 */
public record Gid(long high, long low) implements Comparable<Gid>, Serializable {
	static final long MAX_MILLI = (1L << 48) - 1;

	/** In byte 7, if the payload is not a muid.  No kind has this prefix. */
	static final int OTHER_PAYLOAD = 0xFF;

	/** The id of two words.  The first byte must be 0x80 or above. */
	public Gid {
		if (high >= 0)
			throw new IllegalArgumentException(String.format(Locale.ROOT, "invalid binary value for type gid. "
				+ "The first byte is 0x%02x; in a gid it is 0x80 or above.", high >>> 56));
	}

	/** Returns the id of a text, of 24 characters or of the 22 of the compact form. */
	@JsonCreator
	public static Gid parse(String text) {
		return Text.decode(text);
	}

	/** Returns the id of a text, if it is of a kind. */
	public static Gid parse(String text, String kind) {
		return parse(text).requireKind(kind);
	}

	/** Returns this id.  It is an {@link IllegalArgumentException} if the id is of another kind. */
	public Gid requireKind(String kind) {
		if (prefix() != Kinds.prefix(kind))
			throw new IllegalArgumentException("gid of kind \"" + kind() + "\" does not match type gid("
				+ Kinds.name(Kinds.prefix(kind)) + "). The value \"" + this + "\" is an id of kind \"" + kind()
				+ "\". Check the value, or the kind that the program expects.");
		return this;
	}

	/** Returns whether {@link #parse(String)} accepts a text.  It does not accept null. */
	public static boolean isValid(String text) {
		return orNull(text) != null;
	}

	/** Returns whether {@link #parse(String, String)} accepts a text.  A kind that there is not is an error. */
	public static boolean isValid(String text, String kind) {
		var id = orNull(text);
		return Kinds.prefix(kind) == (id == null ? 0 : id.prefix());
	}

	private static Gid orNull(String text) {
		try {
			return text == null ? null : parse(text);
		} catch (IllegalArgumentException e) {
			return null;
		}
	}

	/** Returns the id of 16 bytes. */
	public static Gid of(byte[] bytes) {
		if (bytes.length != 16)
			throw new IllegalArgumentException(
				"invalid binary value for type gid. A gid is 16 bytes, not " + bytes.length + ".");
		var buffer = ByteBuffer.wrap(bytes);
		return new Gid(buffer.getLong(), buffer.getLong());
	}

	/**
	 * Returns a new id: the clock's microsecond and 54 random bits.  Each is larger than the ids of its kind that this
	 * process minted before in this way.
	 *
	 * <p>The server's gid_settled() does not cover these ids.  Where programs poll with it, let the server mint.
	 */
	public static Gid create(String kind) {
		return Mint.next(Kinds.prefix(kind));
	}

	/** Returns an id for a time, in whole microseconds, with 54 random bits. */
	public static Gid create(String kind, Instant time) {
		return Mint.at(Kinds.prefix(kind), time);
	}

	/**
	 * Returns the smallest id of a kind whose time, in whole milliseconds, is at or after a time.  Past the last
	 * millisecond it is the first id above the kind.
	 */
	public static Gid lowerBound(String kind, Instant time) {
		return bound(kind, time, time.getNano() % 1_000_000 == 0 ? 0 : 1);
	}

	/** Returns the smallest id of a kind whose time, in whole milliseconds, is after a time. */
	public static Gid upperBound(String kind, Instant time) {
		return bound(kind, time, 1);
	}

	private static Gid bound(String kind, Instant time, int more) {
		long prefix = Kinds.prefix(kind);
		if (time.isBefore(Instant.EPOCH))
			return new Gid(prefix << 56, 0);
		if (time.getEpochSecond() > MAX_MILLI / 1000 || time.toEpochMilli() + more > MAX_MILLI)
			return new Gid(prefix + 1 << 56, 0);
		return new Gid(prefix << 56 | time.toEpochMilli() + more << 8, 0);
	}

	/** Returns the text of 24 characters. */
	@JsonValue
	@Override
	public String toString() {
		return Text.canonical(this);
	}

	/** Returns the other text, of 22 characters. */
	public String compact() {
		return Text.compact(this);
	}

	/** Returns the 16 bytes. */
	public byte[] bytes() {
		return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
	}

	/** Returns the name of the kind, or its number as text if it has no name. */
	public String kind() {
		return Kinds.name(prefix());
	}

	/** Returns the first byte: the kind as a number. */
	public int prefix() {
		return (int) (high >>> 56);
	}

	/** Returns the creation time in whole milliseconds. */
	public Instant time() {
		return Instant.ofEpochMilli(unixMs());
	}

	/** Returns the creation time in milliseconds since 1970. */
	public long unixMs() {
		return high >>> 8 & MAX_MILLI;
	}

	/** Returns the creation time in microseconds since 1970.  It is empty unless the server's gid_new minted the id. */
	public OptionalLong instant() {
		long micro = low >>> 54;
		boolean has = (high & 0xFF) == prefix() && prefix() != OTHER_PAYLOAD && micro <= 999;
		return has ? OptionalLong.of(unixMs() * 1000 + micro) : OptionalLong.empty();
	}

	/**
	 * Returns the upper 10 bits of the medallion: the number of the server, if that has gid.node set.  It is empty
	 * where the instant is.
	 */
	public OptionalInt node() {
		return part(44, 0x3FF);
	}

	/** Returns the number of the generator.  It is empty where the instant is. */
	public OptionalInt medallion() {
		return part(30, 0xFFFFFF);
	}

	/** Returns the number of the id within its transaction.  It is empty where the instant is. */
	public OptionalInt offset() {
		return part(0, 0x3FFFFFFF);
	}

	private OptionalInt part(int shift, int mask) {
		return instant().isPresent() ? OptionalInt.of((int) (low >>> shift) & mask) : OptionalInt.empty();
	}

	/** Returns everything that the id contains, as the server's gid_explain does. */
	public Explanation explain() {
		return Explanation.of(this);
	}

	/** Compares by bytes, as the server does. */
	@Override
	public int compareTo(Gid other) {
		int order = Long.compareUnsigned(high, other.high);
		return order != 0 ? order : Long.compareUnsigned(low, other.low);
	}
}
