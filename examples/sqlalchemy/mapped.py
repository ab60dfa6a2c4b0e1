"""Models in the style of SQLAlchemy 2, which mypy understands: an order's id is no customer's."""

from typing import List, Optional

from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from pg_gid import Gid
from pg_gid.sqlalchemy import GidArray, GidType, gid_key
from models import CustomerId, OrderId


class Base(DeclarativeBase):
    # Then Mapped[OrderId] alone is a column of gid(o).
    type_annotation_map = {CustomerId: GidType(CustomerId), OrderId: GidType(OrderId)}


class Order(Base):
    __tablename__ = "mapped_orders"
    id: Mapped[OrderId] = gid_key(OrderId)
    customer_id: Mapped[CustomerId]
    replaces: Mapped[Optional[OrderId]]
    starred: Mapped[List[OrderId]] = mapped_column(GidArray(OrderId))
    line_id: Mapped[Gid] = mapped_column(GidType("l"))


def is_an_error(session: Session) -> CustomerId:
    """Only for a type checker.  With --strict it reports a comment "type: ignore" that is not needed."""
    order = session.get_one(Order, OrderId.new())
    starred: List[OrderId] = order.starred
    order.customer_id = order.id  # type: ignore[assignment]
    order.replaces = order.line_id  # type: ignore[assignment]
    return starred[0]  # type: ignore[return-value]


types = [(str(column.type), column.nullable) for column in Order.__table__.columns][:3]
holds = types == [("gid(o)", False), ("gid(c)", False), ("gid(o)", True)]
print("ok" if holds else "not ok", "- annotations alone give columns their kinds")
