//! What a program does with ids of uuid works with ids of gid: tokio-postgres, written without the page.

mod connect;

use gid::Gid;
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;
use std::time::{Duration, SystemTime};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{FromSqlOwned, ToSql, Type};
use tokio_postgres::Client;
use uuid::Uuid;

type Failure = Box<dyn Error>;
type Value<'a> = &'a (dyn ToSql + Sync);

/// The name of each probe, and its error.
type Found = BTreeMap<&'static str, Option<String>>;

fn is<T: PartialEq + Debug>(got: T, expected: T) -> Result<(), Failure> {
    if got == expected {
        Ok(())
    } else {
        Err(format!("{got:?} instead of {expected:?}").into())
    }
}

async fn count(db: &Client, expected: i64, condition: &str, values: &[Value<'_>]) -> Result<(), Failure> {
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

    shows("an id", count(db, 1, "id = $1", &[&a]).await);
    shows("text", count(db, 1, "id = $1", &[&a.to_string()]).await);
    shows("a list", count(db, 2, "id = ANY ($1)", &[&vec![a, b]]).await);
    shows("a slice", count(db, 2, "id = ANY ($1)", &[&&ids[..2]]).await);
    shows("unnest", count(db, 2, &format!("id IN (SELECT unnest($1::{name}[]))"), &[&vec![a, b]]).await);
    shows("coalesce", count(db, 3, "id = coalesce($1, id)", &[&None::<Id>]).await);
    shows("an optional filter", count(db, 3, &format!("$1::{name} IS NULL OR id < $1"), &[&None::<Id>]).await);
    shows("a row", count(db, 1, "(id, item) = ($1, $2)", &[&a, &"0"]).await);
    shows("a time", count(db, 3, &format!("{at} >= $1"), &[&hour_ago]).await);
    shows("a time with a cast", count(db, 3, &format!("{at} >= $1::timestamptz"), &[&hour_ago]).await);

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
    let db = connect::connect().await?;

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
