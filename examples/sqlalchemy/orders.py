"""The ORM at work on ids: made by the server, compared with times, in arrays, and refused."""

import asyncio
import sys
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone

from sqlalchemy import bindparam, create_engine, event, func, insert, select, text
from sqlalchemy.exc import StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import Session, joinedload

from pg_gid import Gid
from pg_gid.sqlalchemy import GidType
from models import Booking, Customer, CustomerId, Line, Order, OrderId, Payment


def shows(what, holds):
    print("ok" if holds else "not ok", "-", what, flush=True)


engine = create_engine(f"postgresql+{sys.argv[1]}://")
now = datetime.now(timezone.utc).replace(microsecond=0)  # ids tell milliseconds
hour = timedelta(hours=1)


@contextmanager
def counted():
    """Lists the statements that are sent meanwhile."""
    sent = []
    event.listen(engine, "before_cursor_execute", listener := lambda *args: sent.append(args[2]))
    yield sent
    event.remove(engine, "before_cursor_execute", listener)


def plan(session, query):
    """How PostgreSQL would run a query, as text."""
    compiled = query.compile(engine, compile_kwargs={"render_postcompile": True})
    connection = session.connection()
    return "\n".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {compiled}", compiled.params))


with engine.begin() as connection:
    connection.execute(text("TRUNCATE customers, orders, lines, payments, bookings"))

with Session(engine) as session:
    # Ids come back with the INSERT, and the orders get their customer's.
    ada = Customer(name="Ada", orders=[Order(lines=[Line(item="tea", quantity=2)]), Order()])
    session.add(ada)
    session.flush()
    shows("the server makes the ids", isinstance(ada.id, Gid) and ada.id.kind == "c")
    shows("of the class that the column names", type(ada.id) is CustomerId and type(ada.orders[0].id) is OrderId)
    shows("foreign keys follow", ada.orders[0].customer_id == ada.id)
    shows("ids sort as they were made", ada.orders[0].id < ada.orders[1].id)
    ada_id = ada.id
    session.commit()

    with Session(engine) as other, counted() as statements:
        loading = joinedload(Customer.orders).joinedload(Order.lines)
        query = select(Customer).options(loading).where(Customer.id == ada_id)
        found = other.execute(query).unique().scalar_one()
        loaded = [len(order.lines) for order in found.orders]
    shows("a joined load, by one statement", loaded == [1, 0] and len(statements) == 1)
    shows("get, by an id that is a plain string", session.get(Order, str(ada.orders[0].id)) is ada.orders[0])

    # Time is in the id: on the row as an attribute, in queries as an expression.
    made_at = session.execute(select(Order.id.time).where(Order.id == ada.orders[0].id)).scalar_one()
    shows("when it was made, read by Python and by PostgreSQL", ada.orders[0].id.time == made_at)
    shows("the creation time is the current time", abs(made_at - now) < hour)

    # Many at once, of the past, with their ids returned.
    minutes = [now - timedelta(minutes=n) for n in range(1, 5001)]
    rows = [{"id": func.gid_random("o", minute), "customer_id": ada.id} for minute in minutes]
    ids = session.execute(insert(Order).values(rows).returning(Order.id)).scalars().all()
    shows("a bulk insert returns its ids", len(set(ids)) == 5000 and isinstance(ids[0], Gid))
    session.execute(insert(Line), [{"order_id": id, "item": "milk", "quantity": 1} for id in ids])
    shows("a bulk insert without RETURNING inserts all rows", session.scalar(select(func.count()).where(Line.item == "milk")) == 5000)

    # Many objects, in few statements: their ids are asked for ahead.
    with counted() as statements:
        minted = select(func.gid_new("l", type_=GidType("l"))).select_from(func.generate_series(1, 1000))
        lines = [Line(id=id, order_id=ids[0], item="bread", quantity=1) for id in session.execute(minted).scalars()]
        session.add_all(lines)
        session.flush()
    shows(f"a thousand objects in {len(statements)} statements", 2 <= len(statements) < 10)
    shows("with ids in a row", [line.id for line in lines] == sorted({line.id for line in lines}))
    # Or they are made here.
    with counted() as statements:
        session.add_all(Line(id=Gid.new("l"), order_id=ids[0], item="butter", quantity=1) for _ in range(1000))
        session.flush()
    shows(f"with ids of the program a bulk insert takes {len(statements)} statements", 1 <= len(statements) < 10)
    session.commit()
    session.execute(text("ANALYZE"))

    # A condition on the time of ids is a range of the index.
    recent = select(Order.id).where(Order.id >= now - hour, Order.id < now)
    shows("a range of time", len(session.execute(recent).all()) == 60)
    shows("by the index", "Index Cond: ((id >= " in plan(session, recent) and "Filter" not in plan(session, recent))
    since = select(Order.id).where(Order.id >= func.now() - hour)
    shows("a condition with an expression uses the index", "Index Cond: (id >= gid_lower_bound('o'" in plan(session, since))
    within = select(Order.id).where(func.gid_within(Order.id, func.tstzrange(now - hour, now)))
    shows("a range as one value", session.scalars(within).all() == session.scalars(recent).all())
    shows("by the index, too", "Index Cond: ((id >= " in plan(session, within) and "Filter" not in plan(session, within))
    later = select(func.count()).where(Order.id < bindparam("time"))
    shows("a time that is passed later", session.scalar(later, {"time": now - hour}) == 5000 - 60)
    both = select(func.count()).where(Order.id.between(now - 2 * hour, now - hour))
    shows("BETWEEN two times", session.scalar(both) == 61)
    shows("IN a list", len(session.execute(select(Order).where(Order.id.in_(ids[:3]))).all()) == 3)

    # Arrays.
    ada.starred = ids[:2]
    session.commit()
    shows("an array of ids, written and read", ada.starred == ids[:2] and type(ada.starred[0]) is OrderId)
    elements = session.execute(select(Customer.starred[1], Customer.starred[2:2])).one()
    shows("its elements and slices", tuple(elements) == (ids[0], [ids[1]]) and type(elements[0]) is OrderId)
    shows("searched", session.scalar(select(Customer.name).where(Customer.starred.contains([ids[1]]))) == "Ada")
    starred = select(Order).join(Customer, Order.id == Customer.starred.any_())
    shows("a join on an array of ids", len(session.execute(starred).all()) == 2)


def refused(what, *rows, code=None):
    """Shows that rows are rejected, with the error that says why: the server's code, or none if nothing was sent."""
    with Session(engine) as session:
        session.add_all(rows)
        try:
            session.flush()
        except StatementError as error:
            message = str(error.orig).splitlines()[0]
            # psycopg2's name for it, and psycopg's.
            sent = getattr(error.orig, "pgcode", getattr(error.orig, "sqlstate", None))
            shows(f"{what}: {message}", sent == code and (code or isinstance(error.orig, ValueError)))
        else:
            shows(what, False)


refused("an order's id is no customer's", Order(customer_id=ids[0]))
refused("nor is it a payment's", Payment(id=ids[0], order_id=ids[0], cents=1))
refused("nor in an array of others", Customer(name="Bob", starred=[ada.id]))
with Session(engine) as session:
    payment, above = Gid.new("p"), Gid.upper_bound("o", 10**30)
    for what, condition in ("=", Order.id == payment), ("<", Order.id < payment), ("IN", Order.id.in_([payment])):
        try:
            session.execute(select(Order).where(condition))
            shows(f"a parameter of another kind, {what}, is not sent", False)
        except StatementError as error:
            shows(f"a parameter of another kind, {what}, is not sent", isinstance(error.orig, ValueError))
    below_all = select(func.count()).where(Order.id >= Gid.lower_bound("o", 0), Order.id < above)
    shows("the bound above the kind is sent", session.scalar(below_all) == session.scalar(select(func.count(Order.id))))
room = Gid.new("r")
bookings = [Booking(room=room, during=func.tstzrange(now + n * hour, now + (n + 2) * hour)) for n in range(2)]
refused("nor is a room booked twice at a time", *bookings, code="23P01")


async def asynchronous():
    """The same models with asyncpg."""
    engine = create_async_engine("postgresql+asyncpg://")
    async with AsyncSession(engine) as session:
        bob = Customer(name="Bob", starred=ids[:2])
        session.add(bob)
        await session.flush()
        session.add(Order(id=Gid.new("o"), customer_id=bob.id))
        await session.commit()
        found = (await session.execute(select(Customer, Order).join(Order).where(Customer.name == "Bob"))).one()
        shows("asynchronously: ids, made there and here", found.Customer.id.kind == "c" and found.Order.id.kind == "o")
        shows("an array of ids", found.Customer.starred == ids[:2])
        recent = select(Order.id).where(
            Order.id >= datetime.now(timezone.utc) - hour, Order.customer_id == found.Customer.id
        )
        shows("a range of time", (await session.execute(recent)).scalars().all() == [found.Order.id])
        session.add(Order(customer_id=found.Order.id))
        try:
            await session.flush()
            shows("a wrong kind is rejected", False)
        except StatementError as error:
            shows("a wrong kind is rejected", isinstance(error.orig, ValueError))
    await engine.dispose()


if sys.argv[1] == "psycopg2":
    asyncio.run(asynchronous())
