// gid from Go by database/sql and lib/pq: ids as strings and as 16 bytes, lists
// and arrays of them, times compared with ids, COPY, and what takes the place of
// LastInsertId.
package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gid"
	"github.com/lib/pq"
)

func shows(what string, holds bool) {
	if holds {
		fmt.Println("ok -", what)
	} else {
		fmt.Println("not ok -", what)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The server's error, empty if there is none.
func refusal(err error) *pq.Error {
	refused := new(pq.Error)
	errors.As(err, &refused)
	return refused
}

const insert = "INSERT INTO orders (item) VALUES ($1) RETURNING id"
const itemOf = "SELECT item FROM orders WHERE id = $1"
const countOf = "SELECT count(*) FROM orders WHERE id = ANY ($1)"

func main() {
	var item string
	var count int

	// libpq's variables say where the server is; without sslmode lib/pq asks for TLS.
	db, err := sql.Open("postgres", "sslmode=disable")
	check(err)
	_, err = db.Exec(`
		CREATE EXTENSION gid;
		CREATE TABLE customers (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text NOT NULL);
		CREATE TABLE orders (
			id       gid(o) PRIMARY KEY DEFAULT gid_new('o'),
			customer gid(c) REFERENCES customers,
			item     text NOT NULL
		);
		CREATE TABLE copies (id gid(o), item text)`)
	check(err)

	// An id is a string.  The server finds the type of a parameter by where it stands.
	var tea, milk string
	check(db.QueryRow(insert, "tea").Scan(&tea))
	check(db.QueryRow(insert, "milk").Scan(&milk))
	shows("ids are strings, and increase", len(tea) == 24 && tea < milk)
	check(db.QueryRow(itemOf, tea).Scan(&item))
	shows("a string as a parameter", item == "tea")
	var customer sql.NullString
	check(db.QueryRow("SELECT customer FROM orders WHERE id = $1", tea).Scan(&customer))
	shows("none is a NullString", !customer.Valid)
	shows("a string is rejected where nothing tells its type",
		refusal(db.QueryRow("SELECT pg_typeof($1)", tea).Scan(&item)).Code == "42P18")
	check(db.QueryRow("SELECT pg_typeof($1::gid)", tea).Scan(&item))
	shows("there a cast helps", item == "gid")

	// Arrays go through pq.Array, both ways.
	check(db.QueryRow(countOf, pq.Array([]string{tea, milk})).Scan(&count))
	shows("a list of strings", count == 2)
	check(db.QueryRow(countOf, pq.Array([]string{})).Scan(&count))
	shows("an empty one", count == 0)
	var ids []string
	check(db.QueryRow("SELECT array_agg(id ORDER BY id) FROM orders").Scan(pq.Array(&ids)))
	shows("an array in results", len(ids) == 2 && ids[0] == tea && ids[1] == milk)

	// With clients/go an id is a value of its own.
	var bread, butter gid.ID
	check(db.QueryRow(insert, "bread").Scan(&bread))
	check(db.QueryRow(insert, "butter").Scan(&butter))
	check(db.QueryRow(itemOf, bread).Scan(&item))
	shows("a gid.ID", bread.Kind() == "o" && bread.Less(butter) && item == "bread")
	var own []gid.ID
	check(db.QueryRow("SELECT array_agg(id ORDER BY id) FROM orders WHERE id = ANY ($1)", pq.Array([]gid.ID{butter, bread})).Scan(pq.Array(&own)))
	shows("arrays of them", len(own) == 2 && own[0] == bread && own[1] == butter)
	check(db.QueryRow("SELECT customer FROM orders WHERE id = $1", bread).Scan(&butter))
	shows("NULL is the zero value", butter.IsZero())
	_, err = db.Exec("DELETE FROM orders WHERE id = ANY ($1)", pq.Array(own))
	check(err)

	// Compared with an id, a parameter is read as an id, unless it says that it is a time.
	hourAgo := time.Now().Add(-time.Hour)
	refused := refusal(db.QueryRow("SELECT count(*) FROM orders WHERE id >= $1", hourAgo).Scan(&count))
	shows(fmt.Sprintf("a time without its type is rejected: %s (%s)", refused.Hint, refused.Code),
		refused.Code == "22P02" && strings.Contains(refused.Hint, "timestamptz"))
	const since = "SELECT count(*) FROM orders WHERE id >= $1::timestamptz"
	check(db.QueryRow(since, hourAgo).Scan(&count))
	shows("a range of time", count == 2)
	var plan string
	tx, err := db.Begin()
	check(err)
	_, err = tx.Exec("SET LOCAL enable_seqscan = off")
	check(err)
	check(tx.QueryRow("EXPLAIN (FORMAT json) "+since, hourAgo).Scan(&plan))
	check(tx.Rollback())
	shows("is a range of the index", strings.Contains(plan, `"Index Cond": "(id >= `))
	var at time.Time
	check(db.QueryRow("SELECT $1::gid::timestamptz", tea).Scan(&at))
	shows("the time of an id", at.After(hourAgo) && at.Before(time.Now().Add(time.Minute)))

	// What is wrong is said.
	_, err = db.Exec("INSERT INTO orders (customer, item) VALUES ($1, 'an order is no customer')", tea)
	refused = refusal(err)
	shows("a wrong kind is rejected: "+refused.Message, refused.Code == "22023")

	// What not to do: LastInsertId, which the driver does not have.
	result, err := db.Exec("INSERT INTO orders (item) VALUES ('salt')")
	check(err)
	_, err = result.LastInsertId()
	shows(fmt.Sprint("LastInsertId is an error: ", err), err != nil)

	// COPY, in text: all rows in one transaction, and the last Exec ends it.
	tx, err = db.Begin()
	check(err)
	copying, err := tx.Prepare(pq.CopyIn("copies", "id", "item"))
	check(err)
	for _, id := range []string{tea, milk} {
		_, err = copying.Exec(id, "copied")
		check(err)
	}
	_, err = copying.Exec()
	check(err)
	check(copying.Close())
	check(tx.Commit())
	check(db.QueryRow("SELECT count(*) FROM copies JOIN orders USING (id)").Scan(&count))
	shows("CopyIn", count == 2)
	check(db.Close())

	// With binary_parameters a []byte is sent as it is, so 16 bytes are an id; results are text.
	db, err = sql.Open("postgres", "sslmode=disable binary_parameters=yes")
	check(err)
	var raw []byte
	check(db.QueryRow("SELECT id::bytea FROM orders WHERE id = $1", tea).Scan(&raw))
	check(db.QueryRow(itemOf, raw).Scan(&item))
	shows("16 bytes as a parameter", len(raw) == 16 && item == "tea")
	check(db.QueryRow("SELECT id FROM orders WHERE id = $1", raw).Scan(&raw))
	shows("in results they are text", bytes.Equal(raw, []byte(tea)))
	shows("text in a []byte is rejected", refusal(db.QueryRow(itemOf, raw).Scan(&item)).Code == "22P03")
	check(db.QueryRow(countOf, pq.Array([]string{tea, milk})).Scan(&count))
	shows("strings and arrays stay text", count == 2)
	check(db.Close())
}
