//! tokio-postgres: Gid and Of in binary, as doc/clients/rust.md shows; and the examples of errors in doc/clients.md.

use gid::{Gid, Kind, Of};
use std::error::Error;
use std::time::{Duration, SystemTime};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, NoTls};

type Failure = Box<dyn Error>;
type Value<'a> = &'a (dyn ToSql + Sync);

/// Connects to the server that the variables of libpq name.
async fn connect() -> Result<Client, Failure> {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let mut config = Config::new();
    config.host(variable("PGHOST")).port(variable("PGPORT").parse()?);
    config.user(variable("PGUSER")).password(variable("PGPASSWORD")).dbname(variable("PGDATABASE"));
    let (client, connection) = config.connect(NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

const CUSTOMER: Kind = Kind::of("c");
type CustomerId = Of<{ CUSTOMER.prefix() }>;
const INSERT: &str = "INSERT INTO customers (name) VALUES ($1) RETURNING id";

async fn count(db: &Client, condition: &str, parameter: Value<'_>) -> Result<i64, tokio_postgres::Error> {
    let query = format!("SELECT count(*) FROM customers WHERE {condition}");
    Ok(db.query_one(&query, &[parameter]).await?.get(0))
}

#[tokio::test]
async fn types() -> Result<(), Failure> {
    let db = connect().await?;

    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    let before = count(&db, "id >= $1::timestamptz", &hour_ago).await?;
    let tea: Gid = db.query_one(INSERT, &[&"tea"]).await?.get(0);
    let milk: Gid = db.query_one(INSERT, &[&"milk"]).await?.get(0);
    assert!(tea.kind() == CUSTOMER && tea < milk);

    let bread = Gid::new(CUSTOMER)?;
    let row = db.query_one("SELECT $1::gid, $2::gid, $3::uuid", &[&Some(bread), &None::<Gid>, &bread]).await?;
    assert_eq!((row.get(0), row.get(1), row.get(2)), (Some(bread), None::<Gid>, bread));
    assert!(row.try_get::<_, Gid>(1).is_err());

    assert_eq!(count(&db, "id = ANY ($1)", &vec![tea, milk]).await?, 2);
    let ids: Vec<Gid> = db.query_one("SELECT array_agg(id ORDER BY id) FROM customers", &[]).await?.get(0);
    assert_eq!(ids[ids.len() - 2..], [tea, milk]);

    let gid = db.prepare("SELECT id FROM customers").await?.columns()[0].type_().clone();
    let sink = db.copy_in("COPY customers (id, name) FROM STDIN BINARY").await?;
    let writer = BinaryCopyInWriter::new(sink, &[gid, Type::TEXT]);
    tokio::pin!(writer);
    for n in 0..1000 {
        writer.as_mut().write(&[&Gid::new(CUSTOMER)?, &format!("copy {n}")]).await?;
    }
    assert_eq!(writer.finish().await?, 1000);

    assert_eq!(count(&db, "id >= $1::timestamptz", &hour_ago).await?, before + 1002);
    let refused = count(&db, "id >= $1", &hour_ago).await.unwrap_err();
    assert!(format!("{:?}", refused.source()).contains("WrongType"), "{refused:?}");
    let first = Gid::lower_bound(CUSTOMER, hour_ago);
    assert_eq!(count(&db, "id >= $1", &first).await?, before + 1002);

    let customer = CustomerId::try_from(tea)?;
    let row = db.query_one("SELECT id, gid_new('o') FROM customers WHERE id = $1", &[&customer]).await?;
    assert_eq!(row.get::<_, CustomerId>(0), customer);
    assert!(row.try_get::<_, CustomerId>(1).is_err());
    Ok(())
}

#[tokio::test]
async fn errors() -> Result<(), Failure> {
    let db = connect().await?;

    let page = std::fs::read_to_string("../gid/doc/clients.md")?;
    let table = page.split("| case | SQLSTATE |").nth(1).unwrap().split("\n\n").next().unwrap();
    for row in table.lines().skip(2) {
        let cells: Vec<&str> = row.split(" | ").collect();
        for example in cells[3].split('`').skip(1).step_by(2) {
            let error = db.query(example, &[]).await.unwrap_err();
            assert_eq!(error.code().map(|state| state.code()), Some(cells[1]), "{example}");
        }
    }
    Ok(())
}
