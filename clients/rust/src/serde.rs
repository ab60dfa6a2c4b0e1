//! serde: text, or bytes in formats that people do not read.

use crate::{Gid, Of};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

impl Serialize for Gid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_bytes(&self.to_bytes())
        }
    }
}

impl<'de> Deserialize<'de> for Gid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Gid, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(GidVisitor)
        } else {
            deserializer.deserialize_bytes(GidVisitor)
        }
    }
}

struct GidVisitor;

impl Visitor<'_> for GidVisitor {
    type Value = Gid;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a gid")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Gid, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Gid, E> {
        Gid::try_from(bytes).map_err(E::custom)
    }
}

impl<const PREFIX: u8> Serialize for Of<PREFIX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, const PREFIX: u8> Deserialize<'de> for Of<PREFIX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Of::try_from(Gid::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
