"""PostgreSQL's gid as a Python value, and how psycopg2 is told about it.

Take this file into a program as it is.
"""

import re

from psycopg2.extensions import AsIs, new_array_type, new_type, register_adapter, register_type

_form = re.compile("[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}")


class Gid(str):
    """The text of an id.

    It prints, sorts, hashes and goes into JSON as the str that it is; all ids
    are equally long, so their characters sort as their bytes do.  It has a
    type of its own so that psycopg2 can say to the server what it is.
    """

    __slots__ = ()

    def __new__(cls, text):
        if not _form.fullmatch(text):
            raise ValueError(f"not the text of a gid: {text!r}")
        return super().__new__(cls, text)

    def __repr__(self):
        return f"Gid({super().__repr__()})"


# psycopg2 writes parameters into the query.  There are no quotes in a Gid that
# would have to be doubled.
register_adapter(Gid, lambda gid: AsIs(f"'{gid}'::gid"))


def register_gid(connection):
    """Ids from this connection are Gid, alone and in arrays.

    The numbers of the types are those of the database, so this is for each
    connection, not for all of the program.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT oid, typarray FROM pg_type WHERE oid = 'gid'::regtype")
        oid, array_oid = cursor.fetchone()

    scalar = new_type((oid,), "gid", lambda text, cursor: None if text is None else Gid(text))
    array = new_array_type((array_oid,), "gid[]", scalar)
    register_type(scalar, connection)
    register_type(array, connection)
