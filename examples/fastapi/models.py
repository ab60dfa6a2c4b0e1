"""The tables.  An OrderId is the id of an order, and no other id."""

from datetime import datetime

from sqlalchemy import ForeignKey, create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from pg_gid import Gid
from pg_gid.sqlalchemy import GidType, gid_key


class CustomerId(Gid, kind="c"):
    """The id of a customer."""


class OrderId(Gid, kind="o"):
    """The id of an order."""


class Base(DeclarativeBase):
    # Mapped[OrderId] is a column of gid(o).
    type_annotation_map = {CustomerId: GidType(CustomerId), OrderId: GidType(OrderId)}


class Customer(Base):
    __tablename__ = "customers"
    id: Mapped[CustomerId] = gid_key(CustomerId)
    name: Mapped[str]


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[OrderId] = gid_key(OrderId)
    customer: Mapped[CustomerId] = mapped_column(ForeignKey("customers.id"))

    @property
    def created_at(self) -> datetime:
        return self.id.time


# libpq's variables say where the server is.
engine = create_engine("postgresql+psycopg://")
