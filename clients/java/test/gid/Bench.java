package gid;

import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;

/** Prints how many nanoseconds Gid and UUID take. */
class Bench {
	static Object kept;

	static double nanoseconds(Supplier<?> operation) {
		long begin = System.nanoTime();
		for (int i = 0; i < 400_000; i++)
			kept = operation.get();
		return (System.nanoTime() - begin) / 400_000.0;
	}

	static void row(String name, Supplier<?> ours, Supplier<?> theirs) {
		var times = new double[2][15];
		for (int round = -5; round < 15; round++) // the first rounds are for the compiler
			for (int i = 0; i < 2; i++)
				times[i][Math.max(round, 0)] = nanoseconds(i == 0 ? ours : theirs);
		System.out.printf("%s\t%.1f\t%.1f%n", name, DoubleStream.of(times[0]).sorted().toArray()[7],
			DoubleStream.of(times[1]).sorted().toArray()[7]);
	}

	public static void main(String[] arguments) {
		System.out.println("other\tjava.util.UUID of Java " + Runtime.version() + ", v4");
		var id = Gid.create("o");
		var other = UUID.randomUUID();
		String text = id.toString(), otherText = other.toString();
		row("new", () -> Gid.create("o"), UUID::randomUUID);
		row("parse", () -> Gid.parse(text), () -> UUID.fromString(otherText));
		row("format", id::toString, other::toString);
	}
}
