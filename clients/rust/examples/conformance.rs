//! Answers the questions of doc/format.md, a line for each line of standard input.

use gid::{set_clock, set_random, Error, Gid, Kind};
use std::collections::HashSet;
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

/// None if no SystemTime has this time.
fn time_of(micro: &str) -> Option<SystemTime> {
    let (whole, decimals) = micro.split_once('.').unwrap_or((micro, "000"));
    let whole: i128 = whole.trim_start_matches('-').parse().unwrap();
    let nano = whole * 1000 + decimals.parse::<i128>().unwrap();
    let size = Duration::new(u64::try_from(nano / 1_000_000_000).ok()?, (nano % 1_000_000_000) as u32);
    if micro.starts_with('-') {
        UNIX_EPOCH.checked_sub(size)
    } else {
        UNIX_EPOCH.checked_add(size)
    }
}

fn answer<T: ToString>(result: Result<T, Error>) -> String {
    match result {
        Ok(value) => format!("ok\t{}", value.to_string()),
        Err(error) => {
            let hex: String = error.to_string().bytes().map(|byte| format!("{byte:02x}")).collect();
            format!("error\t{hex}")
        }
    }
}

fn parse(fields: &[&str]) -> Result<Gid, Error> {
    let text = String::from_utf8(text_of(fields[0])).unwrap();
    match fields.get(1) {
        Some(kind) => Gid::parse_kind(&text, kind.parse()?),
        None => text.parse(),
    }
}

fn id(text: &str) -> Gid {
    text.parse().unwrap()
}

fn kind(name: &str) -> Kind {
    name.parse().unwrap()
}

/// New ids, for a time if there is a second field.
fn mint(name: &str, fields: &[&str]) -> Vec<String> {
    let kind = kind(name);
    let new = || match fields.get(1) {
        Some(at) => Gid::new_at(kind, time_of(at).unwrap()),
        None => Gid::new(kind),
    };
    (0..fields[0].parse().unwrap()).map(|_| new().unwrap().to_string()).collect()
}

fn read(text: &str) -> String {
    let id = id(text);
    let optional = |value: Option<u64>| value.map_or("-".into(), |value| value.to_string());
    let hex: String = id.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let milli = id.time().duration_since(UNIX_EPOCH).unwrap().as_millis();
    assert_eq!(milli, id.unix_ms() as u128);
    [
        id.to_string(),
        hex,
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
    let equal = a == b;
    if (HashSet::from([a, b]).len() == 1) != equal {
        return "?";
    }
    match a.cmp(&b) {
        std::cmp::Ordering::Less => "<",
        std::cmp::Ordering::Equal if equal => "=",
        std::cmp::Ordering::Greater => ">",
        _ => "?",
    }
}

fn threads(name: &str, count: usize, each: &[&str]) -> Vec<String> {
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for _ in 0..count {
            running.push(scope.spawn(|| mint(name, each)));
        }
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// Children write their ids into pipes.
fn forks(name: &str, count: usize, each: &[&str]) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..count {
        let mut ends = [0; 2];
        let mut minted = String::new();
        unsafe {
            assert_eq!(pipe(ends.as_mut_ptr()), 0);
            if fork() == 0 {
                let text = mint(name, each).join("\t");
                let written = std::fs::File::from_raw_fd(ends[1]).write_all(text.as_bytes());
                _exit(written.is_err() as i32);
            }
            drop(std::fs::File::from_raw_fd(ends[1]));
            std::fs::File::from_raw_fd(ends[0]).read_to_string(&mut minted).unwrap();
        }
        ids.extend(minted.split('\t').map(String::from));
    }
    ids.extend(mint(name, each));
    ids
}

fn reply(operation: &str, fields: &[&str]) -> String {
    let text = || String::from_utf8(text_of(fields[0])).unwrap();
    let at = || time_of(fields[1]);
    match operation {
        "text" => answer(parse(fields)),
        "bytes" => answer(Gid::try_from(&text_of(fields[0])[..])),
        "valid" if fields[0] == "-" => "unsupported".into(),
        "valid" => {
            let valid = parse(fields).is_ok();
            let same = fields.len() > 1 || valid == Gid::is_valid(&text());
            if same {
                valid.to_string()
            } else {
                "?".into()
            }
        }
        "json" => match serde_json::from_str::<Option<Gid>>(&text()) {
            Ok(id) => id.map_or("null".into(), |id| format!("ok\t{id}")),
            Err(_) => "error".into(),
        },
        "change" => {
            id(fields[0]).to_bytes()[0] = 0;
            read(fields[0])
        }
        "read" => read(fields[0]),
        "explain" => id(fields[0]).explain().to_json(),
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
        "mint" => mint(fields[0], &fields[1..]).join("\t"),
        "threads" => threads(fields[0], fields[1].parse().unwrap(), &fields[2..]).join("\t"),
        "fork" => forks(fields[0], fields[1].parse().unwrap(), &fields[2..]).join("\t"),
        "clock" => {
            set_clock((fields[0] != "-").then(|| time_of(fields[0]).unwrap()));
            "ok".into()
        }
        "random" => {
            set_random(fields[0].parse().ok());
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
