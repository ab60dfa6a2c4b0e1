//! Kinds: the first byte of an id, and its name.

use crate::Error;
use std::fmt;

/// What an id names: "volume", "log", "segment", a letter from "a" to "z", or a number
/// from 128 to 254.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u8);

impl Kind {
    /// The kind of a name, in upper or lower case.  It is for names in the source: in a
    /// constant, a wrong name does not compile.  Use `str::parse` for other names.
    ///
    /// # Panics
    ///
    /// If there is no such kind.
    pub const fn of(name: &str) -> Kind {
        match find(name.as_bytes()) {
            Some(prefix) => Kind(prefix),
            None => panic!("unrecognized gid kind"),
        }
    }

    /// The kind as a number: the first byte of its ids.
    pub const fn prefix(self) -> u8 {
        self.0
    }

    pub(crate) const fn from_prefix(prefix: u8) -> Kind {
        Kind(prefix)
    }
}

const fn find(name: &[u8]) -> Option<u8> {
    match name {
        [letter] if letter.is_ascii_alphabetic() => Some(0xE1 + (letter.to_ascii_lowercase() - b'a')),
        [h @ b'1'..=b'2', t @ b'0'..=b'9', u @ b'0'..=b'9'] => {
            match (*h - b'0') as u16 * 100 + (*t - b'0') as u16 * 10 + (*u - b'0') as u16 {
                number @ 128..=254 => Some(number as u8),
                _ => None,
            }
        }
        _ if is(name, b"volume") => Some(0x80),
        _ if is(name, b"log") => Some(0xA0),
        _ if is(name, b"segment") => Some(0xC0),
        _ => None,
    }
}

// eq_ignore_ascii_case is not const in all versions.
const fn is(name: &[u8], lower: &[u8]) -> bool {
    let mut i = 0;
    while i < name.len() && i < lower.len() && name[i].to_ascii_lowercase() == lower[i] {
        i += 1;
    }
    i == name.len() && i == lower.len()
}

impl std::str::FromStr for Kind {
    type Err = Error;

    fn from_str(name: &str) -> Result<Kind, Error> {
        find(name.as_bytes()).map(Kind).ok_or_else(|| {
            Error(format!(
                "unrecognized gid kind: {name:?}. A kind is \"volume\", \"log\", \"segment\", a letter from \"a\" \
                 to \"z\", or a number from 128 to 254."
            ))
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0x80 => f.pad("volume"),
            0xA0 => f.pad("log"),
            0xC0 => f.pad("segment"),
            prefix @ 0xE1..=0xFA => f.pad(&char::from(b'a' + (prefix - 0xE1)).to_string()),
            prefix => f.pad(&prefix.to_string()),
        }
    }
}
