package gid;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
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
import java.util.HexFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Answers the questions of clients/conformance/README.md, a line for each line of standard input. */
class Conformance {
	static final ObjectMapper JSON = new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

	static String textOf(String hex) {
		return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
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

	static String json(String text) {
		try {
			var id = JSON.readValue(text, Gid.class);
			return id == null ? "null" : "ok\t" + id;
		} catch (JsonProcessingException e) {
			return "error";
		}
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

	/** A new id, for a time if there is a second field. */
	static Gid create(List<String> fields) {
		return fields.size() > 1 ? Gid.create(fields.get(0), timeOf(fields.get(1))) : Gid.create(fields.get(0));
	}

	static String mint(List<String> fields) {
		var each = new ArrayList<>(fields);
		return IntStream.range(0, Integer.parseInt(each.remove(1))).mapToObj(n -> create(each).toString())
			.collect(Collectors.joining("\t"));
	}

	static String threads(List<String> fields) {
		var each = new ArrayList<>(fields);
		int count = Integer.parseInt(each.remove(1));
		var pool = Executors.newFixedThreadPool(count);
		var running = IntStream.range(0, count).mapToObj(n -> CompletableFuture.supplyAsync(() -> mint(each), pool)).toList();
		pool.shutdown();
		return running.stream().map(CompletableFuture::join).collect(Collectors.joining("\t"));
	}

	static SecureRandom repeated(long bits) {
		return new SecureRandom() {
			@Override
			public void nextBytes(byte[] bytes) {
				for (var buffer = ByteBuffer.wrap(bytes); buffer.hasRemaining();)
					buffer.putLong(bits);
			}
		};
	}

	static String reply(String operation, List<String> fields) throws IOException {
		var first = fields.get(0);
		var rest = fields.subList(1, fields.size());
		return switch (operation) {
			case "text" -> answer(() -> rest.isEmpty() ? Gid.parse(textOf(first)) : Gid.parse(textOf(first), rest.get(0)));
			case "bytes" -> answer(() -> Gid.of(HexFormat.of().parseHex(first)));
			case "valid" -> {
				var text = first.equals("-") ? null : textOf(first);
				yield String.valueOf(rest.isEmpty() ? Gid.isValid(text) : Gid.isValid(text, rest.get(0)));
			}
			case "json" -> json(textOf(first));
			case "read", "change" -> read(Gid.parse(first)); // a program cannot change an id
			case "explain" -> JSON.writeValueAsString(Gid.parse(first).explain());
			case "kind" -> answer(() -> Gid.lowerBound(textOf(first), Instant.EPOCH).prefix());
			case "lower" -> Gid.lowerBound(first, timeOf(fields.get(1))).toString();
			case "upper" -> Gid.upperBound(first, timeOf(fields.get(1))).toString();
			case "compare" -> compare(Gid.parse(first), Gid.parse(fields.get(1)));
			case "sort" -> fields.stream().map(Gid::parse).sorted().map(Gid::toString).collect(Collectors.joining("\t"));
			case "new" -> answer(() -> create(fields));
			case "mint" -> mint(fields);
			case "threads" -> threads(fields);
			case "clock" -> {
				Mint.clock = first.equals("-") ? Clock.systemUTC() : Clock.fixed(timeOf(first), ZoneOffset.UTC);
				yield "ok";
			}
			case "random" -> {
				Mint.BLOCK.limit(0);
				Mint.source = first.equals("-") ? new SecureRandom() : repeated(Long.parseLong(first) << 10);
				yield "ok";
			}
			case "locale" -> {
				Locale.setDefault(Locale.forLanguageTag(first));
				yield "ok";
			}
			default -> "unsupported"; // a Java program cannot fork, and handles signals in a thread
		};
	}

	public static void main(String[] arguments) throws IOException {
		var out = new PrintStream(System.out, false, "UTF-8");
		var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line; (line = lines.readLine()) != null;) {
			var fields = List.of(line.split("\t", -1));
			try {
				out.print(reply(fields.get(0), fields.subList(1, fields.size())) + "\n");
			} catch (DateTimeException e) {
				out.print("unsupported\n"); // no Instant has the time
			}
		}
		out.flush();
	}
}
