package main

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The examples of errors in doc/clients.md, with pgx.
func TestErrors(t *testing.T) {
	ctx := context.Background()
	page, err := os.ReadFile("../gid/doc/clients.md")
	rows := regexp.MustCompile("(?m)^\\|.*\\| (\\w{5}) \\| `[a-z_]+` \\| `((?:SELECT|INSERT|PREPARE).*)` \\|$").FindAllStringSubmatch(string(page), -1)
	if err != nil || len(rows) < 5 {
		t.Fatal(err, rows)
	}
	db, err := pgx.Connect(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(ctx)
	for _, row := range rows {
		for _, example := range strings.Split(row[2], "`, `") {
			var server *pgconn.PgError
			if _, err := db.Exec(ctx, example); !errors.As(err, &server) || server.Code != row[1] {
				t.Errorf("%s: %s instead of %v", example, row[1], err)
			}
		}
	}
}
