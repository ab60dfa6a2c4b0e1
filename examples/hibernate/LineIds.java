import gid.Gid;
import java.io.Serializable;
import java.sql.SQLException;
import java.util.*;
import org.hibernate.*;
import org.hibernate.engine.SessionImplementor;
import org.hibernate.id.IdentifierGenerator;

/** Asks for 50 ids at once, for one transaction: those that it does not need are not used. */
public class LineIds implements IdentifierGenerator {
	private final Map<Transaction, Queue<Gid>> reserved = Collections.synchronizedMap(new WeakHashMap<>());

	public Serializable generate(SessionImplementor session, Object entity) {
		var ids = reserved.computeIfAbsent(((Session) session).getTransaction(), t -> new ArrayDeque<>());
		if (ids.isEmpty()) {
			try (var statement = session.connection().createStatement()) {
				var rows = statement.executeQuery(
					"SELECT first + n FROM gid_reserve('l', 50) AS first, generate_series(0, 49) AS n ORDER BY n");
				while (rows.next())
					ids.add(Gid.parse(rows.getString(1)));
			} catch (SQLException e) {
				throw new HibernateException(e);
			}
		}
		return ids.remove();
	}
}
