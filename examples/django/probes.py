"""What a program does with a UUIDField works with a GidField, from the key to JSON, or fails as the page says.

A time is compared with the id in place of a field created_at.
"""

import json
import re
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

import django

django.setup()

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, connection, models, transaction
from django.db.models import Case, Count, Exists, F, Max, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.forms import modelform_factory
from django.http import JsonResponse

from pg_gid import Gid
from pg_gid.django import GidField

PAGE = re.sub(r"\s+", " ", (Path(__file__).parents[2] / "doc/clients/python.md").read_text())
NOW = datetime.now(timezone.utc)
HOUR = timedelta(hours=1)

# What fails with gid: a part of the error, and the sentence of the page.
ENCODER = "not JSON serializable", "Django's encoder writes a `UUID`, and no type of another package"
DOCUMENTED = {
    "get by an id of another table": ("ValidationError", "but a `Gid` of another kind raises the error"),
    "a str": ("ValidationError", "A time in a `str` is invalid text"),
    "the date of the time": ("Unsupported lookup", "The lookup `__date` requires a time"),
    "JsonResponse": ENCODER,
    "JSONField": ENCODER,
}


def classes(is_gid):
    """The same models with either field."""
    label = "probes_gid" if is_gid else "probes_uuid"

    def key(kind):
        return GidField(kind, primary_key=True) if is_gid else models.UUIDField(primary_key=True, default=uuid.uuid4)

    def field(kind, **options):
        return GidField(kind, **options) if is_gid else models.UUIDField(**options)

    class Customer(models.Model):
        id = key("c")
        name = models.TextField()

        class Meta:
            app_label = label

    class Order(models.Model):
        id = key("o")
        customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="orders")
        about = field("o", null=True, blank=True)
        refs = ArrayField(field("o"), default=list, blank=True)
        data = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
        item = models.TextField()
        if not is_gid:
            created_at = models.DateTimeField(auto_now_add=True)

        class Meta:
            app_label = label

    return Customer, Order


def probes(Customer, Order):
    """Calls by their names, each of which returns whether the result is right."""
    ada, eve = Customer.objects.create(name="Ada"), Customer.objects.create(name="Eve")
    Order.objects.bulk_create(Order(customer=ada, item=f"item {n}") for n in range(5))
    orders, table = Order.objects.order_by("id"), Order._meta.db_table
    ids = list(orders.values_list("id", flat=True))
    first, cls = ids[0], type(ids[0])
    at = "id" if cls is Gid else "created_at"

    def sql(query, *values):
        with connection.cursor() as cursor:
            cursor.execute(query.replace("orders", table), values)
            return cursor.fetchone()[0]

    def fails(error, call):
        try:
            call()
        except error:
            return True

    def count(*conditions, **named):
        return Order.objects.filter(*conditions, **named).count()

    def saved(order):
        order.save()
        return Order.objects.get(pk=order.pk)

    def updated(value):
        return Order.objects.filter(pk=first).update(about=value) == 1 and Order.objects.get(pk=first).about

    def bulk_updated():
        changed = [Order(id=id, about=first) for id in ids]
        return Order.objects.bulk_update(changed, ["about"]) in (None, 5) and count(about=first) == 5

    def form():
        fields = modelform_factory(Order, fields=["customer", "about", "refs", "item"])
        filled = fields({"customer": str(ada.id), "about": str(first), "refs": str(first), "item": "tea"})
        return filled.is_valid() and filled.save().about == first

    has_orders = Exists(Order.objects.filter(customer=OuterRef("pk")))
    latest = Order.objects.filter(customer=OuterRef("pk")).order_by("-id").values("id")[:1]
    return {
        "get by id": lambda: Order.objects.get(pk=first).id == first,
        "get by str of id": lambda: Order.objects.get(id=str(first)).id == first,
        "get by an id of another table": lambda: fails(Order.DoesNotExist, lambda: Order.objects.get(pk=ada.id)),
        "get by garbage": lambda: fails(
            (Order.DoesNotExist, ValidationError, ValueError), lambda: Order.objects.get(pk="tea")
        ),
        "in a list": lambda: count(id__in=ids[:2]) == 2,
        "in a query": lambda: count(id__in=Order.objects.filter(item="item 1").values("id")) == 1,
        "in_bulk": lambda: Order.objects.in_bulk(ids[:2])[first].item.startswith("item"),
        "exclude": lambda: Order.objects.exclude(pk=first).count() == 4,
        "Q": lambda: count(Q(pk=first) | Q(about=first)) == 1,
        "F": lambda: count(about=F("id")) == 0,
        "isnull": lambda: count(about__isnull=True) == 5,
        "a range of ids": lambda: count(id__range=(first, ids[2])) == 3,
        "a page before an id": lambda: orders.filter(id__lt=ids[3]).reverse()[0].id == ids[2],
        "a part of the text": lambda: count(id__icontains=str(first)[-12:].lower()) == 1,
        "the start of the text": lambda: count(id__startswith=str(first)) == 1,
        "select_related": lambda: Order.objects.select_related("customer").get(pk=first).customer == ada,
        "prefetch_related": lambda: [
            len(c.orders.all()) for c in Customer.objects.order_by("name").prefetch_related("orders")
        ]
        == [5, 0],
        "over a foreign key": lambda: count(customer__id=ada.id) == count(customer=ada.id) == count(customer=ada) == 5,
        "values_list and a dict": lambda: dict(Order.objects.values_list("id", "item"))[first].startswith("item"),
        "distinct": lambda: list(Order.objects.values_list("customer", flat=True).distinct()) == [ada.id],
        "union": lambda: len(orders.filter(pk=first).values("id").union(orders.values("id"))) == 5,
        "Count": lambda: Order.objects.values("customer").annotate(n=Count("id")).get() == {"customer": ada.id, "n": 5},
        "Max": lambda: Order.objects.aggregate(m=Max("id"))["m"] == ids[-1],
        "ArrayAgg": lambda: sorted(Order.objects.aggregate(ids=ArrayAgg("id"))["ids"]) == ids,
        "Exists": lambda: Customer.objects.filter(has_orders).get() == ada,
        "Subquery": lambda: Customer.objects.annotate(last=Subquery(latest)).get(pk=ada.pk).last == ids[-1],
        "Coalesce": lambda: Order.objects.annotate(x=Coalesce("about", "id")).get(pk=first).x == first,
        "Coalesce of a value": lambda: Order.objects.annotate(
            x=Coalesce("about", Value(first, output_field=Order._meta.pk))
        )
        .get(pk=ids[1])
        .x
        == first,
        "Case": lambda: Order.objects.annotate(x=Case(When(pk=first, then=F("id")), default=F("about"))).get(pk=first).x
        == first,
        "an array": lambda: saved(Order(customer=ada, item="refs", refs=ids[:2])).refs == ids[:2],
        "in an array": lambda: count(refs__contains=[first]) == 1,
        "raw": lambda: Order.objects.raw("SELECT * FROM " + table + " WHERE id = %s", [first])[0].id == first,
        "cursor, an id": lambda: str(sql("SELECT id FROM orders WHERE id = %s", first)) == str(first),
        "cursor, a list": lambda: sql("SELECT count(*) FROM orders WHERE id = ANY(%s)", ids[:2]) == 2,
        "cursor, a list of str": lambda: sql(
            "SELECT count(*) FROM orders WHERE id = ANY(%s::" + ("gid" if cls is Gid else "uuid") + "[])",
            [str(id) for id in ids[:2]],
        )
        == 2,
        "cursor, coalesce": lambda: sql("SELECT count(*) FROM orders WHERE id = coalesce(%s, id)", first) == 1,
        "cursor, array_agg": lambda: [str(id) for id in sql("SELECT array_agg(id ORDER BY id) FROM orders")][:5]
        == [str(id) for id in ids],
        # Times.
        "a time": lambda: count(**{f"{at}__gte": NOW - HOUR}) == count(),
        "a naive time": lambda: count(**{f"{at}__gte": datetime(2026, 1, 1)}) == count(),
        "a date": lambda: count(**{f"{at}__gte": (NOW - timedelta(days=2)).date()}) == count(),
        "a str": lambda: count(**{f"{at}__gte": "2026-01-01"}) == count(),
        "a range of times": lambda: count(**{f"{at}__range": (NOW - HOUR, NOW + HOUR)}) == count(),
        "the date of the time": lambda: count(**{f"{at}__date": NOW.date()}) == count(),
        "latest": lambda: Order.objects.latest(at).id is not None,
        "cursor, a time": lambda: sql(f"SELECT count(*) FROM orders WHERE {at} >= %s", NOW - HOUR) == count(),
        # Changes.
        "update_or_create": lambda: Order.objects.update_or_create(id=first, defaults={"item": "again"})[1] is False,
        "get_or_create": lambda: Order.objects.get_or_create(id=first, defaults={"item": "x"})[0].id == first,
        "update": lambda: updated(first) == first,
        "update with str": lambda: updated(str(first)) == first,
        "bulk_update": bulk_updated,
        "save again": lambda: saved(Order.objects.get(pk=first)).about == first,
        "a foreign key of str": lambda: saved(Order(customer_id=str(ada.id), item="str")).customer_id == ada.id,
        "a foreign key of another table": lambda: fails(
            (IntegrityError, ValidationError), lambda: saved(Order(customer_id=first, item="wrong"))
        ),
        "form": form,
        "JsonResponse": lambda: json.loads(JsonResponse({"id": first}).content) == {"id": str(first)},
        "JSONField": lambda: saved(Order(customer=ada, item="json", data={"id": first})).data == {"id": str(first)},
    }


def run(is_gid):
    """For each name, None if the call returns True, else what is wrong."""
    both = classes(is_gid)
    with connection.schema_editor() as editor:
        for model in both:
            editor.create_model(model)
    found = {}
    for name, call in probes(*both).items():
        try:
            with transaction.atomic():  # an error ends only its own transaction
                result = call()
            found[name] = None if result is True else f"returned {result!r}"
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    with connection.schema_editor() as editor:
        for model in reversed(both):
            editor.delete_model(model)
    return found


of_uuid = run(False)
for name, reason in run(True).items():
    part, sentence = DOCUMENTED.get(name, (None, None))
    if part:
        holds = reason is not None and part in reason and sentence in PAGE
    else:
        holds = reason is None or of_uuid[name] is not None
    note = "" if reason is None else f" # {reason}" + (f"; with uuid: {of_uuid[name]}" if of_uuid[name] else "")
    print("ok -" if holds else "not ok -", f"{connection.Database.__name__}: {name}{note}", flush=True)
