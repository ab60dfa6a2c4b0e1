"""The formats that a key can have before it is a gid, and the SQL expressions between both.

It must not know how a table is moved.  formats.sql has the functions that the expressions call.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Optional, Tuple

UUID, TEXT, NUMBER = ("uuid",), ("text", "character varying", "character"), ("bigint", "integer", "smallint")


@dataclass(frozen=True)
class Format:
    """One format.

    gid_of computes the gid of a key, and old_of the key of a gid.  {kind}, {key}, {time}, {id} and {prefix} stand for
    expressions, {s} for the schema of the functions in formats.sql.
    """

    name: str
    types: Tuple[str, ...]
    gid_of: str
    old_of: Optional[str]  # None: a number says nothing of an id that gid_new() made
    needs_time: bool = False


FORMATS = [
    Format("uuid", UUID, "{s}gid_of_uuid({kind}, {key}, {time})", "{s}uuid_of({id})", True),
    Format("uuid", TEXT, "{s}gid_of_uuid({kind}, {key}::uuid, {time})", "{s}uuid_of({id})::text", True),
    Format("uuid7", UUID, "{s}gid_of_uuid7({kind}, {key})", "{s}uuid7_of({id})"),
    Format("uuid7", TEXT, "{s}gid_of_uuid7({kind}, {key}::uuid)", "{s}uuid7_of({id})::text"),
    Format("ulid", UUID, "{s}gid_of_ulid({kind}, {key})", "{s}ulid_uuid_of({id})"),
    Format("ulid", TEXT, "{s}gid_of_ulid({kind}, {key})", "{s}ulid_of({id})"),
    Format("bytes", UUID, "{key}::gid", "{id}::uuid"),
    Format("ksuid", TEXT, "{s}gid_of_ksuid({kind}, {key})", "{s}ksuid_of({id})"),
    Format("typeid", TEXT, "{s}gid_of_typeid({kind}, {key}, {prefix})", "{s}typeid_of({id}, {prefix})"),
    Format("number", NUMBER, "{s}gid_of_number({kind}, {key}, {time})", None, True),
]
NAMES = list(dict.fromkeys(format.name for format in FORMATS))


def functions() -> str:
    """The SQL of all functions."""
    return (Path(__file__).parent / "formats.sql").read_text(encoding="utf-8")


def of_type(type_name: str) -> Dict[str, Format]:
    """The formats of columns of this type, by name."""
    return {format.name: format for format in FORMATS if type_name in format.types}
