"""psycopg2: ids are Gid, alone and in arrays, as parameters and in results."""

from __future__ import annotations

from psycopg2.extensions import AsIs, new_array_type, new_type, register_adapter, register_type
from psycopg2.extensions import connection as Connection

from pg_gid import Gid

__all__ = ["register_gid"]

# psycopg2 writes parameters into the query.  There are no quotes in a Gid that would have to be doubled.
register_adapter(Gid, lambda gid: AsIs(f"'{gid}'::gid"))


def register_gid(connection: Connection, name: str = "gid") -> None:
    """Ids from this connection are Gid.  The name of the type may have a schema.

    The numbers of the types are those of the database, so this is for each connection, not for all of the program.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT oid, typarray FROM pg_type WHERE oid = %s::regtype", (name,))
        oid, array_oid = cursor.fetchone()

    scalar = new_type((oid,), "gid", lambda text, cursor: None if text is None else Gid(text))
    array = new_array_type((array_oid,), "gid[]", scalar)
    register_type(scalar, connection)
    register_type(array, connection)
