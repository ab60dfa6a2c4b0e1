"""psycopg 3, and SQLAlchemy with each driver: what a program does with ids of uuid works with ids of gid.

A time is compared with the id in place of a column created_at.  The variables of libpq name the server.
"""

import asyncio
import json
import uuid
from datetime import datetime, timedelta, timezone

import psycopg
import sqlalchemy as sa
from psycopg.types.composite import CompositeInfo, register_composite
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.orm import Session, declarative_base, joinedload, relationship, selectinload

from pg_gid import Gid
from pg_gid.psycopg import register_gid
from pg_gid.sqlalchemy import GidType
from probing import compare, found_by

NOW = datetime.now(timezone.utc)
HOUR = timedelta(hours=1)
ADMIN = sa.create_engine("postgresql+psycopg2://")

# What fails with gid: a part of the error, and the sentence of the page.
CAST = "invalid input syntax for type gid", "A time in a `str` requires the cast"
OTHER_KIND = (
    'of kind "c"',
    "An id of another kind than its column raises `sqlalchemy.exc.StatementError` before anything is sent",
)
ASYNCPG = "not from datetime", "With asyncpg, a `datetime` in `text()` requires the same cast"
IN_BINARY = "returned", "| an id in a result | `str`; in binary `bytes` | `Gid` |"
ARRAY = "returned", "| an array in a result | one `str`; cast it to `text[]` | list of `Gid` |"
SET_TYPES = "KeyError", "| `set_types` of COPY | `KeyError` | accepts `gid` |"


def models(is_gid):
    """The same classes with either type of id."""
    Base = declarative_base()

    def column(kind, *args, **options):
        return sa.Column(GidType(kind) if is_gid else pg.UUID(as_uuid=True), *args, **options)

    def key(kind):
        default = f"gid_new('{kind}'::text)" if is_gid else "gen_random_uuid()"
        return column(kind, primary_key=True, server_default=sa.text(default))

    class Customer(Base):
        __tablename__ = "customers"
        id = key("c")
        name = sa.Column(sa.Text)
        orders = relationship("Order", back_populates="customer", cascade="all, delete-orphan", passive_deletes=True)

    class Order(Base):
        __tablename__ = "orders"
        id = key("o")
        customer_id = column("c", sa.ForeignKey("customers.id", ondelete="CASCADE"), nullable=False)
        about = column("o")
        item = sa.Column(sa.Text)
        if not is_gid:
            created_at = sa.Column(sa.TIMESTAMP(timezone=True), server_default=sa.func.now())
        customer = relationship(Customer, back_populates="orders")

    class Log(Base):
        __tablename__ = "logs"
        id = sa.Column(sa.Integer, sa.Identity(), primary_key=True)
        order_id = column("o", sa.ForeignKey("orders.id", ondelete="CASCADE"))

    return Base.metadata, Customer, Order, Log


def probes(s, Customer, Order, Log):
    """Calls by their names, each of which returns whether the result is right."""
    text, select, func = sa.text, sa.select, sa.func
    ada = Customer(name="Ada")
    s.add(ada)
    s.flush()
    s.add_all([Order(customer_id=ada.id, item=f"item {n}") for n in range(5)])
    s.commit()
    ids = list(s.execute(select(Order.id).order_by(Order.id)).scalars())
    first, cls = ids[0], type(ids[0])
    at = Order.id if cls is Gid else Order.created_at

    def one(statement, **values):
        return s.execute(statement, values).scalars().one()

    def count(*conditions, **values):
        return s.execute(select(func.count()).select_from(Order).where(*conditions), values).scalar()

    def count_text(condition, **values):
        return one(text(f"SELECT count(*) FROM orders WHERE {condition}"), **values)

    def new():
        return s.execute(
            select(func.gid_new("o", type_=Order.id.type) if cls is Gid else func.gen_random_uuid())
        ).scalar()

    def conflict():
        insert = pg.insert(Order).values(id=first, customer_id=ada.id, item="again")
        update = insert.on_conflict_do_update(index_elements=[Order.id], set_={"item": "again"})
        return s.execute(update.returning(Order.id)).scalar() == first

    def many(values, table, **options):
        found = s.execute(sa.insert(table).returning(table.id, **options), values).scalars().all()
        return len(found) == len(values)

    def add_all(objects):
        s.add_all(objects)
        s.flush()
        return all(each.id is not None for each in objects)

    def joined(option):
        return s.execute(select(Customer).options(option(Customer.orders))).unique().scalars().one().orders

    def reflected():
        table = sa.Table("orders", sa.MetaData(), autoload_with=s.connection())
        return s.execute(select(table.c.id).where(table.c.id == first)).scalar() == first

    def from_select(value):
        insert = sa.insert(Log).from_select(["order_id"], select(value))
        return s.execute(insert.returning(Log.order_id)).scalar() == first

    def fails(call):
        try:
            call()
        except (sa.exc.StatementError, sa.exc.DBAPIError):
            s.rollback()
            return True

    since = sa.bindparam("t", type_=sa.TIMESTAMP(timezone=True))
    case = sa.case((Order.id == first, first), else_=func.coalesce(Order.about, first))
    return {
        "get by id": lambda: s.get(Order, first).id == first,
        "get by str of id": lambda: s.get(Order, str(first)).id == first,
        "get by an id of another table": lambda: s.get(Order, ada.id) is None,
        "get by garbage": lambda: fails(lambda: s.get(Order, "tea")),
        "selectinload": lambda: len(joined(selectinload)) == 5,
        "joinedload": lambda: len(joined(joinedload)) == 5,
        "in_ list": lambda: count(Order.id.in_(ids[:2])) == 2,
        "any_ of list": lambda: count(Order.id == sa.any_(sa.literal(ids[:2], pg.ARRAY(Order.id.type)))) == 2,
        "text = ANY(:ids)": lambda: count_text("id = ANY(:ids)", ids=ids[:2]) == 2,
        "text id = :id": lambda: one(text("SELECT id FROM orders WHERE id = :id"), id=first) == first,
        "text id = :id, a str": lambda: one(text("SELECT id FROM orders WHERE id = :id"), id=str(first)) == first,
        "between two ids": lambda: count(Order.id.between(first, ids[-1])) == 5,
        "optional filter in text": lambda: count_text(":a IS NULL OR id = :a", a=first) == 1,
        "coalesce of a parameter": lambda: one(select(func.coalesce(first, Order.id)).limit(1)) == first,
        "coalesce in text": lambda: one(text("SELECT coalesce(:a, id) FROM orders LIMIT 1"), a=first) == first,
        "literal": lambda: one(select(sa.literal(first) == Order.id).where(Order.id == first)) is True,
        "tuple comparison": lambda: count(sa.tuple_(Order.customer_id, Order.id) >= sa.tuple_(ada.id, first)) == 5,
        "tuple in": lambda: count(sa.tuple_(Order.customer_id, Order.id).in_([(ada.id, first)])) == 1,
        "page before an id": lambda: s.execute(select(Order.id).where(Order.id < ids[3]).order_by(Order.id.desc()))
        .scalars()
        .first()
        == ids[2],
        "max": lambda: one(select(func.max(Order.id))) == ids[-1],
        "count group by": lambda: s.execute(select(Order.customer_id, func.count()).group_by(Order.customer_id)).one()
        == (ada.id, 5),
        "array_agg": lambda: sorted(one(select(func.array_agg(Order.id)))) == ids,
        "array_agg in text": lambda: sorted(one(text("SELECT array_agg(id) FROM orders"))) == ids,
        "jsonb_agg": lambda: sorted(one(select(func.jsonb_agg(Order.id)))) == [str(id) for id in ids],
        "the type in text": lambda: type(one(text("SELECT id FROM orders LIMIT 1"))) is cls,
        "case": lambda: one(select(case).where(Order.id == first)) == first,
        "reflection": reflected,
        # Times.
        "id >= aware datetime": lambda: count(at >= NOW - HOUR) == 5,
        "id >= naive datetime": lambda: count(at >= datetime(2026, 1, 1)) == 5,
        "id >= date": lambda: count(at >= (NOW - timedelta(days=2)).date()) == 5,
        "id >= str": lambda: count(at >= "2026-01-01") == 5,
        "id >= now() - interval": lambda: count(at >= func.now() - HOUR) == 5,
        "between datetimes": lambda: count(at.between(NOW - HOUR, NOW + HOUR)) == 5,
        "text id >= :since": lambda: count_text(f"{at.name} >= :since", since=NOW - HOUR) == 5,
        "text id >= :since, a str": lambda: count_text(f"{at.name} >= :since", since="2026-01-01") == 5,
        "optional time in text": lambda: count_text(f":t IS NULL OR {at.name} >= :t", t=NOW - HOUR) == 5,
        "optional bindparam": lambda: count(sa.or_(since.is_(None), at >= since), t=NOW - HOUR) == 5,
        # Changes.
        "core insert many returning": lambda: many([{"customer_id": ada.id, "item": "x"}] * 9, Order),
        "core insert many returning, sorted": lambda: many(
            [{"order_id": first}] * 9, Log, **({"sort_by_parameter_order": True} if sa.__version__ >= "2" else {})
        ),
        "bulk add of logs": lambda: add_all([Log(order_id=first) for _ in range(100)]),
        "bulk add of orders": lambda: add_all([Order(customer_id=ada.id) for _ in range(100)]),
        "on conflict do update": conflict,
        "insert from select with literal": lambda: from_select(sa.literal(first)),
        "insert from select with literal of its type": lambda: from_select(sa.literal(first, Order.id.type)),
        "update in, synchronize": lambda: s.execute(
            sa.update(Order).where(Order.id.in_(ids[:2])).values(item="y")
        ).rowcount
        == 2,
        "bulk update by key": lambda: s.bulk_update_mappings(Order, [{"id": id, "about": first} for id in ids]) is None,
        "update with case and coalesce": lambda: s.execute(sa.update(Order).values(about=case)).rowcount >= 5,
        "json.dumps": lambda: json.dumps({"id": first}, default=str) == f'{{"id": "{first}"}}',
        "insert of an id of the program": lambda: many([{"id": new(), "customer_id": ada.id}], Order),
        "insert of an id of another table": lambda: fails(
            lambda: s.execute(sa.insert(Order).values(customer_id=first)) and s.flush()
        ),
        "refresh after commit": lambda: s.commit() or s.get(Order, first).customer_id == ada.id,
        "the object of an id": lambda: s.get(Order, first)
        is s.execute(select(Order).where(Order.id == first)).scalar(),
        "delete cascade": lambda: s.delete(s.get(Customer, ada.id)) or s.flush() or count() == 0,
    }


def run(session, is_gid):
    metadata, *classes = models(is_gid)
    metadata.drop_all(ADMIN)
    metadata.create_all(ADMIN)  # another connection, because create_all registers ids, too
    found = found_by(probes(session, *classes), session.rollback)
    session.rollback()
    metadata.drop_all(ADMIN)
    return found


async def run_async(url, is_gid):
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        found = await connection.run_sync(lambda c: run(Session(c, future=True), is_gid))
    await engine.dispose()
    return found


def of_engine(driver, is_gid):
    url = f"postgresql+{driver}://"
    if driver.endswith(("asyncpg", "_async")):
        return asyncio.run(run_async(url, is_gid))
    engine = sa.create_engine(url)
    with Session(engine, future=True) as session:
        return run(session, is_gid)


def of_psycopg(db, type_, new):
    """The probes of psycopg 3 alone.  Without register_gid, ids are str, as is a program's own copy of one."""
    db.execute("DROP TABLE IF EXISTS t; DROP TYPE IF EXISTS pair")
    db.execute(f"CREATE TABLE t (id {type_} PRIMARY KEY DEFAULT {new}, item text)")
    db.execute(f"CREATE TYPE pair AS (id {type_}, item text)")
    register_composite(CompositeInfo.fetch(db, "pair"), db)
    a, b = sorted(row[0] for row in db.execute("INSERT INTO t (item) VALUES ('a'), ('b') RETURNING id"))
    name = type_.partition("(")[0]

    def one(query, *values, **options):
        return db.execute(query, values, **options).fetchone()[0]

    def many():
        with db.cursor() as cursor:
            cursor.executemany("UPDATE t SET item = 'c' WHERE id = %s", [(a,), (b,)])
            return cursor.rowcount == 2

    def server_side():
        with db.cursor("c", withhold=True) as cursor:
            return [row[0] for row in cursor.execute("SELECT id FROM t ORDER BY id")] == [a, b]

    def copies(format, *types):
        id = one(f"SELECT {new}")
        with db.cursor() as cursor, cursor.copy(f"COPY t FROM STDIN {format}") as copy:
            if types:
                copy.set_types(types)
            copy.write_row((id, "d"))
        return one("SELECT item FROM t WHERE id = %s", id) == "d"

    return {
        "= ANY": lambda: one("SELECT count(*) FROM t WHERE id = ANY(%s)", [a, b]) == 2,
        "unnest": lambda: one(f"SELECT count(*) FROM unnest(%s::{name}[])", [a, b]) == 2,
        "coalesce": lambda: one("SELECT count(*) FROM t WHERE id = coalesce(%s, id)", a) == 1,
        "executemany": many,
        "a binary cursor": lambda: one("SELECT id FROM t WHERE id = %s", a, binary=True) == a,
        "a server-side cursor": server_side,
        "an array": lambda: sorted(one("SELECT array_agg(id) FROM t")) == [a, b],
        "a composite type": lambda: one("SELECT row(id, 'x')::pair FROM t WHERE id = %s", a) == (a, "x"),
        "jsonb_agg": lambda: sorted(one("SELECT jsonb_agg(id) FROM t")) == [str(a), str(b)],
        "COPY as text": lambda: copies(""),
        "COPY in binary": lambda: copies("(FORMAT binary)", name, "text"),
        "a key of a dict": lambda: {a: 1}[one("SELECT id FROM t WHERE id = %s", a)] == 1,
    }


with psycopg.connect(autocommit=True) as db:
    db.execute("DROP EXTENSION IF EXISTS gid CASCADE; CREATE EXTENSION gid")
    of_uuid = found_by(of_psycopg(db, "uuid", "gen_random_uuid()"))
    gid = "gid(o)", "gid_new('o')"
    without = {"a binary cursor": IN_BINARY, "an array": ARRAY, "COPY in binary": SET_TYPES}
    compare("psycopg without register_gid", of_uuid, found_by(of_psycopg(db, *gid)), without)
    register_gid(db)
    compare("psycopg", of_uuid, found_by(of_psycopg(db, *gid)), {})
    db.execute("DROP TABLE t; DROP TYPE pair")

DOCUMENTED = {
    "get by an id of another table": OTHER_KIND,
    "id >= str": CAST,
    "text id >= :since, a str": CAST,
}
for driver in ["psycopg2", "asyncpg"] + (["psycopg", "psycopg_async"] if sa.__version__ >= "2" else []):
    documented = {**DOCUMENTED, **({"text id >= :since": ASYNCPG} if driver == "asyncpg" else {})}
    compare(f"SQLAlchemy, {driver}", of_engine(driver, False), of_engine(driver, True), documented)
