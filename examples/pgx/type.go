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
	err := db.QueryRow(ctx, "SELECT oid, typarray FROM pg_type WHERE oid = 'gid'::regtype").Scan(&one.OID, &many.OID)
	if err == nil {
		db.TypeMap().RegisterType(&one)
		db.TypeMap().RegisterType(&many)
	}
	return err
}

// Codec is how pgx reads and writes ids, in text and in binary.
type Codec struct{}

func (Codec) FormatSupported(int16) bool { return true }
func (Codec) PreferredFormat() int16     { return pgtype.BinaryFormatCode }

// PlanEncode is for gid.ID and gid.Of.  pgx sends strings as text.
func (Codec) PlanEncode(_ *pgtype.Map, _ uint32, format int16, value any) pgtype.EncodePlan {
	switch value.(type) {
	case gid.ID, interface{ ID() gid.ID }:
		return encoder(format)
	}
	return nil
}

type encoder int16

func (format encoder) Encode(value any, buffer []byte) ([]byte, error) {
	var id gid.ID
	switch value := value.(type) {
	case gid.ID:
		id = value
	case interface{ ID() gid.ID }:
		id = value.ID()
	}
	if id.IsZero() {
		return nil, nil
	}
	if format == pgtype.BinaryFormatCode {
		return append(buffer, id[:]...), nil
	}
	return append(buffer, id.String()...), nil
}

// PlanScan is for *gid.ID, *gid.Of and *string.
func (Codec) PlanScan(_ *pgtype.Map, _ uint32, _ int16, target any) pgtype.ScanPlan {
	switch target.(type) {
	case *gid.ID, interface{ ID() gid.ID }, *string:
		return scanner{}
	}
	return nil
}

type scanner struct{}

func (scanner) Scan(source []byte, target any) error {
	text, isText := target.(*string)
	switch {
	case !isText && source == nil:
		return target.(sql.Scanner).Scan(nil)
	case !isText:
		return target.(sql.Scanner).Scan(source)
	}
	id, err := decoded(source)
	*text = id.String()
	return err
}

func decoded(source []byte) (id gid.ID, err error) {
	err = id.Scan(source)
	return id, err
}

func (Codec) DecodeValue(_ *pgtype.Map, _ uint32, _ int16, source []byte) (any, error) {
	if source == nil {
		return nil, nil
	}
	return decoded(source)
}

func (Codec) DecodeDatabaseSQLValue(_ *pgtype.Map, _ uint32, _ int16, source []byte) (driver.Value, error) {
	if source == nil {
		return nil, nil
	}
	id, err := decoded(source)
	return id.String(), err
}
