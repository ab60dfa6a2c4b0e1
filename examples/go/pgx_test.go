// gid.ID and gid.Of with pgx, with and without Register, on the tables of the shop.
package main

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"gid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
)

const insert = "INSERT INTO customers (name) VALUES ($1) RETURNING id"
const nameOf = "SELECT name FROM customers WHERE id = $1"
const countOf = "SELECT count(*) FROM customers WHERE id = ANY ($1)"
const since = "SELECT count(*) FROM customers WHERE id >= $1::timestamptz"

func TestPgx(t *testing.T) {
	ctx := context.Background()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	shows := func(what string, holds bool) {
		if !holds {
			t.Error(what)
		}
	}
	var name string
	var count int
	var bread, butter gid.ID

	db, err := pgx.Connect(ctx, "")
	check(err)
	defer db.Close(ctx)
	var tea, milk string
	check(db.QueryRow(ctx, insert, "tea").Scan(&tea))
	check(db.QueryRow(ctx, insert, "milk").Scan(&milk))
	check(db.QueryRow(ctx, countOf, []string{tea, milk}).Scan(&count))
	shows("without Register, strings", tea < milk && count == 2)
	var texts []string
	check(db.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM customers WHERE id >= $1", tea).Scan(&texts))
	shows("and arrays of them", len(texts) == 2 && texts[1] == milk)

	hourAgo := time.Now().Add(-time.Hour)
	plain, err := sql.Open("pgx", "")
	check(err)
	defer plain.Close()
	check(plain.QueryRow(insert, "honey").Scan(&butter))
	check(plain.QueryRow(nameOf, butter).Scan(&name))
	check(plain.QueryRow(since, hourAgo).Scan(&count))
	shows("database/sql", name == "honey" && count >= 3)

	config, err := pgxpool.ParseConfig("")
	check(err)
	config.AfterConnect = Register
	pool, err := pgxpool.NewWithConfig(ctx, config)
	check(err)
	defer pool.Close()
	check(pool.QueryRow(ctx, insert, "bread").Scan(&bread))
	check(pool.QueryRow(ctx, insert, "butter").Scan(&butter))
	check(pool.QueryRow(ctx, countOf, []gid.ID{bread, butter}).Scan(&count))
	shows("with Register, a list", bread.Compare(butter) < 0 && count == 2)
	check(pool.QueryRow(ctx, nameOf, bread).Scan(&name))
	shows("a gid.ID", name == "bread")
	check(pool.QueryRow(ctx, nameOf, tea).Scan(&name))
	shows("a string", name == "tea")
	check(pool.QueryRow(ctx, nameOf, pgx.QueryExecModeSimpleProtocol, bread).Scan(&name))
	shows("the simple protocol", name == "bread")
	var ids []gid.ID
	check(pool.QueryRow(ctx, "SELECT array_agg(id::gid ORDER BY id) FROM customers WHERE id >= $1", bread).Scan(&ids))
	shows("an array in results", len(ids) == 2 && ids[1] == butter)
	var text string
	check(pool.QueryRow(ctx, "SELECT max(id) FROM customers").Scan(&text))
	shows("a string gets the text", text == butter.String())
	var none *gid.ID
	check(pool.QueryRow(ctx, "SELECT NULL::gid, NULL::gid").Scan(&none, &bread))
	shows("NULL is nil, or the zero value", none == nil && bread.IsZero())

	copies := [][]any{{gid.Must(gid.New("c")), "sugar"}, {gid.Must(gid.New("c")), "salt"}}
	copied, err := pool.CopyFrom(ctx, pgx.Identifier{"customers"}, []string{"id", "name"}, pgx.CopyFromRows(copies))
	shows("CopyFrom", copied == 2 && err == nil)

	ada, err := gid.As[customer](butter, nil)
	check(err)
	check(pool.QueryRow(ctx, nameOf, ada).Scan(&name))
	check(pool.QueryRow(ctx, "SELECT id FROM customers WHERE name = 'bread'").Scan(&ada))
	shows("a gid.Of", name == "butter" && ada.ID().Compare(butter) < 0)
	err = pool.QueryRow(ctx, "SELECT gid_new('o')").Scan(&ada)
	shows("rejects others in results", errors.Is(err, gid.ErrOtherKind))
}
