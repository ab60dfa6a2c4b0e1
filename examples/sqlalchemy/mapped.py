"""Models in the style of SQLAlchemy 2, which type checkers understand: an order's id is no customer's."""

import sys
from typing import List, Optional, Type, TypeVar

from sqlalchemy import ForeignKey, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from pg_gid import Gid
from pg_gid.sqlalchemy import GidArray, GidType, gid_key
from show import shows


class CustomerId(Gid, kind="c"):
    """The id of a customer."""


class OrderId(Gid, kind="o"):
    """The id of an order."""


class Base(DeclarativeBase):
    # Then Mapped[OrderId] alone is a column of gid(o).
    type_annotation_map = {CustomerId: GidType(CustomerId), OrderId: GidType(OrderId)}


class Customer(Base):
    __tablename__ = "mapped_customers"
    id: Mapped[CustomerId] = gid_key(CustomerId)
    starred: Mapped[List[OrderId]] = mapped_column(GidArray(OrderId))


class Order(Base):
    __tablename__ = "mapped_orders"
    id: Mapped[OrderId] = gid_key(OrderId)
    customer_id: Mapped[CustomerId] = mapped_column(ForeignKey("mapped_customers.id"))
    replaces: Mapped[Optional[OrderId]]


class Line(Base):
    __tablename__ = "mapped_lines"
    id: Mapped[Gid] = mapped_column(GidType("l"), primary_key=True, insert_default=lambda: Gid.new("l"))
    order_id: Mapped[OrderId] = mapped_column(GidType(OrderId))


T = TypeVar("T", bound=Base)


def load(session: Session, cls: Type[T], id: Gid) -> T:
    return session.get_one(cls, id)


def is_an_error(order: Order, line: Line) -> CustomerId:
    """Only for a type checker.  With --strict it reports a comment "type: ignore" that is not needed."""
    order.customer_id = order.id  # type: ignore[assignment]
    order.replaces = line.id  # type: ignore[assignment]
    return order.id  # type: ignore[return-value]


engine = create_engine(f"postgresql+{sys.argv[1]}://")
Base.metadata.create_all(engine)
with Session(engine) as session:
    made: OrderId = OrderId.new()
    ada = Customer(starred=[made])
    session.add(ada)
    session.flush()
    order = Order(customer_id=ada.id, replaces=made)
    session.add(order)
    session.add(Line(order_id=made))
    session.flush()
    session.expire_all()

    id: OrderId = load(session, Order, order.id).id
    replaces: Optional[OrderId] = order.replaces
    starred: List[OrderId] = ada.starred
    found = session.scalars(select(Order.customer_id).where(Order.id == id)).one()
    same: CustomerId = found
    shows(
        "Mapped: each value is of its class",
        (type(id), type(replaces), type(starred[0]), type(same)) == (OrderId, OrderId, OrderId, CustomerId),
    )
    shows(
        "annotations alone give columns their kinds",
        [str(column.type) for column in Order.__table__.columns] == ["gid(o)", "gid(c)", "gid(o)"]
        and [column.nullable for column in Order.__table__.columns] == [False, False, True],
    )
    session.rollback()
Base.metadata.drop_all(engine)
