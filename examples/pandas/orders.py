"""gid from pandas: ids in frames, tables made of frames, and what to_sql takes away where it replaces a table."""

from datetime import datetime, timedelta, timezone

import pandas as pd
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from pg_gid import Gid
from pg_gid.sqlalchemy import GidType


def shows(what, holds):
    print("ok" if holds else "not ok", "-", what, flush=True)


def error(call, *arguments, **named):
    """The error that a call ends in, if any."""
    try:
        call(*arguments, **named)
    except Exception as e:
        return e


def code(raised):
    """The SQLSTATE of an error, if the server raised it."""
    return raised.orig.pgcode if isinstance(raised, DBAPIError) else None


def columns(table):
    """The columns of a table as "id gid(o)", and the default of each that has one."""
    query = text(
        "SELECT concat_ws(' ', attname, format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid))"
        " FROM pg_attribute LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)"
        " WHERE attrelid = to_regclass(:table) AND attnum > 0 ORDER BY attnum"
    )
    return list(pd.read_sql(query, engine, params={"table": table}).iloc[:, 0])


def count(table):
    return int(pd.read_sql(f"SELECT count(*) FROM {table}", engine).iloc[0, 0])


engine = create_engine("postgresql+psycopg2://")
with engine.begin() as connection:
    connection.execute(text("CREATE EXTENSION gid"))
    connection.execute(text("CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)"))

# In and out.

pd.DataFrame({"item": [f"item {n}" for n in range(1000)]}).to_sql("orders", engine, if_exists="append", index=False)
orders = pd.read_sql("SELECT id, item, id::timestamptz AS made_at FROM orders", engine)
shows("to_sql without ids: the server makes them", len(orders) == 1000)
shows("an id is a str", all(type(id) is str and len(id) == 24 for id in orders.id))
shows("its time is a column of times", str(orders.made_at.dtype) == "datetime64[ns, UTC]")
in_order = pd.read_sql("SELECT id FROM orders ORDER BY id", engine)
shows("str sorts as ids do", orders.id.sample(frac=1).sort_values().tolist() == in_order.id.tolist())
shows("the frame has the rows of the table", orders.sort_values("id").item.tolist() == [f"item {n}" for n in range(1000)])

gids = pd.read_sql_table("orders", engine)
shows("read_sql_table gives Gid", type(gids.id[0]) is Gid and gids.id[0].kind == "o")
shows("a column of Gid sorts, and its ids contain their time", gids.id.map(lambda id: id.time).min() == orders.made_at.min())
shows("a Gid is no str, so a join of both is empty", len(orders.merge(gids, on="id")) == 0)
shows("after astype it is not", len(orders.merge(gids.astype({"id": str}), on="id")) == 1000)

# A range of time.

soon = datetime.now(timezone.utc) + timedelta(minutes=1)
recent = text("SELECT * FROM orders WHERE id >= :since AND id < :until")
found = pd.read_sql(recent, engine, params={"since": soon - timedelta(hours=1), "until": soon})
shows("a datetime is a time", len(found) == 1000)
since = pd.Timestamp(soon) - pd.Timedelta("1h")
found = pd.read_sql(recent, engine, params={"since": since, "until": since + pd.Timedelta("1min")})
shows("a Timestamp with a time zone works as a parameter", len(found) == 0)
refused = error(pd.read_sql, recent, engine, params={"since": "2026-01-01", "until": soon})
shows("a str is none", code(refused) == "22P02")
some = text("SELECT * FROM orders WHERE id = ANY (CAST(:ids AS gid[]))")
shows("a list of ids", len(pd.read_sql(some, engine, params={"ids": list(orders.id[:3])})) == 3)

# A new table: say the type, or ids are text.

frame = orders[["id", "item"]]
frame.to_sql("copies", engine, index=False, dtype={"id": GidType("o")})
shows("with dtype a column has its kind", columns("copies") == ["id gid(o)", "item text"])
gids.to_sql("copies", engine, index=False, if_exists="append", dtype={"id": GidType("o")})
shows("to_sql accepts Gid", count("copies") == 2000)
shows(
    "which without dtype psycopg2 knows nothing of",
    "can't adapt type 'Gid'" in str(error(gids.to_sql, "others", engine, index=False)),
)

# replace drops the table, and makes one of what the frame says.

frame.to_sql("copies", engine, index=False, if_exists="replace")
shows("replace without dtype: ids are text, of any kind", columns("copies") == ["id text", "item text"])
frame.to_sql("copies", engine, index=False, if_exists="replace", dtype={"id": GidType("o")})
shows("with dtype they keep their kind, but have no default", columns("copies") == ["id gid(o)", "item text"])

logs = frame.assign(id=str(Gid.new("log")))
refused = error(logs.to_sql, "copies", engine, index=False, if_exists="replace", dtype={"id": GidType("o")})
shows(f"a wrong kind is rejected: {refused.orig}".splitlines()[0], code(refused) == "22023")
if pd.__version__.startswith("1."):  # later ones do all of it in a transaction
    shows("if_exists='replace' has removed the earlier rows", count("copies") == 0)


# What to do in place of it: the table stays, with its default and its key, and a frame that is rejected changes nothing.
def replace(frame, table):
    with engine.begin() as connection:
        connection.execute(text(f"DELETE FROM {table}"))
        frame.to_sql(table, connection, if_exists="append", index=False)


shows("in a transaction the earlier rows are not removed", code(error(replace, logs, "orders")) == "22023" and count("orders") == 1000)
replace(frame[:10], "orders")
shows("the rows are replaced", count("orders") == 10)
shows("the table is unchanged", columns("orders") == ["id gid(o) gid_new('o'::text)", "item text"])
