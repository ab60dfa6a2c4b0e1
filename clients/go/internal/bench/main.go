//go:build ignore

// Command bench prints how many nanoseconds gid and google/uuid take.
package main

import (
	"fmt"
	"os"
	"sort"
	"time"

	"gid"
	"github.com/google/uuid"
)

func nanoseconds(operation func()) float64 {
	begin := time.Now()
	for n := 0; n < 500_000; n++ {
		operation()
	}
	return float64(time.Since(begin)) / 500_000
}

func main() {
	var text string
	id, other := gid.Must(gid.New("o")), uuid.Must(uuid.NewV7())
	idText, otherText := id.String(), other.String()
	row := func(name string, operations ...func()) {
		var times [2][]float64
		for n := 0; n < 22; n++ {
			times[n%2] = append(times[n%2], nanoseconds(operations[n%2]))
		}
		sort.Float64s(times[0])
		sort.Float64s(times[1])
		fmt.Printf("%s\t%.1f\t%.1f\n", name, times[0][5], times[1][5])
	}
	fmt.Println("other\tgithub.com/google/uuid " + os.Args[1] + ", v7")
	row("new", func() { _, _ = gid.New("o") }, func() { _, _ = uuid.NewV7() })
	row("parse", func() { _, _ = gid.Parse(idText) }, func() { _, _ = uuid.Parse(otherText) })
	row("format", func() { text = id.String() }, func() { text = other.String() })
	_ = text
}
