// gid.ID and gid.Of with pgx, as doc/clients/go.md shows.  Then what a program does with ids of uuid, written without
// the page: it works with ids of gid, or fails as the page says.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"gid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
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
	"unnest":            {"unable to encode", lists},
	"a list in results": {"cannot scan", lists},
	"a time":            withRegister["a time"],
}

// probes returns the error of each call, and errors for wrong results.
func probes[ID comparable](db *pgx.Conn, kind, anew, at string) map[string]error {
	ctx := context.Background()
	found := map[string]error{}
	table := "DROP TABLE IF EXISTS probes; CREATE TABLE probes (id " + kind + " PRIMARY KEY DEFAULT " + anew + ", item text, created_at timestamptz DEFAULT now())"
	if _, err := db.Exec(ctx, table); err != nil {
		panic(err)
	}
	typ, _, _ := strings.Cut(kind, "(")
	var a, b, c ID
	for n, id := range []*ID{&a, &b, &c} {
		if err := db.QueryRow(ctx, "INSERT INTO probes (item) VALUES ($1) RETURNING id", fmt.Sprint(n)).Scan(id); err != nil {
			panic(err)
		}
	}
	var text string
	if err := db.QueryRow(ctx, "SELECT id::text FROM probes WHERE id = $1", a).Scan(&text); err != nil {
		panic(err)
	}
	is := func(got, expected any) error {
		if got != expected {
			return fmt.Errorf("%v instead of %v", got, expected)
		}
		return nil
	}
	one := func(name string, expected any, query string, values ...any) {
		var got ID
		found[name] = db.QueryRow(ctx, "SELECT id FROM probes WHERE "+query, values...).Scan(&got)
		if found[name] == nil {
			found[name] = is(got, expected)
		}
	}
	count := func(name string, expected int, query string, values ...any) {
		var got int
		found[name] = db.QueryRow(ctx, "SELECT count(*) FROM probes WHERE "+query, values...).Scan(&got)
		if found[name] == nil {
			found[name] = is(got, expected)
		}
	}

	one("an id", a, "id = $1", a)
	one("text", a, "id = $1", text)
	one("the simple protocol", a, "id = $1", pgx.QueryExecModeSimpleProtocol, a)
	one("describe and execute", a, "id = $1", pgx.QueryExecModeDescribeExec, a)
	one("named arguments", a, "id = @id", pgx.NamedArgs{"id": a})
	one("coalesce", a, "id = coalesce($1, id) AND item = '0'", a)
	count("a list", 2, "id = ANY ($1)", []ID{a, b})
	count("a list of strings", 1, "id = ANY ($1)", []string{text})
	count("unnest", 2, "id IN (SELECT unnest($1::"+typ+"[]))", []ID{a, b})
	count("an optional filter", 3, "$1::"+typ+" IS NULL OR id < $1", (*ID)(nil))
	count("a row", 3, "(id, item) >= ($1, '') OR true", a)
	count("a time", 3, at+" >= $1", time.Now().Add(-time.Hour))
	count("a time with a cast", 3, at+" >= $1::timestamptz", time.Now().Add(-time.Hour))

	var ids []ID
	found["a list in results"] = db.QueryRow(ctx, "SELECT array_agg(id) FROM probes").Scan(&ids)
	var texts []string
	found["a list of strings in results"] = db.QueryRow(ctx, "SELECT array_agg(id) FROM probes").Scan(&texts)
	var again string
	found["a string"] = db.QueryRow(ctx, "SELECT id FROM probes WHERE id = $1", a).Scan(&again)
	if found["a string"] == nil {
		found["a string"] = is(again, text)
	}
	var none *ID
	found["NULL"] = db.QueryRow(ctx, "SELECT NULL::"+typ).Scan(&none)

	type row struct {
		ID   ID
		Item string
	}
	rows, _ := db.Query(ctx, "SELECT id, item FROM probes ORDER BY item")
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	found["CollectRows"] = err
	if err == nil {
		found["CollectRows"] = is(all[2], row{c, "2"})
	}
	rows, _ = db.Query(ctx, "SELECT id, item FROM probes")
	maps, err := pgx.CollectRows(rows, pgx.RowToMap)
	found["a row as a map, in JSON"] = err
	if err == nil {
		_, found["a row as a map, in JSON"] = json.Marshal(maps)
	}
	written, err := json.Marshal(map[string]ID{"id": a})
	found["JSON"] = errors.Join(err, is(string(written), `{"id":"`+text+`"}`))
	found["a key of a map"] = is(map[ID]int{a: 1}[a], 1)

	batch := &pgx.Batch{}
	batch.Queue("UPDATE probes SET item = '1' WHERE id = $1", b)
	batch.Queue("INSERT INTO probes VALUES ($1, '0') ON CONFLICT (id) DO UPDATE SET item = '0' RETURNING id", a)
	results := db.SendBatch(ctx, batch)
	_, err = results.Exec()
	var same ID
	found["a batch"] = errors.Join(err, results.QueryRow().Scan(&same), results.Close(), is(same, a))

	var d ID
	if err := db.QueryRow(ctx, "SELECT "+anew).Scan(&d); err != nil {
		panic(err)
	}
	copied := pgx.CopyFromRows([][]any{{d, "copied"}})
	_, found["CopyFrom"] = db.CopyFrom(ctx, pgx.Identifier{"probes"}, []string{"id", "item"}, copied)
	if found["garbage"] = errors.New("no error"); db.QueryRow(ctx, "SELECT item FROM probes WHERE id = $1", "tea").Scan(&text) != nil {
		found["garbage"] = nil
	}
	return found
}

func TestProbes(t *testing.T) {
	ctx := context.Background()
	source, err := os.ReadFile("../gid/doc/clients/go.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(source)), " ")
	// A connection caches statements, and the table is another one each time.
	connect := func() *pgx.Conn {
		db, err := pgx.Connect(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close(ctx) })
		return db
	}
	ofUUID := probes[pgtype.UUID](connect(), "uuid", "gen_random_uuid()", "created_at")
	compare := func(world string, found map[string]error, expected documented) {
		for name, err := range found {
			says, isDocumented := expected[name]
			if isDocumented && (err == nil || !strings.Contains(err.Error(), says[0]) || !strings.Contains(page, says[1])) {
				t.Errorf("%s, %s: not as the page says: %v", world, name, err)
			} else if !isDocumented && err != nil && ofUUID[name] == nil {
				t.Errorf("%s, %s: %v", world, name, err)
			} else if err != nil {
				t.Logf("%s, %s: %v (with uuid: %v)", world, name, err, ofUUID[name])
			}
		}
	}
	compare("without Register", probes[gid.ID](connect(), "gid(o)", "gid_new('o')", "id"), withoutRegister)
	db := connect()
	if err := Register(ctx, db); err != nil {
		t.Fatal(err)
	}
	compare("with Register", probes[gid.ID](db, "gid(o)", "gid_new('o')", "id"), withRegister)
}
