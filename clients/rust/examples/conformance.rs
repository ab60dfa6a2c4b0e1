//! Answers the questions of clients/conformance/README.md, a line for each line of standard input.

use gid::{Error, Gid, Kind};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, Read, Write};
use std::os::unix::io::FromRawFd;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

extern "C" {
    fn pipe(ends: *mut i32) -> i32;
    fn fork() -> i32;
    fn _exit(status: i32) -> !;
}

fn text_of(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// None if no SystemTime has this time.
fn time_of(micro: &str) -> Option<SystemTime> {
    let nano = if micro.contains('.') { micro.replace('.', "") } else { format!("{micro}000") };
    let nano: i128 = nano.parse().unwrap();
    let size = Duration::new(u64::try_from(nano.abs() / 1_000_000_000).ok()?, (nano.abs() % 1_000_000_000) as u32);
    let checked = if nano < 0 { SystemTime::checked_sub } else { SystemTime::checked_add };
    checked(&UNIX_EPOCH, size)
}

fn answer<T: ToString>(result: Result<T, Error>) -> String {
    match result {
        Ok(value) => format!("ok\t{}", value.to_string()),
        Err(error) => format!("error\t{}", hex(error.to_string().as_bytes())),
    }
}

fn id(text: &str) -> Gid {
    text.parse().unwrap()
}

fn kind(name: &str) -> Kind {
    name.parse().unwrap()
}

/// New ids, for a time if there is a second field.
fn mint(name: &str, fields: &[&str]) -> String {
    let kind = kind(name);
    let new = || match fields.get(1) {
        Some(at) => Gid::new_at(kind, time_of(at).unwrap()),
        None => Gid::new(kind),
    };
    let ids: Vec<String> = (0..fields[0].parse().unwrap()).map(|_| new().unwrap().to_string()).collect();
    ids.join("\t")
}

fn read(id: Gid) -> String {
    let optional = |value: Option<u64>| value.map_or("-".into(), |value| value.to_string());
    let milli = id.time().duration_since(UNIX_EPOCH).unwrap().as_millis();
    assert_eq!(milli, id.unix_ms().into());
    [
        id.to_string(),
        hex(&id.to_bytes()),
        id.compact(),
        id.kind().to_string(),
        id.kind().prefix().to_string(),
        milli.to_string(),
        optional(id.instant()),
        optional(id.node().map(u64::from)),
        optional(id.medallion().map(u64::from)),
        optional(id.offset().map(u64::from)),
    ]
    .join("\t")
}

fn compare(a: Gid, b: Gid) -> &'static str {
    match (a.cmp(&b), a == b, HashSet::from([a, b]).len()) {
        (Ordering::Less, false, 2) => "<",
        (Ordering::Equal, true, 1) => "=",
        (Ordering::Greater, false, 2) => ">",
        _ => "?",
    }
}

fn threads(name: &str, count: usize, each: &[&str]) -> String {
    let mut minted = vec![String::new(); count];
    std::thread::scope(|scope| {
        for ids in &mut minted {
            scope.spawn(|| *ids = mint(name, each));
        }
    });
    minted.join("\t")
}

/// Children write their ids into a pipe.
fn forks(name: &str, count: usize, each: &[&str]) -> String {
    let mut ends = [0; 2];
    assert_eq!(unsafe { pipe(ends.as_mut_ptr()) }, 0);
    let [mut reading, mut writing] = ends.map(|end| unsafe { File::from_raw_fd(end) });
    for _ in 0..count {
        if unsafe { fork() } == 0 {
            let written = writing.write_all((mint(name, each) + "\t").as_bytes());
            unsafe { _exit(written.is_err().into()) }
        }
    }
    drop(writing);
    let mut minted = String::new();
    reading.read_to_string(&mut minted).unwrap();
    minted + &mint(name, each)
}

fn reply(operation: &str, fields: &[&str]) -> String {
    let text = || String::from_utf8(text_of(fields[0])).unwrap();
    let parse = || match fields.get(1) {
        Some(kind) => Gid::parse_kind(&text(), kind.parse()?),
        None => text().parse(),
    };
    let at = || time_of(fields[1]);
    match operation {
        "text" => answer(parse()),
        "bytes" => answer(Gid::try_from(&text_of(fields[0])[..])),
        "valid" if fields[0] == "-" => "unsupported".into(),
        "valid" if fields.len() > 1 => parse().is_ok().to_string(),
        "valid" => text().parse::<Gid>().is_ok().to_string(),
        "json" => match serde_json::from_str::<Option<Gid>>(&text()) {
            Ok(id) => id.map_or("null".into(), |id| answer(Ok(id))),
            Err(_) => "error".into(),
        },
        "read" | "change" => read(id(fields[0])), // a program cannot change an id
        "explain" => id(fields[0]).explain(),
        "kind" => answer(text().parse::<Kind>().map(Kind::prefix)),
        "lower" | "upper" | "new" if fields.len() > 1 && at().is_none() => "unsupported".into(),
        "lower" => Gid::lower_bound(kind(fields[0]), at().unwrap()).to_string(),
        "upper" => Gid::upper_bound(kind(fields[0]), at().unwrap()).to_string(),
        "compare" => compare(id(fields[0]), id(fields[1])).into(),
        "sort" => {
            let mut ids: Vec<Gid> = fields.iter().map(|text| id(text)).collect();
            ids.sort();
            ids.iter().map(Gid::to_string).collect::<Vec<_>>().join("\t")
        }
        "new" if fields.len() == 1 => answer(Gid::new(kind(fields[0]))),
        "new" => answer(Gid::new_at(kind(fields[0]), at().unwrap())),
        "mint" => mint(fields[0], &fields[1..]),
        "threads" => threads(fields[0], fields[1].parse().unwrap(), &fields[2..]),
        "fork" => forks(fields[0], fields[1].parse().unwrap(), &fields[2..]),
        "clock" => {
            *gid::CLOCK.lock().unwrap() = (fields[0] != "-").then(|| time_of(fields[0]).unwrap());
            "ok".into()
        }
        "random" => {
            *gid::RANDOM.lock().unwrap() = fields[0].parse().ok();
            "ok".into()
        }
        _ => "unsupported".into(), // a signal handler may not lock, and Rust has no locale
    }
}

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let fields: Vec<&str> = line.split('\t').collect();
        writeln!(out, "{}", reply(fields[0], &fields[1..])).unwrap();
    }
    out.flush().unwrap();
}
