"""psycopg 3: ids are Gid, as text and in binary, alone and in arrays, as parameters, in results and in COPY."""

from __future__ import annotations

from typing import Any, List, Tuple

import psycopg
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.rows import tuple_row
from psycopg.types import TypeInfo

from pg_gid import TYPES, Gid


class GidDumper(Dumper):
    """A parameter is text without a type, of which the server infers the type.  It requires no registration."""

    def dump(self, obj: Gid) -> bytes:
        return str(obj).encode()


psycopg.adapters.register_dumper(Gid, GidDumper)


class GidLoader(Loader):
    def load(self, data: Buffer) -> Gid:
        return Gid(bytes(data).decode())


class GidBinaryLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> Gid:
        return Gid(data)


def register_gid(connection: psycopg.Connection[Any]) -> None:
    """Ids of this connection are Gid.  It asks the server once, also for the domains over gid."""
    with connection.transaction():
        _register(connection, connection.cursor(row_factory=tuple_row).execute(TYPES).fetchall())


async def register_gid_async(connection: psycopg.AsyncConnection[Any]) -> None:
    """The same for an asynchronous connection."""
    async with connection.transaction():
        cursor = await connection.cursor(row_factory=tuple_row).execute(TYPES)
        _register(connection, await cursor.fetchall())


def _register(connection: psycopg.BaseConnection[Any], types: List[Tuple[Any, ...]]) -> None:
    if not types:
        raise LookupError("type gid does not exist: CREATE EXTENSION gid")
    number = types[0][1]

    # The number is that of this database, so the dumpers are made for this connection.
    class GidTypedDumper(GidDumper):
        oid = number

    class GidBinaryDumper(Dumper):
        format = Format.BINARY
        oid = number

        def dump(self, obj: Gid) -> bytes:
            return bytes(obj)

    adapters = connection.adapters
    for name, oid, array_oid in types:
        TypeInfo(name, oid, array_oid).register(connection)  # the name, for COPY, and the array
        adapters.register_loader(oid, GidLoader)
        adapters.register_loader(oid, GidBinaryLoader)
    adapters.register_dumper(Gid, GidTypedDumper)
    adapters.register_dumper(Gid, GidBinaryDumper)  # the last one is what %s takes
