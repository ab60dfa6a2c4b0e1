package gid.jdbc;

import gid.Gid;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import org.postgresql.PGConnection;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/** An id for PostgreSQL's JDBC driver: as a parameter, and with {@link #register} in results and in arrays. */
public class GidObject extends PGobject implements PGBinaryObject {
	private static final long serialVersionUID = 1;

	private Gid id;

	/** Has getObject() return ids of this connection as GidObject. */
	public static void register(Connection connection) throws SQLException {
		connection.unwrap(PGConnection.class).addDataType("gid", GidObject.class);
	}

	/** For the driver. */
	public GidObject() {
		type = "gid";
	}

	/** An id, or NULL. */
	public GidObject(Gid id) {
		this();
		this.id = id;
	}

	/** Returns the id, or null. */
	public Gid gid() {
		return id;
	}

	@Override
	public String getValue() {
		return id == null ? null : id.toString();
	}

	@Override
	public void setValue(String text) throws SQLException {
		try {
			id = text == null ? null : Gid.parse(text);
		} catch (IllegalArgumentException e) {
			throw new SQLException(e.getMessage(), "22P02", e);
		}
	}

	@Override
	public void setByteValue(byte[] from, int offset) throws SQLException {
		try {
			id = Gid.of(Arrays.copyOfRange(from, offset, Math.min(from.length, offset + 16)));
		} catch (IllegalArgumentException e) {
			throw new SQLException(e.getMessage(), "22P03", e);
		}
	}

	@Override
	public void toBytes(byte[] to, int offset) {
		if (id != null)
			ByteBuffer.wrap(to, offset, 16).put(id.bytes());
	}

	@Override
	public int lengthInBytes() {
		return id == null ? 0 : 16;
	}
}
