// Command conformance answers the questions of doc/format.md, a line for each line
// of standard input.
package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"gid"
	"gid/internal/source"
)

var systemClock, systemBits = source.Now, rand.Reader

func textOf(data string) string {
	text, err := hex.DecodeString(data)
	check(err)
	return string(text)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	check(err)
	return n
}

func answer(id gid.ID, err error) string {
	if err != nil {
		return "error\t" + hex.EncodeToString([]byte(err.Error()+".")) // in Go, errors do not end with a full stop
	}
	return "ok\t" + id.String()
}

func parse(data string, kind []string) (gid.ID, error) {
	if len(kind) > 0 {
		return gid.ParseKind(textOf(data), kind[0])
	}
	return gid.Parse(textOf(data))
}

// timeOf returns the time of microseconds with decimals.
func timeOf(micro string) (time.Time, bool) {
	exact, _ := new(big.Rat).SetString(micro)
	nano := exact.Mul(exact, big.NewRat(1000, 1)).Num()
	seconds, nano := new(big.Int).DivMod(nano, big.NewInt(1e9), new(big.Int))
	return time.Unix(seconds.Int64(), nano.Int64()), seconds.IsInt64()
}

// repeated is a source of random bits.
type repeated []byte

func (bits repeated) Read(data []byte) (int, error) {
	return copy(data, bytes.Repeat(bits, len(data)/len(bits))), nil
}

// mint returns new ids, for a time if there is a second field.
func mint(kind string, fields ...string) []string {
	ids := make([]string, number(fields[0]))
	for n := range ids {
		if len(fields) > 1 {
			at, _ := timeOf(fields[1])
			ids[n] = gid.Must(gid.NewAt(kind, at)).String()
		} else {
			ids[n] = gid.Must(gid.New(kind)).String()
		}
	}
	return ids
}

func optional(value interface{}, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprint(value)
}

func read(text string) string {
	id := gid.Must(gid.Parse(text))
	instant, ok := id.Instant()
	node, _ := id.Node()
	medallion, _ := id.Medallion()
	offset, _ := id.Offset()
	return strings.Join([]string{id.String(), hex.EncodeToString(id[:]), id.Compact(), id.Kind(), fmt.Sprint(id.Prefix()),
		fmt.Sprint(id.Time().UnixMilli()), optional(instant, ok), optional(node, ok), optional(medallion, ok), optional(offset, ok)}, "\t")
}

func reply(operation string, fields []string) string {
	switch operation {
	case "text":
		return answer(parse(fields[0], fields[1:]))
	case "bytes":
		return answer(gid.FromBytes([]byte(textOf(fields[0]))))
	case "valid":
		if fields[0] == "-" {
			return "unsupported"
		}
		_, err := parse(fields[0], fields[1:])
		if len(fields) == 1 && gid.Valid(textOf(fields[0])) != (err == nil) {
			return "?"
		}
		return fmt.Sprint(err == nil)
	case "json":
		var id *gid.ID
		if json.Unmarshal([]byte(textOf(fields[0])), &id) != nil {
			return "error"
		} else if id == nil {
			return "null"
		}
		return answer(*id, nil)
	case "change":
		data, err := gid.Must(gid.Parse(fields[0])).MarshalBinary()
		check(err)
		data[0]++
		return read(fields[0])
	case "read":
		return read(fields[0])
	case "explain":
		text, err := json.Marshal(gid.Must(gid.Parse(fields[0])).Explain())
		check(err)
		return string(text)
	case "kind":
		id, err := gid.LowerBound(textOf(fields[0]), time.Unix(0, 0))
		if err != nil {
			return answer(id, err)
		}
		return fmt.Sprintf("ok\t%d", id.Prefix())
	case "lower", "upper":
		at, ok := timeOf(fields[1])
		if !ok {
			return "unsupported"
		} else if operation == "lower" {
			return gid.Must(gid.LowerBound(fields[0], at)).String()
		}
		return gid.Must(gid.UpperBound(fields[0], at)).String()
	case "compare":
		a, b := gid.Must(gid.Parse(fields[0])), gid.Must(gid.Parse(fields[1]))
		order := a.Compare(b)
		if (a == b) != (order == 0) || len(map[gid.ID]bool{a: true, b: true}) == 1 != (order == 0) || a.Less(b) != (order < 0) {
			return "?"
		}
		return string("<=>"[order+1])
	case "sort":
		ids := make([]gid.ID, len(fields))
		for n, text := range fields {
			ids[n] = gid.Must(gid.Parse(text))
		}
		sort.Slice(ids, func(a, b int) bool { return ids[a].Less(ids[b]) })
		for n, id := range ids {
			fields[n] = id.String()
		}
		return strings.Join(fields, "\t")
	case "new":
		if len(fields) == 1 {
			return answer(gid.New(fields[0]))
		}
		at, ok := timeOf(fields[1])
		if !ok {
			return "unsupported"
		}
		return answer(gid.NewAt(fields[0], at))
	case "mint":
		return strings.Join(mint(fields[0], fields[1]), "\t")
	case "threads":
		minted := make([][]string, number(fields[1]))
		var running sync.WaitGroup
		for n := range minted {
			running.Add(1)
			go func(n int) {
				minted[n] = mint(fields[0], fields[2:]...)
				running.Done()
			}(n)
		}
		running.Wait()
		var all []string
		for _, ids := range minted {
			all = append(all, ids...)
		}
		return strings.Join(all, "\t")
	case "clock":
		source.Now = systemClock
		if fields[0] != "-" {
			at := time.UnixMicro(number(fields[0]))
			source.Now = func() time.Time { return at }
		}
		return "ok"
	case "random":
		var reader io.Reader = systemBits
		if fields[0] != "-" {
			reader = repeated(binary.BigEndian.AppendUint64(nil, uint64(number(fields[0]))<<10))
		}
		source.Use(reader)
		return "ok"
	}
	return "unsupported" // a Go program cannot fork, handles signals in a goroutine, and has no locale
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		fmt.Fprintln(out, reply(fields[0], fields[1:]))
	}
	check(lines.Err())
}
