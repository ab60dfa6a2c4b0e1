package gid;

import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Locale;
import java.util.UUID;

/** Everything that an id contains, as PostgreSQL writes it: what gid_explain returns on the server, in UTC. */
public record Explanation(String kind, int prefix, String time, String age, String instant, Integer node,
		Integer medallion, Integer gidOffset, String transaction, String text, String compact, String uuid,
		String muid, String remarks) {

	// The digits are ASCII, whatever the locale is.
	private static final DateTimeFormatter CLOCK = new DateTimeFormatterBuilder().appendPattern("HH:mm:ss")
		.appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true).toFormatter(Locale.ROOT);
	private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder().appendPattern("u-MM-dd'T'").append(CLOCK)
		.appendLiteral("+00:00").toFormatter(Locale.ROOT);

	static Explanation of(Gid id) {
		var now = Mint.clock.instant();
		long age = (now.getEpochSecond() * 1000 - id.unixMs()) * 1000 + now.getNano() / 1000;
		boolean has = id.instant().isPresent();
		long instant = id.instant().orElse(0);
		int medallion = id.medallion().orElse(0), offset = id.offset().orElse(0);

		var remarks = new ArrayList<String>();
		if (id.prefix() == 255)
			remarks.add("prefix 255 is not a kind");
		remarks.add((id.high() & 0xFF) == 0 && id.low() == 0 ? "a bound, not the id of anything"
			: has ? "node and medallion are random unless gid.node was set" : "no instant: not minted by gid_new");
		if (age < 0)
			remarks.add("the time is in the future");

		return new Explanation(id.kind(), id.prefix(), timestamp(id.unixMs() * 1000), interval(age),
			has ? timestamp(instant) : null, has ? medallion >> 14 : null, has ? medallion : null, has ? offset : null,
			has ? new Gid(id.high(), id.low() >>> 30 << 30).toString() : null, id.toString(), id.compact(),
			new UUID(id.high(), id.low()).toString(),
			has ? String.format(Locale.ROOT, "%013X-%011X-%08X", instant, (1L << 40) + medallion, offset) : null,
			String.join("; ", remarks));
	}

	private static String timestamp(long instant) {
		return TIME.format(LocalDateTime.ofEpochSecond(instant / 1_000_000, (int) (instant % 1_000_000) * 1000, ZoneOffset.UTC));
	}

	private static String interval(long age) {
		var sign = age < 0 ? "-" : "";
		long micro = Math.abs(age) % 86_400_000_000L, days = Math.abs(age) / 86_400_000_000L;
		var parts = new ArrayList<String>();
		if (days > 0)
			parts.add(sign + days + (days == 1 && age > 0 ? " day" : " days"));
		if (micro > 0 || days == 0)
			parts.add(sign + CLOCK.format(LocalTime.ofNanoOfDay(micro * 1000)));
		return String.join(" ", parts);
	}
}
