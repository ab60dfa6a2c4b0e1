// gid from pgx: ids as text or gid.ID with nothing set up, and in binary, in arrays
// and in COPY after set-up; times.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
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
func refusal(err error) *pgconn.PgError {
	refused := new(pgconn.PgError)
	errors.As(err, &refused)
	return refused
}

// Order is the kind of the orders.
type Order struct{}

func (Order) GidKind() string { return "o" }

// OrderID is the id of an order.
type OrderID = gid.Of[Order]

const itemOf = "SELECT item FROM orders WHERE id = $1"
const countOf = "SELECT count(*) FROM orders WHERE id = ANY ($1)"

func main() {
	ctx := context.Background()
	var item, text string
	var count int

	// With nothing set up an id is text.
	db, err := pgx.Connect(ctx, "")
	check(err)
	_, err = db.Exec(ctx, `
		CREATE EXTENSION gid;
		CREATE TABLE customers (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text NOT NULL);
		CREATE TABLE orders (
			id       gid(o) PRIMARY KEY DEFAULT gid_new('o'),
			customer gid(c) REFERENCES customers,
			item     text NOT NULL
		)`)
	check(err)
	var tea, milk string
	const insert = "INSERT INTO orders (item) VALUES ($1) RETURNING id"
	check(db.QueryRow(ctx, insert, "tea").Scan(&tea))
	check(db.QueryRow(ctx, insert, "milk").Scan(&milk))
	shows("ids are strings, and increase", len(tea) == 24 && tea < milk)
	check(db.QueryRow(ctx, itemOf, tea).Scan(&item))
	shows("a string as a parameter", item == "tea")
	check(db.QueryRow(ctx, countOf, []string{tea, milk}).Scan(&count))
	shows("a list of strings", count == 2)
	var id gid.ID
	check(db.QueryRow(ctx, insert, "coffee").Scan(&id))
	check(db.QueryRow(ctx, itemOf, id).Scan(&item))
	shows("a gid.ID in results, and as a parameter", id.Kind() == "o" && item == "coffee")
	_, err = db.Exec(ctx, "DELETE FROM orders WHERE id = $1", id)
	check(err)
	check(db.QueryRow(ctx, "SELECT NULL::gid").Scan(&id))
	shows("NULL is the zero value", id.IsZero())
	var texts []string
	check(db.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM orders").Scan(&texts))
	shows("an array in results", texts[0] == tea && texts[1] == milk)
	_, err = db.CopyFrom(ctx, pgx.Identifier{"orders"}, []string{"id", "item"}, pgx.CopyFromRows([][]any{{tea, "tea"}}))
	shows(fmt.Sprint("nor can COPY, which is binary, take text: ", err), refusal(err).Code == "22P03")

	// Compared with an id, a parameter is read as an id, unless it says that it is a time.
	hourAgo := time.Now().Add(-time.Hour)
	refused := refusal(db.QueryRow(ctx, "SELECT count(*) FROM orders WHERE id >= $1", hourAgo).Scan(&count))
	shows(fmt.Sprintf("a time without its type is rejected: %s (%s)", refused.Hint, refused.Code),
		refused.Code == "22P02" && strings.Contains(refused.Hint, "timestamptz"))
	const since = "SELECT count(*) FROM orders WHERE id >= $1::timestamptz"
	check(db.QueryRow(ctx, since, hourAgo).Scan(&count))
	shows("a range of time", count == 2)
	var plan string
	_, err = db.Exec(ctx, "SET enable_seqscan = off; SET enable_bitmapscan = off")
	check(err)
	check(db.QueryRow(ctx, "EXPLAIN (FORMAT json) "+since, hourAgo).Scan(&plan))
	shows("is a range of the index", strings.Contains(plan, `"Index Cond": "(id >= `))
	var at time.Time
	check(db.QueryRow(ctx, "SELECT gid_timestamp($1)", tea).Scan(&at))
	shows("the time of an id", at.After(hourAgo) && at.Before(time.Now().Add(time.Minute)))
	check(db.Close(ctx))

	// By database/sql an id is a string as well.
	plain, err := sql.Open("pgx", "")
	check(err)
	check(plain.QueryRow(itemOf, milk).Scan(&item))
	check(plain.QueryRow(since, hourAgo).Scan(&count))
	check(plain.QueryRow("SELECT max(id) FROM orders").Scan(&text))
	shows("database/sql", item == "milk" && count == 2 && text == milk)
	check(plain.Close())

	// With Register an id moves in binary.
	config, err := pgxpool.ParseConfig("")
	check(err)
	config.AfterConnect = Register
	pool, err := pgxpool.NewWithConfig(ctx, config)
	check(err)
	var bread, butter gid.ID
	check(pool.QueryRow(ctx, insert, "bread").Scan(&bread))
	check(pool.QueryRow(ctx, insert, "butter").Scan(&butter))
	shows("ids increase", bread.Kind() == "o" && bread.Less(butter))
	check(pool.QueryRow(ctx, itemOf, bread).Scan(&item))
	shows("as a parameter", item == "bread")
	check(pool.QueryRow(ctx, itemOf, tea).Scan(&item))
	shows("text works, too", item == "tea")
	check(pool.QueryRow(ctx, countOf, []gid.ID{bread, butter}).Scan(&count))
	shows("a list", count == 2)
	var ids []gid.ID
	check(pool.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM orders").Scan(&ids))
	shows("an array in results", len(ids) == 4 && ids[3] == butter)
	check(pool.QueryRow(ctx, "SELECT $1::gid::text", bread).Scan(&text))
	object, err := json.Marshal(map[string]gid.ID{"id": bread})
	check(err)
	shows("its text, and JSON", bread.String() == text && string(object) == `{"id":"`+text+`"}`)

	check(pool.QueryRow(ctx, "SELECT id FROM orders WHERE id = $1", bread).Scan(&text))
	shows("a string gets its text", text == bread.String())
	err = pool.QueryRow(ctx, itemOf, "tea").Scan(&item)
	shows(fmt.Sprint("text that is not valid is rejected: ", err), refusal(err).Code == "22P02")
	check(pool.QueryRow(ctx, itemOf, pgx.QueryExecModeSimpleProtocol, bread).Scan(&item))
	shows("the simple protocol", item == "bread")
	var none *gid.ID
	check(pool.QueryRow(ctx, "SELECT customer FROM orders WHERE id = $1", bread).Scan(&none))
	shows("NULL is a nil pointer", none == nil)
	var customer gid.ID
	check(pool.QueryRow(ctx, "SELECT customer FROM orders WHERE id = $1", bread).Scan(&customer))
	shows("NULL is read as the zero value", customer.IsZero())

	// COPY, in binary.
	var copies [][]any
	rows, err := pool.Query(ctx, "SELECT gid_new('o') FROM generate_series(1, 1000)")
	check(err)
	for rows.Next() {
		var id gid.ID
		check(rows.Scan(&id))
		copies = append(copies, []any{id, "copied"})
	}
	check(rows.Err())
	copied, err := pool.CopyFrom(ctx, pgx.Identifier{"orders"}, []string{"id", "item"}, pgx.CopyFromRows(copies))
	check(err)
	shows("CopyFrom", copied == 1000)

	_, err = pool.Exec(ctx, "INSERT INTO orders (customer, item) VALUES ($1, 'an order is no customer')", bread)
	refused = refusal(err)
	shows("a wrong kind is rejected: "+refused.Message, refused.Code == "22023")

	// OrderID cannot be of another kind.
	order, err := gid.As[Order](bread, nil)
	check(err)
	check(pool.QueryRow(ctx, itemOf, order).Scan(&item))
	check(pool.QueryRow(ctx, "SELECT id FROM orders WHERE item = 'butter'").Scan(&order))
	shows("an id of one kind", item == "bread" && order.ID() == butter)
	err = pool.QueryRow(ctx, "SELECT gid_new('c')").Scan(&order)
	shows(fmt.Sprint("rejects others: ", err), errors.Is(err, gid.ErrOtherKind))
	_, err = gid.As[Order](gid.New("c"))
	shows("before a query is sent", errors.Is(err, gid.ErrOtherKind))
	pool.Close()
}
