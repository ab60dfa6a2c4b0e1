// The shop of doc/tutorial.md as a service: net/http with pgx.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"gid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type customer struct{}
type order struct{}

func (customer) GidKind() string { return "c" }
func (order) GidKind() string    { return "o" }

// An id of another kind is an error in JSON, in a URL and in a result.
type CustomerID = gid.Of[customer]
type OrderID = gid.Of[order]

// Order is a row of orders.
type Order struct {
	ID       OrderID
	Customer CustomerID
}

// MarshalJSON adds the time, which is in the id.
func (o Order) MarshalJSON() ([]byte, error) {
	at := o.ID.Time().Format("2006-01-02T15:04:05.000Z")
	return json.Marshal(struct {
		ID       OrderID    `json:"id"`
		Customer CustomerID `json:"customer"`
		At       string     `json:"created_at"`
	}{o.ID, o.Customer, at})
}

type shop struct{ *pgxpool.Pool }

// invalid is an error of the request.
type invalid struct{ error }

func (db shop) create(r *http.Request) (any, error) {
	var o Order
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		return nil, invalid{err}
	}
	return &o, db.QueryRow(r.Context(), "INSERT INTO orders (customer) VALUES ($1) RETURNING id", o.Customer).Scan(&o.ID)
}

func (db shop) get(r *http.Request) (any, error) {
	var o Order
	if err := o.ID.UnmarshalText([]byte(r.PathValue("id"))); err != nil {
		return nil, invalid{err}
	}
	return &o, db.QueryRow(r.Context(), "SELECT customer FROM orders WHERE id = $1", o.ID).Scan(&o.Customer)
}

func (db shop) list(r *http.Request) (any, error) {
	query := r.URL.Query()
	limit, err1 := strconv.Atoi(cmp.Or(query.Get("limit"), "50"))
	since, err2 := time.Parse(time.RFC3339, cmp.Or(query.Get("since"), "1970-01-01T00:00:00Z"))
	after, err3 := gid.As[order](gid.LowerBound("o", since))
	if query.Has("after") {
		err3 = after.UnmarshalText([]byte(query.Get("after")))
	}
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, invalid{err}
	}
	if limit < 1 || limit > 100 {
		return nil, invalid{errors.New("limit is from 1 to 100")}
	}
	rows, _ := db.Query(r.Context(), `SELECT id, customer FROM orders
		WHERE id >= $1::timestamptz AND id > $2 ORDER BY id LIMIT $3`, since, after, limit)
	orders, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Order])
	page := struct {
		Orders []Order  `json:"orders"`
		Next   *OrderID `json:"next"`
	}{orders, nil}
	if len(orders) == limit {
		page.Next = &orders[limit-1].ID
	}
	return page, err
}

// answer writes in JSON what a method returns.
func answer(status int, method func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var server *pgconn.PgError
		status := status
		body, err := method(r)
		if err != nil {
			body = map[string]string{"error": err.Error()}
		}
		switch {
		case err == nil:
		case errors.As(err, new(invalid)), errors.As(err, &server) && strings.HasPrefix(server.Code, "23"):
			status = http.StatusUnprocessableEntity
		case errors.Is(err, pgx.ErrNoRows):
			status = http.StatusNotFound
		default:
			log.Print(err)
			status, body = http.StatusInternalServerError, map[string]string{"error": "see the log"}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
}

// poll prints new orders, and moves the cursor in the same transaction.
func (db shop) poll(ctx context.Context) error {
	return pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
		var last gid.ID
		err := tx.QueryRow(ctx, "SELECT position FROM cursors WHERE consumer = 'printer' FOR UPDATE").Scan(&last)
		if err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, `SELECT id, customer FROM orders
			WHERE id > $1 AND id < gid_settled('o') ORDER BY id LIMIT 100`, last)
		orders, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Order])
		for _, o := range orders {
			fmt.Println(o.ID, o.Customer)
			last = o.ID.ID()
		}
		if err == nil {
			_, err = tx.Exec(ctx, "UPDATE cursors SET position = $1 WHERE consumer = 'printer'", last)
		}
		return err
	})
}

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "") // connects where libpq's variables say
	if err != nil {
		log.Fatal(err)
	}
	db := shop{pool}
	for len(os.Args) > 1 && os.Args[1] == "print" {
		if err := db.poll(ctx); err != nil {
			log.Fatal(err)
		}
		time.Sleep(time.Second)
	}
	http.HandleFunc("POST /orders", answer(http.StatusCreated, db.create))
	http.HandleFunc("GET /orders/{id}", answer(http.StatusOK, db.get))
	http.HandleFunc("GET /orders", answer(http.StatusOK, db.list))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8000"), nil))
}
