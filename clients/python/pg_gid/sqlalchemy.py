"""SQLAlchemy, 1.4 or 2, and Alembic: columns of gid(kind), whose values are Gid, times beside them, and arrays.

A driver hands an id over as text, in both directions, so nothing is to be set up in the driver.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Callable, List, Optional, Union

from sqlalchemy import Column, Integer, Text, cast, func, select, text, type_coerce
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import TypeDecorator, UserDefinedType

from pg_gid import Gid

__all__ = ["GidType", "GidArray", "gid_key", "reserve"]


class GidType(UserDefinedType):
    """The column type: GidType("o") is gid(o), and GidType() takes ids of any kind."""

    cache_ok = True
    python_type = Gid

    def __init__(self, kind: Union[str, int, None] = None) -> None:
        self.kind = kind

    def get_col_spec(self, **_: Any) -> str:
        return f"gid({self.kind})" if self.kind else "gid"

    def bind_processor(self, dialect: Any) -> Callable[[Any], Optional[str]]:
        return lambda value: None if value is None else str(value)

    def literal_processor(self, dialect: Any) -> Callable[[Any], str]:
        return lambda value: f"'{Gid(value)}'"

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Optional[Gid]]:
        return lambda value: None if value is None else Gid(value)

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """What stands beside an id is an id, too, but for times to compare it with, and numbers to add."""
        if isinstance(value, date):
            return TIMESTAMP(timezone=True)
        if isinstance(value, int):
            return Integer()
        return self

    class comparator_factory(UserDefinedType.Comparator):
        @property
        def time(self) -> Any:
            """When the id was made, as the server says."""
            return cast(self.expr, TIMESTAMP(timezone=True))


class GidArray(TypeDecorator):
    """gid(kind)[].  Drivers know how to read text[], but not gid[]."""

    impl = ARRAY
    cache_ok = True

    def __init__(self, kind: Union[str, int, None] = None) -> None:
        super().__init__(GidType(kind))
        self.kind = kind

    def __repr__(self) -> str:
        return f"GidArray(kind={self.kind!r})"  # for Alembic to write

    def column_expression(self, column: Any) -> Any:
        return type_coerce(cast(column, ARRAY(Text)), self)


def gid_key(kind: Union[str, int], name: str = "id") -> Any:
    """The primary key of a table: made by the server, and fetched with the INSERT that needs it."""
    return Column(name, GidType(kind), primary_key=True, server_default=text(f"gid_new('{kind}')"))


def reserve(session: Any, kind: str, count: int) -> List[Gid]:
    """Ids of the server's for as many new rows, in a row."""
    first = select(func.gid_reserve(kind, count, type_=GidType(kind)).label("id")).subquery()
    return list(session.execute(select(first.c.id + func.generate_series(0, count - 1))).scalars())


# Reflection, and Alembic by it, sees GidType in place of NullType.
ischema_names["gid"] = GidType
