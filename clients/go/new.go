package gid

import (
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"gid/internal/source"
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
func New(kind string) (ID, error) { return mint(kind, source.Now(), true) }

// NewAt returns an id for a time, to the microsecond.  Only its 54 random bits
// distinguish it from others of the same microsecond.
func NewAt(kind string, at time.Time) (ID, error) { return mint(kind, at, false) }

func mint(kind string, at time.Time, grows bool) (ID, error) {
	prefix, err := prefixOf(kind)
	if err != nil {
		return ID{}, err
	}
	instant, err := instantOf(at)
	if err != nil {
		return ID{}, err
	}
	last.Lock()
	defer last.Unlock()
	if grows && instant <= last.instant {
		last.low++
		last.instant += int64(last.low >> randomBits)
		last.low &= 1<<randomBits - 1
		return pack(prefix, last.instant, last.low), nil
	}
	bits, err := source.Bits()
	if err != nil {
		return ID{}, err
	}
	bits >>= 64 - randomBits
	if grows {
		last.instant, last.low = instant, bits
	}
	return pack(prefix, instant, bits), nil
}

// instantOf returns Unix microseconds, rounded down.
func instantOf(at time.Time) (int64, error) {
	if seconds := at.Unix(); 0 <= seconds && seconds <= maxInstant/1_000_000 {
		if instant := at.UnixMicro(); instant <= maxInstant {
			return instant, nil
		}
	}
	return 0, fmt.Errorf("%w: %v. A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC", ErrTime, at)
}

func pack(prefix byte, instant int64, low uint64) (id ID) {
	binary.BigEndian.PutUint64(id[:8], uint64(prefix)<<56|uint64(instant/1000)<<8|otherPayload)
	binary.BigEndian.PutUint64(id[8:], uint64(instant%1000)<<randomBits|low)
	return id
}
