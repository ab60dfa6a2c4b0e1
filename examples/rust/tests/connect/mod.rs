//! A connection of tokio-postgres to the server that the variables of libpq name.

use std::error::Error;
use tokio_postgres::{Client, Config, NoTls};

pub async fn connect() -> Result<Client, Box<dyn Error>> {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let mut config = Config::new();
    config.host(variable("PGHOST")).port(variable("PGPORT").parse()?);
    config.user(variable("PGUSER")).password(variable("PGPASSWORD")).dbname(variable("PGDATABASE"));
    let (client, connection) = config.connect(NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}
