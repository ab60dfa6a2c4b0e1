"""gid from asyncpg: first with nothing set up, then with a codec."""

import asyncio
from datetime import datetime, timedelta, timezone

import asyncpg
from pg_gid import Gid


def shows(what, holds):
    print("ok -" if holds else "not ok -", what)


async def error(awaitable):
    """The error that something ends in, if any."""
    try:
        await awaitable
    except Exception as e:
        return e


async def plain(connection):
    """Nothing is set up: an id is a str, also in arrays, since PostgreSQL says what each parameter is."""
    tea = await connection.fetchval("INSERT INTO orders (item) VALUES ('tea') RETURNING id")
    milk = await connection.fetchval("INSERT INTO orders (item) VALUES ('milk') RETURNING id")
    shows("a plain id is a str", isinstance(tea, str) and len(tea) == 24 and tea < milk)
    shows("a plain id as a parameter", await connection.fetchval("SELECT item FROM orders WHERE id = $1", tea) == "tea")
    shows(
        "a plain list, there and back",
        await connection.fetchval("SELECT array_agg(id) FROM orders WHERE id = ANY($1)", [tea, milk]) == [tea, milk],
    )

    # Compared with an id, a parameter is an id, unless it is cast.
    hour_ago = datetime.now(timezone.utc) - timedelta(hours=1)
    refused = await error(connection.fetch("SELECT FROM orders WHERE id >= $1", hour_ago))
    shows(f"a time without its type is rejected: {refused}", isinstance(refused, asyncpg.DataError))
    since = "SELECT id FROM orders WHERE id >= $1::timestamptz"
    shows("with its type it is a time", [row["id"] for row in await connection.fetch(since, hour_ago)] == [tea, milk])
    plan = await connection.fetch(f"EXPLAIN (COSTS OFF) {since}", hour_ago)
    shows("a condition on time is a range of the index", any("Index Cond: (id >= " in row[0] for row in plan))


async def set_up(connection):
    """The codec of a connection; of a pool it is what init does."""
    await connection.set_type_codec("gid", schema="public", encoder=bytes, decoder=Gid, format="binary")


async def with_gid(connection):
    """An id is a Gid, and moves in binary."""
    tea = await connection.fetchval("SELECT id FROM orders WHERE item = 'tea'")
    shows("an id is a Gid", isinstance(tea, Gid))
    shows("a Gid as a parameter", await connection.fetchval("SELECT item FROM orders WHERE id = $1", tea) == "tea")
    shows("its text is the server's", await connection.fetchval("SELECT $1::gid::text", tea) == str(tea))
    shows("its time is the server's", await connection.fetchval("SELECT gid_timestamp($1)", tea) == tea.time)
    shows("an array", await connection.fetchval("SELECT $1::gid[]", [tea, None, tea]) == [tea, None, tea])

    bread = Gid.new("o")
    await connection.execute("INSERT INTO orders (id, item) VALUES ($1, 'bread')", bread)
    shows(
        "an id made by the program",
        await connection.fetchval("SELECT id FROM orders WHERE item = 'bread'") == bread,
    )
    first, last = Gid.lower_bound("o", tea.time), Gid.upper_bound("o", bread.time)
    shows(
        "a range of ids for a range of time",
        await connection.fetchval("SELECT count(*) FROM orders WHERE id >= $1 AND id < $2", first, last) == 3,
    )

    many = [(Gid.new("o"), f"item {n}") for n in range(1000)]
    await connection.copy_records_to_table("orders", records=many, columns=["id", "item"])
    copied = await connection.fetch("SELECT id, item FROM orders WHERE item LIKE 'item %' ORDER BY id")
    shows("COPY of records", [tuple(row) for row in copied] == many)
    await connection.executemany("DELETE FROM orders WHERE id = $1", [(id,) for id, _ in many])
    shows("executemany", await connection.fetchval("SELECT count(*) FROM orders") == 3)

    refused = await error(connection.execute("INSERT INTO orders (id, item) VALUES ($1, 'a log')", Gid.new("log")))
    shows(
        f"a wrong kind is rejected: {refused}".splitlines()[0],
        isinstance(refused, asyncpg.InvalidParameterValueError) and refused.sqlstate == "22023",
    )


async def main():
    # libpq's variables say where the server is.
    connection = await asyncpg.connect()
    await connection.execute(
        """
        CREATE EXTENSION gid;
        CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)
    """
    )
    await plain(connection)
    await connection.close()

    async with asyncpg.create_pool(init=set_up) as pool:
        async with pool.acquire() as connection:
            await with_gid(connection)


asyncio.run(main())
