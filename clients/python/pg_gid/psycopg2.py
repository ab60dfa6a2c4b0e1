"""psycopg2: ids are Gid, alone and in arrays, as parameters and in results."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from psycopg2.extensions import TRANSACTION_STATUS_IDLE, new_array_type, new_type, register_adapter, register_type
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import cursor as Cursor

from . import Gid

__all__ = ["register_gid"]

_names: WeakKeyDictionary[Connection, str] = WeakKeyDictionary()  # of the type, with its schema


class _Adapter:
    """psycopg2 writes parameters into the query.  There are no quotes in a Gid that would have to be doubled."""

    def __init__(self, id: Gid) -> None:
        self.id, self.type = id, "gid"

    def prepare(self, connection: Connection) -> None:
        self.type = _names.get(connection, "gid")

    def getquoted(self) -> bytes:
        return f"'{self.id}'::{self.type}".encode()


register_adapter(Gid, _Adapter)


def register_gid(connection: Connection, name: str = "gid") -> None:
    """Ids from this connection are Gid.  The name of the type may have a schema.

    The numbers of the types are those of the database, so this is for each connection, not for all of the program.
    A transaction of the caller stays open, and no other one does.  Raises LookupError if there is no such type.
    """
    was_idle = connection.info.transaction_status == TRANSACTION_STATUS_IDLE
    with connection.cursor(cursor_factory=Cursor) as cursor:
        cursor.execute(
            "SELECT t.oid, typarray, format('%%I.%%I', nspname, typname) FROM pg_type t"
            " JOIN pg_namespace n ON n.oid = typnamespace WHERE t.oid = to_regtype(%s)",
            (name,),
        )
        row: Any = cursor.fetchone()
    if was_idle and not connection.autocommit:
        connection.rollback()
    if row is None:
        raise LookupError(f"no type {name} in search_path: CREATE EXTENSION gid")

    oid, array_oid, _names[connection] = row
    scalar = new_type((oid,), "gid", lambda text, cursor: None if text is None else Gid(text))
    array = new_array_type((array_oid,), "gid[]", scalar)
    register_type(scalar, connection)
    register_type(array, connection)
