"""psycopg 3, psycopg2 and asyncpg: first ids are str, then, with the type registered, they are Gid."""

import asyncio
from datetime import datetime, timedelta, timezone
from io import BytesIO, StringIO

import asyncpg
import psycopg
import psycopg2
from psycopg2.extensions import TRANSACTION_STATUS_IDLE, TRANSACTION_STATUS_INTRANS
from psycopg2.extras import DictCursor, LoggingConnection, LoggingCursor, NamedTupleCursor, RealDictCursor, execute_values

import pg_gid.psycopg
import pg_gid.psycopg2
from pg_gid import Gid


class OrderId(Gid, kind="o"):
    """The id of an order."""


hour_ago = datetime.now(timezone.utc) - timedelta(hours=1)
driver, connection = "", None


def shows(what, holds):
    print("ok" if holds else "not ok", "-", driver, what, flush=True)


def value(query, *parameters, **options):
    """The one value that a query of psycopg or psycopg2 returns."""
    cursor = connection.cursor()
    cursor.execute(query, parameters, **options)
    ((result,),) = cursor.fetchall()
    return result


def code(query, *parameters):
    """The SQLSTATE of the error of a query."""
    try:
        value(query, *parameters)
    except (psycopg.Error, psycopg2.Error) as e:
        return getattr(e, "sqlstate", None) or e.pgcode


def check_plain(list_cast):
    """Without registration."""
    for item in "tea", "milk":
        value("INSERT INTO orders (item) VALUES (%s) RETURNING id", item)
    ids = value("SELECT array_agg(id ORDER BY id)::text[] FROM orders")
    shows("an id is a str, and an array requires a cast", value("SELECT array_agg(id ORDER BY id) FROM orders") == f"{{{','.join(ids)}}}")
    shows("an id as a parameter", value("SELECT item FROM orders WHERE id = %s", ids[0]) == "tea")
    shows("a list", value(f"SELECT count(*) FROM orders WHERE id = ANY(%s{list_cast})", ids) == 2)
    shows("a cast where no type is known", value("SELECT to_jsonb(%s::gid)", ids[0]) == ids[0])
    shows("a range of time", value("SELECT count(*) FROM orders WHERE id >= %s", hour_ago) == 2)
    shows("a time in a str requires a cast", code("SELECT FROM orders WHERE id >= %s", str(hour_ago)) == "22P02")


def check_registered():
    ids = value("SELECT array_agg(id ORDER BY id) FROM orders")
    shows("ids are Gid", {type(id) for id in ids} == {Gid} and value("SELECT NULL::gid") is None)
    shows("a list, also an empty one", [value("SELECT count(*) FROM orders WHERE id = ANY(%s)", some) for some in (ids, [])] == [2, 0])
    shows("NULL in a list", value("SELECT %s", [ids[0], None]) == [ids[0], None])
    shows("a class of one kind", value("SELECT item FROM orders WHERE id = %s", OrderId(ids[0])) == "tea")
    shows("where no type is known", value("SELECT pg_typeof(%s)::text", ids[0]) == "gid")
    juice = Gid.new("o")
    shows("an id made by the program", value("INSERT INTO orders VALUES (%s, 'juice') RETURNING id", juice) == juice)
    shows("the time is the server's", value("SELECT gid_timestamp(%s)", juice) == juice.time)
    first, last = Gid.lower_bound("o", hour_ago), Gid.upper_bound("o", juice.time)
    shows("a range of ids", value("SELECT count(*) FROM orders WHERE id >= %s AND id < %s", first, last) == 3)
    shows("another kind is rejected", code("INSERT INTO orders VALUES (%s)", Gid.new("log")) == "22023")


def check_other_types(register, connect):
    """Next to another type of the same name, and without the extension."""
    with connect() as other:
        other.cursor().execute("CREATE TEMPORARY TABLE gid ()")
        register(other)
        order, cursor = Gid.new("o"), other.cursor()
        cursor.execute("SELECT %s, %s", (order, [order, None]))
        shows("a temporary table called gid is another type", cursor.fetchone() == (order, [order, None]))
        cursor.execute("DROP EXTENSION gid CASCADE")
        try:
            register(other)
            shows("a type that does not exist", False)
        except LookupError as e:
            shows(f"a type that does not exist: {e}", "CREATE EXTENSION gid" in str(e))


def new_table():
    connection.cursor().execute("DROP EXTENSION IF EXISTS gid CASCADE; DROP TABLE IF EXISTS orders, copies; CREATE EXTENSION gid")
    connection.cursor().execute("CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text)")
    connection.cursor().execute("CREATE TABLE copies (LIKE orders)")


driver, connection = "psycopg:", psycopg.connect(autocommit=True)
new_table()
check_plain("")
shows("a result in binary is bytes", len(value("SELECT id FROM orders LIMIT 1", binary=True)) == 16)
pg_gid.psycopg.register_gid(connection)
check_registered()
tea = value("SELECT min(id) FROM orders")
for placeholder in "%s", "%t", "%b":
    for binary in False, True:
        same = value(f"SELECT array_agg(id) FROM orders WHERE id = {placeholder}", tea, binary=binary)
        shows(f"{placeholder}, binary={binary}", same == [tea])
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
    shows(f"COPY in and out {options or 'as text'}", copied == orders and len(copied) == 3)


async def asynchronous():
    async with await psycopg.AsyncConnection.connect() as connection:
        await pg_gid.psycopg.register_gid_async(connection)
        cursor = await connection.execute("SELECT array_agg(id) FROM orders WHERE id = ANY(%s)", [[tea]])
        return await cursor.fetchone()


shows("asynchronously", asyncio.run(asynchronous()) == ([tea],))
check_other_types(pg_gid.psycopg.register_gid, psycopg.connect)

driver, connection = "psycopg2:", psycopg2.connect("")
connection.autocommit = True
new_table()
check_plain("::gid[]")
pg_gid.psycopg2.register_gid(connection)
check_registered()
cursor = connection.cursor()
tea = value("SELECT min(id) FROM orders")
execute_values(cursor, "UPDATE orders SET item = v.item FROM (VALUES %s) AS v (id, item) WHERE orders.id = v.id", [(tea, "green tea")])
shows("execute_values", value("SELECT item FROM orders WHERE id = %s", tea) == "green tea")
for options, stream in ("", StringIO()), ("(FORMAT binary)", BytesIO()):
    cursor.execute("TRUNCATE copies")
    cursor.copy_expert(f"COPY orders TO STDOUT {options}", stream)
    stream.seek(0)
    cursor.copy_expert(f"COPY copies FROM STDIN {options}", stream)
    shows(f"COPY in and out {options or 'as text'}", value("SELECT count(*) FROM orders JOIN copies USING (id, item)") == 3)
with psycopg2.connect("") as other:
    pg_gid.psycopg2.register_gid(other)
    shows("register_gid leaves no transaction open", other.info.transaction_status == TRANSACTION_STATUS_IDLE)
    other.cursor().execute("CREATE TABLE kept ()")
    pg_gid.psycopg2.register_gid(other)
    shows("an open transaction stays open", other.info.transaction_status == TRANSACTION_STATUS_INTRANS)
shows("with what it did", value("SELECT to_regclass('kept') IS NOT NULL"))
for factory in RealDictCursor, DictCursor, NamedTupleCursor, LoggingCursor:
    logging = LoggingConnection if factory is LoggingCursor else None
    with psycopg2.connect("", connection_factory=logging, cursor_factory=factory) as other:
        if logging:
            other.initialize(StringIO())
        pg_gid.psycopg2.register_gid(other)
        with other.cursor() as cursor:
            cursor.execute("SELECT %s AS id, %s AS ids", (tea, [tea]))
            row = cursor.fetchone()
            shows(factory.__name__, list(row.values() if isinstance(row, dict) else row) == [tea, [tea]])
check_other_types(pg_gid.psycopg2.register_gid, lambda: psycopg2.connect(""))
new_table()


async def set_up(connection):
    await connection.set_type_codec("gid", schema="pg_catalog", encoder=bytes, decoder=Gid, format="binary")


async def check_asyncpg():
    connection = await asyncpg.connect()
    ids = [await connection.fetchval("INSERT INTO orders (item) VALUES ($1) RETURNING id", item) for item in ("tea", "milk")]
    shows("an id is a str", type(ids[0]) is str)
    shows("a list", await connection.fetchval("SELECT array_agg(id ORDER BY id) FROM orders WHERE id = ANY($1)", ids) == ids)
    rows = await connection.fetch("SELECT id FROM orders WHERE id >= $1::timestamptz", hour_ago)
    shows("a time with the cast", [row["id"] for row in rows] == ids)
    try:
        await connection.fetch("SELECT id FROM orders WHERE id >= $1", hour_ago)
        shows("a time without the cast is rejected", False)
    except asyncpg.DataError as e:
        shows(f"a time without the cast is rejected: {e}", "expected str, got datetime" in str(e))
    await connection.close()

    async with asyncpg.create_pool(init=set_up) as pool:
        tea = await pool.fetchval("SELECT min(id) FROM orders")
        shows("an id is a Gid", type(tea) is Gid and tea == Gid(ids[0]))
        shows("NULL in a list", await pool.fetchval("SELECT $1::gid[]", [tea, None]) == [tea, None])
        shows("the time is the server's", await pool.fetchval("SELECT gid_timestamp($1)", tea) == tea.time)
        many = [(Gid.new("o"), f"item {n}") for n in range(1000)]
        await pool.copy_records_to_table("orders", records=many, columns=["id", "item"])
        copied = await pool.fetch("SELECT id, item FROM orders WHERE item LIKE 'item %' ORDER BY id")
        shows("COPY of records", [tuple(row) for row in copied] == many)
        try:
            await pool.execute("INSERT INTO orders VALUES ($1)", Gid.new("log"))
            shows("another kind is rejected", False)
        except asyncpg.InvalidParameterValueError as e:
            shows(f"another kind is rejected: {e}", e.sqlstate == "22023")


driver = "asyncpg:"
asyncio.run(check_asyncpg())
