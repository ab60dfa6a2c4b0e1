import gid.Gid;
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
	public Gid id = Gid.create("o");

	@Convert(converter = CustomerId.class)
	public Gid customer;

	public String item;
}
