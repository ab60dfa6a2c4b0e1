import gid.Gid;
import java.util.UUID;
import java.util.function.Supplier;

class Bench {
	static Object kept;

	public static void main(String[] arguments) {
		Object id = Gid.create("o"), other = UUID.randomUUID();
		String text = id.toString(), otherText = other.toString();
		var calls = new Supplier<?>[] { () -> Gid.create("o"), UUID::randomUUID, () -> Gid.parse(text),
			() -> UUID.fromString(otherText), id::toString, other::toString };
		for (int n = 0; n < 150_000; n++) {
			long begin = System.nanoTime();
			for (int i = 0; i < 200; i++)
				kept = calls[n % 6].get();
			System.out.println(System.nanoTime() - begin);
		}
	}
}
