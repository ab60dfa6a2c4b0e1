//! What the conformance test does not ask.

use gid::{Gid, Kind, Of};

const ORDER: Kind = Kind::of("o");
type OrderId = Of<{ ORDER.prefix() }>;
const TEXT: &str = "A4KfAtmq1H-43VMdfVBbxRrN";

#[test]
#[should_panic(expected = "unrecognized gid kind")]
fn kind_that_there_is_not() {
    Kind::of("order");
}

#[test]
fn formats() {
    let id: Gid = TEXT.parse().unwrap();
    assert_eq!(format!("{id:>26} {id:?} {:>3}", id.kind()), format!("  {TEXT} Gid({TEXT})   o"));
    assert_eq!((std::mem::size_of::<Option<Gid>>(), std::mem::size_of::<Option<OrderId>>()), (16, 16));
}

#[test]
fn one_kind() {
    let id: OrderId = TEXT.parse().unwrap();
    assert_eq!((id.kind(), id.to_string()), (ORDER, TEXT.into()));
    let other = Gid::new(Kind::of("C")).unwrap();
    assert!(other.to_string().parse::<OrderId>().is_err() && OrderId::try_from(other).is_err());
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

    type Map = BTreeMap<Gid, Option<OrderId>>;
    let map = Map::from([(TEXT.parse().unwrap(), TEXT.parse().ok())]);
    let text = serde_json::to_string(&map).unwrap();
    assert_eq!(text, format!("{{\"{TEXT}\":\"{TEXT}\"}}"));
    assert_eq!(serde_json::from_str::<Map>(&text).unwrap(), map);
    let error = |json: &str| serde_json::from_str::<OrderId>(json).unwrap_err().to_string();
    assert!(error("\"x\"").starts_with("invalid input syntax for type gid: \"x\". A gid is 24 bytes of text"));
    assert!(error("\"74ggbzxuMf-2uAmM7FwXntwW\"").contains("is an id of kind \"log\""));
}
