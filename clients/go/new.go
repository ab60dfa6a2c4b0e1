package gid

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"gid/internal/clock"
)

// All that a process mints without a time is one number, which only grows: the
// instant, and below it 54 random bits.  If the clock shows a later microsecond,
// that and new random bits are next.  If it does not, the number is counted up by
// one; so the random bits run over into the next microsecond, and if the clock is
// set back, the numbers continue.
var last struct {
	sync.Mutex
	instant int64
	low     uint64
}

// New returns a new id: microseconds, and 54 random bits.  Each is larger than the
// ids of its kind that this process minted before in this way.
//
// The server's gid_settled() does not cover these ids: if programs poll with it,
// let the server mint.
func New(kind string) (ID, error) {
	prefix, err := prefixOf(kind)
	if err != nil {
		return ID{}, err
	}
	last.Lock()
	defer last.Unlock()
	now := clock.Now()
	if err := checkInstant(now); err != nil {
		return ID{}, err
	}
	if now > last.instant {
		low, err := random()
		if err != nil {
			return ID{}, err
		}
		last.instant, last.low = now, low
	} else if last.low++; last.low>>randomBits != 0 {
		last.instant, last.low = last.instant+1, 0
	}
	return pack(prefix, last.instant, last.low), nil
}

// NewAt returns an id for a time, to the microsecond.  Only its 54 random bits
// distinguish it from others of the same microsecond.
func NewAt(kind string, at time.Time) (ID, error) {
	prefix, err := prefixOf(kind)
	if err != nil {
		return ID{}, err
	}
	if err := checkInstant(at.UnixMicro()); err != nil {
		return ID{}, err
	}
	low, err := random()
	return pack(prefix, at.UnixMicro(), low), err
}

func checkInstant(instant int64) error {
	if instant < 0 || instant > maxInstant {
		return fmt.Errorf("gid: timestamp out of range for type gid: %d microseconds. "+badRange, instant)
	}
	return nil
}

func random() (uint64, error) {
	var bytes [8]byte
	_, err := rand.Read(bytes[:])
	return binary.BigEndian.Uint64(bytes[:]) >> (64 - randomBits), err
}

func pack(prefix byte, instant int64, low uint64) (id ID) {
	binary.BigEndian.PutUint64(id[:8], uint64(prefix)<<56|uint64(instant/1000)<<8|otherPayload)
	binary.BigEndian.PutUint64(id[8:], uint64(instant%1000)<<randomBits|low)
	return id
}
