package main

import (
	"context"
	"database/sql/driver"
	"fmt"

	"gid"
	"github.com/jackc/pgtype"
	"github.com/jackc/pgx/v4"
)

// Gid is how pgx reads and writes an id, in text and in binary.
type Gid struct {
	ID    gid.ID
	Valid bool // false for NULL
}

// Register tells a connection of the type.  Its number differs between databases.
func Register(ctx context.Context, db *pgx.Conn) error {
	var one, many uint32
	err := db.QueryRow(ctx, "SELECT oid, typarray FROM pg_type WHERE oid = 'gid'::regtype").Scan(&one, &many)
	if err != nil {
		return err
	}
	db.ConnInfo().RegisterDataType(pgtype.DataType{Value: &Gid{}, Name: "gid", OID: one})
	array := pgtype.NewArrayType("_gid", one, func() pgtype.ValueTranscoder { return &Gid{} })
	db.ConnInfo().RegisterDataType(pgtype.DataType{Value: array, Name: "_gid", OID: many})
	return nil
}

func (g *Gid) Set(source interface{}) error {
	switch source := source.(type) {
	case gid.ID:
		*g = Gid{source, !source.IsZero()}
		return nil
	case *gid.ID:
		if source == nil {
			*g = Gid{}
			return nil
		}
		return g.Set(*source)
	}
	err := g.ID.Scan(source)
	g.Valid = !g.ID.IsZero()
	return err
}

func (g Gid) Get() interface{} {
	if !g.Valid {
		return nil
	}
	return g.ID
}

func (g *Gid) AssignTo(target interface{}) error {
	switch target := target.(type) {
	case *gid.ID:
		*target = g.ID
	case *string:
		if !g.Valid {
			return fmt.Errorf("cannot assign NULL to %T", target)
		}
		*target = g.ID.String()
	default:
		if !g.Valid {
			return pgtype.NullAssignTo(target)
		}
		if next, retry := pgtype.GetAssignToDstType(target); retry {
			return g.AssignTo(next)
		}
		return fmt.Errorf("cannot assign a gid to %T", target)
	}
	return nil
}

func (g *Gid) DecodeText(_ *pgtype.ConnInfo, source []byte) error   { return g.decode(source) }
func (g *Gid) DecodeBinary(_ *pgtype.ConnInfo, source []byte) error { return g.decode(source) }

func (g *Gid) decode(source []byte) error {
	if source == nil {
		*g = Gid{}
		return nil
	}
	return g.Set(source)
}

func (g Gid) EncodeText(_ *pgtype.ConnInfo, buffer []byte) ([]byte, error) {
	if !g.Valid {
		return nil, nil
	}
	return append(buffer, g.ID.String()...), nil
}

func (g Gid) EncodeBinary(_ *pgtype.ConnInfo, buffer []byte) ([]byte, error) {
	if !g.Valid {
		return nil, nil
	}
	return append(buffer, g.ID[:]...), nil
}

func (g Gid) Value() (driver.Value, error) { return g.ID.Value() }
