import gid.Gid;
import java.io.Serializable;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.hibernate.HibernateException;
import org.hibernate.id.ResultSetIdentifierConsumer;
import org.hibernate.usertype.UserType;

/** The value is a Gid.  A time next to an id is an OffsetDateTime. */
public class GidType implements UserType, ResultSetIdentifierConsumer {
	public int[] sqlTypes() { return new int[] {Types.OTHER}; }
	public Class returnedClass() { return Gid.class; }
	public Object nullSafeGet(ResultSet row, String[] names, Object owner) throws SQLException {
		var text = row.getString(names[0]);
		return text == null ? null : Gid.parse(text);
	}
	/** The id that the server minted in an INSERT. */
	public Serializable consumeIdentifier(ResultSet keys) {
		try {
			return Gid.parse(keys.getString(1));
		} catch (SQLException e) {
			throw new HibernateException(e);
		}
	}
	public void nullSafeSet(PreparedStatement statement, Object value, int n) throws SQLException {
		if (value instanceof OffsetDateTime)
			statement.setObject(n, value);
		else
			statement.setObject(n, value == null ? null : value.toString(), Types.OTHER);
	}
	public boolean equals(Object a, Object b) { return Objects.equals(a, b); }
	public int hashCode(Object value) { return Objects.hashCode(value); }
	public Object deepCopy(Object value) { return value; }
	public boolean isMutable() { return false; }
	public Serializable disassemble(Object value) { return (Serializable) value; }
	public Object assemble(Serializable cached, Object owner) { return cached; }
	public Object replace(Object original, Object target, Object owner) { return original; }
}
