package gid

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"testing"
	"time"
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
	// gid: gid of kind "o" does not match type gid(c). The value "A4KfAtmq1H-43VMdfVBbxRrN" is the id of a "o". Check the value, or the kind that the program expects.
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

func TestKinds(t *testing.T) {
	id := Must(New("O"))
	if !id.IsKind("o") || id.IsKind("c") || id.IsKind("orders") {
		t.Fatal(id.Kind())
	}
	for _, kind := range []string{"", "orders", "127", "255", "1e2"} {
		if _, err := New(kind); err == nil {
			t.Fatal(kind)
		}
		if _, err := NewAt(kind, time.Now()); err == nil {
			t.Fatal(kind)
		}
		if _, err := ParseKind(id.String(), kind); err == nil {
			t.Fatal(kind)
		}
	}
}

// The bits run over into the next microsecond.
func TestOverflow(t *testing.T) {
	Must(New("o"))
	last.instant, last.low = maxInstant-1, 1<<randomBits-1
	id := Must(New("o"))
	if _, low := id.words(); id.milli() != maxMilli || low != 999<<randomBits {
		t.Fatal(id, low)
	}
	last.instant, last.low = 0, 0
}

func BenchmarkString(b *testing.B) {
	id := Must(New("o"))
	for n := 0; n < b.N; n++ {
		_ = id.String()
	}
}

func BenchmarkParse(b *testing.B) {
	text := Must(New("o")).String()
	for n := 0; n < b.N; n++ {
		_, _ = Parse(text)
	}
}

func BenchmarkNew(b *testing.B) {
	for n := 0; n < b.N; n++ {
		_, _ = New("o")
	}
}
