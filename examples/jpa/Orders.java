// gid from JPA with EclipseLink: a converter for each kind, also of the primary key.
import gid.Gid;
import java.util.List;
import java.util.Map;
import javax.persistence.EntityManager;
import javax.persistence.Persistence;
import javax.persistence.PersistenceException;

public class Orders {
	static void shows(String what, boolean holds) {
		System.out.println((holds ? "ok - " : "not ok - ") + what);
	}

	/** What the converter raises.  EclipseLink wraps it. */
	static String error(Runnable query) {
		try {
			query.run();
			return "";
		} catch (PersistenceException | IllegalArgumentException e) {
			Throwable cause = e;
			while (cause.getCause() != null)
				cause = cause.getCause();
			return cause instanceof IllegalArgumentException ? cause.getMessage() : e.toString();
		}
	}

	static Order save(EntityManager db, Order order) {
		db.getTransaction().begin();
		db.persist(order);
		db.getTransaction().commit();
		db.clear();
		return order;
	}

	public static void main(String[] arguments) {
		// EclipseLink would decrypt a password that is hexadecimal, so it is part of the URL.
		var env = System.getenv();
		var factory = Persistence.createEntityManagerFactory("shop", Map.of(
			"javax.persistence.jdbc.url", "jdbc:postgresql://127.0.0.1:" + env.get("PGPORT") + "/" + env.get("PGDATABASE")
				+ "?user=" + env.get("PGUSER") + "&password=" + env.get("PGPASSWORD"),
			"eclipselink.logging.level", "OFF"));
		var db = factory.createEntityManager();
		db.getTransaction().begin();
		db.createNativeQuery("CREATE EXTENSION gid").executeUpdate();
		db.createNativeQuery("CREATE TABLE orders (id gid(o) PRIMARY KEY, customer gid(c), item text)").executeUpdate();
		db.getTransaction().commit();

		var tea = new Order();
		tea.item = "tea";
		tea.customer = Gid.create("c");
		save(db, tea);
		var milk = save(db, new Order());
		shows("an entity by its id", db.find(Order.class, tea.id).item.equals("tea"));
		shows("NULL", db.find(Order.class, milk.id).customer == null);
		var byCustomer = db.createQuery("SELECT o FROM Order o WHERE o.customer = :customer", Order.class);
		shows("a parameter", byCustomer.setParameter("customer", tea.customer).getSingleResult().id.equals(tea.id));
		var since = db.createQuery("SELECT o.id FROM Order o WHERE o.id >= :first ORDER BY o.id", Gid.class)
			.setParameter("first", Gid.lowerBound("o", tea.id.time()));
		shows("a range of time", since.getResultList().equals(List.of(tea.id, milk.id)));

		shows("a parameter of another kind is an error of the client",
			error(() -> byCustomer.setParameter("customer", tea.id).getResultList()).contains("the id of a \"o\""));
		shows("so is a primary key", error(() -> db.find(Order.class, tea.customer)).contains("the id of a \"c\""));
		var wrong = new Order();
		wrong.customer = tea.id;
		shows("and a field", error(() -> save(db, wrong)).contains("the id of a \"o\""));
		factory.close();
	}
}
