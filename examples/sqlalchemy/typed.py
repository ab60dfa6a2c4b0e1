"""Models of SQLAlchemy 2, whose annotations say the kinds."""

from typing import List, Optional

from sqlalchemy import ForeignKey, create_engine, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

from pg_gid import Gid
from pg_gid.sqlalchemy import GidArray, GidType, gid_key
from show import shows


class CustomerId(Gid, kind="c"):
    pass


class OrderId(Gid, kind="o"):
    pass


class Base(DeclarativeBase):
    type_annotation_map = {CustomerId: GidType(CustomerId), OrderId: GidType(OrderId), Gid: GidType()}


class Customer(Base):
    __tablename__ = "typed_customers"
    id: Mapped[CustomerId] = gid_key(CustomerId)
    starred: Mapped[List[OrderId]] = mapped_column(GidArray(OrderId), server_default=text("'{}'"))


class Order(Base):
    __tablename__ = "typed_orders"
    id: Mapped[OrderId] = gid_key(OrderId)
    customer_id: Mapped[CustomerId] = mapped_column(ForeignKey(Customer.id))
    about: Mapped[Optional[Gid]]
    customer: Mapped[Customer] = relationship()


def customer_of(order: Order) -> CustomerId:
    return order.customer_id


def wrong(order: Order) -> OrderId:
    return order.customer_id  # type: ignore[return-value]


def equal(order: Order, customer: Customer) -> bool:
    return order.id == customer.id  # type: ignore[comparison-overlap]


engine = create_engine("postgresql+psycopg2://")
Base.metadata.create_all(engine)
with Session(engine) as session:
    ada = Customer()
    order = Order(customer=ada)
    session.add(order)
    session.flush()
    session.refresh(order)
    shows("ids are of the classes", type(order.id) is OrderId and type(customer_of(order)) is CustomerId)
    ada.starred = [order.id]
    order.about = ada.id
    session.flush()
    session.expire_all()
    shows("in arrays, too, and of any kind", type(ada.starred[0]) is OrderId and order.about == ada.id)
    types = {column.name: column.type.compile(engine.dialect) for column in Order.__table__.c}
    shows("columns have their kinds", types == {"id": "gid(o)", "customer_id": "gid(c)", "about": "gid"})
