"""gid from Django: ids of the server's and of the program's, foreign keys, times, and what goes wrong with text."""

from datetime import datetime, timedelta, timezone

import django

django.setup()

from django.apps import apps
from django.contrib.postgres.aggregates import ArrayAgg
from django.core import serializers
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DataError, IntegrityError, connection, transaction
from django.db.migrations import AlterField
from django.db.migrations.state import ProjectState
from django.db.models import BooleanField, DateTimeField, Func, UUIDField, Value
from django.test.utils import CaptureQueriesContext

from pg_gid import Gid
from pg_gid.django import GidField
from shop.models import Booking, Customer, CustomerId, Line, LineId, Note, Order, TextOrder


def shows(what, holds):
    print("ok" if holds else "not ok", "-", what, flush=True)


def error(call, *arguments, **named):
    """The error that a call ends in, if any."""
    try:
        with transaction.atomic():
            call(*arguments, **named)
    except Exception as e:
        return e


def column(table, name):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid) FROM pg_attribute"
            " LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)"
            " WHERE attrelid = %s::regclass AND attname = %s",
            [table, name],
        )
        return cursor.fetchone()


# Migrations, on the connection of everything that follows, as when Django runs tests.

call_command("migrate", verbosity=0)

shows("a primary key has its kind and its default", column("shop_order", "id") == ("gid(o)", "gid_new('o'::text)"))
shows("a foreign key has the kind that it refers to", column("shop_order", "customer_id") == ("gid(c)", None))
shows("ids of any kind", column("shop_line", "about") == ("gid", None))
shows(
    "makemigrations finds nothing to do",
    error(call_command, "makemigrations", "--check", "--dry-run", verbosity=0) is None,
)


def alter(model, field):
    """Migrates the key of a model."""
    before = ProjectState.from_apps(apps)
    after = before.clone()
    operation = AlterField(model, "id", field)
    operation.state_forwards("shop", after)
    with connection.schema_editor() as editor:
        operation.database_forwards("shop", editor, before, after)
    found = column(f"shop_{model}", "id")
    with connection.schema_editor() as editor:
        operation.database_backwards("shop", editor, after, before)
    return found


shows(
    "another kind changes the type, the default and the references",
    alter("customer", GidField("k", primary_key=True)) == ("gid(k)", "gid_new('k'::text)")
    and alter("customer", UUIDField(primary_key=True)) == ("uuid", None)
    and alter("line", GidField("l", primary_key=True)) == ("gid(l)", "gid_new('l'::text)")
    and column("shop_customer", "id") == ("gid(c)", "gid_new('c'::text)")
    and column("shop_order", "customer_id") == ("gid(c)", None)
    and column("shop_line", "id") == ("gid(l)", None),
)

# Ids that the server makes.

with CaptureQueriesContext(connection) as queries:
    ada = Customer.objects.create(name="Ada")
shows("create, in one statement", len(queries) == 1 and type(ada.id) is CustomerId and ada.id.kind == "c")
tea = ada.orders.create(item="tea")
milk = Order(customer_id=str(ada.id), item="milk")
milk.save()
shows("save, with text for a key", isinstance(milk.pk, Gid) and tea.id < milk.id)
with CaptureQueriesContext(connection) as queries:
    many = Order.objects.bulk_create(Order(customer=ada, item=f"item {n}") for n in range(100))
shows(
    "bulk_create, in one statement",
    len(queries.captured_queries) <= 3
    and len({order.id for order in many}) == 100
    and Order.objects.get(pk=many[50].id).item == "item 50",
)
bread = Order.objects.create(id=Gid.new("o", datetime(2026, 1, 1, tzinfo=timezone.utc)), customer=ada, item="bread")

# Ids that the program makes.

line = Line(order=tea)
shows("an id before it is saved", type(line.id) is LineId and line.pk is line.id)
line.save()
lines = Line.objects.bulk_create(Line(order=milk, about=ada.id) for _ in range(100))
shows("bulk_create of these", Line.objects.filter(id__in=[line.id for line in lines], about=ada.id).count() == 100)

# Reading.

shows("get, by text", Order.objects.get(pk=str(tea.id)) == tea and Order.objects.get(id=tea.id.compact) == tea)
shows(
    "joins",
    type(Order.objects.select_related("customer").get(pk=tea.pk).customer.id) is CustomerId
    and Customer.objects.filter(orders__lines=line).get() == ada,
)
tea.item = "green tea"
tea.save()
shows("save() updates an existing row", Order.objects.filter(item="green tea").get() == tea)
shows(
    "serialized, and back",
    [o.object for o in serializers.deserialize("json", serializers.serialize("json", [tea]))] == [tea],
)

# Arrays.

note = Note.objects.create(refs=[tea.id, str(milk.id)])
note.refresh_from_db()
shows("an array field", note.refs == [tea.id, milk.id] and type(note.refs[0]) is Gid)
shows("searched", Note.objects.get(refs__contains=[milk.id]) == note)
collected = Order.objects.filter(pk__in=[tea.pk, milk.pk]).aggregate(ids=ArrayAgg("id", ordering="id"))["ids"]
shows("ids in an aggregate", collected == [tea.id, milk.id] and type(collected[0]) is Gid)
collected = Line.objects.filter(order=tea).aggregate(ids=ArrayAgg("about"))["ids"]
shows("NULL in an aggregate", collected == [None])
with connection.cursor() as cursor:
    cursor.execute("SELECT id, ARRAY[id] FROM shop_order WHERE id = %s", [str(tea.id)])
    shows("SQL of your own", cursor.fetchone() == (tea.id, [tea.id]))

# Times.

now = datetime.now(timezone.utc)
recent = Order.objects.filter(id__gte=now - timedelta(hours=1), id__lt=now + timedelta(hours=1))
shows("a range of time", recent.count() == 102 and bread not in recent)
with connection.cursor() as cursor:
    cursor.execute("ANALYZE; SET enable_seqscan = off")
shows("is a range of the index", "Index Cond: ((id >= " in recent.explain())
between = Func(Value(now - timedelta(hours=1)), Value(now + timedelta(hours=1)), function="tstzrange")
within = Order.objects.filter(Func("id", between, function="gid_within", output_field=BooleanField()))
shows("within a range", within.count() == 102 and "Index Cond: ((id >= " in within.explain())
shows("beside a foreign key", Line.objects.filter(order__gte=now - timedelta(hours=1)).count() == 101)
creation = Func("id", function="gid_timestamp", output_field=DateTimeField())
made_at = Order.objects.annotate(made_at=creation).get(pk=tea.pk).made_at
shows("when it was made, read by Python and by PostgreSQL", tea.id.time == made_at)

# What is wrong is said.

refused = error(Order.objects.create, customer_id=tea.id, item="an order is no customer")
shows(f"a wrong kind is rejected: {refused}", isinstance(refused, ValidationError) and 'kind "o"' in str(refused))
refused = error(Order.objects.filter, id__gt="tea")
shows(f"invalid text is rejected: {refused}", isinstance(refused, ValidationError))
shows(
    "no row has an invalid id, or one of another kind",
    all(isinstance(error(Order.objects.get, pk=no), Order.DoesNotExist) for no in ("tea", "", str(ada.id), 7))
    and Order.objects.exclude(pk="tea").count() == Order.objects.count(),
)
shows(
    "a Gid of another kind is not sent",
    all(isinstance(error(Order.objects.filter, **{f"id{by}": ada.id}), ValidationError) for by in ("", "__lt", "__gte"))
    and isinstance(error(Order.objects.filter, id__in=[ada.id]), ValidationError),
)
shows(
    "the bound above the kind is sent",
    Order.objects.filter(id__gte=Gid.lower_bound("o", 0), id__lt=Gid.upper_bound("o", 10**30)).count() == Order.objects.count(),
)
shows(
    "full_clean",
    error(Order(customer=ada, item="salt").full_clean) is None
    and isinstance(error(Order(customer=ada, item="salt", id="salt").full_clean), ValidationError),
)

room, hour = Gid.new("r"), timedelta(hours=1)
Booking.objects.create(room=room, during=(now, now + hour))
twice = Booking(room=room, during=(now, now + 2 * hour))
refused = error(twice.save)
shows(f"a room is not booked twice at a time: {refused}".splitlines()[0], isinstance(refused, IntegrityError))

# What not to do: a text field for the same column.

refused = error(TextOrder.objects.create, customer=str(ada.id), item="rice")
shows(f"with a TextField, create sends no id but '': {refused}".splitlines()[0], 'type gid: ""' in str(refused))
refused = error(TextOrder.objects.filter(id__gte=now).count)
shows(f"with a TextField, a time is rejected: {refused}".splitlines()[0], isinstance(refused, DataError))
