"""Runs sections of doc/clients/python.md, each as one program, and shows what the drivers raise and read.  A comment with
the name of a file, at the top of a block, is where the block is written.

The variables of libpq name the server.  The examples of errors are those of doc/clients.md.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import alembic.command
import asyncpg
import psycopg
import psycopg2
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from psycopg.rows import dict_row
from psycopg.types.composite import CompositeInfo, register_composite
from psycopg2.extras import RealDictCursor
from sqlalchemy.ext.asyncio import create_async_engine

import pg_gid.psycopg
import pg_gid.psycopg2
from pg_gid import Gid
from pg_gid.sqlalchemy import GidArray, GidType

HERE = Path(__file__).resolve().parent
TREE = HERE.parents[1]
PAGE = (TREE / "doc/clients/python.md").read_text()
SHOP = (TREE / "examples/shop.sql").read_text()


class CustomerId(Gid, kind="c"):
    """The id of a customer."""


class OrderId(Gid, kind="o"):
    """The id of an order."""


def shows(what, *holds):
    print("ok -" if all(holds) else "not ok -", what, flush=True)


def error_of(call):
    """The error that a call ends in, if any."""
    try:
        call()
    except Exception as e:
        return e


def rows_of(text, header):
    """The cells of the rows below a header."""
    (rows,) = re.findall(rf"^{re.escape(header)}\n\|[-| ]+\|\n((?:\|.*\n)+)", text, re.M)
    return [re.split(r" *\| *", row.strip("| ")) for row in rows.splitlines()]


def begin(*statements):
    """An empty database with the extension, and what the statements create."""
    with psycopg.connect(autocommit=True) as connection:
        drops = "DROP EXTENSION IF EXISTS gid CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public"
        for statement in (drops, *(statements if statements == (SHOP,) else ("CREATE EXTENSION gid", *statements))):
            connection.execute(statement)


# What a reader of a section has already: files and tables; and the checks of what its blocks did.
HAS = {
    "Alembic": {
        "alembic.ini": "[alembic]\nscript_location = migrations",
        "migrations/env.py": """
import sqlalchemy as sa
from alembic import context
with sa.create_engine("postgresql+psycopg2://").begin() as connection:
    context.configure(connection=connection)
    context.run_migrations()
""",
        "sql": "CREATE TABLE payments (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), created_at timestamptz, at timestamptz);"
        "INSERT INTO payments SELECT gen_random_uuid(), at, at FROM generate_series('2026-01-01', '2026-01-09', interval '1 day') at",
        "checks": """
import psycopg
assert psycopg.connect().execute("SELECT bool_and(gid_timestamp(id) = at) FROM payments").fetchone() == (True,)
""",
    },
    "Django": {
        "manage.py": "import sys\nfrom django.core.management import execute_from_command_line as run\nrun(sys.argv)",
        "settings.py": """
import os
SECRET_KEY, ROOT_URLCONF, INSTALLED_APPS, ALLOWED_HOSTS = "of no use here", "shop.urls", ["shop"], ["*"]
DATABASES, USE_TZ = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"]}}, True
""",
        "shop/migrations/__init__.py": "",
        "sql": "DROP EXTENSION gid",
        "program.py": "import django\ndjango.setup()\n",
        "checks": """
from django.test import Client
from shop.forms import FilterForm
assert [Client().get(f"/orders/{id}/").status_code for id in (tea.id, ada.id)] == [200, 404]
assert FilterForm({"customer": ada.id}).is_valid() and not FilterForm({"customer": tea.id}).is_valid()
both = Customer.objects.values_list("id", flat=True).union(Order.objects.values_list("id", flat=True))
assert set(both) == {ada.id, tea.id}
""",
    },
}

for section in re.split(r"^## ", PAGE, flags=re.M):
    mark, name = (
        re.search(r"^<!-- blocks: clients/python/test_page\.py runs them (.*) -->$", section, re.M),
        section.splitlines()[0],
    )
    if mark:
        files, script = defaultdict(str, HAS.get(name, {})), "set -e\n"
        begin(*filter(None, [SHOP if "shop.sql" in mark[1] else files.pop("sql", None)]))
        for language, file, block in re.findall(r"^```(python|sh)\n(?:# (\S+\.py)\n)?(.*?)^```$", section, re.M | re.S):
            if language == "sh":
                script += block
            else:
                files[file or "program.py"] += block
        files["program.py"] += files.pop("checks", "")
        with tempfile.TemporaryDirectory() as folder:
            for file, text in files.items():
                Path(folder, file).parent.mkdir(parents=True, exist_ok=True)
                Path(folder, file).write_text(text)
            command = ["sh", "-c", script + "python3 -B program.py"]
            environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": f"{HERE}:{folder}"}
            ran = subprocess.run(
                command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
        shows(f"the blocks of {name}", ran.returncode == 0)
        print(re.sub("^", "# ", ran.stdout, flags=re.M))

# Errors.
begin(SHOP)
EXAMPLES = [
    (code, condition.strip("`").title().replace("_", ""), re.findall("`(.*?)`", examples))
    for _, code, condition, examples in rows_of(
        (TREE / "doc/clients.md").read_text(), "| case | SQLSTATE | condition | examples |"
    )
]


def raises(driver, execute, suffix="", unwrap=lambda error: error):
    """Shows that each example raises the code, with the class that is named as the condition."""
    for code, name, examples in EXAMPLES:
        for example in examples:
            try:
                execute(example)
                shows(f"{driver}: {example}", False)
            except Exception as error:
                cause = unwrap(error)
                found = [getattr(cause, "sqlstate", None) or cause.pgcode, type(cause).__name__]
                shows(f"{driver}: {example}: {found}", found == [code, name + suffix])


async def by_asyncpg(query):
    connection = await asyncpg.connect()
    try:
        await connection.fetch(query)
    finally:
        await connection.close()


def by_django(query):
    from django.conf import settings
    from django.db import connection

    if not settings.configured:
        databases = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"]}}
        settings.configure(DATABASES=databases, USE_TZ=True)
    connection.cursor().execute(query)


three, two = psycopg.connect(autocommit=True), psycopg2.connect("")
two.autocommit = True
engine = sa.create_engine("postgresql+psycopg2://")
raises("psycopg", three.execute)
raises("psycopg2", lambda query: two.cursor().execute(query))
raises("asyncpg", lambda query: asyncio.run(by_asyncpg(query)), suffix="Error")
raises("Django", by_django, unwrap=lambda error: error.__cause__)
for code, _, (example, *_) in EXAMPLES:
    try:
        with engine.begin() as connection:
            connection.execute(sa.text(example.replace("::", "\\:\\:")))
        shows(f"SQLAlchemy: {example}", False)
    except sa.exc.DBAPIError as error:
        shows(f"SQLAlchemy: {example}", error.orig.pgcode == code)

# Domains over domains, their arrays, and composite types.
begin(
    "CREATE DOMAIN any_order AS gid(o)",
    "CREATE DOMAIN order_id AS any_order",
    "CREATE TYPE basket_line AS (id order_id, ids order_id[])",
    "CREATE TABLE baskets (id order_id DEFAULT gid_new('o'), ids order_id[], anything gid, line basket_line)",
    "INSERT INTO baskets SELECT o, ARRAY[o, NULL], o, row(o, ARRAY[o])::basket_line FROM gid_new('o') o",
)
query, id = "SELECT id, ids FROM baskets", Gid(three.execute("SELECT id FROM baskets").fetchone()[0])
found = three.execute(f"{query} WHERE id = %s", [id]).fetchone()
shows("psycopg: without registration, text", found == (str(id), f"{{{id},NULL}}"))
shows("and bytes", three.execute("SELECT id FROM baskets", binary=True).fetchone()[0] == bytes(id))
with three.cursor() as cursor, cursor.copy("COPY baskets (id) TO STDOUT") as copy:
    shows("and COPY without a type", type(error_of(lambda: copy.set_types(["gid"]))) is KeyError)
    list(copy)
for driver, register, connection in (
    ("psycopg", pg_gid.psycopg.register_gid, psycopg.connect(row_factory=dict_row)),
    ("psycopg2", pg_gid.psycopg2.register_gid, psycopg2.connect("", cursor_factory=RealDictCursor)),
):
    register(connection)
    shows(f"{driver}: register_gid leaves no transaction open", connection.info.transaction_status == 0)
    cursor = connection.cursor()
    cursor.execute("CREATE TEMPORARY TABLE gid ()")
    register(connection)
    asked = "SELECT pg_typeof(%s)::text AS type, %s AS ids FROM baskets LEFT JOIN pg_temp.gid ON true"
    cursor.execute(asked, (id, [id, None]))
    expected = {"type": "pg_catalog.gid", "ids": [id, None]}
    shows(f"{driver}: in a transaction, next to a table gid, rows as dict", cursor.fetchone() == expected)
    cursor.execute("DROP EXTENSION gid CASCADE")
    refused = error_of(lambda: register(connection))
    shows(f"{driver}: {refused}", type(refused) is LookupError, "CREATE EXTENSION gid" in str(refused))
    connection.rollback()
    connection.close()
pg_gid.psycopg.register_gid(three)
pg_gid.psycopg2.register_gid(two)
for binary in False, True:
    shows(
        f"psycopg: an array of a domain, binary={binary}",
        three.execute(query, binary=binary).fetchall() == [(id, [id, None])],
    )
    for placeholder in "%s", "%t", "%b":
        sent = three.execute(f"SELECT {placeholder}, {placeholder}", (OrderId(id), [id, None]), binary=binary)
        shows(f"psycopg: {placeholder} where no type is known, binary={binary}", sent.fetchone() == (id, [id, None]))
    copy_format = "binary" if binary else "text"
    with three.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT {copy_format})") as copy:
        copy.set_types(["order_id", "order_id[]"])
        shows(f"psycopg: in COPY, {copy_format}", list(copy.rows()) == [(id, [id, None])])


async def by_psycopg():
    async with await psycopg.AsyncConnection.connect() as connection:
        await pg_gid.psycopg.register_gid_async(connection)
        return await (await connection.execute(query)).fetchone()


shows("psycopg: an asynchronous connection", asyncio.run(by_psycopg()) == (id, [id, None]))
register_composite(CompositeInfo.fetch(three, "basket_line"), three)
shows("psycopg: in a composite type", three.execute("SELECT line FROM baskets").fetchone()[0] == (id, [id]))
cursor = two.cursor()
cursor.execute(query)
shows("psycopg2: an array of a domain", cursor.fetchall() == [(id, [id, None])])
cursor.execute("SELECT %s, NULL::gid, id >= %s FROM baskets", (OrderId(id), id.time))
shows("psycopg2: a class of one kind, NULL, and a time", cursor.fetchall() == [(id, None, True)])


async def domains_by_asyncpg():
    connection = await asyncpg.connect()
    await connection.set_type_codec("gid", schema="pg_catalog", encoder=bytes, decoder=Gid, format="binary")
    row = await connection.fetchrow("SELECT id, ids, line FROM baskets")
    shows("asyncpg: an array of a domain, and a composite type", tuple(row) == (id, [id, None], (id, [id])))
    await connection.close()


asyncio.run(domains_by_asyncpg())
with engine.connect() as connection:
    connection.execute(sa.text("SELECT 1"))
    reflected = sa.Table("baskets", sa.MetaData(), autoload_with=connection)
    shows("SQLAlchemy: a reflected array of a domain", reflected.c.ids.type.kind == "o")
    shows("is read", connection.execute(sa.select(reflected.c.ids)).scalar() == [id, None])

# The statements call no function or operator of another role.
three.execute("CREATE SCHEMA decoys")
subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", TREE / "examples/decoys.sql"], check=True)
path = "decoys,pg_catalog,public"


def reflect_among_decoys():
    with engine.connect() as connection:
        connection.execute(sa.text(f"SET search_path = {path}"))
        found = connection.execute(pg_gid.sqlalchemy._KIND, {"table": "baskets", "column": "ids"}).one()
        assert tuple(found) == ("o", True), found


for name, call in {
    "psycopg": lambda: pg_gid.psycopg.register_gid(psycopg.connect(options=f"-c search_path={path}")),
    "psycopg2": lambda: pg_gid.psycopg2.register_gid(psycopg2.connect(options=f"-c search_path={path}")),
    "SQLAlchemy": reflect_among_decoys,
}.items():
    failed = error_of(call)
    shows(f"{name}: among decoys: {failed}", failed is None)
three.execute("DROP SCHEMA decoys CASCADE")

# SQLAlchemy: what works with uuid, but requires that the type is known, or that a result is not.
Customers, Orders = (
    sa.table(name, sa.column("id", GidType(cls)), sa.column("customer", GidType(CustomerId)))
    for name, cls in (("customers", CustomerId), ("orders", OrderId))
)
begin(SHOP)
three.execute("INSERT INTO customers (name) VALUES ('Ada'); INSERT INTO orders (customer) SELECT id FROM customers")
for driver in ("psycopg2", "asyncpg") + (("psycopg", "psycopg_async") if sa.__version__ >= "2" else ()):
    asynchronous = driver in ("asyncpg", "psycopg_async")
    engine = (create_async_engine if asynchronous else sa.create_engine)(f"postgresql+{driver}://")

    def probe(connection):
        def rows(query, **values):
            return connection.execute(query, values).all()

        ((order, customer),) = rows(sa.select(Orders.c.id, Orders.c.customer))
        listed = sa.values(sa.column("id", GidType(OrderId)), name="listed").data([(order,)])
        found = rows(sa.select(Orders.c.customer).join(listed, listed.c.id == Orders.c.id))
        shows(f"{driver}: ids in VALUES", found == [(customer,)])
        shows(f"{driver}: an empty list", rows(sa.select(Orders.c.id).where(Orders.c.id.in_([]))) == [])
        both = [row[0] for row in rows(sa.union_all(sa.select(Orders.c.id), sa.select(Customers.c.id)))]
        shows(f"{driver}: ids of two kinds in a union", both == [order, customer], [*map(type, both)] == [OrderId, Gid])
        query = sa.text("SELECT array_agg(id), coalesce(:a, max(id)) FROM orders WHERE id = ANY(:ids)")
        shows(f"{driver}: ids in text()", rows(query, a=order, ids=[order]) == [([order], order)])
        shows(f"{driver}: a date", rows(sa.select(Orders.c.id).where(Orders.c.id >= date(2026, 1, 1))) == [(order,)])

    def probe_time(connection):
        query = sa.text("SELECT id FROM orders WHERE id >= :since")
        since = datetime.now(timezone.utc) - timedelta(hours=1)
        fails = bool(error_of(lambda: connection.execute(query, {"since": since})))
        shows(f"{driver}: a time in text() requires {'a' if fails else 'no'} cast", fails == (driver == "asyncpg"))

    if asynchronous:

        async def run_probe():
            async with engine.connect() as connection:
                await connection.run_sync(probe)
                if driver == "asyncpg":
                    raw = (await connection.get_raw_connection()).driver_connection
                    eve = CustomerId.new()
                    await raw.copy_records_to_table("customers", records=[(eve, "Eve")], columns=["id", "name"])
                    row = await raw.fetchval("SELECT row(id::gid, name) FROM customers WHERE id = $1", str(eve))
                    shows("asyncpg: COPY, and a record", tuple(row) == (eve, "Eve"))
                await connection.run_sync(probe_time)
            await engine.dispose()

        asyncio.run(run_probe())
    else:
        with engine.connect() as connection:
            probe(connection)
            probe_time(connection)
        engine.dispose()

# Alembic.
engine = sa.create_engine("postgresql+psycopg2://")
NAMES = "one", "other", "ones", "others"
for kinds, changed in (("o", None), 0), (("p", None), 2), ((None, None), 2), (("o", "o"), 2):
    begin("CREATE TABLE kinds (one gid(o), other gid, ones gid(o)[], others gid[])")
    types = [GidType(kind) for kind in kinds] + [GidArray(kind) for kind in kinds]
    metadata = sa.MetaData()
    sa.Table("kinds", metadata, *map(sa.Column, NAMES, types))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = [change[0][0] for change in compare_metadata(context, metadata)]
        shows(f"Alembic: kinds {kinds}", found == ["modify_type"] * changed)
begin()
metadata.create_all(engine)
with engine.connect() as connection:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    shows("Alembic: no difference after create_all", compare_metadata(context, metadata) == [])

# A connection that is older than the extension.
three.execute("DROP EXTENSION gid CASCADE")
with engine.begin() as connection:
    connection.execute(sa.text("CREATE EXTENSION gid"))
    sa.MetaData().create_all(connection)
    ids = connection.execute(sa.text("SELECT array_agg(gid_new('o'))")).scalar()
    shows("SQLAlchemy: a connection that created the extension knows ids after create_all", type(ids[0]) is Gid)

# A mock engine prints the statements of create_all.
printed = []
mock = sa.create_mock_engine(
    "postgresql+psycopg2://", lambda statement, *_: printed.append(str(statement.compile(mock)))
)
metadata.create_all(mock, checkfirst=False)
shows("SQLAlchemy: a mock engine prints CREATE TABLE", len(printed) == 1, "one gid(o)" in printed[0])

# What autogenerate writes is a program.
begin()
with tempfile.TemporaryDirectory() as folder:
    config = Config(f"{folder}/alembic.ini")
    alembic.command.init(config, f"{folder}/migrations")
    Path(folder, "migrations/env.py").write_text(
        """
import sqlalchemy as sa
from alembic import context
with sa.create_engine("postgresql+psycopg2://").begin() as connection:
    context.configure(connection=connection, target_metadata=context.config.attributes["metadata"])
    context.run_migrations()
"""
    )
    config.set_main_option("script_location", f"{folder}/migrations")
    config.attributes["metadata"] = metadata
    alembic.command.revision(config, autogenerate=True)
    alembic.command.upgrade(config, "head")
with engine.connect() as connection:
    shows("Alembic: runs what autogenerate wrote", sa.inspect(connection).has_table("kinds"))
