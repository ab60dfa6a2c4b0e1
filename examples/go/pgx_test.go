// gid.ID and gid.Of with pgx, as doc/clients/go.md shows.  Then what depends on the registration: it works, or fails as the
// page says.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"gid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
)

// An id of another kind is an error in JSON, in a URL and in a result.
type customer struct{}

func (customer) GidKind() string { return "c" }

type CustomerID = gid.Of[customer]

const insert = "INSERT INTO customers (name) VALUES ($1) RETURNING id"
const nameOf = "SELECT name FROM customers WHERE id = $1"
const countOf = "SELECT count(*) FROM customers WHERE id = ANY ($1)"
const since = "SELECT count(*) FROM customers WHERE id >= $1::timestamptz"

func TestPage(t *testing.T) {
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
	var ids []gid.ID
	check(pool.QueryRow(ctx, "SELECT array_agg(id::gid ORDER BY id) FROM customers WHERE id >= $1", bread).Scan(&ids))
	shows("an array in results", len(ids) == 2 && ids[1] == butter)
	var none *gid.ID
	check(pool.QueryRow(ctx, "SELECT NULL::gid, NULL::gid").Scan(&none, &bread))
	shows("NULL is nil, or the zero value", none == nil && bread.IsZero())

	copies := [][]any{{gid.Must(gid.New("c")), "sugar"}, {gid.Must(gid.New("c")), "salt"}}
	copied, err := pool.CopyFrom(ctx, pgx.Identifier{"customers"}, []string{"id", "name"}, pgx.CopyFromRows(copies))
	shows("CopyFrom", copied == 2 && err == nil)

	var ada CustomerID
	ada, err = gid.As[customer](butter, nil)
	check(err)
	check(pool.QueryRow(ctx, nameOf, ada).Scan(&name))
	check(pool.QueryRow(ctx, "SELECT id FROM customers WHERE name = 'bread'").Scan(&ada))
	shows("a gid.Of", name == "butter" && ada.ID().Compare(butter) < 0)
	err = pool.QueryRow(ctx, "SELECT gid_new('o')").Scan(&ada)
	shows("rejects others in results", errors.Is(err, gid.ErrOtherKind))
}

// A part of an error, and the sentence of doc/clients/go.md about it.
type documented map[string][2]string

var lists = "Lists of ids, as parameters and in results, are `[]string`"
var withRegister = documented{"a time": {"22P02", "A `time.Time` requires a cast."}}
var withoutRegister = documented{
	"CopyFrom":          {"22P03", "`CopyFrom` is binary and requires `Register`."},
	"a list":            {"unable to encode", lists},
	"a list in results": {"cannot scan", lists},
	"a time":            withRegister["a time"],
}

// probes returns the error of what depends on how pgx writes and reads an id.
func probes(t *testing.T, db *pgx.Conn) map[string]error {
	ctx := context.Background()
	var id, none gid.ID
	var text, again, items string
	_, err := db.Exec(ctx, "CREATE TEMPORARY TABLE probes (id gid(o) DEFAULT gid_new('o'), item text)")
	if err == nil {
		err = db.QueryRow(ctx, "INSERT INTO probes (item) VALUES ('tea') RETURNING id, id::text").Scan(&id, &text)
	}
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]error{}
	finds := func(name, condition string, values ...any) {
		found[name] = db.QueryRow(ctx, "SELECT item FROM probes WHERE "+condition, values...).Scan(&items)
	}
	finds("text", "id = $1", text)
	finds("the simple protocol", "id = $1", pgx.QueryExecModeSimpleProtocol, id)
	finds("describe and execute", "id = $1", pgx.QueryExecModeDescribeExec, id)
	finds("NULL", "$1::gid IS NULL AND $2::gid IS NULL", none, (*gid.ID)(nil))
	finds("a list", "id = ANY ($1)", []gid.ID{id})
	finds("a list of strings", "id = ANY ($1)", []string{text})
	finds("a time", "id >= $1", time.Now().Add(-time.Hour))

	var ids []gid.ID
	found["a list in results"] = db.QueryRow(ctx, "SELECT array_agg(id) FROM probes").Scan(&ids)
	var texts []string
	found["a list of strings in results"] = db.QueryRow(ctx, "SELECT array_agg(id) FROM probes").Scan(&texts)
	found["a string"] = db.QueryRow(ctx, "SELECT id FROM probes").Scan(&again)
	rows, _ := db.Query(ctx, "SELECT id FROM probes")
	maps, err := pgx.CollectRows(rows, pgx.RowToMap)
	found["a row as a map"] = err
	written, _ := json.Marshal(maps)
	if again != text || strings.Join(texts, " ") != text || string(written) != `[{"id":"`+text+`"}]` {
		t.Errorf("%s is read as %s, %s and %s", text, again, texts, written)
	}
	copied := pgx.CopyFromRows([][]any{{id, "copied"}})
	_, found["CopyFrom"] = db.CopyFrom(ctx, pgx.Identifier{"probes"}, []string{"id", "item"}, copied)
	return found
}

func TestProbes(t *testing.T) {
	ctx := context.Background()
	source, err := os.ReadFile("../gid/doc/clients/go.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(source)), " ")
	for world, expected := range map[string]documented{"without Register": withoutRegister, "with Register": withRegister} {
		db, err := pgx.Connect(ctx, "")
		if err == nil && world == "with Register" {
			err = Register(ctx, db)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close(ctx)
		for name, err := range probes(t, db) {
			says, isDocumented := expected[name]
			if !isDocumented && err != nil {
				t.Errorf("%s, %s: %v", world, name, err)
			} else if isDocumented && (err == nil || !strings.Contains(err.Error(), says[0]) || !strings.Contains(page, says[1])) {
				t.Errorf("%s, %s: not as the page says: %v", world, name, err)
			}
		}
	}
}
