package gid;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import gid.jackson.GidModule;
import java.time.Instant;
import java.util.Map;

/** What the conformance test does not ask. */
class ValuesTest {
	static void shows(String what, boolean holds) {
		System.out.println((holds ? "ok - " : "not ok - ") + what);
	}

	record Order(Gid id, Gid replaces) {}

	static String error(ObjectMapper mapper, String json, TypeReference<?> type) {
		try {
			mapper.readValue(json, type);
			return "";
		} catch (JsonProcessingException e) {
			return e.getMessage();
		}
	}

	public static void main(String[] arguments) throws Exception {
		var id = Gid.parse("A4KfAtmq1H-43VMdfVBbxRrN");
		shows("a UUID with its bytes", Gid.of(id.uuid()).equals(id) && id.uuid().toString().equals(id.explain().uuid()));

		var at = Instant.ofEpochMilli(1795286542848L);
		var next = at.plusNanos(1);
		shows("bounds are exact to the nanosecond",
			Gid.lowerBound("o", at).time().equals(at) && Gid.lowerBound("o", next).time().equals(at.plusMillis(1))
			&& Gid.upperBound("o", next).time().equals(at.plusMillis(1))
			&& Gid.upperBound("o", Instant.EPOCH.minusNanos(1)).unixMs() == 0);
		shows("at all times", Gid.lowerBound("o", Instant.MAX).equals(Gid.upperBound("o", Instant.MAX))
			&& Gid.lowerBound("o", Instant.MIN).unixMs() == 0);

		var mapper = new ObjectMapper().registerModule(new GidModule());
		var json = mapper.writeValueAsString(Map.of(id, new Order(id, null)));
		shows("Jackson writes text, also as keys", json.equals(
			"{\"A4KfAtmq1H-43VMdfVBbxRrN\":{\"id\":\"A4KfAtmq1H-43VMdfVBbxRrN\",\"replaces\":null}}"));
		var type = new TypeReference<Map<Gid, Order>>() {};
		shows("Jackson reads the JSON that it wrote", mapper.readValue(json, type).equals(Map.of(id, new Order(id, null))));
		shows("invalid text is an error with its reason",
			error(mapper, "{\"A4KfAtmq1H-43VMdfVBbxRrN\":{\"id\":\"x\"}}", type).contains("A gid is 24 bytes of text")
			&& error(mapper, "{\"x\":null}", type).contains("A gid is 24 bytes of text"));
	}
}
