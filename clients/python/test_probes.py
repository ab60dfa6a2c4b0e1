"""What a program does with ids of uuid works with ids of gid: SQLAlchemy with each driver, written without the page.

The variables of libpq name the server.  A probe that fails with both types is the driver's, and is not shown as failed.
"""

import asyncio
import json
import uuid
from datetime import datetime, timedelta, timezone

import psycopg
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.orm import Session, declarative_base, joinedload, relationship, selectinload

from pg_gid import Gid
from pg_gid.psycopg import register_gid
from pg_gid.sqlalchemy import GidType

NOW = datetime.now(timezone.utc)
HOUR = timedelta(hours=1)


def shows(what, holds, reason=""):
    print("ok -" if holds else "not ok -", what, reason, flush=True)


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

    def one(statement, **values):
        return s.execute(statement, values).scalars().one()

    def count(*conditions, **values):
        return s.execute(select(func.count()).select_from(Order).where(*conditions), values).scalar()

    def new():
        return s.execute(
            select(func.gid_new("o", type_=Order.id.type) if cls is Gid else func.gen_random_uuid())
        ).scalar()

    def conflict():
        insert = pg.insert(Order).values(id=first, customer_id=ada.id, item="again")
        return (
            s.execute(
                insert.on_conflict_do_update(index_elements=[Order.id], set_={"item": "again"}).returning(Order.id)
            ).scalar()
            == first
        )

    def many(values, table):
        return len(s.execute(sa.insert(table).values(values).returning(table.id)).all()) == len(values)

    def add_all(objects):
        s.add_all(objects)
        s.flush()
        return all(each.id is not None for each in objects)

    return {
        "get by id": lambda: s.get(Order, first).id == first,
        "get by str of id": lambda: s.get(Order, str(first)).id == first,
        "selectinload": lambda: len(one(select(Customer).options(selectinload(Customer.orders))).orders) == 5,
        "joinedload": lambda: len(
            s.execute(select(Customer).options(joinedload(Customer.orders))).unique().scalars().one().orders
        )
        == 5,
        "in_ list": lambda: count(Order.id.in_(ids[:2])) == 2,
        "any_ of list": lambda: count(Order.id == sa.any_(sa.literal(ids[:2], pg.ARRAY(Order.id.type)))) == 2,
        "text = ANY(:ids)": lambda: one(text("SELECT count(*) FROM orders WHERE id = ANY(:ids)"), ids=ids[:2]) == 2,
        "text id = :id": lambda: one(text("SELECT id FROM orders WHERE id = :id"), id=first) == first,
        "between two ids": lambda: count(Order.id.between(first, ids[-1])) > 1,
        "optional filter in text": lambda: one(text("SELECT count(*) FROM orders WHERE :a IS NULL OR id = :a"), a=first)
        == 1,
        "coalesce of a parameter": lambda: one(select(func.coalesce(first, Order.id)).where(Order.id == first))
        == first,
        "coalesce in text": lambda: one(text("SELECT coalesce(:a, id) FROM orders LIMIT 1"), a=first) == first,
        "literal": lambda: one(select(sa.literal(first) == Order.id).where(Order.id == first)) is True,
        "tuple comparison": lambda: count(sa.tuple_(Order.customer_id, Order.id) >= sa.tuple_(ada.id, first)) >= 1,
        "tuple in": lambda: count(sa.tuple_(Order.customer_id, Order.id).in_([(ada.id, first)])) == 1,
        "page before an id": lambda: len(
            s.execute(select(Order.id).where(Order.id < ids[-1]).order_by(Order.id.desc()).limit(2)).all()
        )
        <= 2,
        "count group by": lambda: s.execute(select(Order.customer_id, func.count()).group_by(Order.customer_id)).one()
        == (ada.id, 5),
        "array_agg": lambda: sorted(one(select(func.array_agg(Order.id)))) == ids,
        "array_agg in text": lambda: sorted(one(text("SELECT array_agg(id) FROM orders"))) == ids,
        "the type in text": lambda: type(one(text("SELECT id FROM orders LIMIT 1"))) is cls,
        "case": lambda: one(select(sa.case((Order.id == first, first), else_=Order.id)).where(Order.id == first))
        == first,
        "core insert many returning": lambda: many([{"customer_id": ada.id, "item": "x"}] * 9, Order),
        "bulk add of logs": lambda: add_all([Log(order_id=first) for _ in range(100)]),
        "bulk add of orders": lambda: add_all([Order(customer_id=ada.id) for _ in range(100)]),
        "on conflict do update": conflict,
        "insert from select with literal": lambda: s.execute(
            sa.insert(Log).from_select(["order_id"], select(sa.literal(first)))
        )
        is not None,
        "update in, synchronize": lambda: s.execute(
            sa.update(Order).where(Order.id.in_(ids[:2])).values(item="y")
        ).rowcount
        == 2,
        "bulk update by key": lambda: s.bulk_update_mappings(Order, [{"id": id, "about": first} for id in ids]) is None,
        "update with case and coalesce": lambda: s.execute(
            sa.update(Order).values(about=sa.case((Order.id == first, first), else_=func.coalesce(Order.about, first)))
        ).rowcount
        >= 5,
        "json.dumps": lambda: json.dumps({"id": first}, default=str) == f'{{"id": "{first}"}}',
        "insert of an id of the program": lambda: s.execute(sa.insert(Order).values(id=new(), customer_id=ada.id))
        is not None,
        "refresh after commit": lambda: s.commit() or s.get(Order, first).customer_id == ada.id,
        "delete cascade": lambda: s.delete(s.get(Customer, ada.id)) or s.flush() or count() == 0,
    }


def times(Order):
    """Of gid only: a uuid contains no time that the server compares."""
    return {
        "id >= aware datetime": Order.id >= NOW - HOUR,
        "between datetimes": Order.id.between(NOW - HOUR, NOW + HOUR),
        "id >= date": Order.id >= (NOW - timedelta(days=2)).date(),
        "id >= now() - interval": Order.id >= sa.func.now() - HOUR,
    }


def run(session, is_gid):
    metadata, *classes = models(is_gid)
    connection = session.connection()
    metadata.drop_all(connection)
    metadata.create_all(connection)
    session.commit()
    found = {}
    for name, call in probes(session, *classes).items():
        try:
            found[name] = None if call() else "a wrong result"
        except Exception as error:
            session.rollback()
            found[name] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    if is_gid:
        Order = classes[1]
        customer = classes[0](name="Bob", orders=[Order()])
        session.add(customer)
        session.commit()
        for name, condition in times(Order).items():
            try:
                found[name] = (
                    None if session.execute(sa.select(Order.id).where(condition)).scalars().all() else "nothing"
                )
            except Exception as error:
                session.rollback()
                found[name] = str(error).splitlines()[0]
        reflected = sa.Table("orders", sa.MetaData(), autoload_with=session.connection())
        found["reflection"] = None if reflected.c.id.type.kind == "o" else "no kind"
    metadata.drop_all(session.connection())
    session.commit()
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
    with Session(engine) as session:
        return run(session, is_gid)


def raw():
    """psycopg 3 alone, without and with register_gid, next to uuid."""
    for name, type_, new in (
        ("uuid", "uuid", "gen_random_uuid()"),
        ("gid", "gid(o)", "gid_new('o')"),
        ("gid", "gid(o)", "gid_new('o')"),
    ):
        with psycopg.connect(autocommit=True) as db:
            is_registered = name == "uuid" or raw.registers
            if name == "gid" and raw.registers:
                register_gid(db)
            raw.registers = name == "gid"
            label = f"psycopg, {name}{'' if is_registered else ' without register_gid'}"
            db.execute("DROP TABLE IF EXISTS t")
            db.execute(f"CREATE TABLE t (id {type_} PRIMARY KEY DEFAULT {new}, item text)")
            a, b = (row[0] for row in db.execute("INSERT INTO t (item) VALUES ('a'), ('b') RETURNING id"))
            cls = uuid.UUID if name == "uuid" else Gid
            a, b = (id if type(id) is cls else cls(id) for id in (a, b))
            shows(
                f"{label}: = ANY", db.execute("SELECT count(*) FROM t WHERE id = ANY(%s)", [[a, b]]).fetchone() == (2,)
            )
            shows(
                f"{label}: unnest",
                db.execute(f"SELECT count(*) FROM unnest(%s::{name}[])", [[a, b]]).fetchone() == (2,),
            )
            shows(
                f"{label}: coalesce",
                db.execute("SELECT count(*) FROM t WHERE id = coalesce(%s, id)", [a]).fetchone() == (1,),
            )
            with db.cursor() as cursor:
                cursor.executemany("UPDATE t SET item = 'c' WHERE id = %s", [(a,), (b,)])
                shows(f"{label}: executemany", cursor.rowcount == 2)
                with cursor.copy("COPY t FROM STDIN") as copy:
                    copy.write_row((cls(int=a.int ^ 1) if name == "uuid" else Gid.new("o"), "d"))
            shows(f"{label}: COPY as text", db.execute("SELECT count(*) FROM t").fetchone() == (3,))
            if is_registered:
                shows(
                    f"{label}: an array",
                    sorted(db.execute("SELECT array_agg(id) FROM t WHERE item = 'c'").fetchone()[0]) == sorted([a, b]),
                )
                with db.cursor() as cursor, cursor.copy("COPY t FROM STDIN (FORMAT binary)") as copy:
                    copy.set_types([name, "text"])
                    copy.write_row((cls(int=a.int ^ 2) if name == "uuid" else Gid.new("o"), "e"))
                shows(f"{label}: COPY in binary", db.execute("SELECT count(*) FROM t").fetchone() == (4,))
            db.execute("DROP TABLE t")


raw.registers = False

with psycopg.connect(autocommit=True) as db:
    db.execute(
        "DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP EXTENSION IF EXISTS gid CASCADE; CREATE EXTENSION gid"
    )
raw()
drivers = ["psycopg2", "asyncpg"] + (["psycopg", "psycopg_async"] if sa.__version__ >= "2" else [])
for driver in drivers:
    of_uuid = of_engine(driver, False)
    for name, reason in of_engine(driver, True).items():
        both = reason is not None and of_uuid.get(name) is not None
        shows(
            f"SQLAlchemy, {driver}: {name}",
            reason is None or both,
            f"# fails with uuid, too: {of_uuid[name]}" if both else reason or "",
        )
