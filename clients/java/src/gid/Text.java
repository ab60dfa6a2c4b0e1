package gid;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The two texts of an id, as numbers in base 58.  Ten digits are the most that fit into 64 bits. */
final class Text {
	private static final String DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
	private static final int TWO_DIGITS = 58 * 58;
	private static final long FOUR_DIGITS = TWO_DIGITS * TWO_DIGITS;
	private static final long TEN_DIGITS = FOUR_DIGITS * FOUR_DIGITS * TWO_DIGITS;

	/** All numbers of two digits, and how they are written: as two bytes in one number. */
	private static final char[] PAIRS = new char[TWO_DIGITS];

	/** The value of each character, -1 if it is not a digit. */
	private static final byte[] VALUES = new byte[256];

	static {
		for (int i = 0; i < TWO_DIGITS; i++)
			PAIRS[i] = (char) (DIGITS.charAt(i / 58) << 8 | DIGITS.charAt(i % 58));
		Arrays.fill(VALUES, (byte) -1);
		for (int i = 0; i < 58; i++)
			VALUES[DIGITS.charAt(i)] = (byte) i;
	}

	private Text() {}

	/** 10 digits for the first 7 bytes, a dash, and 13 for the other 9. */
	static String canonical(Gid id) {
		var text = new byte[24];
		long upper = (id.high() & 0xFF) << 32 | id.low() >>> 32, lower = upper % FOUR_DIGITS << 32 | id.low() & 0xFFFF_FFFFL;
		long head = (upper / FOUR_DIGITS << 32) + lower / FOUR_DIGITS;
		put(text, 0, 10, id.high() >>> 8);
		put(text, 20, 24, lower % FOUR_DIGITS);
		text[11] = (byte) DIGITS.charAt((int) put(text, 12, 20, head));
		text[10] = '-';
		return new String(text, StandardCharsets.ISO_8859_1);
	}

	static String compact(Gid id) {
		var text = new byte[22];
		var parts = new BigInteger(1, id.bytes()).divideAndRemainder(BigInteger.valueOf(TEN_DIGITS));
		put(text, 12, 22, parts[1].longValue());
		parts = parts[0].divideAndRemainder(BigInteger.valueOf(TEN_DIGITS));
		put(text, 2, 12, parts[1].longValue());
		put(text, 0, 2, parts[0].longValue());
		return new String(text, StandardCharsets.ISO_8859_1);
	}

	/** Writes an even number of digits, and returns what is left of the number. */
	private static long put(byte[] text, int from, int to, long number) {
		for (int i = to - 2; i >= from; i -= 2, number /= TWO_DIGITS) {
			char pair = PAIRS[(int) (number % TWO_DIGITS)];
			text[i] = (byte) (pair >> 8);
			text[i + 1] = (byte) pair;
		}
		return number;
	}

	static Gid decode(String text) {
		long high = 0, low = 0, bad = 0, overflow = 0;
		if (text.length() == 24) {
			long time = number(text, 0, 10), three = number(text, 11, 14), ten = number(text, 14, 24);
			low = three * TEN_DIGITS + ten;
			long upper = Math.multiplyHigh(three, TEN_DIGITS) + (Long.compareUnsigned(low, ten) < 0 ? 1 : 0);
			high = time << 8 | upper;
			overflow = time >>> 56 | upper >>> 8;
			bad = time | three | ten | (text.charAt(10) == '-' ? 0 : -1);
		} else if (text.length() == 22) {
			long two = number(text, 0, 2), middle = number(text, 2, 12), last = number(text, 12, 22);
			var ten = BigInteger.valueOf(TEN_DIGITS);
			var number = BigInteger.valueOf(two).multiply(ten).add(BigInteger.valueOf(middle)).multiply(ten).add(BigInteger.valueOf(last));
			high = number.shiftRight(64).longValue();
			low = number.longValue();
			overflow = number.shiftRight(128).longValue();
			bad = two | middle | last;
		}
		if (bad < 0 || overflow != 0 || high >= 0)
			throw new IllegalArgumentException("invalid input syntax for type gid: \"" + text + "\". " + reason(text, overflow != 0));
		return new Gid(high, low);
	}

	/** Returns the number of up to ten digits, or -1 if one of the characters is not a digit. */
	private static long number(String text, int from, int to) {
		long n = 0;
		int bad = 0;
		for (int i = from; i < to; i++) {
			char c = text.charAt(i);
			int value = c < 256 ? VALUES[c] : -1;
			bad |= value;
			n = n * 58 + value;
		}
		return bad < 0 ? -1 : n;
	}

	/** Lengths and positions are in bytes of UTF-8, as on the server. */
	private static String reason(String text, boolean isTooLarge) {
		var bytes = text.getBytes(StandardCharsets.UTF_8);
		if (bytes.length != 24 && bytes.length != 22)
			return "A gid is 24 bytes of text, or 22 in its compact form, not " + bytes.length + ".";
		for (int i = 0; i < bytes.length; i++) {
			boolean isDash = bytes[i] == '-';
			if (isDash != (i == 10 && bytes.length == 24))
				return "A gid of 24 characters has one dash, at position 11; one of 22 has none.";
			if (!isDash && VALUES[bytes[i] & 0xFF] < 0)
				return "The character at position " + (i + 1) + " is not a base-58 digit. The digits are "
					+ "\"1\" to \"9\", \"A\" to \"Z\" and \"a\" to \"z\", without \"I\", \"O\" and \"l\".";
		}
		return isTooLarge ? "Some of its digits encode a number that is too large." : "The first byte of a gid is 0x80 or above.";
	}
}
