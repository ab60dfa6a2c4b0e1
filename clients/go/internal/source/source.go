// Package source is where ids have their times and random bits from.
package source

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"time"
)

// Now returns the time.  Tests replace it.
var Now = time.Now

var (
	block [512]byte
	used  = len(block)
)

// Bits returns 64 random bits.  They are read in blocks, because each read is a system
// call.  The caller has a lock.
func Bits() (uint64, error) {
	if used == len(block) {
		if _, err := io.ReadFull(rand.Reader, block[:]); err != nil {
			return 0, err
		}
		used = 0
	}
	used += 8
	return binary.BigEndian.Uint64(block[used-8:]), nil
}

// Use replaces the source of random bits, for tests.
func Use(reader io.Reader) { rand.Reader, used = reader, len(block) }
