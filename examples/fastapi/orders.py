"""SQLAlchemy 1.4 and 2, and Alembic: ids in models, compared with times, in arrays, and rejected.

python3 orders.py DRIVER
"""

import asyncio
import sys
from datetime import datetime, timedelta, timezone

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Column, ForeignKey, Integer, MetaData, Table, bindparam, create_engine, event, func, select, text
from sqlalchemy.exc import StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import Session, declarative_base, relationship

from pg_gid import Gid
from pg_gid.sqlalchemy import GidArray, GidType, gid_key

Base = declarative_base()


class CustomerId(Gid, kind="c"):
    """The id of a customer."""


class OrderId(Gid, kind="o"):
    """The id of an order."""


class Customer(Base):
    __tablename__ = "customers"
    id = gid_key(CustomerId)
    starred = Column(GidArray(OrderId), nullable=False, server_default=text("'{}'"))
    orders = relationship("Order", back_populates="customer", order_by="Order.id")


class Order(Base):
    __tablename__ = "orders"
    id = gid_key(OrderId)
    customer_id = Column(GidType(CustomerId), ForeignKey("customers.id"), nullable=False, index=True)
    customer = relationship("Customer", back_populates="orders")


class Payment(Base):
    __tablename__ = "payments"
    id = gid_key("p")
    cents = Column(Integer, nullable=False)


def shows(what, holds):
    print("ok" if holds else "not ok", "-", f"{sys.argv[1]}: {what}", flush=True)


def differences():
    """What autogenerate would migrate: the kinds of change."""
    found = compare_metadata(migration, Base.metadata)
    return sorted(change[0][0] if isinstance(change, list) else change[0] for change in found)


engine = create_engine(f"postgresql+{sys.argv[1]}://")
with engine.begin() as connection:
    migration = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    connection.execute(text("CREATE EXTENSION IF NOT EXISTS gid"))
    types = [repr(type_) for type_ in (GidType(CustomerId), GidArray("o"), GidType())]
    shows(f"autogenerate writes {', '.join(types)}", types == ["GidType('c')", "GidArray('o')", "GidType()"])
    Base.metadata.create_all(connection)
    shows("autogenerate finds no difference", differences() == [])
    column = Payment.__table__.c.id
    column.type = GidType("q")
    shows("autogenerate detects another kind", differences() == ["modify_type"])
    column.type = GidType("p")

    connection.execute(text("CREATE DOMAIN order_id AS gid(o)"))
    connection.execute(text("CREATE TEMP TABLE reflected AS SELECT '{A4Kf8D9WdY-43mteQbJqV73k}'::gid(o)[] AS ids, NULL::order_id AS id"))
    reflected = Table("reflected", MetaData(), autoload_with=connection)
    shows("a reflected array can be read", connection.execute(select(reflected.c.ids)).scalar() == [Gid("A4Kf8D9WdY-43mteQbJqV73k")])
    type_ = reflected.c.id.type
    shows("a reflected domain has the kind", getattr(type_, "data_type", type_).kind == "o")
    connection.execute(text("DROP TABLE reflected; DROP DOMAIN order_id"))

now = datetime.now(timezone.utc).replace(microsecond=0)  # ids contain milliseconds
hour = timedelta(hours=1)

with Session(engine) as session:
    ada = Customer(orders=[Order(), Order()])
    session.add(ada)
    session.flush()
    first = ada.orders[0]
    shows("the server mints the ids", type(ada.id) is CustomerId and type(first.id) is OrderId and first.customer_id == ada.id)
    shows("get, by an id that is a plain string", session.get(Order, str(first.id)) is first)
    made_at = session.execute(select(Order.id.time).where(Order.id == first.id)).scalar_one()
    shows("the creation time, read by Python and by PostgreSQL", first.id.time == made_at)

    # Many objects, in few statements: their ids are minted first, by the server or by the program.
    sent = []
    event.listen(engine, "before_cursor_execute", lambda *args: sent.append(args[2]))
    minted = select(func.gid_new("o", type_=GidType("o"))).select_from(func.generate_series(1, 1000))
    session.add_all([Order(id=id, customer_id=ada.id) for id in session.execute(minted).scalars()])
    session.add_all(Order(id=Gid.new("o"), customer_id=ada.id) for _ in range(1000))
    session.flush()
    shows(f"two thousand objects in {len(sent)} statements", 2 <= len(sent) < 20)
    rows = [{"id": func.gid_random("o", now - timedelta(minutes=n)), "customer_id": ada.id} for n in range(1, 101)]
    ids = session.execute(sa.insert(Order).values(rows).returning(Order.id)).scalars().all()

    recent = select(Order.id).where(Order.id >= now - hour, Order.id < now)
    within = select(Order.id).where(func.gid_within(Order.id, func.tstzrange(now - hour, now)))
    shows("a range of time, also as one value", [len(session.execute(query).all()) for query in (recent, within)] == [60, 60])
    older = select(func.count()).where(Order.id < bindparam("time"))
    shows("a time that is passed later", session.scalar(older, {"time": now - hour}) == 40)
    shows("IN a list", len(session.execute(select(Order).where(Order.id.in_(ids[:3]))).all()) == 3)

    ada.starred = ids[:2]
    session.commit()
    shows("an array of ids, written and read", ada.starred == ids[:2] and type(ada.starred[0]) is OrderId)
    elements = session.execute(select(Customer.starred[1], Customer.starred[2:2])).one()
    shows("its elements and slices", tuple(elements) == (ids[0], [ids[1]]) and type(elements[0]) is OrderId)
    shows("searched", session.scalar(select(Customer.id).where(Customer.starred.contains([ids[1]]))) == ada.id)

    # An id of another kind is an error before it is sent.
    payment = Gid.new("p")
    for statement in (
        *(select(Order).where(condition) for condition in (Order.id == payment, Order.id < payment, Order.id.in_([payment]))),
        sa.insert(Order).values(customer_id=ids[0]),
        sa.insert(Customer).values(starred=[ada.id]),
    ):
        try:
            session.execute(statement)
            shows(f"not sent: {statement}", False)
        except StatementError as error:
            shows(f"not sent: {error}".splitlines()[0], isinstance(error.orig, ValueError))


async def asynchronous():
    """The same models with asyncpg."""
    engine = create_async_engine("postgresql+asyncpg://")
    async with AsyncSession(engine, expire_on_commit=False) as session:
        bob = Customer(starred=ids[:2])
        session.add(bob)
        await session.flush()
        session.add(Order(id=Gid.new("o"), customer_id=bob.id))
        await session.commit()
        recent = select(Customer, Order).join(Order).where(Order.id >= datetime.now(timezone.utc) - hour, Customer.id == bob.id)
        found = (await session.execute(recent)).one()
        shows("asyncpg: ids, arrays and times", found.Customer.starred == ids[:2] and found.Order.id.kind == "o")
    await engine.dispose()


if sys.argv[1] == "psycopg2":
    asyncio.run(asynchronous())
Base.metadata.drop_all(engine)
