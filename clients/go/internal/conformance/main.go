// Command conformance answers the questions of clients/conformance/README.md, a line for each line
// of standard input.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
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

var systemClock, systemBits = source.Now, source.Bits

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func textOf(data string) string {
	text, err := hex.DecodeString(data)
	check(err)
	return string(text)
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	check(err)
	return n
}

// timeOf returns the time of microseconds with decimals.
func timeOf(micro string) (time.Time, bool) {
	exact, _ := new(big.Rat).SetString(micro)
	nano := exact.Mul(exact, big.NewRat(1000, 1)).Num()
	seconds, nano := new(big.Int).DivMod(nano, big.NewInt(1e9), new(big.Int))
	return time.Unix(seconds.Int64(), nano.Int64()), seconds.IsInt64()
}

func idOf(text string) gid.ID { return gid.Must(gid.Parse(text)) }

func parse(data string, kind []string) (gid.ID, error) {
	if len(kind) > 0 {
		return gid.ParseKind(textOf(data), kind[0])
	}
	return gid.Parse(textOf(data))
}

func answer(value interface{}, err error) string {
	if err != nil {
		return "error\t" + hex.EncodeToString([]byte(err.Error()+".")) // in Go, errors do not end with a full stop
	}
	return fmt.Sprint("ok\t", value)
}

// mint returns new ids, for a time if there is a third field.
func mint(fields []string) string {
	ids := make([]string, number(fields[1]))
	for n := range ids {
		ids[n] = strings.TrimPrefix(reply("new", append(fields[:1:1], fields[2:]...)), "ok\t")
	}
	return strings.Join(ids, "\t")
}

func threads(count int64, fields []string) string {
	minted := make([]string, count)
	var running sync.WaitGroup
	for n := range minted {
		running.Add(1)
		go func(n int) {
			minted[n] = mint(fields)
			running.Done()
		}(n)
	}
	running.Wait()
	return strings.Join(minted, "\t")
}

func optional(value interface{}, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprint(value)
}

func read(id gid.ID) string {
	return fmt.Sprintf("%s\t%x\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s", id, id[:], id.Compact(), id.Kind(), id.Prefix(), id.Time().UnixMilli(),
		optional(id.Instant()), optional(id.Node()), optional(id.Medallion()), optional(id.Offset()))
}

func compare(a, b gid.ID) string {
	if order := a.Compare(b); (a == b) == (order == 0) {
		return string("<=>"[order+1])
	}
	return "?"
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
		} else if len(fields) == 1 {
			return fmt.Sprint(gid.Valid(textOf(fields[0])))
		}
		_, err := parse(fields[0], fields[1:])
		return fmt.Sprint(err == nil)
	case "json":
		var id *gid.ID
		if json.Unmarshal([]byte(textOf(fields[0])), &id) != nil {
			return "error"
		} else if id == nil {
			return "null"
		}
		return answer(*id, nil)
	case "read", "change": // a program cannot change an id
		return read(idOf(fields[0]))
	case "explain":
		text, err := json.Marshal(idOf(fields[0]).Explain())
		check(err)
		return string(text)
	case "kind":
		id, err := gid.LowerBound(textOf(fields[0]), time.Unix(0, 0))
		return answer(id.Prefix(), err)
	case "lower", "upper", "new":
		if len(fields) == 1 {
			return answer(gid.New(fields[0]))
		}
		at, ok := timeOf(fields[1])
		if !ok {
			return "unsupported"
		}
		switch operation {
		case "lower":
			return gid.Must(gid.LowerBound(fields[0], at)).String()
		case "upper":
			return gid.Must(gid.UpperBound(fields[0], at)).String()
		}
		return answer(gid.NewAt(fields[0], at))
	case "compare":
		return compare(idOf(fields[0]), idOf(fields[1]))
	case "sort":
		sort.Slice(fields, func(a, b int) bool { return idOf(fields[a]).Compare(idOf(fields[b])) < 0 })
		return strings.Join(fields, "\t")
	case "mint":
		return mint(fields)
	case "threads":
		return threads(number(fields[1]), append(fields[:1], fields[2:]...))
	case "clock":
		source.Now = func() time.Time { return time.UnixMicro(number(fields[0])) }
		if fields[0] == "-" {
			source.Now = systemClock
		}
		return "ok"
	case "random":
		source.Bits = func() (uint64, error) { return uint64(number(fields[0])) << 10, nil }
		if fields[0] == "-" {
			source.Bits = systemBits
		}
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
