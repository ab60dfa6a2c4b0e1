//! Ids of one kind.

use crate::{Error, Gid, Kind};
use std::fmt;

/// An id of one kind, so that ids of other kinds do not compile or are an [`Error`].  Its
/// methods are those of [`Gid`].
///
/// ```
/// use gid::{Gid, Kind, Of};
///
/// const ORDER: u8 = Kind::of("o").prefix();
/// type OrderId = Of<ORDER>;
///
/// # fn main() -> Result<(), gid::Error> {
/// let order: OrderId = "A4KfAtmq1H-43VMdfVBbxRrN".parse()?;
/// assert!(order < OrderId::try_from(Gid::new(Kind::of("o"))?)?);
/// assert!(OrderId::try_from(Gid::new(Kind::of("c"))?).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Of<const PREFIX: u8>(Gid);

impl<const PREFIX: u8> Of<PREFIX> {
    const KIND: Kind = {
        assert!(PREFIX >= 0x80 && PREFIX < 0xFF, "no kind has this prefix");
        Kind::from_prefix(PREFIX)
    };
}

impl<const PREFIX: u8> TryFrom<Gid> for Of<PREFIX> {
    type Error = Error;

    fn try_from(id: Gid) -> Result<Self, Error> {
        id.require_kind(Self::KIND).map(Of)
    }
}

impl<const PREFIX: u8> std::str::FromStr for Of<PREFIX> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Gid::parse_kind(text, Self::KIND).map(Of)
    }
}

impl<const PREFIX: u8> std::ops::Deref for Of<PREFIX> {
    type Target = Gid;

    fn deref(&self) -> &Gid {
        &self.0
    }
}

impl<const PREFIX: u8> fmt::Display for Of<PREFIX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
