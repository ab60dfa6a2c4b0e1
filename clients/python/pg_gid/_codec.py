"""The text and the bytes of ids, and the names of kinds.  It must not know times or the class Gid."""

from __future__ import annotations

from typing import Union

Kind = Union[str, int]  # a name, or a prefix from 128 to 254

DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
PAIRS = [high + low for high in DIGITS for low in DIGITS]  # half as many divisions
VALUES = {ord(digit): value for value, digit in enumerate(DIGITS)}
DASH = ord("-")
TEXT_PATTERN = f"^([{DIGITS}]{{10}}-[{DIGITS}]{{13}}|[{DIGITS}]{{22}})$"  # in JSON schemas

NAMES = {0x80: "volume", 0xA0: "log", 0xC0: "segment"}
NAMES.update((0xE1 + n, chr(ord("a") + n)) for n in range(26))
PREFIXES = {str(prefix): prefix for prefix in range(128, 255)}
PREFIXES.update((name, prefix) for prefix, name in NAMES.items())


def digits_of(data: bytes, count: int) -> str:
    number, text = int.from_bytes(data, "big"), ""
    while len(text) < count:
        number, pair = divmod(number, 58 * 58)
        text = PAIRS[pair] + text
    return text[-count:]


def number_of(digits: bytes) -> int:
    number = 0
    for digit in digits:
        number = number * 58 + VALUES[digit]
    return number


def parse_text(text: str) -> bytes:
    """The bytes of a text.  Reasons and positions are the server's, which counts bytes of UTF-8."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) == 24:
        parts = [(data[:10], 7), (data[11:], 9)]
    elif len(data) == 22:
        parts = [(data, 16)]
    else:
        raise invalid_text(text, f"A gid is 24 bytes of text, or 22 in its compact form, not {len(data)}.")
    try:
        if len(data) == 24 and data[10] != DASH:
            raise KeyError
        result = b"".join(number_of(digits).to_bytes(size, "big") for digits, size in parts)
    except KeyError:
        raise invalid_text(text, bad_character(data)) from None
    except OverflowError:
        raise invalid_text(text, "Some of its digits encode a number that is too large.") from None
    if result[0] < 0x80:
        raise invalid_text(text, "The first byte of a gid is 0x80 or above.")
    return result


def bad_character(data: bytes) -> str:
    for position, byte in enumerate(data):
        dash_here = len(data) == 24 and position == 10
        if (byte == DASH) != dash_here:
            return "A gid of 24 characters has one dash, at position 11; one of 22 has none."
        if not dash_here and byte not in VALUES:
            break
    return (
        f"The character at position {position + 1} is not a base-58 digit. "
        'The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".'
    )


def invalid_text(text: str, reason: str) -> ValueError:
    return ValueError(f"invalid input syntax for type gid: {text!r}. {reason}")


def check_bytes(data: bytes) -> bytes:
    if len(data) != 16:
        raise ValueError(f"invalid binary value for type gid. A gid is 16 bytes, not {len(data)}.")
    if data[0] < 0x80:
        raise ValueError(
            f"invalid binary value for type gid. The first byte is 0x{data[0]:02x}; in a gid it is 0x80 or above."
        )
    return data


def prefix_of(kind: Kind) -> int:
    """The first byte of the ids of a kind.  Only ASCII folds to lower case."""
    prefix = None
    if isinstance(kind, str):
        prefix = PREFIXES.get(kind.lower() if kind.isascii() else kind)
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
