"""psycopg2: ids are Gid, alone and in arrays, as parameters and in results."""

from __future__ import annotations

from psycopg2.extensions import TRANSACTION_STATUS_IDLE, AsIs, new_array_type, new_type, register_adapter, register_type
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import cursor as Cursor

from pg_gid import Gid

# Also for subclasses of Gid.  The text of an id contains no character that needs escaping.
register_adapter(Gid, lambda gid: AsIs(f"'{gid}'::pg_catalog.gid"))


def register_gid(connection: Connection) -> None:
    """Ids of this connection are Gid.  It asks the server once."""
    was_idle = connection.info.transaction_status == TRANSACTION_STATUS_IDLE
    try:
        with connection.cursor(cursor_factory=Cursor) as cursor:
            cursor.execute("SELECT oid, typarray FROM pg_type WHERE oid = to_regtype('pg_catalog.gid')")
            found = cursor.fetchone()
    finally:
        if was_idle and not connection.autocommit:
            connection.rollback()
    if found is None:
        raise LookupError("type gid does not exist: CREATE EXTENSION gid")

    oid, array_oid = found
    scalar = new_type((oid,), "gid", lambda text, cursor: None if text is None else Gid(text))
    register_type(scalar, connection)
    register_type(new_array_type((array_oid,), "gid[]", scalar), connection)
