import com.fasterxml.jackson.annotation.JsonProperty;
import gid.Gid;
import java.time.format.DateTimeFormatterBuilder;
import javax.persistence.AttributeConverter;
import javax.persistence.Convert;
import javax.persistence.Converter;
import javax.persistence.Entity;
import javax.persistence.Id;
import javax.persistence.Table;

@Entity
@Table(name = "orders")
public class Order {
	@Converter
	public static class OrderId extends GidConverter implements AttributeConverter<Gid, Object> {
		public OrderId() {
			super("o");
		}
	}

	@Converter
	public static class CustomerId extends GidConverter implements AttributeConverter<Gid, Object> {
		public CustomerId() {
			super("c");
		}
	}

	@Id
	@Convert(converter = OrderId.class)
	public Gid id;

	@Convert(converter = CustomerId.class)
	public Gid customer;

	/** The time in the id. */
	@JsonProperty("created_at")
	public String createdAt() {
		return new DateTimeFormatterBuilder().appendInstant(3).toFormatter().format(id.time());
	}
}
