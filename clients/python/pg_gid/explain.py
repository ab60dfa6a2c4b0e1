"""Everything that an id contains, as PostgreSQL writes it."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from . import EPOCH, Gid, _mint

# A datetime ends with the year 9999.  The calendar repeats itself after 400 years.
_CYCLE_MICROSECONDS = 146097 * 86_400_000_000


def explain(id: Gid) -> dict[str, str | int | None]:
    """The row of gid_explain(), as row_to_json() shows it in UTC."""
    instant, offset, medallion = id.instant, id.offset, id.medallion
    now = _mint.time_ns() // 1000
    number = int.from_bytes(bytes(id), "big")
    return {
        "kind": id.kind,
        "prefix": id.prefix,
        "time": _timestamp(id.unix_ms * 1000),
        "age": _interval(now - id.unix_ms * 1000),
        "instant": None if instant is None else _timestamp(instant),
        "node": id.node,
        "medallion": medallion,
        "gid_offset": offset,
        "transaction": None if offset is None else str(Gid((number - offset).to_bytes(16, "big"))),
        "text": str(id),
        "compact": id.compact,
        "uuid": str(UUID(bytes=bytes(id))),
        "muid": None if medallion is None else f"{instant:013X}-{(1 << 40) + medallion:011X}-{offset:08X}",
        "remarks": _remarks(id, now),
    }


def _remarks(id: Gid, now: int) -> str:
    remarks = ["prefix 255 is not a kind"] if id.prefix == 255 else []
    if not any(bytes(id)[7:]):
        remarks.append("a bound, not the id of anything")
    elif id.instant is None:
        remarks.append("no instant: not minted by gid_new")
    else:
        remarks.append("node and medallion are random unless gid.node was set")
    if id.unix_ms * 1000 > now:
        remarks.append("the time is in the future")
    return "; ".join(remarks)


def _fraction(microseconds: int) -> str:
    return f".{microseconds:06}".rstrip("0") if microseconds else ""


def _timestamp(instant: int) -> str:
    cycles, rest = divmod(instant, _CYCLE_MICROSECONDS)
    time = EPOCH + timedelta(microseconds=rest)
    return f"{time.year + 400 * cycles}-{time:%m-%dT%H:%M:%S}{_fraction(time.microsecond)}+00:00"


def _interval(microseconds: int) -> str:
    sign = "-" if microseconds < 0 else ""
    seconds, micro = divmod(abs(microseconds), 1_000_000)
    days, seconds = divmod(seconds, 86400)
    date = f"{sign}{days} {'day' if (sign, days) == ('', 1) else 'days'}"
    time = f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{_fraction(micro)}"
    return time if not days else f"{date} {time}" if seconds or micro else date
