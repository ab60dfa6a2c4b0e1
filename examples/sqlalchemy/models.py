"""Customers, their orders, the lines of those, payments, and bookings of rooms."""

from sqlalchemy import Column, ForeignKey, Integer, Text, text
from sqlalchemy.dialects.postgresql import TSTZRANGE, ExcludeConstraint
from sqlalchemy.orm import declarative_base, relationship

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
    name = Column(Text, nullable=False)
    starred = Column(GidArray(OrderId), nullable=False, server_default=text("'{}'"))
    orders = relationship("Order", back_populates="customer", order_by="Order.id")


class Order(Base):
    __tablename__ = "orders"
    id = gid_key(OrderId)
    customer_id = Column(GidType(CustomerId), ForeignKey("customers.id"), nullable=False, index=True)
    customer = relationship("Customer", back_populates="orders")
    lines = relationship("Line", order_by="Line.id")


class Line(Base):
    __tablename__ = "lines"
    id = gid_key("l")
    order_id = Column(GidType(OrderId), ForeignKey("orders.id"), nullable=False, index=True)
    item = Column(Text, nullable=False)
    quantity = Column(Integer, nullable=False)


class Payment(Base):
    __tablename__ = "payments"
    id = gid_key("p")
    order_id = Column(GidType(OrderId), ForeignKey("orders.id"), nullable=False)
    cents = Column(Integer, nullable=False)


class Booking(Base):
    __tablename__ = "bookings"
    id = gid_key("b")
    room = Column(GidType("r"), nullable=False)
    during = Column(TSTZRANGE, nullable=False)
    __table_args__ = (ExcludeConstraint(("room", "="), ("during", "&&")),)
