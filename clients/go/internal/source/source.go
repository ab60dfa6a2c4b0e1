// Package source is where ids have their times and random bits from.
package source

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"time"
)

// Now returns the time, and Bits 64 random bits.  Tests replace them.
var (
	Now  = time.Now
	Bits = bits

	block [512]byte
	used  = len(block)
)

// bits reads random bits in blocks, because each read is a system call.  The caller has a lock.
func bits() (uint64, error) {
	if used == len(block) {
		if _, err := io.ReadFull(rand.Reader, block[:]); err != nil {
			return 0, err
		}
		used = 0
	}
	used += 8
	return binary.BigEndian.Uint64(block[used-8:]), nil
}
