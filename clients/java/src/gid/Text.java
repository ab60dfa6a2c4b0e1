package gid;

import java.nio.charset.StandardCharsets;

/** The two texts of an id, as numbers in base 58.  Numbers are words of 32 bits, the first one the highest. */
final class Text {
	private static final String DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
	/** 58^5: the quotient and the remainder of a word and a carry fit into 64 bits. */
	private static final long FIVE_DIGITS = 656_356_768;

	private Text() {}

	/** 10 digits for the first 7 bytes, a dash, and 13 for the other 9. */
	static String canonical(Gid id) {
		var text = new char[24];
		put(text, 0, 10, (int) (id.high() >>> 40), (int) (id.high() >>> 8));
		text[10] = '-';
		put(text, 11, 24, (int) id.high() & 0xFF, (int) (id.low() >>> 32), (int) id.low());
		return new String(text);
	}

	static String compact(Gid id) {
		var text = new char[22];
		put(text, 0, 22, (int) (id.high() >>> 32), (int) id.high(), (int) (id.low() >>> 32), (int) id.low());
		return new String(text);
	}

	private static void put(char[] text, int from, int to, int... words) {
		for (int end = to; end > from; end -= 5) {
			long rest = 0;
			for (int i = 0; i < words.length; i++) {
				long number = rest << 32 | Integer.toUnsignedLong(words[i]);
				words[i] = (int) (number / FIVE_DIGITS);
				rest = number % FIVE_DIGITS;
			}
			for (int i = end - 1; i >= Math.max(from, end - 5); i--, rest /= 58)
				text[i] = DIGITS.charAt((int) (rest % 58));
		}
	}

	/** Lengths and positions are in bytes of UTF-8, as on the server. */
	static Gid decode(String text) {
		var bytes = text.getBytes(StandardCharsets.UTF_8);
		int dash = bytes.length == 24 ? 10 : -1;
		if (bytes.length != 24 && bytes.length != 22)
			throw invalid(text, "A gid is 24 bytes of text, or 22 in its compact form, not " + bytes.length + ".");
		for (int i = 0; i < bytes.length; i++) {
			if (bytes[i] == '-' != (i == dash))
				throw invalid(text, "A gid of 24 characters has one dash, at position 11; one of 22 has none.");
			if (i != dash && DIGITS.indexOf(bytes[i]) < 0)
				throw invalid(text, "The character at position " + (i + 1) + " is not a base-58 digit. The digits are "
					+ "\"1\" to \"9\", \"A\" to \"Z\" and \"a\" to \"z\", without \"I\", \"O\" and \"l\".");
		}

		long high, low;
		boolean fits;
		if (dash < 0) {
			var words = new int[4];
			fits = number(text, 0, 22, words);
			high = word(words, 0);
			low = word(words, 2);
		} else {
			var head = new int[2];
			var tail = new int[3];
			fits = number(text, 0, 10, head) & number(text, 11, 24, tail) && head[0] >>> 24 == 0 && tail[0] >>> 8 == 0;
			high = word(head, 0) << 8 | tail[0];
			low = word(tail, 1);
		}
		if (!fits)
			throw invalid(text, "Some of its digits encode a number that is too large.");
		if (high >= 0)
			throw invalid(text, "The first byte of a gid is 0x80 or above.");
		return new Gid(high, low);
	}

	/** Sets words to the number of some digits, and returns whether it fits. */
	private static boolean number(String text, int from, int to, int[] words) {
		boolean fits = true;
		for (int i = from; i < to; i++) {
			long carry = DIGITS.indexOf(text.charAt(i));
			for (int n = words.length - 1; n >= 0; n--) {
				carry += Integer.toUnsignedLong(words[n]) * 58;
				words[n] = (int) carry;
				carry >>>= 32;
			}
			fits &= carry == 0;
		}
		return fits;
	}

	private static long word(int[] words, int at) {
		return (long) words[at] << 32 | Integer.toUnsignedLong(words[at + 1]);
	}

	private static IllegalArgumentException invalid(String text, String reason) {
		return new IllegalArgumentException("invalid input syntax for type gid: \"" + text + "\". " + reason);
	}
}
