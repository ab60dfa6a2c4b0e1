"""SQLAlchemy, 1.4 or 2, and Alembic: columns of gid(kind), whose values are Gid, times compared with them, and arrays.

A driver hands an id over as text, in both directions, so nothing is to be set up in the driver.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Callable, List, Optional, Type, Union

from sqlalchemy import Column, Integer, Table, Text, cast, event, func, select, text, type_coerce
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import TypeDecorator, UserDefinedType

from . import Gid, Kind
from ._codec import NAMES, prefix_of

__all__ = ["GidType", "GidArray", "gid_key", "reserve"]


class GidType(UserDefinedType):  # type: ignore[type-arg,unused-ignore]
    """The column type: GidType("o") is gid(o), and GidType() is of ids of any kind.

    GidType(OrderId) has the kind of the class, and its values are OrderId.
    """

    cache_ok = True

    def __init__(self, kind: Union[Kind, Type[Gid], None] = None, python_class: Type[Gid] = Gid) -> None:
        if isinstance(kind, type):
            python_class = kind
        prefix = kind._prefix_of_class if isinstance(kind, type) else None if kind is None else prefix_of(kind)
        # SQLAlchemy copies a type by the names of these arguments.
        self.kind = None if prefix is None else NAMES.get(prefix, str(prefix))
        self.python_class = python_class

    def __repr__(self) -> str:
        return f"GidType(kind={self.kind!r})" if self.kind else "GidType()"  # for Alembic to write

    @property
    def python_type(self) -> Type[Gid]:
        return self.python_class

    def get_col_spec(self, **_: Any) -> str:
        return f"gid({self.kind})" if self.kind else "gid"

    def bind_processor(self, dialect: Any) -> Callable[[Any], Any]:
        # A time that a parameter without a type turns out to be goes to the driver as it is.
        return lambda value: value if value is None or isinstance(value, date) else str(value)

    def literal_processor(self, dialect: Any) -> Callable[[Any], str]:
        return lambda value: f"'{Gid(value)}'"

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Optional[Gid]]:
        return lambda value: None if value is None else self.python_class(value)

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """What an id is compared with is an id, too, except times, and numbers to add."""
        if isinstance(value, date):
            return TIMESTAMP(timezone=True)
        if isinstance(value, int):
            return Integer()
        return self

    class comparator_factory(UserDefinedType.Comparator):  # type: ignore[name-defined,misc,unused-ignore]
        @property
        def time(self) -> Any:
            """When the id was made, as the server says."""
            return cast(self.expr, TIMESTAMP(timezone=True))


class GidArray(TypeDecorator):  # type: ignore[type-arg,unused-ignore]
    """gid(kind)[].  Drivers know how to read text[], but not gid[]."""

    impl = ARRAY
    cache_ok = True

    def __init__(self, kind: Union[Kind, Type[Gid], None] = None) -> None:
        super().__init__(GidType(kind))
        self.kind = self.impl.item_type.kind

    def __repr__(self) -> str:
        return f"GidArray(kind={self.kind!r})"  # for Alembic to write

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """What an array is compared with is an array, but a subscript is a number."""
        return Integer() if isinstance(value, int) else self

    def column_expression(self, column: Any) -> Any:
        return type_coerce(cast(column, ARRAY(Text)), self)


def gid_key(kind: Union[Kind, Type[Gid]], name: str = "id") -> Any:
    """The primary key of a table: made by the server, and fetched with the INSERT that needs it."""
    type_ = GidType(kind)
    # As PostgreSQL writes it, so that Alembic finds no difference.
    return Column(name, type_, primary_key=True, server_default=text(f"gid_new('{type_.kind}'::text)"))


def reserve(session: Any, kind: Kind, count: int) -> List[Gid]:
    """Ids of the server's for as many new rows, in a row."""
    first = select(func.gid_reserve(kind, count, type_=GidType(kind)).label("id")).subquery()
    return list(session.execute(select(first.c.id + func.generate_series(0, count - 1))).scalars())


# Reflection, and Alembic by it, sees GidType in place of NullType.
ischema_names["gid"] = GidType


DOMAIN_KIND = text(
    """SELECT typtypmod FROM pg_attribute JOIN pg_type t ON t.oid = atttypid
    WHERE attrelid = to_regclass(:relation) AND attname = :name AND typtype = 'd' AND typtypmod >= 0"""
)


@event.listens_for(Table, "column_reflect")
def _reflect(inspector: Any, table: Any, column: Any) -> None:
    """Gives a reflected table arrays that can be read, and the kind of a domain."""
    type_ = getattr(column["type"], "data_type", column["type"])  # version 2 has a type for domains
    if isinstance(type_, ARRAY) and isinstance(type_.item_type, GidType):
        column["type"] = GidArray(type_.item_type.kind)
    elif isinstance(type_, GidType):
        column["type"] = type_
        if type_.kind is None:
            relation = inspector.dialect.identifier_preparer.format_table(table)
            with inspector._operation_context() as connection:
                prefix = connection.scalar(DOMAIN_KIND, {"relation": relation, "name": column["name"]})
            column["type"] = GidType(prefix)
