//! gid from tokio-postgres: ids as Gid, in binary, alone, in arrays and in COPY; times.

use gid::{Gid, Kind, Of};
use std::time::{Duration, SystemTime};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, NoTls};

const ORDER: Kind = Kind::of("o");
const CUSTOMER: Kind = Kind::of("c");
type OrderId = Of<{ ORDER.prefix() }>;
const INSERT: &str = "INSERT INTO orders (item) VALUES ($1) RETURNING id";
const COUNT_SINCE: &str = "SELECT count(*) FROM orders WHERE id >= $1::timestamptz";

fn shows(what: &str, holds: bool) {
    println!("{} - {what}", if holds { "ok" } else { "not ok" });
}

/// The code and the message of the server's error, if there is one.
fn refusal<T>(result: Result<T, Error>) -> (String, String) {
    match result {
        Ok(_) => Default::default(),
        Err(error) => match error.as_db_error() {
            Some(server) => (server.code().code().into(), server.message().into()),
            None => ("".into(), format!("{:?}", error)),
        },
    }
}

async fn count(db: &Client, query: &str, parameter: &(dyn ToSql + Sync)) -> Result<i64, Error> {
    db.query_one(query, &[parameter]).await.map(|row| row.get(0))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let mut config = tokio_postgres::Config::new();
    config.host(&variable("PGHOST")).port(variable("PGPORT").parse()?);
    config.user(&variable("PGUSER")).password(variable("PGPASSWORD")).dbname(&variable("PGDATABASE"));
    let (db, connection) = config.connect(NoTls).await?;
    tokio::spawn(connection);
    db.batch_execute(
        "CREATE EXTENSION gid;
        CREATE TABLE orders (
            id       gid(o) PRIMARY KEY DEFAULT gid_new('o'),
            item     text NOT NULL,
            replaces gid(o),
            customer uuid
        )",
    )
    .await?;

    let tea: Gid = db.query_one(INSERT, &[&"tea"]).await?.get(0);
    let milk: Gid = db.query_one(INSERT, &[&"milk"]).await?.get(0);
    shows("ids of the server are Gid", tea.kind() == ORDER && tea < milk);
    let item: String = db.query_one("SELECT item FROM orders WHERE id = $1", &[&tea]).await?.get(0);
    shows("a Gid is a parameter", item == "tea");
    let row = db.query_one("SELECT replaces, customer FROM orders WHERE id = $1", &[&tea]).await?;
    shows("NULL is None", row.get::<_, Option<Gid>>(0).is_none() && row.try_get::<_, Gid>(0).is_err());

    let bread = Gid::new(ORDER)?;
    let ada = Gid::new(CUSTOMER)?;
    db.execute("INSERT INTO orders VALUES ($1, 'bread', $2, $3)", &[&bread, &Some(milk), &ada]).await?;
    let row = db.query_one("SELECT id, replaces, customer FROM orders WHERE item = 'bread'", &[]).await?;
    shows(
        "ids of the program, also in a column of uuid",
        (row.get(0), row.get(1), row.get(2)) == (bread, Some(milk), ada),
    );

    let found = count(&db, "SELECT count(*) FROM orders WHERE id = ANY ($1)", &vec![tea, milk]).await?;
    let ids: Vec<Gid> = db.query_one("SELECT array_agg(id ORDER BY id) FROM orders", &[]).await?.get(0);
    shows("arrays", found == 2 && ids == [tea, milk, bread]);
    db.batch_execute("CREATE DOMAIN order_id AS gid(o)").await?;
    let same: Gid = db.query_one("SELECT $1::order_id", &[&tea]).await?.get(0);
    shows("domains", same == tea);

    let gid = db.prepare("SELECT id FROM orders").await?.columns()[0].type_().clone();
    let sink = db.copy_in("COPY orders (id, item) FROM STDIN BINARY").await?;
    let writer = BinaryCopyInWriter::new(sink, &[gid, Type::TEXT]);
    tokio::pin!(writer);
    for n in 0..1000 {
        writer.as_mut().write(&[&Gid::new(ORDER)?, &format!("copy {n}")]).await?;
    }
    shows("COPY in binary", writer.finish().await? == 1000);

    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    shows("a time next to an id", count(&db, COUNT_SINCE, &hour_ago).await? == 1003);
    let first = Gid::lower_bound(ORDER, hour_ago);
    shows("a bound as a parameter", count(&db, "SELECT count(*) FROM orders WHERE id >= $1", &first).await? == 1003);
    let (_, message) = refusal(count(&db, "SELECT count(*) FROM orders WHERE id >= $1", &hour_ago).await);
    shows("without the cast the time is an error of the client", message.contains("WrongType"));

    let order = OrderId::try_from(tea)?;
    let row = db.query_one("SELECT id, gid_new('c') FROM orders WHERE id = $1", &[&order]).await?;
    shows("an id of one kind", row.get::<_, OrderId>(0) == order);
    shows("rejects others in results", row.try_get::<_, OrderId>(1).is_err());
    shows("and before a query is sent", OrderId::try_from(ada).is_err());

    let (code, message) = refusal(db.execute("INSERT INTO orders (id, item) VALUES ($1, 'milk')", &[&ada]).await);
    shows(
        &format!("another kind: {code} {}", &message[..30]),
        code == "22023" && message.contains("does not match type gid(o)"),
    );
    Ok(())
}
