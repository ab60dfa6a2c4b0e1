//! Everything that an id contains, as PostgreSQL writes it.

use crate::{mint, Gid};
use std::time::UNIX_EPOCH;

impl Gid {
    /// Everything that the id contains, as JSON: `row_to_json(gid_explain(id))` on the server, in UTC.
    pub fn explain(&self) -> String {
        let now = mint::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as i128);
        let time = self.unix_ms() as i128 * 1000;
        let hex = format!("{:032x}", self.number());
        let (instant, medallion, offset) = (self.instant(), self.medallion(), self.offset());
        let remarks = [
            (self.kind().prefix() == 255).then_some("prefix 255 is not a kind"),
            Some(match instant {
                _ if self.high.get() & 0xFF == 0 && self.low == 0 => "a bound, not the id of anything",
                None => "no instant: not minted by gid_new",
                Some(_) => "node and medallion are random unless gid.node was set",
            }),
            (time > now).then_some("the time is in the future"),
        ];
        let transaction = instant.map(|_| Gid::of(self.number() >> 30 << 30).to_string());
        let muid = instant.zip(medallion).zip(offset).map(|((instant, medallion), offset)| {
            format!("{instant:013X}-{:011X}-{offset:08X}", (1_u64 << 40) + u64::from(medallion))
        });

        // No text in it has a character that JSON escapes.
        let text = |value: Option<String>| value.map_or("null".into(), |text| format!("\"{text}\""));
        let number = |value: Option<u32>| value.map_or("null".into(), |number| number.to_string());
        let fields = [
            ("kind", text(Some(self.kind().to_string()))),
            ("prefix", number(Some(self.kind().prefix().into()))),
            ("time", text(Some(timestamp(self.unix_ms() * 1000)))),
            ("age", text(Some(interval(now - time)))),
            ("instant", text(instant.map(timestamp))),
            ("node", number(self.node())),
            ("medallion", number(medallion)),
            ("gid_offset", number(offset)),
            ("transaction", text(transaction)),
            ("text", text(Some(self.to_string()))),
            ("compact", text(Some(self.compact()))),
            ("uuid", text(Some([&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")))),
            ("muid", text(muid)),
            ("remarks", text(Some(remarks.into_iter().flatten().collect::<Vec<_>>().join("; ")))),
        ];
        format!("{{{}}}", fields.map(|(name, value)| format!("\"{name}\":{value}")).join(","))
    }
}

fn fraction(micro: u64) -> String {
    match micro {
        0 => String::new(),
        _ => format!(".{micro:06}").trim_end_matches('0').into(),
    }
}

/// A time in microseconds since 1970.  Dates are counted from 0000-03-01, because a leap
/// day is then the last of its year.
fn timestamp(instant: u64) -> String {
    let (seconds, micro) = (instant / 1_000_000, instant % 1_000_000);
    let days = seconds / 86400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}T{}{}+00:00", era * 400 + year + next, clock(seconds % 86400), fraction(micro))
}

fn clock(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn interval(micro: i128) -> String {
    let sign = if micro < 0 { "-" } else { "" };
    let micro = micro.unsigned_abs() as u64;
    let (days, seconds, micro) = (micro / 86_400_000_000, micro / 1_000_000 % 86400, micro % 1_000_000);
    let mut parts = Vec::new();
    if days > 0 {
        parts.push(format!("{sign}{days} day{}", if days == 1 && sign.is_empty() { "" } else { "s" }));
    }
    if seconds > 0 || micro > 0 || days == 0 {
        parts.push(format!("{sign}{}{}", clock(seconds), fraction(micro)));
    }
    parts.join(" ")
}

#[test]
fn leap_years_and_days() {
    let dates = [951_782_400, 4_107_542_400].map(|seconds| timestamp(seconds * 1_000_000));
    assert_eq!(dates, ["2000-02-29T00:00:00+00:00", "2100-03-01T00:00:00+00:00"]);
    assert_eq!((interval(86_400_000_000), interval(-86_400_000_000)), ("1 day".into(), "-1 days".into()));
}
