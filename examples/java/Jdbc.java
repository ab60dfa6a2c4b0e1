// Ids with plain JDBC, on the tables of the shop: which setter gives a parameter which
// type, arrays, times, batches; and GidObject, which the driver moves as 16 bytes.
import gid.Gid;
import gid.jdbc.GidObject;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

public class Jdbc {
	static final String NAME_OF = "SELECT name FROM customers WHERE id = ?";
	static final String SINCE = "SELECT name FROM customers WHERE id >= ?";

	static void shows(String what, boolean holds) {
		System.out.println((holds ? "ok - " : "not ok - ") + "JDBC: " + what);
	}

	static Connection connect(String setting) throws SQLException {
		var env = System.getenv();
		return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + env.get("PGPORT") + "/" + env.get("PGDATABASE") + "?" + setting,
			env.get("PGUSER"), env.get("PGPASSWORD"));
	}

	interface Setter {
		void set(PreparedStatement statement) throws SQLException;
	}

	/** The first column of all rows, or the SQLSTATE of the error. */
	static List<String> query(Connection db, String sql, Setter setter) {
		try (var statement = db.prepareStatement(sql)) {
			setter.set(statement);
			var found = new ArrayList<String>();
			var rows = statement.executeQuery();
			while (rows.next())
				found.add(rows.getString(1));
			return found;
		} catch (SQLException e) {
			return List.of(e.getSQLState());
		}
	}

	static String insert(Connection db, String name) {
		return query(db, "INSERT INTO customers (name) VALUES (?) RETURNING id", s -> s.setString(1, name)).get(0);
	}

	/** Whether a query returns one value, or one SQLSTATE. */
	static void returns(String expected, Connection db, String sql, Setter setter) {
		var found = query(db, sql, setter);
		shows(sql + ": " + expected, found.equals(List.of(expected)));
	}

	public static void main(String[] arguments) throws Exception {
		try (var db = connect("")) {
			unregistered(db);
			batches(db);
		}
		// By default the driver changes to binary after a statement has run five times.
		try (var db = connect("prepareThreshold=-1")) {
			registered(db);
		}
	}

	static void unregistered(Connection db) throws SQLException {
		var id = insert(db, "tea");
		returns("42883", db, NAME_OF, s -> s.setString(1, id));
		returns("tea", db, "SELECT name FROM customers WHERE id = ?::gid", s -> s.setString(1, id));
		returns("tea", db, NAME_OF, s -> s.setObject(1, id, Types.OTHER));

		var time = OffsetDateTime.parse(query(db, "SELECT to_json(gid_timestamp(?::gid))#>>'{}'", s -> s.setString(1, id)).get(0));
		returns("tea", db, SINCE, s -> s.setObject(1, time));
		var timestamp = Timestamp.from(time.toInstant());
		returns("22P02", db, SINCE, s -> s.setTimestamp(1, timestamp));
		returns("tea", db, "SELECT name FROM customers WHERE id >= ?::timestamptz", s -> s.setTimestamp(1, timestamp));
		returns("22023", db, "INSERT INTO customers VALUES (gid_new('o'), ?) RETURNING id", s -> s.setString(1, "an order"));
	}

	static void batches(Connection db) throws Exception {
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
			shows("the ids of a batch are in order", ids.size() == 3
				&& ids.equals(query(db, "SELECT id FROM customers WHERE xmin = pg_current_xact_id()::xid ORDER BY id", s -> {})));
		}
		db.rollback();
	}

	static void registered(Connection db) throws SQLException {
		GidObject.register(db);
		var figs = Gid.parse(insert(db, "figs"));
		try (var statement = db.prepareStatement("SELECT id, array[id::gid], NULL::gid FROM customers WHERE id = ?")) {
			statement.setObject(1, new GidObject(figs));
			var rows = statement.executeQuery();
			shows("a GidObject as a parameter", rows.next());
			shows("as a result, in binary", rows.getObject(1, GidObject.class).gid().equals(figs) && rows.getBytes(1).length == 16);
			shows("as a string", rows.getString(1).equals(figs.toString()));
			var ids = (Object[]) rows.getArray(2).getArray();
			shows("in an array", ids[0] instanceof GidObject id && id.gid().equals(figs));
			shows("NULL", rows.getObject(3) == null);
		}
		var array = db.createArrayOf("gid", new Object[] {new GidObject(figs), figs});
		returns("figs", db, "SELECT name FROM customers WHERE id = ANY (?)", s -> s.setArray(1, array));
		returns("NULL", db, "SELECT coalesce(?::gid::text, 'NULL')", s -> s.setObject(1, new GidObject(null)));
		var made = Gid.create("c");
		query(db, "INSERT INTO customers VALUES (?, 'made here') RETURNING id", s -> s.setObject(1, new GidObject(made)));
		var since = Gid.lowerBound("c", made.time());
		returns("made here", db, SINCE, s -> s.setObject(1, new GidObject(since)));
	}
}
