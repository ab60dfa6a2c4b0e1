package main

import (
	"fmt"
	"gid"
	"github.com/google/uuid"
	"time"
)

func main() {
	id, other, kept := gid.Must(gid.New("o")), uuid.Must(uuid.NewV7()), ""
	text, otherText := id.String(), other.String()
	calls := []func(){func() { gid.New("o") }, func() { uuid.NewV7() }, func() { gid.Parse(text) },
		func() { uuid.Parse(otherText) }, func() { kept = id.String() }, func() { kept = other.String() }}
	for n := 0; n < 30_000; n++ {
		begin := time.Now()
		for i := 0; i < 200; i++ {
			calls[n%6]()
		}
		fmt.Println(time.Since(begin).Nanoseconds())
	}
	_ = kept
}
