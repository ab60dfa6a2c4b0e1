package gid

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"
)

// What the conformance test does not ask: Go's interfaces.

var tea, ada = Must(Parse("A4KfAtmq1H-43VMdfVBbxRrN")), Must(Parse("9bwszPDAV5-1111111111111"))

func Example() {
	id := Must(Parse("A4KfAtmq1H-43VMdfVBbxRrN"))
	instant, _ := id.Instant()
	fmt.Println(id.Kind(), id.Time().Format(time.RFC3339Nano), instant, id.Compact())
	_, err := ParseKind(id.String(), "c")
	fmt.Println(err)
	// Output:
	// o 2026-11-21T18:42:22.848Z 1795286542848060 WWnWBiNLDdPGn6shGCuJTG
	// gid: the id is of another kind: "o" instead of "c". The value "A4KfAtmq1H-43VMdfVBbxRrN" is an id of kind "o". Check the value, or the kind that the program expects
}

type order struct{}

func (order) GidKind() string { return "o" }

func TestJSON(t *testing.T) {
	type row struct {
		ID    ID
		Order Of[order]
		By    map[Of[order]]int
	}
	const form = `{"ID":"%v","Order":"%v","By":{"%v":1}}`
	expected := fmt.Sprintf(form, ada, tea, tea)
	var read row
	if err := json.Unmarshal([]byte(expected), &read); err != nil || read.ID != ada || read.Order.ID() != tea {
		t.Fatal(read, err)
	}
	if written, err := json.Marshal(read); string(written) != expected || err != nil {
		t.Fatal(string(written), err)
	}
	for bad, expected := range map[string]error{
		fmt.Sprintf(form, "x", tea, tea): ErrInvalid, fmt.Sprintf(form, tea, ada, tea): ErrOtherKind, fmt.Sprintf(form, tea, tea, ada): ErrOtherKind,
	} {
		if err := json.Unmarshal([]byte(bad), &read); !errors.Is(err, expected) {
			t.Error(bad, err)
		}
	}
	if _, err := json.Marshal(ID{}); !errors.Is(err, ErrInvalid) {
		t.Fatal(err)
	}
}

func TestSQL(t *testing.T) {
	for _, test := range []struct {
		value    interface{}
		expected ID
		err, of  error // of Scan to an ID, and to an Of
	}{
		{tea.String(), tea, nil, nil}, {[]byte(tea.String()), tea, nil, nil}, {[]byte(tea.Compact()), tea, nil, nil}, {tea[:], tea, nil, nil},
		{nil, ID{}, nil, nil}, {ada.String(), ada, nil, ErrOtherKind}, {ada[:], ada, nil, ErrOtherKind},
		{"x", ID{}, ErrInvalid, ErrInvalid}, {make([]byte, 16), ID{}, ErrInvalid, ErrInvalid}, {7, ID{0xFF}, ErrInvalid, ErrInvalid},
	} {
		read := ID{0xFF}
		if err := read.Scan(test.value); !errors.Is(err, test.err) || read != test.expected {
			t.Error(test.value, read, err)
		}
		of := Of[order]{tea}
		if err := of.Scan(test.value); !errors.Is(err, test.of) || err == nil && of.ID() != test.expected || err != nil && of.ID() != tea {
			t.Error(test.value, of, err)
		}
	}
	for sent, expected := range map[ID]interface{}{tea: tea.String(), {}: nil} {
		if value, err := sent.Value(); value != expected || err != nil {
			t.Error(sent, value, err)
		}
	}
	if _, err := (ID{1}).Value(); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	defer func(reader io.Reader) { rand.Reader = reader }(rand.Reader)
	rand.Reader = bytes.NewReader(nil)
	_, err := New("o")
	for n := 0; err == nil && n < 100; n++ { // of the block that was read before
		_, err = NewAt("o", time.Now())
	}
	_, newErr := New("o")
	_, asErr := As[order](ada, nil)
	_, invalidErr := As[order](Parse("x"))
	_, timeErr := NewAt("o", time.Unix(-1, 0))
	_, kindErr := LowerBound("order", time.Now())
	for expected, err := range map[error]error{
		io.EOF: err, ErrOtherKind: asErr, ErrInvalid: invalidErr, ErrTime: timeErr, ErrUnknownKind: kindErr,
	} {
		if !errors.Is(err, expected) || !errors.Is(newErr, io.EOF) {
			t.Error(err, expected, newErr)
		}
	}
}

func TestInterval(t *testing.T) {
	if text := interval(86_400_000_000) + ", " + interval(-86_400_000_001); text != "1 day, -1 days -00:00:00.000001" {
		t.Fatal(text)
	}
}

func TestConcurrent(t *testing.T) {
	for n := 0; n < 4; n++ {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for n := 0; n < 1000; n++ {
				Must(New("o"))
				Must(NewAt("o", time.UnixMilli(int64(n))))
			}
		})
	}
}
