#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod explain;
mod kind;
mod mint;
mod of;
#[cfg(feature = "postgres-types")]
mod postgres;
#[cfg(feature = "serde")]
mod serde;
mod text;

pub use crate::kind::Kind;
#[cfg(feature = "conformance")]
pub use crate::mint::{CLOCK, RANDOM};
pub use crate::of::Of;

use std::fmt;
use std::num::NonZeroU64;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MAX_MILLI: u64 = (1 << 48) - 1;

/// In byte 7, if the payload is not a muid.  No kind has this prefix.
const OTHER_PAYLOAD: u8 = 0xFF;

/// An id.  Ids are equal, sorted and hashed by their bytes, as on the server.  `Option<Gid>`
/// has 16 bytes, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gid {
    high: NonZeroU64, // the first bit is 1
    low: u64,
}

/// Why a value is not an id, or not one of the expected kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl Gid {
    /// The id of a text, if it is of a kind.
    pub fn parse_kind(text: &str, kind: Kind) -> Result<Gid, Error> {
        text.parse::<Gid>()?.require_kind(kind)
    }

    fn require_kind(self, kind: Kind) -> Result<Gid, Error> {
        if self.kind() == kind {
            return Ok(self);
        }
        Err(Error(format!(
            "gid of kind \"{0}\" does not match type gid({kind}). The value \"{self}\" is an id of kind \"{0}\". \
             Check the value, or the kind that the program expects.",
            self.kind()
        )))
    }

    /// The 16 bytes.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.number().to_be_bytes()
    }

    /// The other text, of 22 characters.
    pub fn compact(&self) -> String {
        text::compact(self.number())
    }

    /// The kind.
    pub const fn kind(&self) -> Kind {
        Kind::from_prefix((self.high.get() >> 56) as u8)
    }

    /// The creation time in whole milliseconds since 1970.
    pub fn unix_ms(&self) -> u64 {
        self.high.get() >> 8 & MAX_MILLI
    }

    /// The creation time in whole milliseconds.
    pub fn time(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.unix_ms())
    }

    /// The creation time in microseconds since 1970.  It is `None` unless the server's
    /// `gid_new` minted the id.
    pub fn instant(&self) -> Option<u64> {
        let (micro, byte_7) = (self.low >> 54, self.high.get() as u8);
        let has = byte_7 == self.kind().prefix() && byte_7 != OTHER_PAYLOAD && micro <= 999;
        has.then(|| self.unix_ms() * 1000 + micro)
    }

    /// The number of the generator, 0 to 2^24 - 1.  It is `None` where the instant is.
    pub fn medallion(&self) -> Option<u32> {
        self.instant().map(|_| (self.low >> 30) as u32 & 0xFF_FFFF)
    }

    /// The upper 10 bits of the medallion: the number of the server, if it has
    /// `gid.node` set.  It is `None` where the instant is.
    pub fn node(&self) -> Option<u32> {
        self.medallion().map(|medallion| medallion >> 14)
    }

    /// The number of the id within its transaction, 0 to 2^30 - 1.  It is `None` where
    /// the instant is.
    pub fn offset(&self) -> Option<u32> {
        self.instant().map(|_| self.low as u32 & 0x3FFF_FFFF)
    }

    /// The smallest id of a kind whose time, in whole milliseconds, is at or after a
    /// time.  Past the last millisecond it is the first id above the kind.
    pub fn lower_bound(kind: Kind, at: SystemTime) -> Gid {
        Gid::bound(kind, at, 999_999)
    }

    /// The smallest id of a kind whose time, in whole milliseconds, is after a time.
    pub fn upper_bound(kind: Kind, at: SystemTime) -> Gid {
        Gid::bound(kind, at, 1_000_000)
    }

    /// The bound at the whole millisecond of a time plus nanoseconds.
    fn bound(kind: Kind, at: SystemTime, more: u128) -> Gid {
        let milli = at.duration_since(UNIX_EPOCH).map_or(0, |since| (since.as_nanos() + more) / 1_000_000);
        Gid::of(((u128::from(kind.prefix()) << 48) + milli.min(1 << 48)) << 72)
    }

    fn of(number: u128) -> Gid {
        Gid { high: NonZeroU64::new((number >> 64) as u64).expect("the first bit is 1"), low: number as u64 }
    }

    const fn number(self) -> u128 {
        (self.high.get() as u128) << 64 | self.low as u128
    }
}

/// The text of 24 characters.
impl fmt::Display for Gid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(std::str::from_utf8(&text::canonical(self.high.get(), self.low)).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Gid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gid({self})")
    }
}

/// From the text of 24 characters, or of 22 in the compact form.
impl std::str::FromStr for Gid {
    type Err = Error;

    fn from_str(text: &str) -> Result<Gid, Error> {
        text::decode(text.as_bytes())
            .map(Gid::of)
            .map_err(|reason| Error(format!("invalid input syntax for type gid: {text:?}. {reason}")))
    }
}

impl TryFrom<&[u8]> for Gid {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Gid, Error> {
        let wrong = |reason| Err(Error(format!("invalid binary value for type gid. {reason}")));
        match <[u8; 16]>::try_from(bytes) {
            Err(_) => wrong(format!("A gid is 16 bytes, not {}.", bytes.len())),
            Ok(bytes) if bytes[0] < 0x80 => {
                wrong(format!("The first byte is 0x{:02x}; in a gid it is 0x80 or above.", bytes[0]))
            }
            Ok(bytes) => Ok(Gid::of(u128::from_be_bytes(bytes))),
        }
    }
}
