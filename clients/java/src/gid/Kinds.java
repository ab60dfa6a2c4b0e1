package gid;

/** Kinds: the first byte of an id, and its name. */
final class Kinds {
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
		// Only ASCII has upper and lower case here.
		for (int prefix = 0x80; prefix < 0xFF; prefix++)
			if (sameName(kind, name(prefix)) || kind.equals(String.valueOf(prefix)))
				return prefix;
		throw new IllegalArgumentException("unrecognized gid kind: \"" + kind + "\". A kind is \"volume\", \"log\", "
			+ "\"segment\", a letter from \"a\" to \"z\", or a number from 128 to 254.");
	}

	private static boolean sameName(String kind, String name) {
		if (kind.length() != name.length())
			return false;
		for (int i = 0; i < name.length(); i++) {
			char c = kind.charAt(i);
			if ((c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c) != name.charAt(i))
				return false;
		}
		return true;
	}
}
