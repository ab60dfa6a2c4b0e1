package main

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"gid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Register tells a connection of the type.  Its number differs between databases.
func Register(ctx context.Context, db *pgx.Conn) error {
	one, many := pgtype.Type{Name: "gid", Codec: Codec{}}, pgtype.Type{Name: "_gid"}
	many.Codec = &pgtype.ArrayCodec{ElementType: &one}
	err := db.QueryRow(ctx, "SELECT oid, typarray FROM pg_type WHERE oid = 'pg_catalog.gid'::regtype").Scan(&one.OID, &many.OID)
	if err == nil {
		db.TypeMap().RegisterType(&one)
		db.TypeMap().RegisterType(&many)
	}
	return err
}

// Codec is how pgx writes a gid.ID and a gid.Of in binary, and reads both, or a string.
type Codec struct{ pgtype.UUIDCodec }

type id interface {
	IsZero() bool
	Bytes() []byte
}

// PlanEncode leaves text to pgx.
func (Codec) PlanEncode(_ *pgtype.Map, _ uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(id); ok && format == pgtype.BinaryFormatCode {
		return plan{}
	}
	return nil
}

func (Codec) PlanScan(_ *pgtype.Map, _ uint32, _ int16, target any) pgtype.ScanPlan {
	switch target.(type) {
	case *string, sql.Scanner:
		return plan{}
	}
	return nil
}

type plan struct{}

func (plan) Encode(value any, buffer []byte) ([]byte, error) {
	if value.(id).IsZero() {
		return nil, nil
	}
	return append(buffer, value.(id).Bytes()...), nil
}

func (plan) Scan(source []byte, target any) error {
	text, isText := target.(*string)
	if !isText && source == nil {
		return target.(sql.Scanner).Scan(nil)
	} else if !isText {
		return target.(sql.Scanner).Scan(source)
	}
	var id gid.ID
	err := id.Scan(source)
	*text = id.String()
	return err
}

// DecodeValue is for any.
func (Codec) DecodeValue(_ *pgtype.Map, _ uint32, _ int16, source []byte) (any, error) {
	if source == nil {
		return nil, nil
	}
	var id gid.ID
	err := id.Scan(source)
	return id, err
}

// DecodeDatabaseSQLValue is for database/sql.
func (c Codec) DecodeDatabaseSQLValue(m *pgtype.Map, oid uint32, format int16, source []byte) (driver.Value, error) {
	value, err := c.DecodeValue(m, oid, format, source)
	if id, ok := value.(gid.ID); ok {
		return id.String(), err
	}
	return nil, err
}
