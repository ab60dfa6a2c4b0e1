"""psycopg 3: ids are Gid, as text and in binary, alone and in arrays, as parameters, in results and in COPY."""

from __future__ import annotations

from typing import Any, Optional

import psycopg
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo

from pg_gid import Gid


class GidLoader(Loader):
    def load(self, data: Buffer) -> Gid:
        return Gid(bytes(data).decode())


class GidBinaryLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> Gid:
        return Gid(data)


def register_gid(connection: psycopg.Connection[Any]) -> None:
    """Ids of this connection are Gid.  It asks the server once."""
    _register(connection, TypeInfo.fetch(connection, "pg_catalog.gid"))


async def register_gid_async(connection: psycopg.AsyncConnection[Any]) -> None:
    """The same for an asynchronous connection."""
    _register(connection, await TypeInfo.fetch(connection, "pg_catalog.gid"))


def _register(connection: psycopg.BaseConnection[Any], info: Optional[TypeInfo]) -> None:
    if info is None:
        raise LookupError("type gid does not exist: CREATE EXTENSION gid")
    number = info.oid

    # The number is that of this database, so the dumpers are made for this connection.
    class GidDumper(Dumper):
        oid = number

        def dump(self, obj: Gid) -> bytes:
            return str(obj).encode()

    class GidBinaryDumper(Dumper):
        format = Format.BINARY
        oid = number

        def dump(self, obj: Gid) -> bytes:
            return bytes(obj)

    info.register(connection)  # the name, for COPY, and the array
    adapters = connection.adapters
    adapters.register_loader(number, GidLoader)
    adapters.register_loader(number, GidBinaryLoader)
    adapters.register_dumper(Gid, GidDumper)
    adapters.register_dumper(Gid, GidBinaryDumper)  # the last one is what %s takes
