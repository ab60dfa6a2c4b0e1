"""psycopg2: ids are Gid, alone and in arrays, as parameters and in results."""

from __future__ import annotations

from typing import MutableMapping
from weakref import WeakKeyDictionary

from psycopg2.extensions import TRANSACTION_STATUS_IDLE, new_array_type, new_type, register_adapter, register_type
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import cursor as Cursor

from pg_gid import Gid

# The type's name with its schema, quoted.  Adapters are for the whole program, schemas are for a database.
_names: MutableMapping[Connection, str] = WeakKeyDictionary()


class GidAdapter:
    """Writes an id into a query.  The text of an id contains no character that needs escaping."""

    def __init__(self, gid: Gid) -> None:
        self.gid, self.name = gid, "gid"

    def prepare(self, connection: Connection) -> None:
        """psycopg2 calls this before getquoted()."""
        self.name = _names.get(connection, self.name)

    def getquoted(self) -> bytes:
        return f"'{self.gid}'::{self.name}".encode()


register_adapter(Gid, GidAdapter)  # also for its subclasses


def register_gid(connection: Connection, name: str = "gid") -> None:
    """Ids of this connection are Gid.  The name of the type may have a schema.  It asks the server once."""
    was_idle = connection.info.transaction_status == TRANSACTION_STATUS_IDLE
    try:
        with connection.cursor(cursor_factory=Cursor) as cursor:
            cursor.execute(
                "SELECT t.oid, typarray, format('%%I.%%I', nspname, typname)"
                " FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE t.oid = to_regtype(%s)",
                (name,),
            )
            found = cursor.fetchone()
    finally:
        if was_idle and not connection.autocommit:
            connection.rollback()
    if found is None:
        raise LookupError(f'type "{name}" does not exist: CREATE EXTENSION gid, or pass the name with its schema')

    oid, array_oid, _names[connection] = found
    scalar = new_type((oid,), "gid", lambda text, cursor: None if text is None else Gid(text))
    register_type(scalar, connection)
    register_type(new_array_type((array_oid,), "gid[]", scalar), connection)
