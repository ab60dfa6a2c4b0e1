//! The examples of errors in doc/clients.md, with tokio-postgres.

mod connect;

use std::error::Error;

#[tokio::test]
async fn errors() -> Result<(), Box<dyn Error>> {
    let db = connect::connect().await?;

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
