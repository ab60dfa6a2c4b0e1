//! What the conformance test does not ask.

use gid::{Gid, Kind};
use std::time::{Duration, UNIX_EPOCH};

const ORDER: Kind = Kind::of("o");
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
fn bounds_are_exact_to_the_nanosecond() {
    let at = UNIX_EPOCH + Duration::from_millis(1_795_286_542_848);
    let lower = |at| Gid::lower_bound(ORDER, at).unix_ms() - 1_795_286_542_848;
    let upper = |at| Gid::upper_bound(ORDER, at).unix_ms() - 1_795_286_542_848;
    let nanosecond = Duration::from_nanos(1);
    assert_eq!([lower(at), lower(at + nanosecond), lower(at - nanosecond)], [0, 1, 0]);
    assert_eq!([upper(at), upper(at + nanosecond), upper(at - nanosecond)], [1, 1, 0]);
    assert_eq!(Gid::upper_bound(ORDER, UNIX_EPOCH - nanosecond).unix_ms(), 0);
    assert!(Gid::new_at(ORDER, UNIX_EPOCH - nanosecond).is_err());
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
