"""psycopg2: ids are Gid, alone and in arrays, as parameters and in results."""

from __future__ import annotations

from psycopg2.extensions import TRANSACTION_STATUS_IDLE, AsIs, new_array_type, new_type, register_adapter, register_type
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import cursor as Cursor

from pg_gid import TYPES, Gid

# Also for subclasses of Gid.  The text of an id contains no character that needs escaping.
register_adapter(Gid, lambda gid: AsIs(f"'{gid}'::pg_catalog.gid"))


def register_gid(connection: Connection) -> None:
    """Ids of this connection are Gid.  It asks the server once, also for the domains over gid."""
    was_idle = connection.info.transaction_status == TRANSACTION_STATUS_IDLE
    try:
        with connection.cursor(cursor_factory=Cursor) as cursor:
            cursor.execute(TYPES)
            found = cursor.fetchall()
    finally:
        if was_idle and not connection.autocommit:
            connection.rollback()
    if not found:
        raise LookupError("type gid does not exist: CREATE EXTENSION gid")

    _, oids, array_oids = zip(*found)
    scalar = new_type(oids, "gid", lambda text, cursor: None if text is None else Gid(text))
    register_type(scalar, connection)
    register_type(new_array_type(array_oids, "gid[]", scalar), connection)
