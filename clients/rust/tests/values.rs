//! What the conformance test does not ask.

use gid::{Gid, Kind, Of};

const ORDER: Kind = Kind::of("o");
type OrderId = Of<{ ORDER.prefix() }>;
const TEXT: &str = "A4KfAtmq1H-43VMdfVBbxRrN";

#[test]
fn kinds() {
    assert_eq!([Kind::of("O"), Kind::of("239"), "o".parse().unwrap()], [ORDER; 3]);
    assert_eq!((Kind::of("Segment").prefix(), Kind::of("200").to_string()), (192, "200".into()));
    assert_eq!(format!("{ORDER:?} {ORDER:>3}"), "Kind(o)   o");
}

#[test]
#[should_panic(expected = "unrecognized gid kind")]
fn kind_that_there_is_not() {
    Kind::of("order");
}

#[test]
fn formats() {
    let id = Gid::parse(TEXT).unwrap();
    assert_eq!((format!("{id:>26}"), format!("{id:?}")), (format!("  {TEXT}"), format!("Gid({TEXT})")));
    assert_eq!(Gid::try_from(<[u8; 16]>::from(id)), Ok(id));
}

#[test]
fn sizes() {
    assert_eq!((std::mem::size_of::<Option<Gid>>(), std::mem::size_of::<Option<OrderId>>()), (16, 16));
}

#[test]
fn one_kind() {
    let id: OrderId = TEXT.parse().unwrap();
    assert_eq!((id.kind(), id.to_string(), OrderId::new().unwrap().kind()), (ORDER, TEXT.into(), ORDER));
    let other = Gid::new(Kind::of("c")).unwrap();
    assert!(other.to_string().parse::<OrderId>().is_err() && OrderId::try_from(other).is_err());
    #[cfg(feature = "serde")]
    {
        let json = |id: Gid| serde_json::from_str::<OrderId>(&serde_json::to_string(&id).unwrap());
        assert!(json(*id).unwrap() == id && json(other).is_err());
    }
    #[cfg(feature = "postgres-types")]
    {
        use postgres_types::{FromSql, Type};
        let read = |id: Gid| OrderId::from_sql(&Type::UUID, &id.to_bytes());
        assert!(read(*id).unwrap() == id && read(other).is_err());
    }
}

#[cfg(feature = "serde")]
#[test]
fn json() {
    use std::collections::BTreeMap;

    let id = Gid::parse(TEXT).unwrap();
    let map = BTreeMap::from([(id, Some(id))]);
    let text = serde_json::to_string(&map).unwrap();
    assert_eq!(text, format!("{{\"{TEXT}\":\"{TEXT}\"}}"));
    assert_eq!(serde_json::from_str::<BTreeMap<Gid, Option<Gid>>>(&text).unwrap(), map);
    let error = serde_json::from_str::<Gid>("\"x\"").unwrap_err().to_string();
    assert!(error.contains("A gid is 24 bytes of text, or 22 in its compact form, not 1."), "{error}");
    assert!(serde_json::from_str::<Gid>("7").is_err());
}
