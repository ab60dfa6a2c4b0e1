// The shop of doc/tutorial.md as a service: the JDK's HTTP server with JPA.
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gid.Gid;
import gid.jdbc.GidObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.persistence.EntityManager;
import javax.persistence.EntityManagerFactory;
import javax.persistence.Persistence;
import javax.persistence.PersistenceException;

public class Shop {
	record NewOrder(Gid customer) {
		NewOrder {
			if (customer == null)
				throw new IllegalArgumentException("customer is missing");
			customer.requireKind("c");
		}
	}

	record Page(List<Order> orders, Gid next) {}

	static final ObjectMapper JSON = new ObjectMapper();
	static EntityManagerFactory factory;

	/** What a function does in one transaction. */
	static <T> T transaction(Function<EntityManager, T> function) {
		var db = factory.createEntityManager();
		try {
			db.getTransaction().begin();
			var result = function.apply(db);
			db.getTransaction().commit();
			return result;
		} finally {
			db.close();
		}
	}

	/** The server mints the id, with the default of the column. */
	static Order create(NewOrder order) {
		return transaction(db -> (Order) db
			.createNativeQuery("INSERT INTO orders (customer) VALUES (?) RETURNING id, customer", Order.class)
			.setParameter(1, new GidObject(order.customer)).getSingleResult());
	}

	static Page list(Map<String, String> query) {
		var limit = Integer.parseInt(query.getOrDefault("limit", "50"));
		var first = Gid.lowerBound("o", Instant.parse(query.getOrDefault("since", "1970-01-01T00:00:00Z")));
		var after = query.containsKey("after") ? Gid.parse(query.get("after"), "o") : first;
		if (limit < 1 || limit > 100)
			throw new IllegalArgumentException("limit is from 1 to 100");
		return transaction(db -> {
			var orders = db.createQuery("SELECT o FROM Order o WHERE o.id >= :first AND o.id > :after ORDER BY o.id", Order.class)
				.setParameter("first", first).setParameter("after", after).setMaxResults(limit).getResultList();
			return new Page(orders, orders.size() == limit ? orders.get(limit - 1).id : null);
		});
	}

	static void answer(HttpExchange exchange) throws IOException {
		var path = exchange.getRequestURI().getPath().split("/");
		var query = new HashMap<String, String>();
		if (exchange.getRequestURI().getQuery() != null)
			for (var pair : exchange.getRequestURI().getQuery().split("&"))
				query.put(pair.replaceAll("=.*", ""), pair.replaceAll("^[^=]*=?", ""));
		int status = 200;
		Object body;
		try {
			if (exchange.getRequestMethod().equals("POST")) {
				body = create(JSON.readValue(exchange.getRequestBody(), NewOrder.class));
				status = 201;
			} else if (path.length == 3) {
				body = transaction(db -> db.find(Order.class, Gid.parse(path[2], "o")));
				if (body == null) {
					body = Map.of("error", "there is no such order");
					status = 404;
				}
			} else
				body = list(query);
		} catch (IllegalArgumentException | DateTimeException | IOException e) {
			body = Map.of("error", e.getMessage());
			status = 422;
		} catch (PersistenceException e) {
			Throwable cause = e;
			while (cause.getCause() != null)
				cause = cause.getCause();
			status = cause instanceof SQLException s && s.getSQLState().startsWith("23") ? 422 : 500;
			body = Map.of("error", status == 422 ? cause.getMessage() : "internal error");
			if (status == 500)
				e.printStackTrace();
		}
		var bytes = JSON.writeValueAsBytes(body);
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		exchange.sendResponseHeaders(status, bytes.length);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	/** Prints new orders, and moves the cursor in the same transaction. */
	@SuppressWarnings("unchecked")
	static int poll(EntityManager db) {
		var last = db.createNativeQuery("SELECT position::text FROM cursors WHERE consumer = 'printer' FOR UPDATE").getSingleResult();
		List<Order> orders = db.createNativeQuery("""
			SELECT id, customer FROM orders WHERE id > ?::gid AND id < gid_settled('o') ORDER BY id LIMIT 100""", Order.class)
			.setParameter(1, last).getResultList();
		for (var order : orders) {
			System.out.println(order.id + " " + order.customer);
			last = order.id;
		}
		return db.createNativeQuery("UPDATE cursors SET position = ?::gid WHERE consumer = 'printer'")
			.setParameter(1, last.toString()).executeUpdate();
	}

	public static void main(String[] arguments) throws Exception {
		var env = System.getenv();
		// EclipseLink would decrypt a password that is hexadecimal, so it is part of the URL.
		factory = Persistence.createEntityManagerFactory("shop", Map.of("javax.persistence.jdbc.url",
			"jdbc:postgresql://127.0.0.1:" + env.getOrDefault("PGPORT", "5432") + "/" + env.get("PGDATABASE")
				+ "?user=" + env.get("PGUSER") + "&password=" + env.get("PGPASSWORD")));
		while (arguments.length > 0 && arguments[0].equals("print")) {
			transaction(Shop::poll);
			Thread.sleep(1000);
		}
		var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(env.getOrDefault("PORT", "8000"))), 0);
		server.setExecutor(Executors.newFixedThreadPool(8));
		server.createContext("/orders", Shop::answer);
		server.start();
	}
}
