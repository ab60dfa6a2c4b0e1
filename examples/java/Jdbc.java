// Ids with plain JDBC, on the tables of the shop: GidObject, which the driver moves as
// 16 bytes, arrays, batches.
import gid.Gid;
import gid.jdbc.GidObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

public class Jdbc {
	static void shows(String what, boolean holds) {
		System.out.println((holds ? "ok - " : "not ok - ") + "JDBC: " + what);
	}

	interface Setter {
		void set(PreparedStatement statement) throws SQLException;
	}

	/** The first column of all rows. */
	static List<String> query(Connection db, String sql, Setter setter) throws SQLException {
		try (var statement = db.prepareStatement(sql)) {
			setter.set(statement);
			var found = new ArrayList<String>();
			var rows = statement.executeQuery();
			while (rows.next())
				found.add(rows.getString(1));
			return found;
		}
	}

	public static void main(String[] arguments) throws Exception {
		var env = System.getenv();
		// By default the driver changes to binary after a statement has run five times.
		var url = "jdbc:postgresql://127.0.0.1:" + env.get("PGPORT") + "/" + env.get("PGDATABASE") + "?prepareThreshold=-1";
		try (var db = DriverManager.getConnection(url, env.get("PGUSER"), env.get("PGPASSWORD"))) {
			batches(db);
			registered(db);
			db.setAutoCommit(true);
			compare(probes(db, "uuid", "gen_random_uuid()", "created_at", UUID.class, UUID::fromString),
				probes(db, "gid(c)", "gid_new('c')", "id", GidObject.class, text -> new GidObject(Gid.parse(text))));
		}
	}

	static void batches(Connection db) throws SQLException {
		db.setAutoCommit(false);
		try (var statement = db.prepareStatement("INSERT INTO customers (name) VALUES (?)", new String[] {"id"})) {
			for (var name : List.of("salt", "rice", "oil")) {
				statement.setString(1, name);
				statement.addBatch();
			}
			statement.executeBatch();
			var ids = new ArrayList<String>();
			var keys = statement.getGeneratedKeys();
			while (keys.next())
				ids.add(keys.getString("id"));
			shows("the ids of a batch are in order",
				ids.equals(query(db, "SELECT id FROM customers WHERE name IN ('salt', 'rice', 'oil') ORDER BY id", s -> {})));
		}
	}

	static void registered(Connection db) throws SQLException {
		GidObject.register(db);
		var made = Gid.create("c");
		query(db, "INSERT INTO customers VALUES (?, 'made here') RETURNING id", s -> s.setObject(1, new GidObject(made)));
		try (var statement = db.prepareStatement("SELECT id, array[id::gid], NULL::gid FROM customers WHERE id = ?")) {
			statement.setObject(1, new GidObject(made));
			var rows = statement.executeQuery();
			shows("a GidObject as a parameter", rows.next());
			shows("as a result, in binary", rows.getObject(1, GidObject.class).gid().equals(made) && rows.getBytes(1).length == 16);
			shows("as a string", rows.getString(1).equals(made.toString()));
			var ids = (Object[]) rows.getArray(2).getArray();
			shows("in an array", ids[0] instanceof GidObject id && id.gid().equals(made));
			shows("NULL", rows.getObject(3) == null);
		}
		var array = db.createArrayOf("gid", new Object[] {new GidObject(made), made});
		var found = query(db, "SELECT name FROM customers WHERE id = ANY (?)", s -> s.setArray(1, array));
		shows("an array as a parameter", found.equals(List.of("made here")));
		var none = query(db, "SELECT coalesce(?::gid::text, 'NULL')", s -> s.setObject(1, new GidObject(null)));
		shows("NULL as a parameter", none.equals(List.of("NULL")));
		var since = Gid.lowerBound("c", made.time());
		found = query(db, "SELECT name FROM customers WHERE id >= ? AND name = 'made here'", s -> s.setObject(1, new GidObject(since)));
		shows("a range of time", found.equals(List.of("made here")));
	}

	interface Probe {
		boolean holds() throws Exception;
	}

	/** What a program does with ids of uuid: the errors, by the names of the calls.  A time is compared with a column. */
	static <T> Map<String, String> probes(Connection db, String of, String anew, String at, Class<T> type, Function<String, T> parse)
		throws SQLException {
		try (var statement = db.createStatement()) {
			statement.execute("DROP TABLE IF EXISTS probes; CREATE TABLE probes (id " + of + " PRIMARY KEY DEFAULT " + anew
				+ ", item text, created_at timestamptz DEFAULT now())");
		}
		var name = of.replaceAll("[(].*", "");
		var ids = query(db, "INSERT INTO probes (item) VALUES ('0'), ('1'), ('2') RETURNING id", s -> {});
		var a = parse.apply(ids.get(0));
		var b = parse.apply(ids.get(1));
		var hourAgo = OffsetDateTime.now().minusHours(1);
		interface Count {
			boolean is(int expected, String condition, Setter setter) throws SQLException;
		}
		Count count = (expected, condition, setter) -> query(db, "SELECT id FROM probes WHERE " + condition, setter).size() == expected;
		var calls = new LinkedHashMap<String, Probe>();
		calls.put("an id", () -> count.is(1, "id = ?", s -> s.setObject(1, a)));
		calls.put("an id of its class", () -> count.is(1, "id = ?", s -> s.setObject(1, a instanceof GidObject o ? o.gid() : a)));
		calls.put("OTHER", () -> count.is(1, "id = ?", s -> s.setObject(1, ids.get(0), Types.OTHER)));
		calls.put("a string", () -> count.is(1, "id = ?", s -> s.setString(1, ids.get(0))));
		calls.put("a string with a cast", () -> count.is(1, "id = ?::" + name, s -> s.setString(1, ids.get(0))));
		calls.put("an array", () -> count.is(2, "id = ANY (?)", s -> s.setArray(1, db.createArrayOf(name, new Object[] {a, b}))));
		calls.put("unnest", () -> count.is(2, "id IN (SELECT unnest(?))", s -> s.setArray(1, db.createArrayOf(name, new Object[] {a, b}))));
		calls.put("coalesce", () -> count.is(1, "id = coalesce(?, id) AND item = '0'", s -> s.setObject(1, a)));
		calls.put("an optional filter", () -> count.is(3, "?::" + name + " IS NULL OR id < ?", s -> {
			s.setNull(1, Types.OTHER);
			s.setNull(2, Types.OTHER);
		}));
		calls.put("a row", () -> count.is(1, "(id, item) = (?, ?)", s -> {
			s.setObject(1, a);
			s.setString(2, "0");
		}));
		calls.put("an OffsetDateTime", () -> count.is(3, at + " >= ?", s -> s.setObject(1, hourAgo)));
		calls.put("a Timestamp", () -> count.is(3, at + " >= ?", s -> s.setTimestamp(1, Timestamp.from(hourAgo.toInstant()))));
		calls.put("garbage", () -> {
			try {
				return !count.is(0, "id = ?", s -> s.setObject(1, "tea", Types.OTHER));
			} catch (SQLException e) {
				return e.getSQLState().equals("22P02");
			}
		});
		calls.put("in results", () -> {
			try (var statement = db.createStatement()) {
				var rows = statement.executeQuery("SELECT id, NULL::" + name + ", array_agg(id) OVER () FROM probes WHERE item = '0'");
				rows.next();
				var array = (Object[]) rows.getArray(3).getArray();
				return rows.getObject(1).equals(a) && rows.getObject(1, type).equals(a) && rows.getString("id").equals(ids.get(0))
					&& rows.getObject(2) == null && array[0].equals(a) && Map.of(a, 1).get(rows.getObject(1)) == 1;
			}
		});
		calls.put("generated keys of a batch", () -> {
			try (var statement = db.prepareStatement("INSERT INTO probes (id, item) VALUES (?, '4')", new String[] {"id"})) {
				statement.setObject(1, parse.apply(query(db, "SELECT " + anew, s -> {}).get(0)));
				statement.addBatch();
				statement.executeBatch();
				var keys = statement.getGeneratedKeys();
				return keys.next() && type.isInstance(keys.getObject("id"));
			}
		});
		calls.put("on conflict", () -> query(db, "INSERT INTO probes VALUES (?, '0') ON CONFLICT (id) DO UPDATE SET item = '0' RETURNING id",
			s -> s.setObject(1, a)).equals(ids.subList(0, 1)));
		var found = new LinkedHashMap<String, String>();
		for (var call : calls.entrySet())
			try {
				found.put(call.getKey(), call.getValue().holds() ? "" : "a wrong result");
			} catch (Exception e) {
				found.put(call.getKey(), e.getMessage());
			}
		return found;
	}

	static void compare(Map<String, String> ofUuid, Map<String, String> ofGid) throws Exception {
		// A part of the error, and the sentence of the page.
		var documented = Map.of("an id of its class", List.of("Can't infer the SQL type", "| `setObject(1, gid)`, a `Gid` |"),
			"a Timestamp", List.of("invalid input syntax for type gid", "| `setTimestamp(1, time)` | left to the server |"));
		var page = Files.readString(Path.of("../../doc/clients/java.md"));
		ofGid.forEach((name, error) -> {
			var says = documented.get(name);
			var holds = says == null ? error.isEmpty() || !ofUuid.get(name).isEmpty() : error.contains(says.get(0)) && page.contains(says.get(1));
			shows("next to uuid: " + name + (error.isEmpty() ? "" : " # " + error.lines().findFirst().get()), holds);
		});
	}
}
