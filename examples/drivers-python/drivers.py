"""psycopg 3, psycopg2 and asyncpg: with the type registered, ids are Gid."""

import asyncio
from datetime import datetime, timedelta, timezone

import asyncpg
import psycopg
import psycopg2
from psycopg2.extensions import TRANSACTION_STATUS_IDLE, TRANSACTION_STATUS_INTRANS
from psycopg2.extras import RealDictCursor, execute_values

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


def check_registered():
    juice = Gid.new("o")
    shows("an id made by the program", value("INSERT INTO orders VALUES (%s, 'juice') RETURNING id", juice) == juice)
    tea = value("INSERT INTO orders (item) VALUES ('tea') RETURNING id")
    shows("an id made by the server, and NULL", type(tea) is Gid and value("SELECT NULL::gid") is None)
    ids = value("SELECT array_agg(id ORDER BY id) FROM orders")
    shows("an array", ids == sorted([juice, tea]))
    shows("a list, also an empty one", [value("SELECT count(*) FROM orders WHERE id = ANY(%s)", some) for some in (ids, [])] == [2, 0])
    shows("NULL in a list", value("SELECT %s", [tea, None]) == [tea, None])
    shows("a class of one kind", value("SELECT item FROM orders WHERE id = %s", OrderId(tea)) == "tea")
    shows("where no type is known", value("SELECT pg_typeof(%s)::text", tea) == "gid")
    shows("a range of time", value("SELECT count(*) FROM orders WHERE id >= %s", hour_ago) == 2)
    return tea


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
    connection.cursor().execute("DROP EXTENSION IF EXISTS gid CASCADE; DROP TABLE IF EXISTS orders; CREATE EXTENSION gid")
    connection.cursor().execute("CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text)")


driver, connection = "psycopg:", psycopg.connect(autocommit=True)
new_table()
pg_gid.psycopg.register_gid(connection)
tea = check_registered()
for placeholder in "%s", "%t", "%b":
    for binary in False, True:
        same = value(f"SELECT array_agg(id) FROM orders WHERE id = {placeholder}", tea, binary=binary)
        shows(f"{placeholder}, binary={binary}", same == [tea])
orders = connection.execute("SELECT id, item FROM orders ORDER BY id").fetchall()
connection.execute("CREATE TABLE copies (LIKE orders)")
for options in "", "(FORMAT binary)":
    connection.execute("TRUNCATE copies")
    with connection.cursor() as cursor:
        with cursor.copy(f"COPY copies FROM STDIN {options}") as copy:
            copy.set_types(["gid", "text"])
            for order in orders:
                copy.write_row(order)
        with cursor.copy(f"COPY copies TO STDOUT {options}") as copy:
            copy.set_types(["gid", "text"])
            shows(f"COPY in and out {options or 'as text'}", list(copy.rows()) == orders)


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
pg_gid.psycopg2.register_gid(connection)
tea = check_registered()
cursor = connection.cursor()
execute_values(cursor, "UPDATE orders SET item = v.item FROM (VALUES %s) AS v (id, item) WHERE orders.id = v.id", [(tea, "green tea")])
shows("execute_values", value("SELECT item FROM orders WHERE id = %s", tea) == "green tea")
with psycopg2.connect("", cursor_factory=RealDictCursor) as other:
    pg_gid.psycopg2.register_gid(other)
    shows("register_gid leaves no transaction open", other.info.transaction_status == TRANSACTION_STATUS_IDLE)
    other.cursor().execute("CREATE TABLE kept ()")
    pg_gid.psycopg2.register_gid(other)
    shows("an open transaction stays open", other.info.transaction_status == TRANSACTION_STATUS_INTRANS)
    cursor = other.cursor()
    cursor.execute("SELECT %s AS ids", ([tea],))
    shows("rows as dict", cursor.fetchone() == {"ids": [tea]})
shows("with what it did", value("SELECT to_regclass('kept') IS NOT NULL"))
check_other_types(pg_gid.psycopg2.register_gid, lambda: psycopg2.connect(""))
new_table()


async def set_up(connection):
    await connection.set_type_codec("gid", schema="pg_catalog", encoder=bytes, decoder=Gid, format="binary")


async def check_asyncpg():
    async with asyncpg.create_pool(init=set_up) as pool:
        many = [(Gid.new("o"), f"item {n}") for n in range(1000)]
        await pool.copy_records_to_table("orders", records=many, columns=["id", "item"])
        copied = await pool.fetch("SELECT id, item FROM orders ORDER BY id")
        shows("COPY of records", [tuple(row) for row in copied] == many)
        tea = many[0][0]
        shows("NULL in a list", await pool.fetchval("SELECT $1::gid[]", [tea, None]) == [tea, None])
        rows = await pool.fetch("SELECT FROM orders WHERE id >= $1::timestamptz AND id = ANY ($2)", hour_ago, [tea])
        shows("a time with the cast, and a list", len(rows) == 1)


driver = "asyncpg:"
asyncio.run(check_asyncpg())
