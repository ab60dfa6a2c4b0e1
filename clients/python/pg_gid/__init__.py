"""Identifiers of PostgreSQL's extension gid: 16 bytes that tell their kind and when they were made.

This module needs nothing but Python.  The modules beside it tell a driver or an ORM about ids:
pg_gid.psycopg, pg_gid.psycopg2, pg_gid.sqlalchemy, pg_gid.django.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta, timezone
from secrets import randbits
from threading import Lock
from time import time_ns
from typing import Any, Optional, Tuple, Union

__all__ = ["Gid"]

Kind = Union[str, int]  # a name, or a prefix from 128 to 254
Time = Union[datetime, int]  # with a time zone, or Unix microseconds

_DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_PAIRS = [high + low for high in _DIGITS for low in _DIGITS]  # half as many divisions
_VALUES = {ord(digit): value for value, digit in enumerate(_DIGITS)}
_DASH = ord("-")

_NAMES = {0x80: "volume", 0xA0: "log", 0xC0: "segment"}
_NAMES.update((0xE1 + n, chr(ord("a") + n)) for n in range(26))
_PREFIXES = {str(prefix): prefix for prefix in range(128, 255)}
_PREFIXES.update((name, prefix) for prefix, name in _NAMES.items())

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
_MAX_INSTANT = (1 << 48) * 1000 - 1
_RANDOM_BITS = 54


class Gid:
    """An id, from its text of 24 or 22 characters or from its 16 bytes.

    Immutable.  Ids are equal, sorted and hashed by their bytes, as the server does it.  What is no id
    is a ValueError with the server's reason; what is neither text nor bytes is a TypeError.
    """

    __slots__ = ("_bytes",)
    _bytes: bytes

    def __init__(self, value: Union[str, bytes, bytearray, memoryview, Gid]) -> None:
        if isinstance(value, str):
            data = _parse(value)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            data = _check(bytes(value))
        elif isinstance(value, Gid):
            data = value._bytes
        else:
            raise TypeError(f"a gid is made from text or bytes, not from {type(value).__name__}")
        object.__setattr__(self, "_bytes", data)

    # What is in an id.

    def __bytes__(self) -> bytes:
        return self._bytes

    def __str__(self) -> str:
        """The canonical text, of 24 characters."""
        return _digits(self._bytes[:7], 10) + "-" + _digits(self._bytes[7:], 13)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    @property
    def compact(self) -> str:
        """The other text, of 22 characters."""
        return _digits(self._bytes, 22)

    @property
    def prefix(self) -> int:
        """The first byte: the kind as a number."""
        return self._bytes[0]

    @property
    def kind(self) -> str:
        """The kind's name, or its number as text where it has none."""
        return _NAMES.get(self.prefix, str(self.prefix))

    @property
    def unix_ms(self) -> int:
        """When it was made, in milliseconds since 1970."""
        return int.from_bytes(self._bytes[1:7], "big")

    @property
    def time(self) -> datetime:
        """When it was made, in UTC and whole milliseconds.

        Years from 10000 to 10889 are an OverflowError, since Python has none: use unix_ms.
        """
        return _EPOCH + timedelta(milliseconds=self.unix_ms)

    @property
    def instant(self) -> Optional[int]:
        """When it was made, in microseconds since 1970; None if it certainly does not tell, as an id of Graft."""
        micro = int.from_bytes(self._bytes[8:10], "big") >> 6
        if self._bytes[7] != self.prefix or micro > 999:
            return None
        return self.unix_ms * 1000 + micro

    # What is made in the program.

    @classmethod
    def new(cls, kind: Kind, at: Optional[Time] = None) -> Gid:
        """A new id: microseconds, and 54 random bits.

        Without a time, each id sorts after all that this process made so before, whatever their kinds.
        With a time, it is random alone that tells ids of one microsecond apart.
        The server's gid_settled() does not cover these ids: where programs poll with it, let the server mint.
        """
        prefix = _prefix(kind)
        if at is None:
            instant, low = _tick()
        else:
            instant, low = _instant(at), randbits(_RANDOM_BITS)
        ms, micro = divmod(instant, 1000)
        number = prefix << 120 | ms << 72 | prefix << 64 | micro << _RANDOM_BITS | low
        return cls(number.to_bytes(16, "big"))

    @classmethod
    def lower_bound(cls, kind: Kind, time: Time) -> Gid:
        """The smallest id of a kind whose time, in whole milliseconds, is at or after a time.

        Past the last millisecond it is the first id above the kind.
        """
        ms = -(-_microseconds(time) // 1000)
        number = (_prefix(kind) << 120) + (min(max(ms, 0), 1 << 48) << 72)
        return cls(number.to_bytes(16, "big"))

    @classmethod
    def upper_bound(cls, kind: Kind, time: Time) -> Gid:
        """The smallest id of a kind whose time, in whole milliseconds, is after a time."""
        return cls.lower_bound(kind, _microseconds(time) + 1)

    # How it behaves as a value.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Gid):
            return NotImplemented
        return self._bytes == other._bytes

    def __lt__(self, other: Gid) -> bool:
        if not isinstance(other, Gid):
            return NotImplemented
        return self._bytes < other._bytes

    def __le__(self, other: Gid) -> bool:
        if not isinstance(other, Gid):
            return NotImplemented
        return self._bytes <= other._bytes

    def __gt__(self, other: Gid) -> bool:
        if not isinstance(other, Gid):
            return NotImplemented
        return self._bytes > other._bytes

    def __ge__(self, other: Gid) -> bool:
        if not isinstance(other, Gid):
            return NotImplemented
        return self._bytes >= other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a gid cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a gid cannot be changed")

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self._bytes,)


def _digits(data: bytes, count: int) -> str:
    number, text = int.from_bytes(data, "big"), ""
    while len(text) < count:
        number, pair = divmod(number, 58 * 58)
        text = _PAIRS[pair] + text
    return text[-count:]


def _number(digits: bytes) -> int:
    number = 0
    for digit in digits:
        number = number * 58 + _VALUES[digit]
    return number


def _parse(text: str) -> bytes:
    """The bytes of a text.  Reasons and positions are the server's, which counts bytes of UTF-8."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) == 24:
        parts = [(data[:10], 7), (data[11:], 9)]
    elif len(data) == 22:
        parts = [(data, 16)]
    else:
        raise _no_text(text, f"A gid is 24 bytes of text, or 22 in its compact form, not {len(data)}.")
    try:
        if len(data) == 24 and data[10] != _DASH:
            raise KeyError
        result = b"".join(_number(digits).to_bytes(size, "big") for digits, size in parts)
    except KeyError:
        raise _no_text(text, _bad_character(data)) from None
    except OverflowError:
        raise _no_text(text, "Some of its digits spell a number too large for the bytes they stand for.") from None
    if result[0] < 0x80:
        raise _no_text(text, "The first byte of a gid is 0x80 or above.")
    return result


def _bad_character(data: bytes) -> str:
    for position, byte in enumerate(data):
        dash_here = len(data) == 24 and position == 10
        if (byte == _DASH) != dash_here:
            return "A gid of 24 characters has one dash, at position 11; one of 22 has none."
        if not dash_here and byte not in _VALUES:
            break
    return (
        f"The character at position {position + 1} is not a base-58 digit. "
        'The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".'
    )


def _no_text(text: str, reason: str) -> ValueError:
    return ValueError(f"invalid input syntax for type gid: {text!r}. {reason}")


def _check(data: bytes) -> bytes:
    if len(data) != 16:
        raise ValueError(f"invalid binary value for type gid. A gid is 16 bytes, not {len(data)}.")
    if data[0] < 0x80:
        raise ValueError(
            f"invalid binary value for type gid. The first byte is 0x{data[0]:02x}; in a gid it is 0x80 or above."
        )
    return data


def _prefix(kind: Kind) -> int:
    """The first byte of the ids of a kind.  Only ASCII folds to lower case."""
    prefix = None
    if isinstance(kind, str):
        prefix = _PREFIXES.get(kind.lower() if kind.isascii() else kind)
    elif isinstance(kind, int) and not isinstance(kind, bool):
        prefix = kind if 128 <= kind <= 254 else None
    else:
        raise TypeError(f"a kind is a name or a number, not {type(kind).__name__}")
    if prefix is None:
        raise ValueError(
            f"unrecognized gid kind: {str(kind)!r}. "
            'A kind is "volume", "log", "segment", a letter from "a" to "z", or a number from 128 to 254.'
        )
    return prefix


def _microseconds(time: Time) -> int:
    """A time in Unix microseconds."""
    if isinstance(time, datetime):
        if time.utcoffset() is None:
            raise ValueError(f"a time needs a time zone: {time!r}")
        return (time - _EPOCH) // _MICROSECOND
    if isinstance(time, int) and not isinstance(time, bool):
        return time
    raise TypeError(f"a time is a datetime, or Unix microseconds in an int, not {type(time).__name__}")


def _instant(time: Time) -> int:
    """A time that an id can hold, in Unix microseconds."""
    instant = _microseconds(time)
    if not 0 <= instant <= _MAX_INSTANT:
        raise ValueError(
            f"timestamp out of range for type gid: {str(time)!r}. "
            "A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC."
        )
    return instant


# All ids that a process makes without a time are one number, which only grows: the instant, and below
# it 54 random bits.  If the clock shows a later microsecond, that and new random bits are next.  If it
# does not, the number is counted up by one; so the random bits run over into the next microsecond, and
# a clock that was set back is waited for.
_last = 0
_lock = Lock()


def _tick() -> Tuple[int, int]:
    global _last
    with _lock:
        now = _instant(time_ns() // 1000)
        if now > _last >> _RANDOM_BITS:
            _last = now << _RANDOM_BITS | randbits(_RANDOM_BITS)
        else:
            _last += 1
        return _last >> _RANDOM_BITS, _last & (1 << _RANDOM_BITS) - 1


def _after_fork() -> None:
    """A child must not count up from the same number as its parent, nor wait for a lock that stayed there."""
    global _last, _lock
    _last = (_last >> _RANDOM_BITS) + 1 << _RANDOM_BITS | randbits(_RANDOM_BITS)
    _lock = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
