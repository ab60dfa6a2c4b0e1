//! Prints how many nanoseconds gid and uuid take.

use gid::{Gid, Kind};
use std::hint::black_box;
use std::time::Instant;
use uuid::Uuid;

const ORDER: Kind = Kind::of("o");

fn nanoseconds<T>(operation: impl Fn() -> T) -> f64 {
    let begin = Instant::now();
    for _ in 0..200_000 {
        black_box(operation());
    }
    begin.elapsed().as_nanos() as f64 / 200_000.0
}

fn row<T, U>(name: &str, ours: impl Fn() -> T, theirs: impl Fn() -> U) {
    let mut times = [[0.0; 11]; 2];
    for round in 0..11 {
        times[0][round] = nanoseconds(&ours);
        times[1][round] = nanoseconds(&theirs);
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    println!("{name}\t{:.1}\t{:.1}", times[0][5], times[1][5]);
}

fn main() {
    let (id, other) = (Gid::new(ORDER).unwrap(), Uuid::now_v7());
    let (text, other_text) = (id.to_string(), other.to_string());
    println!("other\tcrate uuid {}, v7", std::env::args().nth(1).unwrap_or_default());
    row("new", || Gid::new(ORDER), Uuid::now_v7);
    row("parse", || black_box(&text).parse::<Gid>(), || black_box(&other_text).parse::<Uuid>());
    row("format", || black_box(id).to_string(), || black_box(other).to_string());
}
