//! Alone in its process, because other tests are threads.
#![cfg(feature = "conformance")]

use gid::{Gid, Kind};
use std::time::{Duration, UNIX_EPOCH};

const ORDER: Kind = Kind::of("o");

/// The first id after a fork can be one for a time.
#[test]
fn fork() {
    extern "C" {
        fn fork() -> i32;
        fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
        fn _exit(status: i32) -> !;
    }
    let at = UNIX_EPOCH + Duration::from_secs(1 << 33);
    gid::set_clock(Some(at));
    Gid::new(ORDER).unwrap();
    let child = unsafe { fork() };
    if child == 0 {
        Gid::new_at(ORDER, at).unwrap();
        let number = |id: Gid| u64::from_be_bytes(id.to_bytes()[8..].try_into().unwrap());
        let (first, next) = (number(Gid::new(ORDER).unwrap()), number(Gid::new(ORDER).unwrap()));
        unsafe { _exit((first >> 54 != 1 || next != first + 1) as i32) }
    }
    let mut status = 1;
    unsafe { waitpid(child, &mut status, 0) };
    assert_eq!(status, 0, "a child continues with the next microsecond");
}
