"""Identifiers of PostgreSQL's extension gid: 16 bytes that contain their kind and their creation time.

This module requires nothing but Python.  Others are for a driver, an ORM or a task.  pydantic 2 needs no module.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta, timezone
from importlib import import_module  # of pydantic, which type checkers need not find
from typing import TYPE_CHECKING, Any, ClassVar, Dict, Optional, Tuple, Type, TypeVar, Union

from ._codec import NAMES, TEXT_PATTERN, Kind, compact_of, parse_bytes, parse_text, prefix_of, text_of
from ._mint import OTHER_PAYLOAD, RANDOM_BITS, check_instant, next_number, random_bits

if TYPE_CHECKING:
    from typing_extensions import Self

    _Slotted = type
else:

    class _Slotted(type):
        """The class of the classes of ids: instances of a subclass have no __dict__ either."""

        def __new__(cls, name, bases, namespace, **arguments):
            return super().__new__(cls, name, bases, {"__slots__": (), **namespace}, **arguments)


__all__ = ["Gid", "Kind", "Time"]

Time = Union[datetime, int]  # with a time zone, or Unix microseconds
AnyGid = TypeVar("AnyGid", bound="Gid")

# The type gid and the domains over it, for drivers: name, OID and OID of the array.  A result of a domain has the OID of
# gid, but an array of a domain has its own.
TYPES = """
    WITH RECURSIVE types AS (
        SELECT oid, typarray, 'gid' AS name FROM pg_catalog.pg_type
        WHERE oid OPERATOR(pg_catalog.=) pg_catalog.to_regtype('pg_catalog.gid')
        UNION ALL
        SELECT d.oid, d.typarray, d.oid::pg_catalog.regtype::pg_catalog.text
        FROM pg_catalog.pg_type d JOIN types ON d.typbasetype OPERATOR(pg_catalog.=) types.oid
        WHERE d.typtype OPERATOR(pg_catalog.=) 'd')
    SELECT name, oid, typarray FROM types
"""

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
_MILLISECOND = (1 << 72) - (1000 << RANDOM_BITS)
_OTHER_BYTE = OTHER_PAYLOAD << 64


class Gid(metaclass=_Slotted):
    """An id, from its text of 24 or 22 characters, from its 16 bytes, or from another id.

    Immutable.  Ids are equal, sorted and hashed by their bytes, as on the server.  An invalid value, and an id of another
    kind than the one that was passed, is a ValueError with the server's reason.  A value of another type is a TypeError.

    A class can have a kind, and a type checker then keeps kinds apart: class OrderId(Gid, kind="o").  It accepts ids of
    that kind only, and its methods need no kind: OrderId.new().
    """

    __slots__ = ("_number", "__weakref__")
    _number: int  # of 128 bits
    _prefix_of_class: ClassVar[Optional[int]] = None

    def __init_subclass__(cls, kind: Optional[Kind] = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if kind is not None:
            cls._prefix_of_class = cls._prefix(kind)

    def __new__(cls, value: Union[str, bytes, bytearray, memoryview, Gid], kind: Optional[Kind] = None) -> Self:
        if isinstance(value, str):
            number = parse_text(value)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            number = parse_bytes(bytes(value))
        elif isinstance(value, Gid):
            number = value._number
        else:
            raise TypeError(f"a gid is made from text or bytes, not from {type(value).__name__}")
        prefix = cls._prefix_of_class if kind is None else cls._prefix(kind)
        if prefix is not None and prefix != number >> 120:
            raise _other_kind(_make(Gid, number), prefix)
        return _make(cls, number)

    @classmethod
    def is_valid(cls, value: object, kind: Optional[Kind] = None) -> bool:
        """Whether the class accepts the value and the kind."""
        if kind is not None:
            cls._prefix(kind)  # raises an error for a kind that does not exist
        with suppress(TypeError, ValueError):
            cls(value, kind)  # type: ignore[arg-type]
            return True
        return False

    def __bytes__(self) -> bytes:
        return self._number.to_bytes(16, "big")

    __str__ = text_of

    def __format__(self, format: str) -> str:
        return text_of(self).__format__(format)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    @property
    def compact(self) -> str:
        """The other text, of 22 characters."""
        return compact_of(self._number)

    @property
    def prefix(self) -> int:
        """The first byte: the kind as a number."""
        return self._number >> 120

    @property
    def kind(self) -> str:
        """The kind's name, or its number as text if the kind has no name."""
        return _name(self.prefix)

    @property
    def unix_ms(self) -> int:
        """The creation time, in milliseconds since 1970."""
        return self._number >> 72 & 0xFFFFFFFFFFFF

    @property
    def time(self) -> datetime:
        """The creation time, in UTC and whole milliseconds; an OverflowError from the year 10000 on: use unix_ms."""
        return EPOCH + timedelta(milliseconds=self.unix_ms)

    @property
    def instant(self) -> Optional[int]:
        """The creation time in microseconds since 1970; None unless the server's gid_new minted the id."""
        micro = self._number >> 54 & 0x3FF
        if self._number >> 64 & 0xFF != self.prefix or self.prefix == OTHER_PAYLOAD or micro > 999:
            return None
        return self.unix_ms * 1000 + micro

    @property
    def medallion(self) -> Optional[int]:
        """The number of the server's generator, 0 to 2**24 - 1; None where instant is None."""
        return None if self.instant is None else self._number >> 30 & 0xFFFFFF

    @property
    def node(self) -> Optional[int]:
        """The upper 10 bits of the medallion: the number of the server, if it has gid.node set; None where instant is."""
        return None if self.medallion is None else self.medallion >> 14

    @property
    def offset(self) -> Optional[int]:
        """The number of the id within its transaction, 0 to 2**30 - 1; None where instant is None."""
        return None if self.instant is None else self._number & 0x3FFFFFFF

    def explain(self) -> dict[str, str | int | None]:
        """Everything that the id contains, as the server's row_to_json(gid_explain(id)) in UTC."""
        from .explain import explain

        return explain(self)

    @classmethod
    def new(cls, kind: Optional[Kind] = None, at: Optional[Time] = None) -> Self:
        """A new id: microseconds, and 54 random bits.

        Without a time, each id is larger than the ids of its kind that this process minted before without a time.  With
        a time, ids of one microsecond differ only in their random bits.  The server's gid_settled() does not cover these
        ids: if programs poll with it, let the server mint.
        """
        prefix = cls._prefix_of_class
        if prefix is None or kind is not None:
            prefix = cls._prefix(kind)
        number = next_number() if at is None else check_instant(_microseconds(at), at) << RANDOM_BITS | random_bits()
        # With the next millisecond the number grows by 1000 << 54, and the id by 1 << 72.
        return _make(cls, (prefix << 120) + (number >> RANDOM_BITS) // 1000 * _MILLISECOND + _OTHER_BYTE + number)

    @classmethod
    def lower_bound(cls, kind: Optional[Kind] = None, time: Optional[Time] = None) -> Gid:
        """The smallest id of a kind whose time, in whole milliseconds, is at or after a time.

        Past the last millisecond it is the first id above the kind, and so a bound is a Gid, not of the class.
        """
        return cls._bound(kind, _microseconds(time))

    @classmethod
    def upper_bound(cls, kind: Optional[Kind] = None, time: Optional[Time] = None) -> Gid:
        """The smallest id of a kind whose time, in whole milliseconds, is after a time."""
        return cls._bound(kind, _microseconds(time) + 1)

    @classmethod
    def _bound(cls, kind: Optional[Kind], instant: int) -> Gid:
        ms = min(max(-(-instant // 1000), 0), 1 << 48)
        return _make(Gid, (cls._prefix(kind) << 120) + (ms << 72))

    @classmethod
    def _prefix(cls, kind: Optional[Kind]) -> int:
        """The prefix of a kind that was asked for, or of the class."""
        own = cls._prefix_of_class
        if kind is None and own is not None:
            return own
        if kind is None:
            raise TypeError(f"{cls.__name__} has no kind of its own: pass one")
        prefix = prefix_of(kind)
        if own not in (None, prefix):
            raise ValueError(f'{cls.__name__} is of kind "{_name(own)}", not "{_name(prefix)}"')
        return prefix

    if not TYPE_CHECKING:  # to a type checker, ids of different classes are never equal

        def __eq__(self, other: object) -> bool:
            return self._number == other._number if isinstance(other, Gid) else NotImplemented

    def __lt__(self, other: Self) -> bool:
        return self._number < other._number if isinstance(other, Gid) else NotImplemented

    def __le__(self, other: Self) -> bool:
        return self._number <= other._number if isinstance(other, Gid) else NotImplemented

    def __gt__(self, other: Self) -> bool:
        return self._number > other._number if isinstance(other, Gid) else NotImplemented

    def __ge__(self, other: Self) -> bool:
        return self._number >= other._number if isinstance(other, Gid) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._number)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a gid cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a gid cannot be changed")

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (bytes(self),)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """For pydantic 2.  An id becomes text in JSON.  In strict mode only JSON can contain text."""
        core_schema = import_module("pydantic_core.core_schema")

        def validate(value: Any) -> Gid:
            if not isinstance(value, (str, bytes, Gid)):
                raise ValueError(f"a gid is made from text or bytes, not from {type(value).__name__}")
            return value if isinstance(value, cls) else cls(value)

        convert = core_schema.no_info_plain_validator_function(validate)
        strict = core_schema.json_or_python_schema(convert, core_schema.is_instance_schema(cls))
        text = core_schema.to_string_ser_schema(when_used="json")
        return core_schema.lax_or_strict_schema(convert, strict, serialization=text)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Dict[str, str]:
        return {"type": "string", "format": "gid", "pattern": TEXT_PATTERN}


_new = object.__new__
_set_number = Gid.__dict__["_number"].__set__  # a gid refuses setattr()


def _make(cls: Type[AnyGid], number: int) -> AnyGid:
    """An id of a number that is valid."""
    id = _new(cls)
    _set_number(id, number)
    return id


def _other_kind(id: Gid, prefix: Optional[int]) -> ValueError:
    reason = f'The value "{id}" is an id of kind "{id.kind}". Check the value, or the kind that the program expects.'
    return ValueError(f'gid of kind "{id.kind}" does not match type gid({_name(prefix)}). {reason}')


def parameter_of(value: Any, kind: Optional[Kind]) -> str:
    """The text of an id, to be sent next to a column of a kind; else a ValueError.  Bounds can be above the kind."""
    id = Gid(value)
    prefix = id.prefix if kind is None else prefix_of(kind)
    if id.prefix != prefix and id._number not in (prefix + 1 << 120, 1 << 127, (1 << 128) - 1):
        raise _other_kind(id, prefix)
    return text_of(id)


def result_of(value: Any, cls: Type[Gid]) -> Any:
    """An id of a result.  A union of two columns can contain ids of another kind than the first column: they are Gid."""
    id = Gid(value)
    return id if cls._prefix_of_class not in (None, id.prefix) else _make(cls, id._number)


def class_and_kind(kind: Union[Type[AnyGid], Kind, None]) -> Tuple[Type[Gid], Any]:
    """The class of a column's ids and the name of their kind, from OrderId, "o", 239 or None."""
    if isinstance(kind, type):
        return kind, kind._prefix_of_class and _name(kind._prefix_of_class)
    return Gid, None if kind is None else _name(prefix_of(kind))


def _name(prefix: Optional[int]) -> str:
    return NAMES.get(prefix or 0, str(prefix))


def _microseconds(time: Optional[Time]) -> int:
    """A time in Unix microseconds."""
    if isinstance(time, datetime):
        if time.utcoffset() is None:
            raise ValueError(f"a time needs a time zone: {time!r}")
        return (time - EPOCH) // _MICROSECOND
    if isinstance(time, int) and not isinstance(time, bool):
        return time
    raise TypeError(f"a time is a datetime, or Unix microseconds in an int, not {type(time).__name__}")
