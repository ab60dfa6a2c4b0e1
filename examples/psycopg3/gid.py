"""PostgreSQL's gid as a Python value, and how psycopg 3 is told about it.

Take this file into a program as it is.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from psycopg import Connection
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo

DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True, order=True)
class Gid:
    """The 16 bytes, equal, ordered and hashed by them, as the server does."""

    raw: bytes

    def __post_init__(self):
        if len(self.raw) != 16 or self.raw[0] < 0x80:
            raise ValueError(f"not the bytes of a gid: {self.raw!r}")

    @classmethod
    def parse(cls, text: str) -> "Gid":
        """The id that is printed so, in 24 characters."""
        head, dash, tail = text[:10], text[10:11], text[11:]
        if dash != "-" or len(tail) != 13:
            raise ValueError(f"not the text of a gid: {text!r}")
        try:
            return cls(_number(head).to_bytes(7, "big") + _number(tail).to_bytes(9, "big"))
        except (ValueError, OverflowError):
            raise ValueError(f"not the text of a gid: {text!r}") from None

    def __str__(self) -> str:
        return _digits(self.raw[:7], 10) + "-" + _digits(self.raw[7:], 13)

    def __repr__(self) -> str:
        return f"Gid.parse({str(self)!r})"

    @property
    def timestamp(self) -> datetime:
        """When it was made, in whole milliseconds.  Python's years end at 9999, a gid's at 10889."""
        return EPOCH + timedelta(milliseconds=int.from_bytes(self.raw[1:7], "big"))


def _number(text: str) -> int:
    number = 0
    for digit in text:
        number = number * 58 + DIGITS.index(digit)
    return number


def _digits(raw: bytes, count: int) -> str:
    number, text = int.from_bytes(raw, "big"), ""
    for _ in range(count):
        number, digit = divmod(number, 58)
        text = DIGITS[digit] + text
    return text


class GidLoader(Loader):
    def load(self, data):
        return Gid.parse(bytes(data).decode())


class GidBinaryLoader(Loader):
    format = Format.BINARY

    def load(self, data):
        return Gid(bytes(data))


def register_gid(connection: Connection) -> None:
    """Ids of this connection are Gid, in text and in binary, alone and in arrays."""
    info = TypeInfo.fetch(connection, "gid")
    if info is None:
        raise LookupError("no type gid in search_path: CREATE EXTENSION gid")

    # The number of the type is that of this database, so the dumpers are made
    # for this connection.  With it, the server never has to guess.
    class GidDumper(Dumper):
        oid = info.oid

        def dump(self, gid):
            return str(gid).encode()

    class GidBinaryDumper(Dumper):
        format = Format.BINARY
        oid = info.oid

        def dump(self, gid):
            return gid.raw

    info.register(connection)  # the name, for COPY, and the array
    connection.adapters.register_loader("gid", GidLoader)
    connection.adapters.register_loader("gid", GidBinaryLoader)
    connection.adapters.register_dumper(Gid, GidDumper)
    connection.adapters.register_dumper(Gid, GidBinaryDumper)  # the last one is what %s takes
