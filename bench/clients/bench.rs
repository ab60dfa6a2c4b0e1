use gid::{Gid, Kind};
use std::{hint::black_box, time::Instant};
use uuid::Uuid;

fn main() {
    let (kind, id, other) = (Kind::of("o"), Gid::new(Kind::of("o")).unwrap(), Uuid::now_v7());
    let (text, other_text) = (id.to_string(), other.to_string());
    let calls: [&dyn Fn(); 6] = [
        &|| drop(black_box(Gid::new(kind))),
        &|| drop(black_box(Uuid::now_v7())),
        &|| drop(black_box(text.parse::<Gid>())),
        &|| drop(black_box(other_text.parse::<Uuid>())),
        &|| drop(black_box(id.to_string())),
        &|| drop(black_box(other.to_string())),
    ];
    for n in 0..30_000 {
        let begin = Instant::now();
        (0..200).for_each(|_| calls[n % 6]());
        println!("{}", begin.elapsed().as_nanos());
    }
}
