package gid;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import gid.jdbc.GidObject;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What the conformance test does not ask. */
class ValuesTest {
	static void shows(String what, boolean holds) {
		System.out.println((holds ? "ok - " : "not ok - ") + what);
	}

	interface Action {
		void run() throws Exception;
	}

	static String error(Action action) throws Exception {
		try {
			action.run();
			return "";
		} catch (JsonProcessingException | SQLException | IllegalArgumentException e) {
			return e.getMessage() + (e instanceof SQLException s ? s.getSQLState() : "");
		}
	}

	/** Whether another thread cannot mint while this one does. */
	static boolean waits(Runnable mint) throws InterruptedException {
		var other = new Thread(mint);
		synchronized (Mint.BLOCK) {
			other.start();
			other.join(300);
			return other.isAlive();
		}
	}

	public static void main(String[] arguments) throws Exception {
		var id = Gid.parse("A4KfAtmq1H-43VMdfVBbxRrN");
		shows("an id of its kind", id.requireKind("o") == id && error(() -> id.requireKind("c")).contains("an id of kind \"o\""));

		var object = new GidObject();
		object.setByteValue(id.bytes(), 0);
		var bytes = new byte[20];
		object.toBytes(bytes, 3);
		shows("bytes for JDBC, at an offset", object.gid().equals(id) && object.lengthInBytes() == 16 && bytes[2] == 0
			&& bytes[19] == 0 && Arrays.equals(Arrays.copyOfRange(bytes, 3, 19), id.bytes()));
		object.setByteValue(bytes, 3);
		shows("and from an offset", object.gid().equals(id) && object.equals(new GidObject(id)));
		shows("wrong bytes are an SQLException", error(() -> object.setByteValue(bytes, 5)).contains("not 15")
			&& error(() -> object.setByteValue(bytes, 0)).endsWith("22P03"));
		object.setValue(null);
		shows("NULL for JDBC", object.isNull() && object.gid() == null && object.lengthInBytes() == 0 && object.equals(new GidObject()));
		shows("wrong text is an SQLException", error(() -> object.setValue("x")).endsWith("22P02"));

		shows("random bits that are suitable for keys", ((Object) Mint.source).getClass() == SecureRandom.class);
		Mint.clock = Clock.fixed(id.time().minusSeconds(86400), ZoneOffset.UTC);
		shows("an age of minus one day", id.explain().age().equals("-1 days"));
		shows("a thread waits for another one", waits(() -> Gid.create("o")) && waits(() -> Gid.create("o", Instant.EPOCH)));

		var mapper = new ObjectMapper();
		var type = new TypeReference<Map<Gid, List<Gid>>>() {};
		var map = Map.of(id, Arrays.asList(id, null));
		var json = mapper.writeValueAsString(map);
		shows("Jackson writes text, also as keys", json.equals("{\"A4KfAtmq1H-43VMdfVBbxRrN\":[\"A4KfAtmq1H-43VMdfVBbxRrN\",null]}"));
		shows("Jackson reads the JSON that it wrote", mapper.readValue(json, type).equals(map));
		shows("invalid text is an error with its reason",
			error(() -> mapper.readValue("{\"A4KfAtmq1H-43VMdfVBbxRrN\":[\"x\"]}", type)).contains("A gid is 24 bytes of text")
			&& error(() -> mapper.readValue("{\"x\":null}", type)).contains("A gid is 24 bytes of text"));
	}
}
