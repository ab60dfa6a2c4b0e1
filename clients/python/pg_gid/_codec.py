"""The text and the bytes of ids, which here are numbers of 128 bits, and the names of kinds.

Digits are read and written in pairs.  Groups of pairs stay below 2**60, where the arithmetic of ints is fast, and
Python compiles a power as a constant.
"""

from __future__ import annotations

from struct import Struct, error
from typing import Any, Literal, Union

# A name, or a prefix from 128 to 254.
Kind = Union[
    Literal[
        "volume", "log", "segment", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
        "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
    ],
    int,
]  # fmt: skip

DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
PAIRS = [high + low for high in DIGITS for low in DIGITS]
# The values of digits and of pairs, by their characters as numbers.  Each other pair of ASCII makes a number negative.
VALUES = {ord(digit): value for value, digit in enumerate(DIGITS)}
PAIR_VALUES = [-(1 << 128)] * (1 << 15)
for value, pair in enumerate(PAIRS):
    PAIR_VALUES[int.from_bytes(pair.encode(), "big")] = value
CANONICAL = Struct(">5H2B6H")  # five pairs, the dash, a digit and six pairs
DASH = ord("-")
TEXT_PATTERN = f"^([{DIGITS}]{{10}}-[{DIGITS}]{{13}}|[{DIGITS}]{{22}})$"  # in JSON schemas

NAMES = {0x80: "volume", 0xA0: "log", 0xC0: "segment"}
NAMES.update((0xE1 + n, chr(ord("a") + n)) for n in range(26))
PREFIXES = {str(prefix): prefix for prefix in range(128, 255)}
PREFIXES.update((name, prefix) for prefix, name in NAMES.items())


def text_of(id: Any) -> str:
    """The canonical text, of 24 characters.  It takes the id, because a method that only calls it takes time."""
    number, pairs = id._number, PAIRS
    a, b = divmod(number >> 72, 58**4)
    c, e = divmod(number & 0xFFFFFFFFFFFFFFFFFF, 58**4)
    c, d = divmod(c, 58**4)
    return (
        f"{pairs[a // 58**4]}{pairs[a // 58**2 % 58**2]}{pairs[a % 58**2]}{pairs[b // 58**2]}{pairs[b % 58**2]}-"
        f"{DIGITS[c // 58**4]}{pairs[c // 58**2 % 58**2]}{pairs[c % 58**2]}"
        f"{pairs[d // 58**2]}{pairs[d % 58**2]}{pairs[e // 58**2]}{pairs[e % 58**2]}"
    )


def compact_of(number: int) -> str:
    """The compact text, of 22 characters."""
    text = ""
    for _ in range(11):
        number, pair = divmod(number, 58**2)
        text = PAIRS[pair] + text
    return text


def parse_text(text: str) -> int:
    """The number of a text.  Reasons and positions are the server's, which counts bytes of UTF-8."""
    try:
        a, b, c, d, e, dash, f, g, h, i, j, k, m = CANONICAL.unpack(text.encode())
        pair = PAIR_VALUES
        head: int = (pair[a] * 58**2 + pair[b]) * 58**6 + (pair[c] * 58**4 + pair[d] * 58**2 + pair[e])
        rest = (pair[i] * 58**2 + pair[j]) * 58**4 + (pair[k] * 58**2 + pair[m])
        tail: int = (VALUES[f] * 58**4 + pair[g] * 58**2 + pair[h]) * 58**8 + rest
        if dash == DASH and tail >> 72 == 0 and head >> 55 == 1:
            return head << 72 | tail
    except (KeyError, IndexError, UnicodeEncodeError, error):
        pass
    return parse_other(text)


def parse_other(text: str) -> int:
    """The number of a compact text, or the reason why a text is invalid."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) not in (22, 24):
        raise invalid_text(text, f"A gid is 24 bytes of text, or 22 in its compact form, not {len(data)}.")
    for position, byte in enumerate(data, 1):
        is_at_dash = len(data) == 24 and position == 11
        if (byte == DASH) != is_at_dash:
            raise invalid_text(text, "A gid of 24 characters has one dash, at position 11; one of 22 has none.")
        if not is_at_dash and byte not in VALUES:
            digits = 'The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".'
            raise invalid_text(text, f"The character at position {position} is not a base-58 digit. {digits}")
    number = number_of(data[:10]) << 72 | number_of(data[11:]) if len(data) == 24 else number_of(data)
    if number >> 128 or len(data) == 24 and number_of(data[11:]) >> 72:
        raise invalid_text(text, "Some of its digits encode a number that is too large.")
    if number >> 127 == 0:
        raise invalid_text(text, "The first byte of a gid is 0x80 or above.")
    return number


def number_of(digits: bytes) -> int:
    number = 0
    for digit in digits:
        number = number * 58 + VALUES[digit]
    return number


def invalid_text(text: str, reason: str) -> ValueError:
    return ValueError(f"invalid input syntax for type gid: {text!r}. {reason}")


def parse_bytes(data: bytes) -> int:
    if len(data) != 16:
        raise ValueError(f"invalid binary value for type gid. A gid is 16 bytes, not {len(data)}.")
    if data[0] < 0x80:
        reason = f"The first byte is 0x{data[0]:02x}; in a gid it is 0x80 or above."
        raise ValueError(f"invalid binary value for type gid. {reason}")
    return int.from_bytes(data, "big")


def prefix_of(kind: Kind) -> int:
    """The first byte of the ids of a kind.  Only ASCII folds to lower case."""
    prefix = None
    if isinstance(kind, str):
        prefix = PREFIXES.get(kind) or PREFIXES.get(kind.lower() if kind.isascii() else kind)
    elif isinstance(kind, int) and not isinstance(kind, bool):
        prefix = kind if 128 <= kind <= 254 else None
    else:
        raise TypeError(f"a kind is a name or a number, not {type(kind).__name__}")
    if prefix is None:
        kinds = 'A kind is "volume", "log", "segment", a letter from "a" to "z", or a number from 128 to 254.'
        raise ValueError(f"unrecognized gid kind: {str(kind)!r}. {kinds}")
    return prefix
