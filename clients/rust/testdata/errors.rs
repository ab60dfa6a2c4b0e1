//! The examples of errors in doc/clients.md, with tokio-postgres.

use std::error::Error;
use tokio_postgres::NoTls;

#[tokio::test]
async fn errors() -> Result<(), Box<dyn Error>> {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let mut config = tokio_postgres::Config::new();
    config.host(variable("PGHOST")).port(variable("PGPORT").parse()?);
    config.user(variable("PGUSER")).password(variable("PGPASSWORD")).dbname(variable("PGDATABASE"));
    let (db, connection) = config.connect(NoTls).await?;
    tokio::spawn(connection);

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
