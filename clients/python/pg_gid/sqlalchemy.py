"""SQLAlchemy, 1.4 or 2, and Alembic: columns of gid(kind).

Connections of all engines that use psycopg, psycopg2 or asyncpg know ids: Gid as a parameter also where no column says
its type, and Gid and lists of Gid in results.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from datetime import date
from functools import lru_cache
from importlib import import_module
from sys import modules
from typing import TYPE_CHECKING, Any, Callable, Generic, Optional, Type, Union, overload

from sqlalchemy import Column, Integer, MetaData, Table, Text, cast, event, func, text, type_coerce
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.engine import Connection
from sqlalchemy.pool import Pool
from sqlalchemy.types import TypeDecorator, TypeEngine, UserDefinedType

from pg_gid import AnyGid, Gid, Kind, class_and_kind, parameter_of, result_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Mapped

    # Generic is for SQLAlchemy 1.4, and where it is not installed.
    class _Type(UserDefinedType[AnyGid], Generic[AnyGid]):
        pass

else:

    class _Type(UserDefinedType, Generic[AnyGid]):
        """SQLAlchemy 1.4 has no generic types."""


class GidType(_Type[AnyGid]):
    """The type of a column: GidType(OrderId) and GidType("o") are gid(o), GidType() is gid, which accepts any kind.

    The values of the first are OrderId, which is class OrderId(Gid, kind="o").  Those of the others are Gid.
    """

    cache_ok = True

    @overload
    def __init__(self: GidType[Gid], kind: Optional[Kind] = None) -> None:
        ...

    @overload
    def __init__(self, kind: Type[AnyGid]) -> None:
        ...

    def __init__(self, kind: Any = None, gid_class: Any = None) -> None:
        # SQLAlchemy copies and caches types by their parameters, so that the class must be one.
        of_kind, self.kind = class_and_kind(kind)
        self.gid_class: Any = gid_class or of_kind

    def __repr__(self) -> str:
        return f"GidType({self.kind!r})" if self.kind else "GidType()"  # what Alembic writes

    def get_col_spec(self, **_: Any) -> str:
        # Alembic would otherwise not see a difference between gid and gid(o).
        return f"gid({self.kind})" if self.kind else "pg_catalog.gid"

    def bind_processor(self, dialect: Any) -> Callable[[Any], Any]:
        # A bindparam next to an id has this type before it has its value, which can be a time.
        return lambda value: value if value is None or isinstance(value, date) else parameter_of(value, self.kind)

    def literal_processor(self, dialect: Any) -> Callable[[Any], str]:
        return lambda value: f"'{parameter_of(value, self.kind)}'"

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Optional[AnyGid]]:
        return lambda value: None if value is None else result_of(value, self.gid_class)

    def bind_expression(self, bindvalue: Any) -> Any:
        # Where no column says the type of a value, such as in VALUES, PostgreSQL reads text.  The value of a bindparam with
        # a name can be a time, and a list can be empty.
        return cast(bindvalue, GidType()) if bindvalue.unique and not bindvalue.expanding else bindvalue

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """The type of a value next to an id: an id, or a time to compare with."""
        return TIMESTAMP(timezone=True) if isinstance(value, date) else self

    class comparator_factory(TypeEngine.Comparator):
        @property
        def time(self) -> Any:
            """The creation time of the id, computed by the server."""
            return func.gid_timestamp(self.expr, type_=TIMESTAMP(timezone=True))


class GidArray(TypeDecorator):
    """The type of a column of gid(kind)[]: GidArray(OrderId), GidArray("o") or GidArray().  Drivers can read text[]."""

    impl = ARRAY
    cache_ok = True

    def __init__(self, kind: Union[Type[Gid], Kind, None] = None, gid_class: Any = None) -> None:
        item: Any = GidType(kind, gid_class)  # type: ignore[call-overload]  # for SQLAlchemy only
        self.kind, self.gid_class = item.kind, item.gid_class
        super().__init__(item)

    def __repr__(self) -> str:
        return f"GidArray({self.kind!r})" if self.kind else "GidArray()"

    def column_expression(self, column: Any) -> Any:
        return type_coerce(cast(column, ARRAY(Text)), self)

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """The type of a value next to an array: an array, but the number of an element."""
        return Integer() if isinstance(value, int) else self


@overload
def gid_key(kind: Type[AnyGid], name: str = "id") -> Mapped[AnyGid]:
    ...


@overload
def gid_key(kind: Kind, name: str = "id") -> Any:
    ...


def gid_key(kind: Any, name: str = "id") -> Any:
    """The primary key of a table.  The server mints it, and the INSERT returns it."""
    type_ = GidType(kind)
    # As PostgreSQL shows the default, so that Alembic finds no difference.
    default = text(f"gid_new('{type_.kind}'::text)")
    return Column(name, type_, primary_key=True, server_default=default)


@lru_cache(maxsize=None)
def _register_with_alembic(implementation: Any) -> None:
    """Migrations that autogenerate writes import this module.  Alembic adds imports of PostgreSQL's own types only."""
    render = implementation.render_type

    def render_type(self: Any, type_: Any, context: Any) -> Any:
        if isinstance(type_, (GidType, GidArray)):
            context.imports.add(f"import {__name__}")
        return render(self, type_, context)

    implementation.render_type = render_type


def _register(connection: Any, record: Any) -> None:
    """Registers ids with the driver of a connection.  Without the extension, does nothing."""
    if "alembic.ddl.postgresql" in modules:
        _register_with_alembic(modules["alembic.ddl.postgresql"].PostgresqlImpl)
    own = record.driver_connection
    drivers = {base.__module__.partition(".")[0] for base in type(own).__mro__}
    with suppress(LookupError):
        if "psycopg2" in drivers:
            import_module("pg_gid.psycopg2").register_gid(own)
        elif "psycopg" in drivers and connection is own:
            import_module("pg_gid.psycopg").register_gid(own)
        elif "psycopg" in drivers:
            connection.run_async(import_module("pg_gid.psycopg").register_gid_async)
        elif "asyncpg" in drivers:
            connection.run_async(_register_asyncpg)


async def _register_asyncpg(connection: Any) -> None:
    if await connection.fetchval("SELECT pg_catalog.to_regtype('pg_catalog.gid')") is not None:
        # COPY and records are in binary.  GidType sends text.
        options = {"encoder": lambda value: bytes(Gid(value)), "decoder": Gid, "format": "binary"}
        await connection.set_type_codec("gid", schema="pg_catalog", **options)


event.listen(Pool, "connect", _register)


@event.listens_for(MetaData, "after_create")
def _register_again(metadata: Any, connection: Any, **_: Any) -> None:
    """A program that creates the extension has connected before."""
    fairy = getattr(connection, "connection", None)
    if fairy is not None:  # a mock engine only prints the statements
        _register(fairy.dbapi_connection, fairy._connection_record)


# Reflection, and so Alembic, finds GidType in place of NullType.
ischema_names["gid"] = GidType


@event.listens_for(Table, "column_reflect")
def _reflect(inspector: Any, table: Any, column: Any) -> None:
    """Completes the type of a reflected column: GidArray can be read, and a domain over gid(kind) has the kind."""
    base = _base_of(column["type"])
    is_array = isinstance(base, ARRAY)
    item = _base_of(base.item_type) if is_array else base
    if not isinstance(item, GidType):
        return
    if not item.kind:
        bind = inspector.bind
        with nullcontext(bind) if isinstance(bind, Connection) else bind.connect() as connection:
            names = {"table": inspector.dialect.identifier_preparer.format_table(table), "column": column["name"]}
            # SQLAlchemy 1.4 does not see that a column is an array of a domain.
            item.kind, is_array = connection.execute(_KIND, names).one()
    if is_array:
        column["type"] = GidArray(item.kind)


def _base_of(type_: Any) -> Any:
    """SQLAlchemy 2 shows a domain as a type of its own, and 1.4 as the type that it is over."""
    while hasattr(type_, "data_type"):
        type_ = type_.data_type
    return type_


# The kind of a column of domains and arrays.
_KIND = text(
    "WITH RECURSIVE types AS ("
    " SELECT atttypid AS type, atttypmod AS kind, false AS is_array FROM pg_catalog.pg_attribute"
    " WHERE attrelid OPERATOR(pg_catalog.=) CAST(:table AS pg_catalog.regclass)"
    " AND attname OPERATOR(pg_catalog.=) CAST(:column AS pg_catalog.name)"
    " UNION ALL"
    " SELECT CASE WHEN typtype OPERATOR(pg_catalog.=) 'd' THEN typbasetype ELSE typelem END, greatest(kind, typtypmod),"
    " is_array OR typcategory OPERATOR(pg_catalog.=) 'A'"
    " FROM types JOIN pg_catalog.pg_type ON oid OPERATOR(pg_catalog.=) type"
    " WHERE typtype OPERATOR(pg_catalog.=) 'd' OR typcategory OPERATOR(pg_catalog.=) 'A')"
    r" SELECT pg_catalog.substring(pg_catalog.format_type(type, kind), '\((.*)\)'), is_array FROM types"
    " WHERE type OPERATOR(pg_catalog.=) CAST('pg_catalog.gid' AS pg_catalog.regtype)"
)
