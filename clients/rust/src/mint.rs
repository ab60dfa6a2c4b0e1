//! Minting.
//!
//! All that a process mints without a time is one number, which only grows: the instant,
//! and below it 54 random bits.  If the clock shows a later microsecond, that and new
//! random bits are next.  If it does not, the number is counted up by one; so the random
//! bits run over into the next microsecond, and if the clock is set back, the numbers continue.
//! A forked child continues with the next microsecond and other random bits.

use crate::{Error, Gid, Kind, MAX_MILLI, OTHER_PAYLOAD};
use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

const RANDOM_BITS: u32 = 54;
const MAX_INSTANT: u64 = MAX_MILLI * 1000 + 999;
const BLOCK: usize = 512;

struct Last {
    instant: u64,
    low: u64,
    forks: u32,         // of FORKS
    block: [u8; BLOCK], // random bytes, of which some are used
    used: usize,
}

static LAST: Mutex<Last> = Mutex::new(Last { instant: 0, low: 0, forks: 0, block: [0; BLOCK], used: BLOCK });
static FORKS: AtomicU32 = AtomicU32::new(0);

impl Gid {
    /// A new id: the clock's microsecond and 54 random bits.  It is larger than all ids of
    /// its kind that this process minted before in this way.  It is an error if the clock
    /// shows a time before 1970 or after 10889, or if there is no `/dev/urandom`.
    ///
    /// The server's `gid_settled()` does not cover these ids.  If programs poll with
    /// it, let the server mint.
    pub fn new(kind: Kind) -> Result<Gid, Error> {
        let now = instant_of(now())?;
        let mut last = lock()?;
        if now > last.instant {
            last.low = last.random()?;
            last.instant = now;
        } else {
            last.low += 1;
            last.instant += last.low >> RANDOM_BITS;
            last.low &= (1 << RANDOM_BITS) - 1;
        }
        Ok(pack(kind, last.instant, last.low))
    }

    /// An id for a time, in whole microseconds, with 54 random bits.
    pub fn new_at(kind: Kind, at: SystemTime) -> Result<Gid, Error> {
        let instant = instant_of(at)?;
        let mut last = lock()?;
        Ok(pack(kind, instant, last.random()?))
    }
}

fn lock() -> Result<MutexGuard<'static, Last>, Error> {
    static ONCE: Once = Once::new();
    ONCE.call_once(count_forks);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let forks = FORKS.load(Ordering::Relaxed);
    if forks != last.forks {
        last.used = BLOCK;
        last.low = last.random()?;
        last.instant += 1;
        last.forks = forks;
    }
    Ok(last)
}

/// Counts forks in the children.  A process id does not tell: in two namespaces it can be the same.
#[cfg(unix)]
#[allow(unsafe_code)]
fn count_forks() {
    type Handler = Option<extern "C" fn()>;
    extern "C" {
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> i32;
    }
    extern "C" fn in_child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the handler only changes an atomic number.
    let failed = unsafe { pthread_atfork(None, None, Some(in_child)) };
    assert_eq!(failed, 0, "out of memory");
}

#[cfg(not(unix))]
fn count_forks() {}

impl Last {
    /// Random bits.  They are read in blocks, because each read is a system call.
    fn random(&mut self) -> Result<u64, Error> {
        #[cfg(feature = "conformance")]
        if let Some(bits) = *RANDOM.lock().unwrap() {
            return Ok(bits);
        }
        if self.used == BLOCK {
            let source = File::open("/dev/urandom");
            source
                .and_then(|mut source| source.read_exact(&mut self.block))
                .map_err(|error| Error(format!("no random bits. /dev/urandom: {error}.")))?;
            self.used = 0;
        }
        let mut bits = [0; 8];
        bits.copy_from_slice(&self.block[self.used..self.used + 8]);
        self.used += 8;
        Ok(u64::from_be_bytes(bits) >> (64 - RANDOM_BITS))
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

fn pack(kind: Kind, instant: u64, low: u64) -> Gid {
    let high = u64::from(kind.prefix()) << 56 | (instant / 1000) << 8 | u64::from(OTHER_PAYLOAD);
    Gid::of(u128::from(high) << 64 | u128::from((instant % 1000) << RANDOM_BITS | low))
}

pub(crate) fn now() -> SystemTime {
    #[cfg(feature = "conformance")]
    if let Some(at) = *CLOCK.lock().unwrap() {
        return at;
    }
    SystemTime::now()
}

/// The time at which the clock of tests stands.
#[cfg(feature = "conformance")]
pub static CLOCK: Mutex<Option<SystemTime>> = Mutex::new(None);

/// The random bits of tests.
#[cfg(feature = "conformance")]
pub static RANDOM: Mutex<Option<u64>> = Mutex::new(None);
