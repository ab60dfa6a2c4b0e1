//! The shop of doc/tutorial.md as a service: axum with tokio-postgres.

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use gid::{Gid, Kind, Of};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{env, error::Error, fmt::Display, sync::Arc, time::Duration};
use tokio_postgres::{Client, NoTls, Row};

// An id of another kind is an error in JSON, in a URL and in a result.
const ORDER: Kind = Kind::of("o");
type OrderId = Of<{ ORDER.prefix() }>;
type CustomerId = Of<{ Kind::of("c").prefix() }>;

#[derive(Deserialize)]
struct NewOrder {
    customer: CustomerId,
}

#[derive(Serialize)]
struct Order {
    id: OrderId,
    customer: CustomerId,
    created_at: String,
}

impl TryFrom<&Row> for Order {
    type Error = Failure;

    fn try_from(row: &Row) -> Result<Order, Failure> {
        let id: OrderId = row.try_get("id")?;
        let time = Timestamp::try_from(id.time()).map_err(invalid)?;
        Ok(Order { id, customer: row.try_get("customer")?, created_at: format!("{time:.3}") })
    }
}

#[derive(Deserialize)]
struct Page {
    since: Option<Timestamp>,
    after: Option<OrderId>,
    limit: Option<i64>,
}

#[derive(Serialize)]
struct Orders {
    orders: Vec<Order>,
    next: Option<OrderId>,
}

/// What is answered instead of a result.
struct Failure(StatusCode, String);

fn invalid(reason: impl Display) -> Failure {
    Failure(StatusCode::UNPROCESSABLE_ENTITY, reason.to_string())
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Failure {
        match error.as_db_error() {
            Some(server) if server.code().code().starts_with("23") => invalid(server.message()),
            _ => {
                eprintln!("{error:?}");
                Failure(StatusCode::INTERNAL_SERVER_ERROR, "see the log".into())
            }
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

type Db = State<Arc<Client>>;

async fn create(db: Db, body: Result<Json<NewOrder>, JsonRejection>) -> Result<impl IntoResponse, Failure> {
    let new = body.map_err(invalid)?;
    const INSERT: &str = "INSERT INTO orders (customer) VALUES ($1) RETURNING id, customer";
    let row = db.query_one(INSERT, &[&new.customer]).await?;
    Ok((StatusCode::CREATED, Json(Order::try_from(&row)?)))
}

async fn find(db: Db, Path(id): Path<String>) -> Result<Json<Order>, Failure> {
    let id: OrderId = id.parse().map_err(invalid)?;
    match db.query_opt("SELECT id, customer FROM orders WHERE id = $1", &[&id]).await? {
        Some(row) => Ok(Json(Order::try_from(&row)?)),
        None => Err(Failure(StatusCode::NOT_FOUND, "there is no such order".into())),
    }
}

async fn list(db: Db, query: Result<Query<Page>, QueryRejection>) -> Result<Json<Orders>, Failure> {
    let page = query.map_err(invalid)?;
    let limit = page.limit.unwrap_or(50);
    if !(1..=100).contains(&limit) {
        return Err(invalid("limit is from 1 to 100"));
    }
    let since = page.since.unwrap_or(Timestamp::UNIX_EPOCH);
    let after = page.after.map_or(Gid::lower_bound(ORDER, since.into()), |id| *id);
    const LIST: &str = "SELECT id, customer FROM orders
        WHERE id >= $1::timestamptz AND id > $2 ORDER BY id LIMIT $3";
    let rows = db.query(LIST, &[&since, &after, &limit]).await?;
    let orders = rows.iter().map(Order::try_from).collect::<Result<Vec<_>, _>>()?;
    let next = orders.last().filter(|_| orders.len() as i64 == limit).map(|order| order.id);
    Ok(Json(Orders { orders, next }))
}

/// Prints new orders, and moves the cursor in the same transaction.
async fn poll(db: &mut Client) -> Result<(), tokio_postgres::Error> {
    let tx = db.transaction().await?;
    let cursor = "SELECT position FROM cursors WHERE consumer = 'printer' FOR UPDATE";
    let mut last: Gid = tx.query_one(cursor, &[]).await?.get(0);
    let next = "SELECT id, customer FROM orders WHERE id > $1 AND id < gid_settled('o') ORDER BY id LIMIT 100";
    for row in tx.query(next, &[&last]).await? {
        last = row.get("id");
        println!("{last} {}", row.get::<_, CustomerId>("customer"));
    }
    tx.execute("UPDATE cursors SET position = $1 WHERE consumer = 'printer'", &[&last]).await?;
    tx.commit().await
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let variable = |name, default: &str| env::var(name).unwrap_or(default.into());
    let mut config = tokio_postgres::Config::new();
    config.host(variable("PGHOST", "localhost")).port(variable("PGPORT", "5432").parse()?);
    config
        .user(variable("PGUSER", "postgres"))
        .password(variable("PGPASSWORD", ""))
        .dbname(variable("PGDATABASE", "postgres"));
    let (mut db, connection) = config.connect(NoTls).await?;
    tokio::spawn(connection);
    while env::args().nth(1).as_deref() == Some("print") {
        poll(&mut db).await?;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let shop = Router::new().route("/orders", post(create).get(list)).route("/orders/{id}", get(find));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", variable("PORT", "8000"))).await?;
    Ok(axum::serve(listener, shop.with_state(Arc::new(db))).await?)
}
