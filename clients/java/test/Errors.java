// The examples of errors in doc/clients.md, with JDBC.
import java.nio.file.*;
import java.sql.*;
import java.util.regex.Pattern;

public class Errors {
	public static void main(String[] arguments) throws Exception {
		var env = System.getenv();
		var url = "jdbc:postgresql://127.0.0.1:" + env.get("PGPORT") + "/" + env.get("PGDATABASE");
		var rows = Pattern.compile("^\\|.*\\| (\\w{5}) \\| `[a-z_]+` \\| `((?:SELECT|INSERT|PREPARE).*)` \\|$", Pattern.MULTILINE)
			.matcher(Files.readString(Path.of("../../doc/clients.md")));
		try (var db = DriverManager.getConnection(url, env.get("PGUSER"), env.get("PGPASSWORD"))) {
			db.createStatement().execute(Files.readString(Path.of("../../examples/shop.sql")));
			while (rows.find())
				for (var example : rows.group(2).split("`, `")) {
					String state = null;
					try (var statement = db.createStatement()) {
						statement.execute(example);
					} catch (SQLException e) {
						state = e.getSQLState();
					}
					System.out.println((rows.group(1).equals(state) ? "ok" : "not ok") + " - JDBC: " + example + ": " + state);
				}
		}
	}
}
