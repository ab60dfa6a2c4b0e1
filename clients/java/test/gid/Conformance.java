package gid;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.HashSet;
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

	static Instant timeOf(String micro) {
		return Instant.EPOCH.plus(Long.parseLong(micro), ChronoUnit.MICROS);
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
		var text = textOf(fields.get(0));
		return fields.size() > 1 ? Gid.isValid(text, fields.get(1)) : Gid.isValid(text);
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

	static String mint(String kind, String count) {
		return LongStream.range(0, Long.parseLong(count)).mapToObj(n -> Gid.create(kind).toString())
			.collect(Collectors.joining("\t"));
	}

	static String threads(String kind, String threads, String count) {
		var minted = new String[Integer.parseInt(threads)];
		var running = new Thread[minted.length];
		for (int i = 0; i < minted.length; i++) {
			int n = i;
			running[n] = new Thread(() -> minted[n] = mint(kind, count));
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
		var time = at.equals("-") ? null : timeOf(at);
		Mint.clock = time == null ? Instant::now : () -> time;
		return "ok";
	}

	static String reply(String operation, List<String> fields) {
		var first = fields.get(0);
		return switch (operation) {
			case "text" -> answer(() -> parse(fields));
			case "bytes" -> answer(() -> Gid.of(bytesOf(first)));
			case "valid" -> String.valueOf(isValid(fields));
			case "read" -> read(Gid.parse(first));
			case "explain" -> Gid.parse(first).explain().toJson();
			case "kind" -> answer(() -> Gid.lowerBound(textOf(first), Instant.EPOCH).prefix());
			case "lower" -> Gid.lowerBound(first, timeOf(fields.get(1))).toString();
			case "upper" -> Gid.upperBound(first, timeOf(fields.get(1))).toString();
			case "compare" -> compare(Gid.parse(first), Gid.parse(fields.get(1)));
			case "sort" -> fields.stream().map(Gid::parse).sorted().map(Gid::toString).collect(Collectors.joining("\t"));
			case "new" -> answer(() -> fields.size() > 1 ? Gid.create(first, timeOf(fields.get(1))) : Gid.create(first));
			case "mint" -> mint(first, fields.get(1));
			case "threads" -> threads(first, fields.get(1), fields.get(2));
			case "clock" -> setClock(first);
			default -> "unsupported"; // a Java program cannot fork, and handles signals in a thread
		};
	}

	public static void main(String[] arguments) throws IOException {
		var out = new PrintStream(System.out, false, "UTF-8");
		var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line; (line = lines.readLine()) != null;) {
			var fields = Arrays.asList(line.split("\t", -1));
			out.print(reply(fields.get(0), fields.subList(1, fields.size())) + "\n");
		}
		out.flush();
	}
}
