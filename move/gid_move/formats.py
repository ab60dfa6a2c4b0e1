"""The formats that a key can have before it is a gid, and the SQL expressions between both.

It must not know how a table is moved.  formats.sql has the functions that the expressions call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple

UUID, TEXT, NUMBER = ("uuid",), ("text", "character varying", "character"), ("bigint", "integer", "smallint")


@dataclass(frozen=True)
class Format:
    """One format.

    gid_of computes the gid of a key, and old_of the key of a gid.  If it is partial, only gids that contain a key have one.
    {kind}, {key}, {time}, {id}, {epoch}, {bits} and {prefix} stand for expressions, {s} for the schema of the functions in
    formats.sql.
    """

    name: str
    types: Tuple[str, ...]
    gid_of: str
    old_of: Optional[str]  # None: a number says nothing of an id that gid_new() made
    is_partial: bool = False
    needs_time: bool = False


FORMATS = [
    Format("bytes", UUID, "{key}::gid", "{id}::uuid"),
    Format("uuid", UUID, "{s}gid_of_uuid({kind}, {key}, {time})", "{s}uuid_of({id})", needs_time=True),
    Format("uuid", TEXT, "{s}gid_of_uuid({kind}, {key}::uuid, {time})", "{s}uuid_of({id})::text", needs_time=True),
    Format("uuid7", UUID, "{s}gid_of_uuid7({kind}, {key})", "{s}uuid7_of({id})"),
    Format("uuid7", TEXT, "{s}gid_of_uuid7({kind}, {key}::uuid)", "{s}uuid7_of({id})::text"),
    Format("ulid", UUID, "{s}gid_of_ulid({kind}, {key})", "{s}ulid_uuid_of({id})"),
    Format("ulid", TEXT, "{s}gid_of_ulid({kind}, {key})", "{s}ulid_of({id})"),
    Format("number", NUMBER, "{s}gid_of_number({kind}, {key}, {time})", None, needs_time=True),
    Format(
        "snowflake",
        NUMBER,
        "{s}gid_of_snowflake({kind}, {key}, {epoch}, {bits})",
        "{s}snowflake_of({id}, {epoch}, {bits})",
        True,
    ),
    Format("objectid", TEXT, "{s}gid_of_objectid({kind}, {key})", "{s}objectid_of({id})", True),
    Format("ksuid", TEXT, "{s}gid_of_ksuid({kind}, {key})", "{s}ksuid_of({id})"),
    Format("typeid", TEXT, "{s}gid_of_typeid({kind}, {key}, {prefix})", "{s}typeid_of({id}, {prefix})"),
    Format("muid", TEXT, "{s}gid_of_muid({kind}, {key})", "gid_muid({id})", True),
    Format("sno", TEXT, "{s}gid_of_sno({kind}, {key})", "{s}sno_of({id})", True),
]
NAMES = list(dict.fromkeys(format.name for format in FORMATS))

# What a text key looks like.
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-%s[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}"
_TEXTS = [
    ("uuid", _UUID % "[1-6]"),
    ("uuid7", _UUID % "7"),
    ("ulid", r"[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}"),
    ("objectid", r"[0-9a-fA-F]{24}"),
    ("ksuid", r"[0-9A-Za-z]{27}"),
    ("sno", r"[2-9a-x]{16}"),
    ("typeid", r"[a-z]([a-z_]{0,61}[a-z])?_[0-7][0-9a-hjkmnp-tv-z]{25}"),
    ("muid", r"[0-9A-F]{13}-[0-9A-F]{11}(-[0-9A-F]{8})?"),
]


def functions() -> str:
    """The SQL of all functions."""
    return (Path(__file__).parent / "formats.sql").read_text(encoding="utf-8")


def of_type(type_name: str) -> Dict[str, Format]:
    """The formats of columns of this type, by name."""
    return {format.name: format for format in FORMATS if type_name in format.types}


def guess(type_name: str, keys: List[object], prefix: int) -> Optional[str]:
    """The name of the format that all these keys have, or None if that is not certain."""
    common = set.intersection(*(_possible(type_name, key, prefix) for key in keys))
    return next((name for name in NAMES if name in common), None)


def _possible(type_name: str, key: object, prefix: int) -> Set[str]:
    """The names of the formats that one key can have.  A random uuid can have the prefix where a gid has it."""
    if type_name in NUMBER:
        return {"number"}
    if type_name in UUID:
        data = bytes.fromhex(str(key).replace("-", ""))
        names = {"bytes"} if data[0] == prefix and data[7] in (prefix, 255) else set()
        if data[8] >> 6 == 2 and data[6] >> 4 in (1, 3, 4, 5, 7):
            names.add("uuid7" if data[6] >> 4 == 7 else "uuid")
        return names
    return {name for name, pattern in _TEXTS if re.fullmatch(pattern, str(key).strip())}
