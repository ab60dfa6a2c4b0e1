package gid.jackson;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import gid.Gid;
import java.io.IOException;

/** Jackson: ids are text in JSON, also as keys.  new ObjectMapper().registerModule(new GidModule()). */
public class GidModule extends SimpleModule {
	private static final long serialVersionUID = 1;

	/** The module. */
	public GidModule() {
		super("gid");
		addSerializer(Gid.class, ToStringSerializer.instance);
		addDeserializer(Gid.class, new FromStringDeserializer<Gid>(Gid.class) {
			private static final long serialVersionUID = 1;

			@Override
			protected Gid _deserialize(String text, DeserializationContext context) {
				return Gid.parse(text);
			}
		});
		addKeyDeserializer(Gid.class, new KeyDeserializer() {
			@Override
			public Object deserializeKey(String text, DeserializationContext context) throws IOException {
				try {
					return Gid.parse(text);
				} catch (IllegalArgumentException e) {
					return context.handleWeirdKey(Gid.class, text, "%s", e.getMessage());
				}
			}
		});
	}
}
