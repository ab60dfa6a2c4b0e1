"""gid from psycopg2: first with nothing set up, then with a class for ids.

psycopg2 speaks text only; binary COPY goes through it as it is.
"""

from datetime import datetime, timedelta, timezone
from io import BytesIO, StringIO

import psycopg2
from psycopg2 import errors
from psycopg2.extensions import TRANSACTION_STATUS_IDLE, TRANSACTION_STATUS_INTRANS
from psycopg2.extras import (
    DictCursor,
    LoggingConnection,
    LoggingCursor,
    NamedTupleCursor,
    RealDictCursor,
    execute_values,
)

from pg_gid import Gid
from pg_gid.psycopg2 import register_gid


def shows(what, holds):
    print("ok -" if holds else "not ok -", what)


def value(query, *parameters):
    """The one value that a query returns."""
    cursor.execute(query, parameters)
    ((result,),) = cursor.fetchall()
    return result


def error(query, *parameters):
    """The error that a query ends in, if any."""
    try:
        cursor.execute(query, parameters)
    except psycopg2.Error as e:
        return e


def recent():
    """The last hour, and a minute for clocks that differ.  A datetime says what it is by its time zone."""
    now = datetime.now(timezone.utc)
    return now - timedelta(hours=1), now + timedelta(minutes=1)


# libpq's variables say where the server is.
connection = psycopg2.connect("")
connection.autocommit = True
cursor = connection.cursor()
cursor.execute("CREATE EXTENSION gid")
cursor.execute("CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)")
cursor.execute("CREATE TABLE copies (LIKE orders)")

# Nothing is set up: an id is a str, and becomes a literal, which PostgreSQL
# takes for whatever type it needs where it stands.

tea = value("INSERT INTO orders (item) VALUES ('tea') RETURNING id")
milk = value("INSERT INTO orders (item) VALUES ('milk') RETURNING id")
shows("a plain id is a str", type(tea) is str and len(tea) == 24)
shows("a plain id as a parameter", value("SELECT item FROM orders WHERE id = %s", tea) == "tea")
shows("a plain id in a tuple, for IN", value("SELECT count(*) FROM orders WHERE id IN %s", (tea, milk)) == 2)
shows("a str sorts as its id", tea < milk)

# Where the place says nothing about the type, a cast does.
shows(
    "a plain id needs a cast where no type is known",
    isinstance(error("SELECT to_jsonb(%s)", tea), errors.DatatypeMismatch)
    and value("SELECT to_jsonb(%s::gid)", tea) == tea,
)

# A list of str becomes ARRAY['...'], which is text[] unless it is cast.  An
# array that comes back is the text of one, because its type is not known.
shows(
    "a plain list needs a cast",
    isinstance(error("SELECT FROM orders WHERE id = ANY(%s)", [tea, milk]), errors.UndefinedFunction)
    and value("SELECT count(*) FROM orders WHERE id = ANY(%s::gid[])", [tea, milk]) == 2,
)
shows("a plain array comes back as a str", value("SELECT array_agg(id ORDER BY id) FROM orders") == f"{{{tea},{milk}}}")
shows("as text[] it is a list", value("SELECT array_agg(id ORDER BY id)::text[] FROM orders") == [tea, milk])

shows("a range of time", value("SELECT count(*) FROM orders WHERE id BETWEEN %s AND %s", *recent()) == 2)
cursor.execute("EXPLAIN (COSTS OFF) SELECT FROM orders WHERE id >= %s AND id < %s", recent())
shows("is a range of the index", any("Index Cond: ((id >= " in line for line, in cursor.fetchall()))
shows(
    "a time in a str is taken for an id, and refused",
    isinstance(error("SELECT FROM orders WHERE id >= %s", "2026-01-01"), errors.InvalidTextRepresentation)
    and value("SELECT count(*) FROM orders WHERE id >= %s::timestamptz", "2026-01-01 00:00+00") == 2,
)

# Set up: one call for each connection, and an id is a Gid.

register_gid(connection)

coffee = value("INSERT INTO orders (item) VALUES ('coffee') RETURNING id")
shows("an id is a Gid", type(coffee) is Gid and coffee > Gid(milk))
shows("none is None", value("SELECT NULL::gid") is None)
shows("a Gid as a parameter", value("SELECT item FROM orders WHERE id = %s", coffee) == "coffee")
shows("a Gid where no type is known", value("SELECT pg_typeof(%s)::text", coffee) == "gid")
shows("a list of Gid", value("SELECT count(*) FROM orders WHERE id = ANY(%s)", [coffee, Gid(tea)]) == 2)
shows("an empty list", value("SELECT count(*) FROM orders WHERE id = ANY(%s)", []) == 0)

shows("an array, with a NULL", value("SELECT %s", [coffee, None]) == [coffee, None])

# Many rows in one statement; the ids come back in the order of the rows.
bread, butter = execute_values(
    cursor, "INSERT INTO orders (item) VALUES %s RETURNING id", [("bread",), ("butter",)], fetch=True
)
shows("execute_values returns ids in order", coffee < bread[0] < butter[0])

# VALUES that stand alone are of no known type; Gid brings it along.
execute_values(
    cursor,
    "UPDATE orders SET item = v.item FROM (VALUES %s) AS v (id, item) WHERE orders.id = v.id",
    [(Gid(tea), "green tea"), (coffee, "coffee")],
)
shows("execute_values takes a Gid", cursor.rowcount == 2)

# COPY as text, with lines made by hand: no character of an id needs quoting.
cursor.execute("SELECT id, item FROM orders ORDER BY id")
orders = cursor.fetchall()
cursor.copy_expert("COPY copies FROM STDIN", StringIO("".join(f"{id}\t{item}\n" for id, item in orders)))
text = StringIO()
cursor.copy_expert("COPY (SELECT * FROM copies ORDER BY id) TO STDOUT", text)
copied = [tuple(line.split("\t")) for line in text.getvalue().splitlines()]
copied = [(Gid(id), item) for id, item in copied]
shows("COPY in and out as text", copied == orders and len(copied) == 5)

# Binary COPY goes from server to server, or to a file, as it is.
binary = BytesIO()
cursor.copy_expert("COPY orders TO STDOUT (FORMAT binary)", binary)
binary.seek(0)
cursor.execute("TRUNCATE copies")
cursor.copy_expert("COPY copies FROM STDIN (FORMAT binary)", binary)
cursor.execute("SELECT id, item FROM copies ORDER BY id")
shows("COPY in and out (FORMAT binary)", cursor.fetchall() == orders)

# What is wrong is said, with a code and a hint.
refused = error("INSERT INTO orders (id, item) VALUES (%s, 'a log is no order')", value("SELECT gid_new('log')"))
shows(
    f"a wrong kind is rejected: {refused}".splitlines()[0],
    isinstance(refused, errors.InvalidParameterValue) and refused.pgcode == "22023",
)

# register_gid leaves the connection as it was.
with psycopg2.connect("") as other:
    register_gid(other)
    shows("no transaction is left open", other.info.transaction_status == TRANSACTION_STATUS_IDLE)
    other.set_session(readonly=True)
    shows("after register_gid the session can be configured", other.readonly)
with psycopg2.connect("") as other, other.cursor() as cursor:
    cursor.execute("CREATE TABLE kept ()")
    register_gid(other)
    shows("an open transaction stays open", other.info.transaction_status == TRANSACTION_STATUS_INTRANS)
with connection.cursor() as cursor:
    cursor.execute("SELECT to_regclass('kept') IS NOT NULL")
    shows("with what it did", cursor.fetchone() == (True,))

for factory in RealDictCursor, DictCursor, NamedTupleCursor, LoggingCursor:
    connection_factory = LoggingConnection if factory is LoggingCursor else None
    with psycopg2.connect("", connection_factory=connection_factory, cursor_factory=factory) as other:
        if connection_factory:
            other.initialize(StringIO())
        register_gid(other)
        with other.cursor() as cursor:
            cursor.execute("SELECT %s AS id, %s AS ids", (coffee, [coffee]))
            row = cursor.fetchone()
            found = list(row.values()) if isinstance(row, dict) else list(row)
            shows(f"{factory.__name__}", found == [coffee, [coffee]] and type(found[0]) is Gid)


class OrderId(Gid, kind="o"):
    """The id of an order."""


cursor = connection.cursor()
shows("a class of one kind as a parameter", value("SELECT item FROM orders WHERE id = %s", OrderId(coffee)) == "coffee")

# The extension can be in a schema that is not in search_path.  Then the name of the type needs the schema.
cursor.execute('CREATE SCHEMA "Ids x"; DROP EXTENSION gid CASCADE; CREATE EXTENSION gid SCHEMA "Ids x"')
with psycopg2.connect("") as connection, connection.cursor() as cursor:
    cursor.execute("SELECT 1")
    try:
        register_gid(connection)
    except LookupError as e:
        shows(f"a type that is not found: {e}", 'type "gid" does not exist' in str(e))
    else:
        shows("a type that is not found", False)
    shows("aborts no transaction", connection.info.transaction_status == TRANSACTION_STATUS_INTRANS)
    register_gid(connection, '"Ids x".gid')
    shows("the type is found by its schema", value(f"SELECT '{coffee}'::\"Ids x\".gid") == coffee)
    shows("registration works for parameters and arrays", value("SELECT %s", [coffee, None]) == [coffee, None])
