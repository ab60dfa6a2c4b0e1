package gid;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Answers the questions of doc/format.md, a line for each line of standard input. */
class Conformance {
	static byte[] bytesOf(String hex) {
		return HexFormat.of().parseHex(hex);
	}

	static String textOf(String hex) {
		return new String(bytesOf(hex), StandardCharsets.UTF_8);
	}

	/** Throws if no Instant has this time. */
	static Instant timeOf(String micro) {
		var billion = BigInteger.valueOf(1_000_000_000);
		var nano = new BigDecimal(micro).movePointRight(3).toBigIntegerExact();
		var ofSecond = nano.mod(billion);
		return Instant.ofEpochSecond(nano.subtract(ofSecond).divide(billion).longValueExact(), ofSecond.longValue());
	}

	static String answer(Supplier<?> call) {
		try {
			return "ok\t" + call.get();
		} catch (IllegalArgumentException e) {
			return "error\t" + HexFormat.of().formatHex(e.getMessage().getBytes(StandardCharsets.UTF_8));
		}
	}

	static Gid parse(List<String> fields) {
		var text = textOf(fields.get(0));
		return fields.size() > 1 ? Gid.parse(text, fields.get(1)) : Gid.parse(text);
	}

	static boolean isValid(List<String> fields) {
		var text = fields.get(0).equals("-") ? null : textOf(fields.get(0));
		return fields.size() > 1 ? Gid.isValid(text, fields.get(1)) : Gid.isValid(text);
	}

	static String json(String text) {
		try {
			var id = new ObjectMapper().readValue(text, Gid.class);
			return id == null ? "null" : "ok\t" + id;
		} catch (JsonProcessingException e) {
			return "error";
		}
	}

	static String change(Gid id) {
		Arrays.fill(id.bytes(), (byte) 0);
		return read(id);
	}

	static String read(Gid id) {
		var parts = new ArrayList<Object>(List.of(id, HexFormat.of().formatHex(id.bytes()), id.compact(), id.kind(),
			id.prefix(), id.time().toEpochMilli()));
		parts.add(id.instant().isPresent() ? id.instant().getAsLong() : "-");
		for (var part : List.of(id.node(), id.medallion(), id.offset()))
			parts.add(part.isPresent() ? part.getAsInt() : "-");
		return parts.stream().map(String::valueOf).collect(Collectors.joining("\t"));
	}

	static String compare(Gid a, Gid b) {
		int order = Integer.signum(a.compareTo(b));
		boolean same = new HashSet<>(List.of(a)).contains(b);
		return same == (order == 0) && a.equals(b) == same ? "<=>".substring(order + 1, order + 2) : "?";
	}

	/** New ids, for a time if there is a third field. */
	static String mint(List<String> fields) {
		var kind = fields.get(0);
		var time = fields.size() > 2 ? timeOf(fields.get(2)) : null;
		return LongStream.range(0, Long.parseLong(fields.get(1)))
			.mapToObj(n -> (time == null ? Gid.create(kind) : Gid.create(kind, time)).toString())
			.collect(Collectors.joining("\t"));
	}

	static String threads(int count, List<String> fields) {
		var minted = new String[count];
		var running = new Thread[minted.length];
		for (int i = 0; i < minted.length; i++) {
			int n = i;
			running[n] = new Thread(() -> minted[n] = mint(fields));
			running[n].start();
		}
		try {
			for (var thread : running)
				thread.join();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
		return String.join("\t", minted);
	}

	static String setClock(String at) {
		Mint.clock = at.equals("-") ? Clock.systemUTC() : Clock.fixed(timeOf(at), ZoneOffset.UTC);
		return "ok";
	}

	static String setRandom(String bits) {
		Mint.BLOCK.limit(0);
		Mint.source = bits.equals("-") ? new SecureRandom() : new SecureRandom() {
			@Override
			public void nextBytes(byte[] bytes) {
				for (var buffer = ByteBuffer.wrap(bytes); buffer.hasRemaining();)
					buffer.putLong(Long.parseLong(bits) << 10);
			}
		};
		return "ok";
	}

	static String setLocale(String tag) {
		Locale.setDefault(Locale.forLanguageTag(tag));
		return "ok";
	}

	static String reply(String operation, List<String> fields) {
		var first = fields.get(0);
		return switch (operation) {
			case "text" -> answer(() -> parse(fields));
			case "bytes" -> answer(() -> Gid.of(bytesOf(first)));
			case "valid" -> String.valueOf(isValid(fields));
			case "json" -> json(textOf(first));
			case "change" -> change(Gid.parse(first));
			case "read" -> read(Gid.parse(first));
			case "explain" -> Gid.parse(first).explain().toJson();
			case "kind" -> answer(() -> Gid.lowerBound(textOf(first), Instant.EPOCH).prefix());
			case "lower" -> Gid.lowerBound(first, timeOf(fields.get(1))).toString();
			case "upper" -> Gid.upperBound(first, timeOf(fields.get(1))).toString();
			case "compare" -> compare(Gid.parse(first), Gid.parse(fields.get(1)));
			case "sort" -> fields.stream().map(Gid::parse).sorted().map(Gid::toString).collect(Collectors.joining("\t"));
			case "new" -> answer(() -> fields.size() > 1 ? Gid.create(first, timeOf(fields.get(1))) : Gid.create(first));
			case "mint" -> mint(fields);
			case "threads" -> {
				var rest = new ArrayList<>(fields);
				yield threads(Integer.parseInt(rest.remove(1)), rest);
			}
			case "clock" -> setClock(first);
			case "random" -> setRandom(first);
			case "locale" -> setLocale(first);
			default -> "unsupported"; // a Java program cannot fork, and handles signals in a thread
		};
	}

	public static void main(String[] arguments) throws IOException {
		var out = new PrintStream(System.out, false, "UTF-8");
		var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line; (line = lines.readLine()) != null;) {
			var fields = Arrays.asList(line.split("\t", -1));
			try {
				out.print(reply(fields.get(0), fields.subList(1, fields.size())) + "\n");
			} catch (DateTimeException | ArithmeticException e) {
				out.print("unsupported\n"); // no Instant has the time
			}
		}
		out.flush();
	}
}
