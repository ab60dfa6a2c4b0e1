import gid.Gid;
import gid.jdbc.GidObject;

/** A column of ids of one kind.  An id of another kind is an error before the statement is sent. */
public abstract class GidConverter {
	private final String kind;

	GidConverter(String kind) {
		this.kind = kind;
	}

	public Object convertToDatabaseColumn(Gid id) {
		return new GidObject(id == null ? null : id.requireKind(kind));
	}

	public Gid convertToEntityAttribute(Object value) {
		return value == null ? null : Gid.parse(value.toString()).requireKind(kind);
	}
}
