//! sqlx sends no text: the casts of doc/clients/other.md, on the tables of the shop.

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Error};

async fn one(db: &mut PgConnection, query: &'static str, parameter: &str) -> Result<String, Error> {
    sqlx::query_scalar(query).bind(parameter).fetch_one(db).await
}

#[tokio::test]
async fn casts() -> Result<(), Error> {
    let mut db = PgConnectOptions::new().connect().await?;
    let id = one(&mut db, "INSERT INTO customers (name) VALUES ($1) RETURNING id::text", "tea").await?;
    assert_eq!(one(&mut db, "SELECT name FROM customers WHERE id = $1::text::gid", &id).await?, "tea");
    let ids = vec![id.clone()];
    let query = "SELECT count(*) FROM customers WHERE id = ANY ($1::text[]::gid[])";
    assert_eq!(sqlx::query_scalar::<_, i64>(query).bind(ids).fetch_one(&mut db).await?, 1);
    assert!(one(&mut db, "SELECT id FROM customers WHERE id = $1::text::gid", &id).await.is_err());
    assert!(one(&mut db, "SELECT name FROM customers WHERE id = $1", &id).await.is_err());
    Ok(())
}
