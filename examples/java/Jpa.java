// Ids with JPA, on the tables of the shop: a field of one kind, queries, ids that the server or the program mints.
import gid.Gid;
import gid.jdbc.GidObject;
import java.time.Instant;
import java.util.Map;
import javax.persistence.AttributeConverter;
import javax.persistence.Convert;
import javax.persistence.Converter;
import javax.persistence.Entity;
import javax.persistence.Id;
import javax.persistence.Persistence;
import javax.persistence.PersistenceException;
import javax.persistence.Table;

public class Jpa {
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

	@Entity(name = "Order")
	@Table(name = "orders")
	public static class Order {
		@Id
		@Convert(converter = OrderId.class)
		public Gid id;

		@Convert(converter = CustomerId.class)
		public Gid customer;
	}

	static void shows(String what, boolean holds) {
		System.out.println((holds ? "ok - " : "not ok - ") + "JPA: " + what);
	}

	public static void main(String[] arguments) {
		var env = System.getenv();
		// EclipseLink would decrypt a password that is hexadecimal, so it is part of the URL.
		var db = Persistence.createEntityManagerFactory("shop", Map.of("javax.persistence.jdbc.url",
			"jdbc:postgresql://127.0.0.1:" + env.get("PGPORT") + "/" + env.get("PGDATABASE")
				+ "?user=" + env.get("PGUSER") + "&password=" + env.get("PGPASSWORD"))).createEntityManager();
		var since = Instant.now().minusSeconds(3600);
		db.getTransaction().begin();
		var ada = Gid.parse((String) db.createNativeQuery("INSERT INTO customers (name) VALUES ('Ada') RETURNING id::text").getSingleResult());
		var first = (Order) db.createNativeQuery("INSERT INTO orders (customer) VALUES (?) RETURNING id, customer", Order.class)
			.setParameter(1, new GidObject(ada)).getSingleResult();
		shows("the server mints an id", first.id.kind().equals("o") && first.customer.equals(ada));
		var second = new Order();
		second.id = Gid.create("o");
		second.customer = ada;
		db.persist(second);
		db.flush();
		db.clear();
		shows("the program mints an id", db.find(Order.class, second.id).customer.equals(ada));
		var orders = db.createQuery("SELECT o FROM Order o WHERE o.id >= :first AND o.customer = :customer ORDER BY o.id", Order.class)
			.setParameter("first", Gid.lowerBound("o", since)).setParameter("customer", ada).getResultList();
		shows("a range of time, in order", orders.size() == 2 && orders.get(0).id.equals(first.id));
		try {
			db.find(Order.class, ada);
			shows("an id of another kind is an error", false);
		} catch (PersistenceException | IllegalArgumentException e) {
			Throwable cause = e;
			while (cause.getCause() != null)
				cause = cause.getCause();
			shows("an id of another kind is an error: " + cause.getMessage(), cause instanceof IllegalArgumentException);
		}
		db.getTransaction().rollback();
	}
}
