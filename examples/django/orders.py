"""gid from Django: migrations, ids of the server's and of the program's, foreign keys, arrays, times, errors."""

from datetime import datetime, timedelta, timezone

import django

django.setup()

from django.apps import apps
from django.contrib.postgres.aggregates import ArrayAgg
from django.core import serializers
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations import AlterField
from django.db.migrations.state import ProjectState
from django.db.models import BooleanField, DateTimeField, Func, UUIDField, Value
from django.test.utils import CaptureQueriesContext

from pg_gid import Gid
from pg_gid.django import GidField
from shop.models import Customer, CustomerId, Line, LineId, Note, Order


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

# Rows.

with CaptureQueriesContext(connection) as queries:
    ada = Customer.objects.create(name="Ada")
shows("create, in one statement", len(queries) == 1 and type(ada.id) is CustomerId and ada.id.kind == "c")
tea = Order(customer_id=str(ada.id), item="tea")
tea.save()
shows("save, with text for a key", isinstance(tea.pk, Gid) and Order.objects.get(pk=str(tea.id)) == tea)
many = Order.objects.bulk_create(Order(customer=ada, item=f"item {n}") for n in range(100))
shows("bulk_create", Order.objects.get(pk=many[50].id).item == "item 50")
bread = Order.objects.create(id=Gid.new("o", datetime(2026, 1, 1, tzinfo=timezone.utc)), customer=ada, item="bread")
line = Line(order=tea, about=ada.id)
shows("an id that the program makes", type(line.id) is LineId and line.pk is line.id)
line.save()
shows(
    "joins",
    type(Order.objects.select_related("customer").get(pk=tea.pk).customer.id) is CustomerId
    and Customer.objects.filter(orders__lines=line).get() == ada,
)
shows("serialized, and back", [o.object for o in serializers.deserialize("json", serializers.serialize("json", [tea]))] == [tea])

# Arrays.

note = Note.objects.create(refs=[tea.id, str(bread.id)])
note.refresh_from_db()
shows("an array field", note.refs == [tea.id, bread.id] and type(note.refs[0]) is Gid)
shows("searched", Note.objects.get(refs__contains=[bread.id]) == note)
collected = Order.objects.filter(pk__in=[tea.pk, bread.pk]).aggregate(ids=ArrayAgg("id", ordering="id"))["ids"]
shows("ids in an aggregate", collected == [bread.id, tea.id] and type(collected[0]) is Gid)

# Times.

now = datetime.now(timezone.utc)
recent = Order.objects.filter(id__gte=now - timedelta(hours=1), id__lt=now + timedelta(hours=1))
shows("a range of time", recent.count() == 101 and bread not in recent)
with connection.cursor() as cursor:
    cursor.execute("ANALYZE; SET enable_seqscan = off")
shows("is a range of the index", "Index Cond: ((id >= " in recent.explain())
between = Func(Value(now - timedelta(hours=1)), Value(now + timedelta(hours=1)), function="tstzrange")
within = Order.objects.filter(Func("id", between, function="gid_within", output_field=BooleanField()))
shows("within a range", within.count() == 101)
shows("beside a foreign key", Line.objects.filter(order__gte=now - timedelta(hours=1)).get() == line)
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
    all(isinstance(error(Order.objects.get, pk=no), Order.DoesNotExist) for no in ("tea", "", str(ada.id), 7)),
)
shows(
    "a Gid of another kind is not sent",
    all(isinstance(error(Order.objects.filter, **{f"id{by}": ada.id}), ValidationError) for by in ("", "__lt", "__gte"))
    and isinstance(error(Order.objects.filter, id__in=[ada.id]), ValidationError),
)
shows(
    "full_clean",
    error(Order(customer=ada, item="salt").full_clean) is None
    and isinstance(error(Order(customer=ada, item="salt", id="salt").full_clean), ValidationError),
)
