// Package gid has the identifiers of PostgreSQL's extension gid: 16 bytes that
// sort by creation time, contain their kind, and print as 24 characters.
//
// An ID is text in JSON and for database/sql.  It is comparable, and a key of maps.
//
// A kind is a name ("volume", "log", "segment", "a" to "z", in upper or lower
// case) or a number from 128 to 254 as text.
package gid

import (
	"bytes"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ID is an identifier.  The zero value is not a valid one.
type ID [16]byte

const (
	maxMilli   = 1<<48 - 1
	maxInstant = maxMilli*1000 + 999 // in Unix microseconds
	randomBits = 54
)

// Errors, for errors.Is.  The messages add the value and the reason.
var (
	ErrInvalid     = errors.New("gid: invalid value for type gid")          // a text or bytes
	ErrOtherKind   = errors.New("gid: the id is of another kind")           // than the expected one
	ErrUnknownKind = errors.New("gid: unrecognized gid kind")               // there is no such kind
	ErrTime        = errors.New("gid: timestamp out of range for type gid") // a time, or the clock
)

// In byte 7, if the payload is not a muid.  No kind has this prefix.
const otherPayload = 0xFF

// Parse returns the id of a text, of 24 characters or of the 22 of the compact form.
func Parse(text string) (ID, error) {
	var id ID
	if reason := id.decode(text); reason != "" {
		return ID{}, fmt.Errorf("%w: %q. %s", ErrInvalid, text, reason)
	}
	return id, nil
}

// ParseKind is Parse for ids of one kind.
func ParseKind(text, kind string) (ID, error) {
	id, err := Parse(text)
	if err == nil {
		err = id.check(kind)
	}
	if err != nil {
		return ID{}, err
	}
	return id, nil
}

func (id ID) check(kind string) error {
	prefix, err := prefixOf(kind)
	if err == nil && id[0] != prefix {
		err = fmt.Errorf("%w: %q instead of %q. The value %q is an id of kind %q. Check the value, or the kind that the program expects",
			ErrOtherKind, id.Kind(), names[prefix], id, id.Kind())
	}
	return err
}

// Valid reports whether Parse accepts a text.
func Valid(text string) bool {
	var id ID
	return id.decode(text) == ""
}

// FromBytes returns the id of 16 bytes.
func FromBytes(data []byte) (ID, error) {
	var id ID
	if len(data) != len(id) {
		return ID{}, fmt.Errorf("%w: %x. A gid is 16 bytes, not %d", ErrInvalid, data, len(data))
	}
	if data[0] < 0x80 {
		return ID{}, fmt.Errorf("%w: %x. The first byte is 0x%02x; in a gid it is 0x80 or above", ErrInvalid, data, data[0])
	}
	copy(id[:], data)
	return id, nil
}

// Bytes returns the 16 bytes, also of an Of, which is not an array.
func (id ID) Bytes() []byte { return id[:] }

// Must returns the id, and panics if there is an error.  It is for ids in the source.
func Must(id ID, err error) ID {
	if err != nil {
		panic(err)
	}
	return id
}

// IsZero reports whether the id is the zero value.
func (id ID) IsZero() bool { return id == ID{} }

// Kind returns the name of the kind, or its number as text if it has no name.
func (id ID) Kind() string { return names[id[0]] }

// Prefix returns the first byte: the kind as a number.
func (id ID) Prefix() byte { return id[0] }

func (id ID) milli() int64 { return int64(binary.BigEndian.Uint64(id[:8]) >> 8 & maxMilli) }

// Time returns the creation time in whole milliseconds, in UTC.
func (id ID) Time() time.Time { return time.UnixMilli(id.milli()).UTC() }

// Instant returns the creation time in Unix microseconds.  The result is false
// unless the server's gid_new minted the id.
func (id ID) Instant() (int64, bool) {
	micro := int64(id[8])<<2 | int64(id[9])>>6
	if id[7] != id[0] || id[7] == otherPayload || micro > 999 {
		return 0, false
	}
	return id.milli()*1000 + micro, true
}

// Medallion returns the number of the generator, 0 to 2^24 - 1.  The result is false
// where that of Instant is.
func (id ID) Medallion() (int, bool) { return id.part(30, 0xFFFFFF) }

// Node returns the upper 10 bits of the medallion: the number of the server, if
// that has gid.node set.  The result is false where that of Instant is.
func (id ID) Node() (int, bool) { return id.part(44, 0x3FF) }

// Offset returns the number of the id within its transaction, 0 to 2^30 - 1.  The
// result is false where that of Instant is.
func (id ID) Offset() (int, bool) { return id.part(0, 0x3FFFFFFF) }

func (id ID) part(shift, mask uint64) (int, bool) {
	if _, ok := id.Instant(); !ok {
		return 0, false
	}
	return int(binary.BigEndian.Uint64(id[8:]) >> shift & mask), true
}

// Compare returns -1, 0 or 1: the order of ids on the server.
func (id ID) Compare(other ID) int { return bytes.Compare(id[:], other[:]) }

// LowerBound returns the smallest id of a kind whose time, in whole milliseconds,
// is at or after a time.  Past the last millisecond that is the first id above the
// kind.
func LowerBound(kind string, at time.Time) (ID, error) {
	return bound(kind, at, int64(at.Nanosecond()+999_999)/1_000_000)
}

// UpperBound returns the smallest id of a kind whose time, in whole milliseconds,
// is after a time.
func UpperBound(kind string, at time.Time) (ID, error) {
	return bound(kind, at, int64(at.Nanosecond())/1_000_000+1)
}

// bound returns the bound at the second of a time plus milliseconds.
func bound(kind string, at time.Time, milli int64) (id ID, err error) {
	prefix, err := prefixOf(kind)
	if err != nil {
		return ID{}, err
	}
	if seconds := at.Unix(); seconds < 0 {
		milli = 0
	} else if seconds > maxMilli/1000 || seconds*1000+milli > maxMilli {
		milli, prefix = 0, prefix+1
	} else {
		milli += seconds * 1000
	}
	binary.BigEndian.PutUint64(id[:], uint64(prefix)<<56|uint64(milli)<<8)
	return id, nil
}

// MarshalText returns the canonical text.  The zero value is an error.
func (id ID) MarshalText() ([]byte, error) {
	if id[0] < 0x80 {
		return nil, fmt.Errorf("%w: %x. The first byte of a gid is 0x80 or above", ErrInvalid, id[:])
	}
	return []byte(id.String()), nil
}

// UnmarshalText is Parse.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = Parse(string(text))
	return err
}

// Value is the text, for database/sql.  The zero value is NULL.
func (id ID) Value() (driver.Value, error) {
	if id.IsZero() {
		return nil, nil
	}
	text, err := id.MarshalText()
	return string(text), err
}

// Scan reads text, or 16 bytes.  NULL is the zero value.
func (id *ID) Scan(value interface{}) (err error) {
	switch value := value.(type) {
	case nil:
		*id = ID{}
	case string:
		*id, err = Parse(value)
	case []byte:
		if len(value) == len(id) {
			*id, err = FromBytes(value)
		} else {
			*id, err = Parse(string(value))
		}
	default:
		err = fmt.Errorf("%w: cannot scan %T", ErrInvalid, value)
	}
	return err
}

// The name of each prefix, and the prefix of each kind.
var names, prefixes = kinds()

func kinds() (names [256]string, prefixes map[string]byte) {
	prefixes = map[string]byte{"volume": 0x80, "log": 0xA0, "segment": 0xC0}
	for letter := 'a'; letter <= 'z'; letter++ {
		prefixes[string(letter)] = byte(0xE1 + letter - 'a')
	}
	for n := range names {
		names[n] = strconv.Itoa(n)
	}
	for name, prefix := range prefixes {
		names[prefix] = name
	}
	for n := 128; n <= 254; n++ {
		prefixes[strconv.Itoa(n)] = byte(n)
	}
	return names, prefixes
}

// prefixOf returns the first byte of the ids of a kind.  Only ASCII folds to lower case.
func prefixOf(kind string) (byte, error) {
	prefix, ok := prefixes[kind]
	if !ok && strings.IndexFunc(kind, func(c rune) bool { return c > unicode.MaxASCII }) < 0 {
		prefix, ok = prefixes[strings.ToLower(kind)]
	}
	if !ok {
		return 0, fmt.Errorf("%w: %q. "+
			`A kind is "volume", "log", "segment", a letter from "a" to "z", or a number from 128 to 254`, ErrUnknownKind, kind)
	}
	return prefix, nil
}
