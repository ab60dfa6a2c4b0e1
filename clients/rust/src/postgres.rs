//! postgres-types: ids as parameters and in results, in binary, alone and in arrays.

use crate::{Gid, Of};
use bytes::BytesMut;
use postgres_types::{to_sql_checked, FromSql, IsNull, Kind, ToSql, Type};
use std::error::Error;

type Failure = Box<dyn Error + Sync + Send>;

/// The type gid, and domains over it; and uuid, which has the same bytes.
fn is_gid(ty: &Type) -> bool {
    match ty.kind() {
        Kind::Domain(base) => is_gid(base),
        _ => ty.name() == "gid" || *ty == Type::UUID,
    }
}

impl ToSql for Gid {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Failure> {
        out.extend_from_slice(&self.to_bytes());
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        is_gid(ty)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Gid {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Gid, Failure> {
        Ok(Gid::try_from(raw)?)
    }

    fn accepts(ty: &Type) -> bool {
        is_gid(ty)
    }
}

impl<const PREFIX: u8> ToSql for Of<PREFIX> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Failure> {
        (**self).to_sql(ty, out)
    }

    fn accepts(ty: &Type) -> bool {
        is_gid(ty)
    }

    to_sql_checked!();
}

impl<'a, const PREFIX: u8> FromSql<'a> for Of<PREFIX> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Failure> {
        Ok(Of::try_from(Gid::from_sql(ty, raw)?)?)
    }

    fn accepts(ty: &Type) -> bool {
        is_gid(ty)
    }
}
