//! Minting.
//!
//! All that a process mints without a time is one number, which only grows: the instant,
//! and below it 54 random bits.  If the clock shows a later microsecond, that and new
//! random bits are next.  If it does not, the number is counted up by one; so the random
//! bits run over into the next microsecond, and if the clock is set back, the numbers continue.
//! A forked child continues with other random bits.

use crate::{Error, Gid, Kind, MAX_MILLI, OTHER_PAYLOAD};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

const RANDOM_BITS: u32 = 54;
const MAX_INSTANT: u64 = MAX_MILLI * 1000 + 999;

struct Last {
    number: u128,
    process: u32,
}

static LAST: Mutex<Last> = Mutex::new(Last { number: 0, process: 0 });

impl Gid {
    /// A new id: the clock's microsecond and 54 random bits.  It is larger than all ids of
    /// its kind that this process minted before in this way.  It is an error if the clock
    /// shows a time before 1970 or after 10889.
    ///
    /// The server's `gid_settled()` does not cover these ids.  If programs poll with
    /// it, let the server mint.
    pub fn new(kind: Kind) -> Result<Gid, Error> {
        let now = instant_of(now())?;
        let process = std::process::id();
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let instant = (last.number >> RANDOM_BITS) as u64;
        last.number = if now > instant {
            number(now)
        } else if process != last.process {
            number(instant + 1)
        } else {
            last.number + 1
        };
        last.process = process;
        Ok(pack(kind, last.number))
    }

    /// An id for a time, in whole microseconds, with 54 random bits.
    pub fn new_at(kind: Kind, at: SystemTime) -> Result<Gid, Error> {
        Ok(pack(kind, number(instant_of(at)?)))
    }
}

/// Microseconds since 1970, rounded down.
fn instant_of(at: SystemTime) -> Result<u64, Error> {
    let found = match at.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_micros() as i128,
        Err(before) => -((before.duration().as_nanos() as i128 + 999) / 1000),
    };
    match u64::try_from(found) {
        Ok(instant) if instant <= MAX_INSTANT => Ok(instant),
        _ => Err(Error(format!(
            "timestamp out of range for type gid: {found} microseconds. A gid holds times from 1970-01-01 00:00:00 to \
             10889-08-02 05:31:50.655999 UTC."
        ))),
    }
}

/// An instant and random bits.  RandomState has keys from the system's random numbers;
/// a forked child has the keys of its parent, but another number.
fn number(instant: u64) -> u128 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.write_u64(instant);
    (instant as u128) << RANDOM_BITS | (hasher.finish() >> (64 - RANDOM_BITS)) as u128
}

fn pack(kind: Kind, number: u128) -> Gid {
    let (prefix, byte_7) = (kind.prefix() as u128, OTHER_PAYLOAD as u128);
    let (instant, low) = (number >> RANDOM_BITS, number & ((1 << RANDOM_BITS) - 1));
    Gid::of(prefix << 120 | (instant / 1000) << 72 | byte_7 << 64 | (instant % 1000) << RANDOM_BITS | low)
}

#[cfg(not(feature = "conformance"))]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

#[cfg(feature = "conformance")]
static CLOCK: Mutex<Option<SystemTime>> = Mutex::new(None);

#[cfg(feature = "conformance")]
pub(crate) fn now() -> SystemTime {
    CLOCK.lock().unwrap().unwrap_or_else(SystemTime::now)
}

/// The clock stands at a time from now on, or is the system's.  It is for tests.
#[cfg(feature = "conformance")]
pub fn set_clock(at: Option<SystemTime>) {
    *CLOCK.lock().unwrap() = at;
}
