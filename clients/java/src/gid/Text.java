package gid;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The two texts of an id, as numbers in base 58.  Five digits fit into 30 bits, so that all arithmetic is in words. */
final class Text {
	private static final String DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
	private static final long FIVE_DIGITS = 656_356_768; // 58^5
	private static final long TEN_DIGITS = FIVE_DIGITS * FIVE_DIGITS;
	private static final int TWO_DIGITS = 58 * 58;
	private static final long WORD = 0xFFFF_FFFFL;

	/** All numbers of two digits, and how they are written. */
	private static final short[] PAIRS = new short[TWO_DIGITS];
	private static final VarHandle PAIR = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

	/** The value of each character, -1 if it is not a digit. */
	private static final byte[] VALUES = new byte[256];

	static {
		for (int i = 0; i < TWO_DIGITS; i++)
			PAIRS[i] = (short) (DIGITS.charAt(i / 58) << 8 | DIGITS.charAt(i % 58));
		Arrays.fill(VALUES, (byte) -1);
		for (int i = 0; i < 58; i++)
			VALUES[DIGITS.charAt(i)] = (byte) i;
	}

	private Text() {}

	/** 10 digits for the first 7 bytes, a dash, and 13 for the other 9. */
	static String canonical(Gid id) {
		var text = new byte[24];
		long time = id.high() >>> 8, upper = (id.high() & 0xFF) << 32 | id.low() >>> 32;
		long lower = upper % FIVE_DIGITS << 32 | id.low() & WORD, head = (upper / FIVE_DIGITS << 32) + lower / FIVE_DIGITS;
		put(text, 0, time / FIVE_DIGITS);
		put(text, 5, time % FIVE_DIGITS);
		int three = (int) (head / FIVE_DIGITS);
		text[11] = (byte) PAIRS[three / TWO_DIGITS];
		PAIR.set(text, 12, PAIRS[three % TWO_DIGITS]);
		put(text, 14, head % FIVE_DIGITS);
		put(text, 19, lower % FIVE_DIGITS);
		text[10] = '-';
		return new String(text, StandardCharsets.ISO_8859_1);
	}

	static String compact(Gid id) {
		var text = new byte[25]; // 22 digits after three zeros
		var number = new BigInteger(1, id.bytes());
		for (int place = 20; place >= 0; place -= 5) {
			var parts = number.divideAndRemainder(BigInteger.valueOf(FIVE_DIGITS));
			put(text, place, parts[1].longValue());
			number = parts[0];
		}
		return new String(text, 3, 22, StandardCharsets.ISO_8859_1);
	}

	private static void put(byte[] text, int place, long number) {
		int n = (int) number, upper = n / TWO_DIGITS;
		text[place] = (byte) PAIRS[upper / TWO_DIGITS];
		PAIR.set(text, place + 1, PAIRS[upper % TWO_DIGITS]);
		PAIR.set(text, place + 3, PAIRS[n % TWO_DIGITS]);
	}

	static Gid decode(String text) {
		var bytes = text.getBytes(StandardCharsets.ISO_8859_1); // other characters are "?"
		long high = 0, low = 0, bad = 0, overflow = 0;
		if (bytes.length == 24) {
			long time = number(bytes, 0, 10), three = number(bytes, 11, 14), ten = number(bytes, 14, 24);
			low = three * TEN_DIGITS + ten;
			long upper = Math.multiplyHigh(three, TEN_DIGITS) + (Long.compareUnsigned(low, ten) < 0 ? 1 : 0);
			high = time << 8 | upper;
			overflow = time >>> 56 | upper >>> 8;
			bad = time | three | ten | (bytes[10] == '-' ? 0 : -1);
		} else if (bytes.length == 22) {
			long two = number(bytes, 0, 2), middle = number(bytes, 2, 12), last = number(bytes, 12, 22);
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
	private static long number(byte[] text, int from, int to) {
		long n = 0;
		int bad = 0;
		for (int i = from; i < to; i++) {
			int value = VALUES[text[i] & 0xFF];
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
