package gid

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"gid/internal/source"
)

// What the conformance test does not ask: Go's interfaces.

func Example() {
	id := Must(Parse("A4KfAtmq1H-43VMdfVBbxRrN"))
	instant, _ := id.Instant()
	fmt.Println(id.Kind(), id.Time().Format(time.RFC3339Nano), instant, id.Compact())
	_, err := ParseKind("A4KfAtmq1H-43VMdfVBbxRrN", "c")
	fmt.Println(err)
	// Output:
	// o 2026-11-21T18:42:22.848Z 1795286542848060 WWnWBiNLDdPGn6shGCuJTG
	// gid: the id is of another kind: "o" instead of "c". The value "A4KfAtmq1H-43VMdfVBbxRrN" is the id of a "o". Check the value, or the kind that the program expects
}

func TestJSON(t *testing.T) {
	type row struct {
		ID    ID
		About *ID
		By    map[ID]int
	}
	id := Must(New("o"))
	text, err := json.Marshal(row{id, nil, map[ID]int{id: 1}})
	if err != nil || string(text) != fmt.Sprintf(`{"ID":"%s","About":null,"By":{"%s":1}}`, id, id) {
		t.Fatal(string(text), err)
	}
	var read row
	if err := json.Unmarshal(text, &read); err != nil || read.ID != id || read.By[id] != 1 || read.About != nil {
		t.Fatal(read, err)
	}
	if json.Unmarshal([]byte(`{"ID":"x"}`), &read) == nil {
		t.Fatal("an invalid id is read")
	}
	if _, err := json.Marshal(ID{}); err == nil {
		t.Fatal("the zero value is written")
	}
}

func TestSQL(t *testing.T) {
	id := Must(New("o"))
	var read ID
	var _ sql.Scanner = &read
	for _, value := range []interface{}{id.String(), []byte(id.String()), []byte(id.Compact()), id[:]} {
		if err := read.Scan(value); err != nil || read != id {
			t.Fatal(value, err)
		}
	}
	for _, value := range []interface{}{"x", []byte{1}, make([]byte, 16), 7} {
		if read.Scan(value) == nil {
			t.Fatal(value)
		}
	}
	if err := read.Scan(nil); err != nil || !read.IsZero() {
		t.Fatal("NULL is the zero value")
	}
	if value, err := read.Value(); value != nil || err != nil {
		t.Fatal("and the zero value NULL")
	}
	if value, err := id.Value(); value != id.String() || err != nil {
		t.Fatal(value, err)
	}
	if _, err := (ID{1}).Value(); err == nil {
		t.Fatal("bytes that are no id are sent")
	}
}

func TestBinary(t *testing.T) {
	id := Must(New("o"))
	data, _ := id.MarshalBinary()
	var read ID
	if err := read.UnmarshalBinary(data); err != nil || read != id || read.UnmarshalBinary(data[1:]) == nil {
		t.Fatal(read, err)
	}
	data[0] = 0
	if id[0] != 239 {
		t.Fatal("its bytes are a copy")
	}
}

func TestInterval(t *testing.T) {
	if text := interval(86_400_000_000) + ", " + interval(-86_400_000_001); text != "1 day, -1 days -00:00:00.000001" {
		t.Fatal(text)
	}
}

func TestIsKind(t *testing.T) {
	id := Must(New("O"))
	if !id.IsKind("o") || id.IsKind("c") || id.IsKind("orders") {
		t.Fatal(id.Kind())
	}
}

type order struct{}

func (order) GidKind() string { return "o" }

func TestOf(t *testing.T) {
	type row struct {
		ID Of[order]
		By map[Of[order]]int
	}
	id, customer := Must(New("o")), Must(New("c"))
	of, err := As[order](id, nil)
	if err != nil || of.ID() != id || of.String() != id.String() {
		t.Fatal(of, err)
	}
	var read row
	text := fmt.Sprintf(`{"ID":"%s","By":{"%s":1}}`, id, id)
	if err := json.Unmarshal([]byte(text), &read); err != nil || read.ID != of || read.By[of] != 1 {
		t.Fatal(read, err)
	}
	if written, err := json.Marshal(read); string(written) != text || err != nil {
		t.Fatal(string(written), err)
	}
	if err := of.Scan(nil); err != nil || !of.IsZero() {
		t.Fatal("NULL is the zero value")
	}
	data, _ := id.MarshalBinary()
	if err := of.UnmarshalBinary(data); err != nil || of.ID() != id {
		t.Fatal(err)
	}
	_, asErr := As[order](customer, nil)
	for _, err := range []error{
		asErr, of.UnmarshalText([]byte(customer.String())), of.UnmarshalBinary(customer[:]), of.Scan(customer.String()),
		json.Unmarshal([]byte(`{"ID":"`+customer.String()+`"}`), &read),
		json.Unmarshal([]byte(`{"By":{"`+customer.String()+`":1}}`), &read),
	} {
		if !errors.Is(err, ErrOtherKind) || of.ID() != id {
			t.Fatal(of, err)
		}
	}
	if _, err := As[order](Parse("x")); !errors.Is(err, ErrInvalid) {
		t.Fatal(err)
	}
}

func TestErrors(t *testing.T) {
	_, err := NewAt("o", time.Unix(-1, 0))
	_, boundErr := LowerBound("order", time.Now())
	if !errors.Is(err, ErrTime) || !errors.Is(boundErr, ErrUnknownKind) {
		t.Fatal(err, boundErr)
	}
	defer source.Use(rand.Reader)
	source.Use(bytes.NewReader(nil))
	_, err = New("o")
	if _, atErr := NewAt("o", time.Now()); err != io.EOF || atErr != io.EOF {
		t.Fatal("there are no random bits")
	}
}

func TestConcurrent(t *testing.T) {
	var running sync.WaitGroup
	for n := 0; n < 4; n++ {
		running.Add(1)
		go func() {
			defer running.Done()
			for n := 0; n < 1000; n++ {
				Must(New("o"))
				Must(NewAt("o", time.UnixMilli(int64(n))))
			}
		}()
	}
	running.Wait()
}
