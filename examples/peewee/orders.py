"""gid from peewee: a field, ids of the server's and of the program's, times compared with them, and what goes wrong."""

import os
from datetime import date, datetime, timedelta, timezone

from peewee import SQL, DataError, Field, ForeignKeyField, Model, PostgresqlDatabase, TextField, fn

from pg_gid import Gid

# libpq's variables say where the server is.
db = PostgresqlDatabase(os.environ["PGDATABASE"])


class GidField(Field):
    """GidField("o") is a column of gid(o), and GidField() takes ids of any kind.  The server makes primary keys."""

    auto_increment = True  # so that bulk_create does not send NULL for an id

    def __init__(self, kind=None, **named):
        self.field_type = f"gid({kind})" if kind else "gid"
        if named.get("primary_key"):
            named.setdefault("constraints", [SQL(f"DEFAULT gid_new('{kind}')")])
        super().__init__(**named)

    def db_value(self, value):
        return value if value is None or isinstance(value, date) else str(value)

    def python_value(self, value):
        return None if value is None else Gid(value)


class Base(Model):
    class Meta:
        database = db


class Customer(Base):
    id = GidField("c", primary_key=True)
    name = TextField()


class Order(Base):
    id = GidField("o", primary_key=True)
    customer = ForeignKeyField(Customer, backref="orders")
    item = TextField()


class TextOrder(Base):
    """What not to do: a text field for a column that is a gid."""

    id = TextField(primary_key=True)
    item = TextField()

    class Meta:
        table_name = "order"


def shows(what, holds):
    print("ok" if holds else "not ok", "-", what, flush=True)


def error(call, *arguments, **named):
    """The error that a call ends in, if any."""
    try:
        with db.atomic():
            call(*arguments, **named)
    except Exception as e:
        return e


def code(raised):
    """The SQLSTATE of an error, if the server raised it."""
    return raised.orig.pgcode if isinstance(raised, DataError) else None


db.execute_sql("CREATE EXTENSION gid")
db.create_tables([Customer, Order])
columns = db.execute_sql(
    "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
    " WHERE attrelid = '\"order\"'::regclass AND attnum > 0 ORDER BY attnum"
)
shows("columns have their kinds, and references", columns.fetchall() == [("gid(o)",), ("gid(c)",), ("text",)])

# Ids that the server makes.

ada = Customer.create(name="Ada")
tea = Order.create(customer=ada, item="tea")
milk = Order(customer=str(ada.id), item="milk")
milk.save()
shows("create and save return the default", isinstance(tea.id, Gid) and tea.id.kind == "o" and tea.id < milk.id)
many = [Order(customer=ada, item=f"item {n}") for n in range(100)]
Order.bulk_create(many)
shows("bulk_create too", milk.id < many[0].id and len({order.id for order in many}) == 100)
rows = [{"customer": ada, "item": "salt"}, {"customer": ada.id, "item": "rice"}]
salt, rice = Order.insert_many(rows).returning(Order.id)
shows("insert_many returns them in order", many[-1].id < salt.id < rice.id)

# Read.

shows("by id, also as text", Order.get_by_id(str(tea.id)) == tea and Order.get(Order.id == tea.id) == tea)
shows("a list of ids", Order.select().where(Order.id.in_([tea.id, str(milk.id)])).count() == 2)
shows("a foreign key, from both ends", tea.customer == ada and ada.orders.count() == 104)
joined = Order.select(Order, Customer).join(Customer).where(Customer.name == "Ada").order_by(Order.id)
shows("a join, in order", [order.id for order in joined[:2]] == [tea.id, milk.id])
shows("max", Order.select(fn.max(Order.id)).scalar() == rice.id)
ids = Order.select(fn.array_agg(Order.id).cast("text[]")).where(Order.item.in_(["salt", "rice"])).scalar()
shows("an array, as text[]", sorted(ids) == [str(salt.id), str(rice.id)])

# Times.

soon = datetime.now(timezone.utc) + timedelta(minutes=1)
recent = Order.select().where(Order.id >= soon - timedelta(hours=1), Order.id < soon)
shows("a range of time", recent.count() == 104)
shows("between", Order.select().where(Order.id.between(soon, soon + timedelta(hours=1))).count() == 0)
shows("of a foreign key", Order.select().where(Order.customer < soon).count() == 104)
query, parameters = recent.sql()
plan = db.execute_sql(f"SET enable_seqscan = off; EXPLAIN {query}", parameters).fetchall()
shows("is a range of the index", any("Cond: ((id >= " in line for line, in plan))
made_at = Order.select(Order.id.cast("timestamptz")).where(Order.id == tea.id).scalar()
shows("when a row was made", made_at == tea.id.time)

# Ids that the program makes.

bread = Order(id=Gid.new("o"), customer=ada, item="bread")
shows("save of a new id updates nothing", bread.save() == 0 and Order.get_or_none(Order.id == bread.id) is None)
shows("force_insert inserts it", bread.save(force_insert=True) == 1 and Order.get_by_id(bread.id).item == "bread")
given = Gid.new("o")
Order.bulk_create([oil := Order(id=given, customer=ada, item="oil")])
shows("bulk_create puts one of the server's in its place", oil.id != given and Order.get(Order.item == "oil") == oil)
Order.insert_many([{"id": given, "customer": ada, "item": "wine"}]).execute()
shows("insert_many does not", Order.get(Order.item == "wine").id == given)

# What is wrong.

refused = error(Order.create, customer=tea.id, item="an order is no customer")
shows(f"a wrong kind is rejected: {refused}".splitlines()[0], code(refused) == "22023")
shows("invalid text", code(error(Order.get_or_none, Order.id == "tea")) == "22P02")
shows("a time in a str", code(error(Order.select().where(Order.id >= "2026-01-01").count)) == "22P02")
shows("a datetime beside a TextField", code(error(TextOrder.select().where(TextOrder.id >= soon).count)) == "22P02")
