"""gid from psycopg 3: first with nothing set up, then with a class for ids."""

import asyncio
import json
from datetime import datetime, timedelta, timezone

import psycopg
from psycopg import errors

from pg_gid import Gid
from pg_gid.psycopg import register_gid, register_gid_async


def shows(what: str, holds: bool) -> None:
    print("ok -" if holds else "not ok -", what)


def value(query, *parameters, **options):
    """The one value that a query returns."""
    ((result,),) = connection.execute(query, parameters, **options).fetchall()
    return result


def error(query, *parameters):
    """The error that a query ends in, if any."""
    try:
        connection.execute(query, parameters)
    except psycopg.Error as e:
        return e


def recent():
    """The last hour, and a minute for clocks that differ.  A datetime says what it is by its time zone."""
    now = datetime.now(timezone.utc)
    return now - timedelta(hours=1), now + timedelta(minutes=1)


# libpq's variables say where the server is.
connection = psycopg.connect(autocommit=True)
connection.execute("CREATE EXTENSION gid")
connection.execute("CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)")
connection.execute("CREATE TABLE copies (LIKE orders)")

# Nothing is set up: an id is a str, which PostgreSQL takes for whatever type
# it needs where it stands.

tea = value("INSERT INTO orders (item) VALUES ('tea') RETURNING id")
milk = value("INSERT INTO orders (item) VALUES ('milk') RETURNING id")
shows("a plain id is a str", isinstance(tea, str) and len(tea) == 24)
shows("a plain id in binary is 16 bytes", len(value("SELECT id FROM orders WHERE item = 'tea'", binary=True)) == 16)
shows("a plain id as a parameter", value("SELECT item FROM orders WHERE id = %s", tea) == "tea")
shows("a str sorts as its id", tea < milk)

# Where the place says nothing about the type, a cast does.
shows("a plain id needs a cast where no type is known", value("SELECT to_jsonb(%s::gid)", tea) == tea)
shows(
    "as in unnest",
    isinstance(error("SELECT * FROM unnest(%s)", [tea]), errors.AmbiguousFunction)
    and value("SELECT * FROM unnest(%s::gid[])", [tea]) == tea,
)

# A list of str is an array as a parameter.  An array that comes back is the
# text of one, because only known types have known arrays; text[] is known.
shows("a plain list", value("SELECT count(*) FROM orders WHERE id = ANY(%s)", [tea, milk]) == 2)
shows("a plain array comes back as a str", value("SELECT array_agg(id ORDER BY id) FROM orders") == f"{{{tea},{milk}}}")
shows("as text[] it is a list", value("SELECT array_agg(id ORDER BY id)::text[] FROM orders") == [tea, milk])

shows("a range of time", value("SELECT count(*) FROM orders WHERE id BETWEEN %s AND %s", *recent()) == 2)
shows(
    "a time in a str is taken for an id, and refused",
    isinstance(error("SELECT FROM orders WHERE id >= %s", "2026-01-01"), errors.InvalidTextRepresentation)
    and value("SELECT count(*) FROM orders WHERE id >= %s::timestamptz", "2026-01-01 00:00+00") == 2,
)

# Set up: one call for each connection, and an id is a Gid.

register_gid(connection)

coffee = value("INSERT INTO orders (item) VALUES ('coffee') RETURNING id")
shows("an id is a Gid", isinstance(coffee, Gid) and coffee == Gid(str(coffee)))
shows("in binary the same one", value("SELECT id FROM orders WHERE item = 'coffee'", binary=True) == coffee)
shows("its text is the server's", value("SELECT %s::text", coffee) == str(coffee))
shows("its time is the server's", value("SELECT gid_timestamp(%s)", coffee) == coffee.time)

# %s sends a Gid in binary; %t and %b say which it shall be.
for placeholder in "%s", "%t", "%b":
    shows(f"a Gid as {placeholder}", value(f"SELECT item FROM orders WHERE id = {placeholder}", coffee) == "coffee")
    shows(
        f"a Gid as {placeholder} where no type is known",
        value(f"SELECT pg_typeof({placeholder})::text", coffee) == "gid"
        and value(f"SELECT {placeholder}", coffee) == coffee,
    )
    shows(
        f"a list as {placeholder}",
        value(f"SELECT count(*) FROM orders WHERE id = ANY({placeholder})", [coffee, Gid(tea)]) == 2
        and all(value(f"SELECT {placeholder}", [coffee, None], binary=b) == [coffee, None] for b in (False, True)),
    )
shows("an empty list", value("SELECT count(*) FROM orders WHERE id = ANY(%s)", []) == 0)

# An id can be made here, without asking the server.  In JSON it is its text.
juice = Gid.new("o")
value("INSERT INTO orders (id, item) VALUES (%s, 'juice') RETURNING id", juice)
shows("an id made by the program", value("SELECT item FROM orders WHERE id = %s", juice) == "juice")
shows("in JSON", json.dumps({"id": juice}, default=str) == f'{{"id": "{juice}"}}')
hour = timedelta(hours=1)
first, last = Gid.lower_bound("o", juice.time - hour), Gid.upper_bound("o", juice.time)
shows(
    "a range of ids for a range of time",
    value("SELECT count(*) FROM orders WHERE id >= %s AND id < %s", first, last) == 4,
)

# COPY as text, and as binary.  The types of the columns are for what comes
# out, else it is str or bytes, and for values such as int, which has several.
orders = connection.execute("SELECT id, item FROM orders ORDER BY id").fetchall()
for options in "", "(FORMAT binary)":
    connection.execute("TRUNCATE copies")
    with connection.cursor() as cursor:
        with cursor.copy(f"COPY copies FROM STDIN {options}") as copy:
            copy.set_types(["gid", "text"])
            for order in orders:
                copy.write_row(order)
        with cursor.copy(f"COPY (SELECT id, item FROM copies ORDER BY id) TO STDOUT {options}") as copy:
            copy.set_types(["gid", "text"])
            copied = list(copy.rows())
    shows(f"COPY in and out {options or 'as text'}", copied == orders and len(copied) == 4)

# What is wrong is said, with a code and a hint.
refused = error("INSERT INTO orders (id, item) VALUES (%s, 'a log is no order')", value("SELECT gid_new('log')"))
shows(
    f"a wrong kind is rejected: {refused}".splitlines()[0],
    isinstance(refused, errors.InvalidParameterValue) and refused.sqlstate == "22023",
)


# The same of an asynchronous connection.
async def asynchronous():
    async with await psycopg.AsyncConnection.connect() as connection:
        await register_gid_async(connection)
        cursor = await connection.execute(
            "SELECT array_agg(id ORDER BY id) FROM orders WHERE id = ANY(%s)", [[juice, coffee]]
        )
        return (await cursor.fetchone())[0]


shows("asynchronously", asyncio.run(asynchronous()) == sorted([coffee, juice]))

# Where the extension is in a schema that is not in search_path, its name takes that along.
connection.execute("CREATE SCHEMA ids; DROP EXTENSION gid CASCADE; CREATE EXTENSION gid SCHEMA ids")
with psycopg.connect(autocommit=True) as connection:
    try:
        register_gid(connection)
        shows("a type that is not in search_path is said to be missing", False)
    except LookupError:
        shows("a type that is not in search_path is said to be missing", True)
    register_gid(connection, "ids.gid")
    shows("a type that is named with its schema is found", value(f"SELECT '{juice}'::ids.gid") == juice)
