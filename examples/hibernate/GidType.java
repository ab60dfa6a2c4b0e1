import java.io.Serializable;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.hibernate.usertype.UserType;

/** An id is a String; a time beside one is an OffsetDateTime. */
public class GidType implements UserType {
	public int[] sqlTypes() { return new int[] {Types.OTHER}; }
	public Class returnedClass() { return String.class; }
	public Object nullSafeGet(ResultSet row, String[] names, Object owner) throws SQLException {
		return row.getString(names[0]);
	}
	public void nullSafeSet(PreparedStatement statement, Object value, int n) throws SQLException {
		if (value instanceof OffsetDateTime)
			statement.setObject(n, value);
		else
			statement.setObject(n, value, Types.OTHER);
	}
	public boolean equals(Object a, Object b) { return Objects.equals(a, b); }
	public int hashCode(Object value) { return Objects.hashCode(value); }
	public Object deepCopy(Object value) { return value; }
	public boolean isMutable() { return false; }
	public Serializable disassemble(Object value) { return (Serializable) value; }
	public Object assemble(Serializable cached, Object owner) { return cached; }
	public Object replace(Object original, Object target, Object owner) { return original; }
}
