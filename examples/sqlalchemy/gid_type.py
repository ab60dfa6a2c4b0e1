"""What SQLAlchemy, 1.4 or 2, has to know of gid.  Copy this file into a program of yours.

A driver hands an id over as text, in both directions, so nothing is to be set up in the driver.
"""

from datetime import date, datetime, timedelta, timezone

from sqlalchemy import Column, Integer, Text, cast, func, select, text, type_coerce
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import TypeDecorator, UserDefinedType

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Id(str):
    """An id as a program sees it: text, which sorts by time as the id does."""

    @property
    def made_at(self):
        """When the id was made, read from its first ten characters: the kind, and 48 bits of milliseconds."""
        number = 0
        for digit in self[:10]:
            number = number * 58 + BASE58.index(digit)
        return EPOCH + timedelta(milliseconds=number & 0xFFFFFFFFFFFF)


class Gid(UserDefinedType):
    """The column type: Gid("o") is gid(o), and Gid() takes ids of any kind."""

    cache_ok = True

    def __init__(self, kind=None):
        self.kind = kind

    def get_col_spec(self, **_):
        return f"gid({self.kind})" if self.kind else "gid"

    def bind_processor(self, dialect):
        return lambda value: None if value is None else str(value)

    def result_processor(self, dialect, coltype):
        return lambda value: None if value is None else Id(value)

    def coerce_compared_value(self, op, value):
        """What stands beside an id is an id, too, but for times to compare it with, and numbers to add."""
        if isinstance(value, date):
            return TIMESTAMP(timezone=True)
        if isinstance(value, int):
            return Integer()
        return self

    class comparator_factory(UserDefinedType.Comparator):
        @property
        def made_at(self):
            return cast(self.expr, TIMESTAMP(timezone=True))


class GidArray(TypeDecorator):
    """gid(kind)[].  Drivers know how to read text[], but not gid[]."""

    impl = ARRAY
    cache_ok = True

    def __init__(self, kind=None):
        super().__init__(Gid(kind))
        self.kind = kind

    def __repr__(self):
        return f"GidArray(kind={self.kind!r})"  # for Alembic to write

    def column_expression(self, column):
        return type_coerce(cast(column, ARRAY(Text)), self)


def gid_key(kind, name="id"):
    """The primary key of a table: minted by the server, and fetched with the INSERT that needs it."""
    return Column(name, Gid(kind), primary_key=True, server_default=text(f"gid_new('{kind}')"))


def reserve(session, kind, count):
    """Ids for as many new rows.  SQLAlchemy 2 makes one INSERT of rows whose ids it knows; of others it makes one each,
    since PostgreSQL does not say which of several rows got which id."""
    first = select(func.gid_reserve(kind, count, type_=Gid(kind)).label("id")).subquery()
    return session.execute(select(first.c.id + func.generate_series(0, count - 1))).scalars().all()


# Reflection, and Alembic by it, sees Gid in place of NullType.
ischema_names["gid"] = Gid
