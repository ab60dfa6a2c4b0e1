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

var kept string

func row(name string, ours, theirs func()) {
	var times [2][11]float64
	for n := range times[0] {
		times[0][n], times[1][n] = nanoseconds(ours), nanoseconds(theirs)
	}
	sort.Float64s(times[0][:])
	sort.Float64s(times[1][:])
	fmt.Printf("%s\t%.1f\t%.1f\n", name, times[0][5], times[1][5])
}

func main() {
	id, other := gid.Must(gid.New("o")), uuid.Must(uuid.NewV7())
	text, otherText := id.String(), other.String()
	fmt.Println("other\tgithub.com/google/uuid " + os.Args[1] + ", v7")
	row("new", func() { _, _ = gid.New("o") }, func() { _, _ = uuid.NewV7() })
	row("parse", func() { _, _ = gid.Parse(text) }, func() { _, _ = uuid.Parse(otherText) })
	row("format", func() { kept = id.String() }, func() { kept = other.String() })
}
