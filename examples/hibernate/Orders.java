// gid from Hibernate 3.6: a type for ids, ids by default and by a generator,
// references, and times compared with ids.
import gid.Gid;
import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.util.*;
import javax.persistence.*;
import org.hibernate.*;
import org.hibernate.annotations.GenericGenerator;
import org.hibernate.annotations.Type;
import org.hibernate.cfg.Configuration;
import org.hibernate.dialect.function.SQLFunctionTemplate;
import org.hibernate.exception.DataException;
import org.hibernate.type.TimestampType;

@Entity @Table(name = "customers")
class Customer {
	@Id @GeneratedValue(strategy = GenerationType.IDENTITY) @Type(type = "GidType")
	Gid id;
	String name;

	String name() { return name; }
}

@Entity @Table(name = "orders")
class Order {
	@Id @GeneratedValue(strategy = GenerationType.IDENTITY) @Type(type = "GidType")
	Gid id;
	@ManyToOne(fetch = FetchType.LAZY) @JoinColumn(name = "customer")
	Customer customer;
	@OneToMany(mappedBy = "order", cascade = CascadeType.ALL) @OrderBy("id")
	List<Line> lines = new ArrayList<>();
}

@Entity @Table(name = "lines")
class Line {
	@Id @GeneratedValue(generator = "lines") @Type(type = "GidType")
	@GenericGenerator(name = "lines", strategy = "LineIds")
	Gid id;
	@ManyToOne(fetch = FetchType.LAZY) @JoinColumn(name = "order_id")
	Order order;
	String item;
}

public class Orders {
	static boolean failed;

	static void shows(String what, boolean holds) {
		System.out.println((holds ? "ok - " : "not ok - ") + what);
		failed |= !holds;
	}

	interface Work<T> {
		T in(Session session);
	}

	static SessionFactory factory;

	static <T> T transaction(Work<T> work) {
		var session = factory.openSession();
		try {
			var transaction = session.beginTransaction();
			var result = work.in(session);
			transaction.commit();
			return result;
		} catch (RuntimeException e) {
			session.getTransaction().rollback();
			throw e;
		} finally {
			session.close();
		}
	}

	/** The SQLSTATE with which something is rejected. */
	static String refused(Work<?> work) {
		try {
			transaction(work);
			return "not refused";
		} catch (DataException e) {
			return e.getSQLState();
		}
	}

	static Gid next(Gid id) {
		return Gid.parse(transaction(s -> s.createSQLQuery("SELECT CAST(CAST(:id AS gid) + 1 AS text)")
			.setString("id", id.toString()).uniqueResult().toString()));
	}

	public static void main(String[] arguments) {
		var env = System.getenv();
		var configuration = new Configuration()
			.setProperty("hibernate.connection.url",
				"jdbc:postgresql://127.0.0.1:" + env.get("PGPORT") + "/" + env.get("PGDATABASE"))
			.setProperty("hibernate.connection.username", env.get("PGUSER"))
			.setProperty("hibernate.connection.password", env.get("PGPASSWORD"))
			.setProperty("hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
			.setProperty("hibernate.jdbc.batch_size", "50")
			.addAnnotatedClass(Customer.class).addAnnotatedClass(Order.class).addAnnotatedClass(Line.class);
		configuration.addSqlFunction("timestamptz",
			new SQLFunctionTemplate(TimestampType.INSTANCE, "CAST(?1 AS timestamptz)"));
		factory = configuration.buildSessionFactory();

		for (var sql : List.of("CREATE EXTENSION gid",
				"CREATE TABLE customers (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text)",
				"CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'),"
					+ " customer gid(c) NOT NULL REFERENCES customers)",
				"CREATE TABLE lines (id gid(l) PRIMARY KEY, order_id gid(o) NOT NULL REFERENCES orders, item text)"))
			transaction(s -> s.createSQLQuery(sql).executeUpdate());

		var order = transaction(s -> {
			var ada = new Customer();
			ada.name = "Ada";
			s.save(ada);
			var made = new Order();
			made.customer = ada;
			for (int n = 0; n < 120; n++) {
				var line = new Line();
				line.order = made;
				line.item = "item " + n;
				made.lines.add(line);
			}
			s.save(made);
			return made;
		});
		shows("the default makes ids, and save returns them", order.id.isKind("o"));
		var ids = new ArrayList<Gid>();
		for (var line : order.lines)
			ids.add(line.id);
		shows("the generator's ids are in order", List.copyOf(new TreeSet<>(ids)).equals(ids) && ids.size() == 120);
		shows("the generated ids have their kind", ids.get(0).isKind("l"));
		shows("a transaction has reservations of its own", !transaction(s -> {
			var line = new Line();
			line.order = (Order) s.load(Order.class, order.id);
			return (Gid) s.save(line);
		}).equals(next(ids.get(119))));

		// By id, and by what it refers to.
		transaction(s -> {
			var found = (Order) s.get(Order.class, order.id);
			shows("by its id, with what it refers to",
				found.customer.name().equals("Ada") && found.lines.size() == 121);
			shows("a list of ids",
				s.createQuery("from Line where id in (:ids)").setParameterList("ids", ids).list().size() == 120);
			shows("a reference", s.createQuery("from Line where order.customer.id = :id order by id")
				.setParameter("id", order.customer.id).list().get(0) == found.lines.get(0));
			return null;
		});

		// Times.
		var hourAgo = OffsetDateTime.now().minusHours(1);
		var date = Timestamp.from(hourAgo.toInstant());
		var since = "from Line where id >= :since";
		shows("setTimestamp compared with an id is rejected",
			refused(s -> s.createQuery(since).setTimestamp("since", date).list()).equals("22P02"));
		shows("setParameter with a Timestamp, too",
			refused(s -> s.createQuery(since).setParameter("since", date).list()).equals("22P02"));
		transaction(s -> {
			shows("setParameter with an OffsetDateTime, by GidType",
				s.createQuery(since).setParameter("since", hourAgo).list().size() == 121
				&& s.createQuery(since).setParameter("since", hourAgo.plusHours(2)).list().isEmpty());
			var called = "from Line where id >= timestamptz(:since)";
			shows("setTimestamp with a function for the cast",
				s.createQuery(called).setTimestamp("since", date).list().size() == 121);
			var cast = s.createSQLQuery("SELECT * FROM lines WHERE id >= CAST(:since AS timestamptz)")
				.addEntity(Line.class);
			shows("setTimestamp with a cast in SQL", cast.setTimestamp("since", date).list().size() == 121);
			var at = (java.util.Date) s.createQuery("select timestamptz(id) from Order").uniqueResult();
			shows("when a row was made", at.after(date));
			return null;
		});
		shows("a wrong kind is rejected", refused(s -> {
			var wrong = new Order();
			wrong.customer = new Customer();
			wrong.customer.id = order.id;
			return s.save(wrong);
		}).equals("22023"));
		System.exit(failed ? 1 : 0);
	}
}
