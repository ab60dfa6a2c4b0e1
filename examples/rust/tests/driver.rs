//! tokio-postgres: Gid and Of in binary, as doc/clients/rust.md shows; the examples of errors in doc/clients.md; and what
//! a program does with ids of uuid, written without the page: it works with ids of gid, or fails as the page says.

use gid::{Gid, Kind, Of};
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;
use std::time::{Duration, SystemTime};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{FromSqlOwned, ToSql, Type};
use tokio_postgres::{Client, Config, NoTls};
use uuid::Uuid;

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

/// The name of each probe, and its error.
type Found = BTreeMap<&'static str, Option<String>>;

fn is<T: PartialEq + Debug>(got: T, expected: T) -> Result<(), Failure> {
    if got == expected {
        Ok(())
    } else {
        Err(format!("{got:?} instead of {expected:?}").into())
    }
}

async fn is_count(db: &Client, expected: i64, condition: &str, values: &[Value<'_>]) -> Result<(), Failure> {
    let query = format!("SELECT count(*) FROM probes WHERE {condition}");
    is(db.query_one(&query, values).await?.try_get::<_, i64>(0)?, expected)
}

async fn probes<Id>(db: &Client, of: &str, new: &str, at: &str) -> Result<Found, Failure>
where
    Id: ToSql + FromSqlOwned + FromStr + Display + Debug + Copy + Eq + Ord + Hash + Sync + serde::Serialize,
    Id: serde::de::DeserializeOwned,
    <Id as FromStr>::Err: Error + 'static,
{
    let now = "created_at timestamptz DEFAULT now()";
    db.batch_execute(&format!(
        "DROP TABLE IF EXISTS probes; CREATE TABLE probes (id {of} PRIMARY KEY DEFAULT {new}, item text, {now})"
    ))
    .await?;
    let name = of.split('(').next().unwrap_or(of);
    let mut ids: Vec<Id> = Vec::new();
    for item in ["0", "1", "2"] {
        ids.push(db.query_one("INSERT INTO probes (item) VALUES ($1) RETURNING id", &[&item]).await?.get(0));
    }
    let [a, b] = [ids[0], ids[1]];
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    let mut found = Found::new();
    let mut shows = |name, result: Result<(), Failure>| {
        found.insert(name, result.err().map(|e| format!("{e}: {:?}", e.source().map(|e| e.to_string()))));
    };

    shows("an id", is_count(db, 1, "id = $1", &[&a]).await);
    shows("text", is_count(db, 1, "id = $1", &[&a.to_string()]).await);
    shows("a list", is_count(db, 2, "id = ANY ($1)", &[&vec![a, b]]).await);
    shows("a slice", is_count(db, 2, "id = ANY ($1)", &[&&ids[..2]]).await);
    shows("unnest", is_count(db, 2, &format!("id IN (SELECT unnest($1::{name}[]))"), &[&vec![a, b]]).await);
    shows("coalesce", is_count(db, 3, "id = coalesce($1, id)", &[&None::<Id>]).await);
    shows("an optional filter", is_count(db, 3, &format!("$1::{name} IS NULL OR id < $1"), &[&None::<Id>]).await);
    shows("a row", is_count(db, 1, "(id, item) = ($1, $2)", &[&a, &"0"]).await);
    shows("a time", is_count(db, 3, &format!("{at} >= $1"), &[&hour_ago]).await);
    shows("a time with a cast", is_count(db, 3, &format!("{at} >= $1::timestamptz"), &[&hour_ago]).await);

    let all = db.query_one("SELECT array_agg(id ORDER BY item), NULL::text FROM probes", &[]).await?;
    shows(
        "a list in results",
        all.try_get::<_, Vec<Id>>(0).map_err(Failure::from).and_then(|got| is(got, ids.clone())),
    );
    let row = db.query_one(&format!("SELECT id, NULL::{name}, id::text FROM probes WHERE item = '0'"), &[]).await?;
    shows("in a result", row.try_get(0).map_err(Failure::from).and_then(|got| is(got, a)));
    shows("NULL", row.try_get(1).map_err(Failure::from).and_then(|got| is(got, None::<Id>)));
    shows("a String", row.try_get::<_, String>(0).map_err(Failure::from).and_then(|got| is(got, a.to_string())));
    shows("as text", is(row.get::<_, String>(2), a.to_string()));
    shows("parsed", a.to_string().parse::<Id>().map_err(Failure::from).and_then(|got| is(got, a)));
    let json = serde_json::to_string(&HashMap::from([("id", a)]))?;
    shows("JSON", is(json.clone(), format!(r#"{{"id":"{a}"}}"#)));
    shows("from JSON", is(serde_json::from_str::<HashMap<String, Id>>(&json)?["id"], a));
    shows("a key", is(HashMap::from([(a, 1), (b, 2)])[&b], 2));

    let upsert = "INSERT INTO probes VALUES ($1, '0') ON CONFLICT (id) DO UPDATE SET item = '0' RETURNING id";
    shows("on conflict", is(db.query_one(upsert, &[&a]).await?.get(0), a));
    let column = db.prepare("SELECT id FROM probes").await?.columns()[0].type_().clone();
    let new: Id = db.query_one(&format!("SELECT {new}"), &[]).await?.get(0);
    let writer =
        BinaryCopyInWriter::new(db.copy_in("COPY probes (id, item) FROM STDIN BINARY").await?, &[column, Type::TEXT]);
    tokio::pin!(writer);
    writer.as_mut().write(&[&new, &"copied"]).await?;
    shows("COPY in binary", is(writer.finish().await?, 1));
    let garbage = db.query(&format!("SELECT FROM probes WHERE id = $1::text::{name}"), &[&"tea"]).await;
    shows("garbage", if garbage.is_err() { Ok(()) } else { Err("no error".into()) });
    Ok(found)
}

#[tokio::test]
async fn next_to_uuid() -> Result<(), Failure> {
    let db = connect().await?;

    // A part of the error, and the sentence of the page.
    let documented = HashMap::from([(
        "a time",
        ("SystemTime` and the Postgres type `gid`", "Without the cast, the client reports `WrongType`"),
    )]);
    let page = std::fs::read_to_string("../gid/doc/clients/rust.md")?;
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let of_uuid = probes::<Uuid>(&db, "uuid", "gen_random_uuid()", "created_at").await?;
    let mut wrong = Vec::new();
    for (name, error) in probes::<Gid>(&db, "gid(o)", "gid_new('o')", "id").await? {
        match documented.get(name) {
            Some((part, sentence)) if error.as_ref().is_some_and(|e| e.contains(part)) && page.contains(sentence) => {}
            None if error.is_none() || of_uuid[name].is_some() => {}
            _ => wrong.push(format!("{name}: {error:?}, with uuid {:?}", of_uuid[name])),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
