"""Takes the database up and down with Alembic, with rows in it."""

import warnings
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, Table, create_engine, inspect, select, text
from sqlalchemy.dialects.postgresql.base import ischema_names

from pg_gid import Gid
from pg_gid.sqlalchemy import GidType
from models import Base, Payment


def shows(what, holds):
    print("ok" if holds else "not ok", "-", what, flush=True)


config = Config("alembic.ini")
engine = create_engine("postgresql+psycopg2://")


def query(sql):
    with engine.begin() as connection:
        result = connection.execute(text(sql))
        return result.fetchall() if result.returns_rows else []


def type_of(table, column):
    with engine.connect() as connection:
        return next(c["type"] for c in inspect(connection).get_columns(table) if c["name"] == column)


def differences(defaults=True):
    """What autogenerate would migrate: the kinds of change."""
    options = {"compare_type": True, "compare_server_default": defaults}
    with engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection, opts=options), Base.metadata)
    return sorted(change[0][0] if isinstance(change, list) else change[0] for change in found)


# A revision to make all of it, from an empty database; only to look at.
command.stamp(config, "head")
revision = Path(command.revision(config, "all", rev_id="0003", autogenerate=True).path)
shows(
    "autogenerate writes the types",
    all(
        f"sa.Column({column}" in revision.read_text()
        for column in (
            """'id', pg_gid.sqlalchemy.GidType('c'), server_default=sa.text("gid_new('c'::text)"), nullable=False)""",
            """'starred', pg_gid.sqlalchemy.GidArray('o'), server_default=sa.text("'{}'"), nullable=False)""",
        )
    ),
)
revision.unlink()
command.stamp(config, "base")

command.upgrade(config, "0001")
query(
    """
    WITH customer AS (INSERT INTO customers (name) VALUES ('Ada') RETURNING id),
         ordered AS (INSERT INTO orders (customer_id) SELECT id FROM customer RETURNING id)
    INSERT INTO payments (order_id, cents, created_at)
    SELECT id, cents, now() - cents * interval '1 day' FROM ordered, generate_series(1, 1000) cents
    RETURNING id
"""
)
shows("the first revision makes the extension and the tables", str(type_of("payments", "id")) == "UUID")
# Alembic lets the server compare two defaults, which fails for one of uuid and one of gid.
shows("autogenerate sees what is not migrated yet", differences(defaults=False) == ["modify_type", "remove_column"])

before = query("SELECT cents, date_trunc('milliseconds', created_at) FROM payments ORDER BY created_at")
command.upgrade(config, "head")
shows("the second turns a uuid into a gid", type_of("payments", "id").kind == "p")
shows("with each payment's time in its id", query("SELECT cents, gid_timestamp(id) FROM payments ORDER BY id") == before)
shows("autogenerate finds no difference", differences() == [])
Payment.__table__.c.id.type = GidType("q")
shows("autogenerate detects another kind", differences() == ["modify_type"])
Payment.__table__.c.id.type = GidType(240)
shows("a kind by its number is the same kind", differences() == [])
Payment.__table__.c.id.type = GidType("p")
query("ALTER TABLE payments ALTER id SET DEFAULT gid_random('p')")
shows("autogenerate detects another default", differences() == ["modify_default"])
query("ALTER TABLE payments ALTER id SET DEFAULT gid_new('p')")

column = type_of("orders", "customer_id")
shows("reflection knows the type and its kind", isinstance(column, GidType) and column.kind == "c")
shows("reflection returns the kind of an array", str(type_of("customers", "starred").compile(engine.dialect)) == "gid(o)[]")

query("CREATE DOMAIN order_id AS gid(o)")
query("CREATE TABLE reflected AS SELECT '{A4Kf8D9WdY-43mteQbJqV73k}'::gid(o)[] AS ids, NULL::order_id AS id")
with engine.connect() as connection:
    reflected = Table("reflected", MetaData(), autoload_with=connection)
    ids = connection.execute(select(reflected.c.ids)).scalar()
shows("a reflected array can be read", ids == [Gid("A4Kf8D9WdY-43mteQbJqV73k")])
type_ = reflected.c.id.type
shows("a domain has the kind of what it is over", getattr(type_, "data_type", type_).kind == "o")
query("DROP TABLE reflected; DROP DOMAIN order_id")

# Without what pg_gid.sqlalchemy adds to it.
del ischema_names["gid"]
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    unknown = type_of("orders", "customer_id")
shows(f"without the types SQLAlchemy warns: {caught[0].message if caught else ''}", str(unknown) == "NULL" and len(caught) > 0)
ischema_names["gid"] = GidType

ids = query("SELECT id::uuid, gid_timestamp(id) FROM payments ORDER BY payments.id")
command.downgrade(config, "0001")
shows("a downgrade keeps the bytes and the time", query("SELECT id, created_at FROM payments ORDER BY id") == ids)
command.downgrade(config, "base")
shows(
    "and another takes all away",
    query("SELECT FROM pg_extension WHERE extname = 'gid'") == []
    and inspect(engine).get_table_names() == ["alembic_version"],
)
command.upgrade(config, "head")
shows("from where it goes up again", differences() == [])
