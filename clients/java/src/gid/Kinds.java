package gid;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Kinds: the first byte of an id, and its name. */
final class Kinds {
	private static final Map<String, Integer> PREFIXES = new HashMap<>();

	static {
		for (int prefix = 0x80; prefix < 0xFF; prefix++) {
			PREFIXES.put(String.valueOf(prefix), prefix);
			PREFIXES.put(name(prefix), prefix);
		}
	}

	private Kinds() {}

	static String name(int prefix) {
		return switch (prefix) {
			case 0x80 -> "volume";
			case 0xA0 -> "log";
			case 0xC0 -> "segment";
			default -> prefix >= 0xE1 && prefix < 0xE1 + 26
				? String.valueOf((char) ('a' + prefix - 0xE1)) : String.valueOf(prefix);
		};
	}

	static int prefix(String kind) {
		var prefix = PREFIXES.get(kind);
		if (prefix == null && kind.matches("\\p{ASCII}*")) // other characters have no upper case here
			prefix = PREFIXES.get(kind.toLowerCase(Locale.ROOT));
		if (prefix == null)
			throw new IllegalArgumentException("unrecognized gid kind: \"" + kind + "\". A kind is \"volume\", \"log\", "
				+ "\"segment\", a letter from \"a\" to \"z\", or a number from 128 to 254.");
		return prefix;
	}
}
