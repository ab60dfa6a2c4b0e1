// gid from JDBC: the default, RETURNING, parameters, arrays, times, batches
// and COPY.  An id is read as a string; what has to be thought of is how a
// parameter is sent, since the driver gives each a type.
import gid.Gid;
import gid.jdbc.GidObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.util.PGobject;
import org.postgresql.util.PSQLException;

public class Orders {
	/** An id as it is printed. */
	static final String TEXT = "[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}";

	static boolean failed;

	static void shows(String what, boolean holds) {
		System.out.println((holds ? "ok - " : "not ok - ") + what);
		failed |= !holds;
	}

	/** The driver speaks TCP only. */
	static Connection connect(String... settings) throws SQLException {
		var env = System.getenv();
		var info = new Properties();
		info.setProperty("user", env.get("PGUSER"));
		info.setProperty("password", env.get("PGPASSWORD"));
		for (int i = 0; i < settings.length; i += 2)
			info.setProperty(settings[i], settings[i + 1]);
		return DriverManager.getConnection(
			"jdbc:postgresql://127.0.0.1:" + env.get("PGPORT") + "/" + env.get("PGDATABASE"), info);
	}

	static void execute(Connection db, String sql) throws SQLException {
		try (var statement = db.createStatement()) {
			statement.execute(sql);
		}
	}

	/** How a parameter is set: each of JDBC's ways is tried in the same statements. */
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

	static String insert(Connection db, String item) throws SQLException {
		return query(db, "INSERT INTO orders (item) VALUES (?) RETURNING id", s -> s.setString(1, item)).get(0);
	}

	/** The SQLSTATE with which a query is rejected. */
	static String refused(Connection db, String sql, Setter setter) {
		try {
			query(db, sql, setter);
			return "not refused";
		} catch (SQLException e) {
			return e.getSQLState();
		}
	}

	static final String ITEM_OF = "SELECT item FROM orders WHERE id = ?";

	public static void main(String[] arguments) throws Exception {
		try (var db = connect()) {
			execute(db, "CREATE EXTENSION gid");
			execute(db, "CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)");
			execute(db, "CREATE TABLE copies (LIKE orders)");
			made(db);
			parameters(db);
			times(db);
			arrays(db);
			copy(db);
			wrongKind(db);
		}
		unspecified();
		objects();
		System.exit(failed ? 1 : 0);
	}

	static void made(Connection db) throws SQLException {
		var tea = insert(db, "tea");
		var milk = insert(db, "milk");
		shows("an id by default, and returned", tea.matches(TEXT));
		shows("ids increase, as strings too", tea.compareTo(milk) < 0);

		try (var statement = db.prepareStatement("INSERT INTO orders (item) VALUES (?)", new String[] {"id"})) {
			statement.setString(1, "bread");
			statement.executeUpdate();
			var keys = statement.getGeneratedKeys();
			shows("an id by getGeneratedKeys", keys.next() && milk.compareTo(keys.getString("id")) < 0);
		}

		// A batch is one transaction here, so its ids are adjacent.
		db.setAutoCommit(false);
		try (var statement = db.prepareStatement("INSERT INTO orders (item) VALUES (?)", new String[] {"id"})) {
			for (var item : List.of("salt", "rice", "oil")) {
				statement.setString(1, item);
				statement.addBatch();
			}
			statement.executeBatch();
			var ids = new ArrayList<String>();
			var keys = statement.getGeneratedKeys();
			while (keys.next())
				ids.add(keys.getString("id"));
			db.commit();
			var sorted = query(db, "SELECT id FROM orders WHERE gid_transaction(id) = gid_transaction(?::gid) ORDER BY id",
				s -> s.setString(1, ids.get(0)));
			shows("a batch, and its ids in order", ids.size() == 3 && ids.equals(sorted));
		}
		db.setAutoCommit(true);
	}

	static void parameters(Connection db) throws SQLException {
		var id = insert(db, "butter");
		var butter = List.of("butter");

		// setString says varchar, and no operator compares that with an id.
		shows("setString alone is rejected", refused(db, ITEM_OF, s -> s.setString(1, id)).equals("42883"));
		shows("setString with a cast", query(db, "SELECT item FROM orders WHERE id = ?::gid",
			s -> s.setString(1, id)).equals(butter));

		// Types.OTHER leaves the type to the server, which takes it from the column.
		shows("setObject with Types.OTHER", query(db, ITEM_OF, s -> s.setObject(1, id, Types.OTHER)).equals(butter));

		// A PGobject says gid, so that it is known where there is no column as well.
		var object = new PGobject();
		object.setType("gid");
		object.setValue(id);
		shows("setObject with a PGobject", query(db, ITEM_OF, s -> s.setObject(1, object)).equals(butter));
		shows("a PGobject where there is no column",
			query(db, "SELECT pg_typeof(?)", s -> s.setObject(1, object)).equals(List.of("gid")));
		shows("a string with a cast where there is no column",
			query(db, "SELECT gid_kind(?::gid)", s -> s.setString(1, id)).equals(List.of("o")));
	}

	static void times(Connection db) throws Exception {
		Thread.sleep(5);
		var jam = insert(db, "jam");
		OffsetDateTime time;
		try (var statement = db.prepareStatement("SELECT gid_timestamp(?::gid)")) {
			statement.setString(1, jam);
			var rows = statement.executeQuery();
			rows.next();
			time = rows.getObject(1, OffsetDateTime.class);
		}
		shows("the time of an id",
			Math.abs(time.toInstant().toEpochMilli() - System.currentTimeMillis()) < 60_000);

		// OffsetDateTime says timestamptz, and so the operators for a time are found.
		var since = query(db, "SELECT id FROM orders WHERE id >= ?", s -> s.setObject(1, time));
		var before = query(db, "SELECT id FROM orders WHERE id < ?", s -> s.setObject(1, time));
		shows("a range of time", since.equals(List.of(jam)) && before.size() == 7 && !before.contains(jam));

		// setTimestamp leaves open whether it is with a time zone, and compared with an id it would be read as one.
		Setter timestamp = s -> s.setTimestamp(1, Timestamp.from(time.toInstant()));
		shows("setTimestamp alone is rejected",
			refused(db, "SELECT id FROM orders WHERE id >= ?", timestamp).equals("22P02"));
		shows("setTimestamp with a cast",
			query(db, "SELECT id FROM orders WHERE id >= ?::timestamptz", timestamp).equals(List.of(jam)));
	}

	static void arrays(Connection db) throws SQLException {
		var two = query(db, "SELECT id FROM orders ORDER BY id LIMIT 2", s -> {});
		var items = query(db, "SELECT item FROM orders WHERE id = ANY (?) ORDER BY id",
			s -> s.setArray(1, db.createArrayOf("gid", two.toArray())));
		shows("an array of ids as a parameter", items.equals(List.of("tea", "milk")));

		try (var statement = db.createStatement()) {
			var rows = statement.executeQuery(
				"SELECT array_agg(id ORDER BY id) FROM orders WHERE item IN ('tea', 'milk')");
			rows.next();
			var ids = new ArrayList<String>();
			for (var id : (Object[]) rows.getArray(1).getArray())
				ids.add(id.toString());				// a PGobject each
			shows("an array of ids returned", ids.equals(two));
		}
	}

	static void copy(Connection db) throws Exception {
		var copy = db.unwrap(PGConnection.class).getCopyAPI();
		for (var format : List.of("text", "binary")) {
			var out = new ByteArrayOutputStream();
			copy.copyOut("COPY orders TO STDOUT (FORMAT " + format + ")", out);
			copy.copyIn("COPY copies FROM STDIN (FORMAT " + format + ")", new ByteArrayInputStream(out.toByteArray()));
			var same = query(db, "SELECT count(*) FROM orders JOIN copies USING (id, item)", s -> {});
			shows("COPY out and in, " + format, same.equals(List.of("8")));
			execute(db, "TRUNCATE copies");
		}
	}

	static void wrongKind(Connection db) throws SQLException {
		var log = query(db, "SELECT gid_new('log')", s -> {}).get(0);
		try (var statement = db.prepareStatement("INSERT INTO orders (id, item) VALUES (?, 'a log')")) {
			statement.setObject(1, log, Types.OTHER);
			statement.executeUpdate();
			shows("a wrong kind is rejected", false);
		} catch (PSQLException e) {
			shows("a wrong kind is rejected: " + e.getServerErrorMessage().getMessage(),
				e.getSQLState().equals("22023"));
		}
		try (var statement = db.prepareStatement("INSERT INTO orders (id, item) VALUES (?, 'a log')")) {
			statement.setObject(1, log, Types.OTHER);
			statement.addBatch();
			statement.executeBatch();
			shows("a wrong kind is rejected in a batch", false);
		} catch (BatchUpdateException e) {
			shows("a wrong kind is rejected in a batch", e.getSQLState().equals("22023"));
		}
	}

	/** stringtype=unspecified sends what setString sets without a type: it is for all strings, not for ids only. */
	static void unspecified() throws SQLException {
		try (var db = connect("stringtype", "unspecified")) {
			var id = insert(db, "honey");
			shows("setString alone, with stringtype=unspecified",
				query(db, ITEM_OF, s -> s.setString(1, id)).equals(List.of("honey")));
			shows("stringtype=unspecified is an error if the statement has no type",
				refused(db, "SELECT pg_typeof(?)", s -> s.setString(1, "tea")).equals("42P18"));
		}
	}

	/** The client's class, which the driver moves as 16 bytes. */
	static void objects() throws SQLException {
		// By default the driver turns to binary after a statement has been run five times; so it does at once.
		try (var db = connect("prepareThreshold", "-1")) {
			GidObject.register(db);
			var figs = Gid.parse(insert(db, "figs"));
			try (var statement = db.prepareStatement("SELECT id, array[id], NULL::gid FROM orders WHERE id = ?")) {
				statement.setObject(1, new GidObject(figs));
				var rows = statement.executeQuery();
				shows("a Gid as a parameter", rows.next());
				shows("as a result", rows.getObject(1, GidObject.class).gid().equals(figs));
				// Bytes are given as they came: 16, or 24 of text.
				shows("in binary", rows.getBytes(1).length == 16);
				shows("as a string", rows.getString(1).equals(figs.toString()));
				var ids = (Object[]) rows.getArray(2).getArray();
				shows("in an array", ids[0] instanceof GidObject id && id.gid().equals(figs));
				shows("NULL", rows.getObject(3) == null);
			}
			var array = db.createArrayOf("gid", new Object[] {new GidObject(figs), figs});
			shows("in an array as a parameter",
				query(db, "SELECT item FROM orders WHERE id = ANY (?)", s -> s.setArray(1, array)).equals(List.of("figs")));
			var made = Gid.create("o");
			query(db, "INSERT INTO orders VALUES (?, 'made here') RETURNING id", s -> s.setObject(1, new GidObject(made)));
			var since = Gid.lowerBound("o", made.time());
			shows("an id of the program, found by a bound",
				query(db, "SELECT item FROM orders WHERE id >= ?", s -> s.setObject(1, new GidObject(since))).equals(List.of("made here")));
			shows("no id is NULL", query(db, "SELECT coalesce(?::gid::text, 'NULL')", s -> s.setObject(1, new GidObject(null)))
				.equals(List.of("NULL")));
			for (var wrong : List.of("zzzzzzzzzz-1111111111111", "8H25GG7CYV-zzzzzzzzzzzzz"))
				try {
					new GidObject().setValue(wrong);
					shows(wrong, false);
				} catch (SQLException e) {
					shows(wrong + " is not an id", e.getSQLState().equals("22P02"));
				}
		}
	}
}
