// Ids with plain JDBC, on the tables of the shop: GidObject, which the driver moves as
// 16 bytes, arrays, batches.
import gid.Gid;
import gid.jdbc.GidObject;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

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
			setters(db);
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

	/** The name of the row that a condition finds, or the error. */
	static String find(Connection db, String condition, Setter setter) {
		try {
			return String.join(", ", query(db, "SELECT name FROM customers WHERE name = 'sugar' AND " + condition, setter));
		} catch (SQLException e) {
			return e.getSQLState() + ": " + e.getMessage();
		}
	}

	/** What the page says of each setter. */
	static void setters(Connection db) throws SQLException {
		var id = query(db, "INSERT INTO customers (name) VALUES ('sugar') RETURNING id", s -> {}).get(0);
		var hourAgo = OffsetDateTime.now().minusHours(1);
		shows("setString", find(db, "id = ?", s -> s.setString(1, id)).startsWith("42883"));
		shows("setString, with a cast", find(db, "id = ?::gid", s -> s.setString(1, id)).equals("sugar"));
		shows("setObject of OTHER", find(db, "id = ?", s -> s.setObject(1, id, Types.OTHER)).equals("sugar"));
		shows("setObject of a Gid", find(db, "id = ?", s -> s.setObject(1, Gid.parse(id))).contains("Can't infer the SQL type"));
		shows("setObject of an OffsetDateTime", find(db, "id >= ?", s -> s.setObject(1, hourAgo)).equals("sugar"));
		shows("setTimestamp", find(db, "id >= ?", s -> s.setTimestamp(1, Timestamp.from(hourAgo.toInstant()))).startsWith("22P02"));
	}
}
