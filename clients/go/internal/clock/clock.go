// Package clock is the clock that ids are minted by.
package clock

import "time"

// Now returns Unix microseconds.  Tests replace it.
var Now = func() int64 { return time.Now().UnixMicro() }
