// Command conformance answers the questions of doc/format.md, a line for each line
// of standard input.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"gid"
	"gid/internal/clock"
)

var system = clock.Now

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
		return "error\t" + hex.EncodeToString([]byte(err.Error()))
	}
	return "ok\t" + id.String()
}

func parse(data string, kind []string) (gid.ID, error) {
	if len(kind) > 0 {
		return gid.ParseKind(textOf(data), kind[0])
	}
	return gid.Parse(textOf(data))
}

func mint(kind string, count int64) []string {
	ids := make([]string, count)
	for n := range ids {
		ids[n] = gid.Must(gid.New(kind)).String()
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
		_, err := parse(fields[0], fields[1:])
		if len(fields) == 1 && gid.Valid(textOf(fields[0])) != (err == nil) {
			return "?"
		}
		return fmt.Sprint(err == nil)
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
	case "lower":
		return gid.Must(gid.LowerBound(fields[0], time.UnixMicro(number(fields[1])))).String()
	case "upper":
		return gid.Must(gid.UpperBound(fields[0], time.UnixMicro(number(fields[1])))).String()
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
		return answer(gid.NewAt(fields[0], time.UnixMicro(number(fields[1]))))
	case "mint":
		return strings.Join(mint(fields[0], number(fields[1])), "\t")
	case "threads":
		minted := make([][]string, number(fields[1]))
		var running sync.WaitGroup
		for n := range minted {
			running.Add(1)
			go func(n int) {
				minted[n] = mint(fields[0], number(fields[2]))
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
		clock.Now = system
		if fields[0] != "-" {
			instant := number(fields[0])
			clock.Now = func() int64 { return instant }
		}
		return "ok"
	}
	return "unsupported" // a Go program cannot fork, and handles signals in a goroutine
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
