"""gid in what Django shows: forms, URLs, JSON, the administration, and Django REST framework."""

import json

import django

django.setup()

from django.contrib.auth.models import User
from django.forms import modelform_factory
from django.test import Client
from django.urls import NoReverseMatch, reverse

from pg_gid import Gid
from pg_gid.django import GidFormField
from shop.models import Customer, CustomerId, Line, Note, Order


def shows(what, holds):
    print("ok" if holds else "not ok", "-", what, flush=True)


def get(path):
    """The status of a page and what it shows."""
    answer = client.get(path)
    return answer.status_code, answer.content.decode()


client = Client(raise_request_exception=False)
ada = Customer.objects.create(name="Ada")
tea = Order.objects.create(customer=ada, item="tea")
log = Gid.new("log")

# Forms.

NoteForm = modelform_factory(Note, fields=["ref", "text"])
form = NoteForm({"ref": "", "text": "none"})
saved = form.save() if form.is_valid() else Note(ref=log)
shows("an optional field that is empty is NULL", saved.ref is None and Note.objects.get(pk=saved.pk).ref is None)
form = NoteForm({"ref": f" {tea.id} ", "text": "one"})
shows("text becomes an id", form.is_valid() and form.save().ref == tea.id)
shows("a form with the same id has not changed", not NoteForm({"ref": str(tea.id), "text": "one"}, instance=form.instance).has_changed())
for wrong in "tea", str(log):
    form = NoteForm({"ref": wrong})
    shows(f"{form.errors.get('ref', [None])[0]}", list(form.errors) == ["ref"])
field = GidFormField(kind=CustomerId, required=False)
shows("a form without a model", type(field.clean(str(ada.id))) is CustomerId and field.clean("") is None)
OrderForm = modelform_factory(Order, fields=["customer", "item"])
shows("a reference is chosen by its id", OrderForm({"customer": str(ada.id), "item": "milk"}).is_valid())
shows("a form rejects other values", all(not OrderForm({"customer": no, "item": "milk"}).is_valid() for no in ("x", str(tea.id))))

# URLs.

shows("a path is made from an id", reverse("order", args=[tea.id]) == f"/orders/{tea.id}/")
status, text = get(f"/orders/{tea.id}/")
shows("the URL of an id finds the order", status == 200 and json.loads(text) == {"id": str(tea.id), "customer": str(ada.id), "item": "tea"})
wrong = ["garbage", str(log), str(ada.id), "A4Kf8D9WdY-43mteQbJqV73l", str(Gid.new("o"))]
shows("invalid text, other kinds and missing rows: 404", {get(f"/orders/{no}/")[0] for no in wrong} == {404})
try:
    shows("no path is made from another kind", not reverse("order", args=[log]))
except NoReverseMatch:
    shows("no path is made from another kind", True)

# The administration.

User.objects.filter(username="root").delete()
client.force_login(User.objects.create_superuser("root"))
status, text = get("/admin/shop/order/")
shows("a list, with links", status == 200 and f'href="/admin/shop/order/{tea.id}/change/"' in text)
shows("searched by id", "1 result" in get(f"/admin/shop/order/?q={tea.id}")[1])
client.post("/admin/shop/order/add/", {"customer": str(ada.id), "item": "bread"})
bread = Order.objects.get(item="bread", customer=ada)
shows("a new row", bread.id.kind == "o")
page = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": str(tea.id), "form-0-item": "black tea"}
client.post(f"/admin/shop/order/?id={tea.id}", {"_save": "Save", **page})
shows("a list that is edited", Order.objects.get(pk=tea.pk).item == "black tea")
client.post("/admin/shop/note/add/", {"ref": "", "refs": f"{tea.id},{bread.id}", "text": "array"})
shows("an array in a form", Note.objects.get(text="array", refs__contains=[bread.id]).refs == [tea.id, bread.id])

# Django REST framework.

tea = Order.objects.create(customer=ada, item="tea")
shown = {"id": str(tea.id), "customer": str(ada.id), "item": "tea"}
status, text = get(f"/api/orders/{tea.id}/")
shows("a row of the API", status == 200 and json.loads(text) == shown)
shows("a list", shown in json.loads(get("/api/orders/")[1]))
answer = client.post("/api/orders/", {"customer": str(ada.id), "item": "milk"})
shows("a new row of the API", answer.status_code == 201 and Order.objects.get(pk=answer.json()["id"]).item == "milk")
for path, wrong_row in ("orders", {"customer": str(log), "item": "milk"}), ("lines", {"order": str(tea.id), "about": "garbage"}):
    answer = client.post(f"/api/{path}/", wrong_row)
    shows(f"an error: {answer.content.decode()}", answer.status_code == 400)
answer = client.post("/api/lines/", {"order": str(tea.id), "about": str(log)})
shows("a field of any kind", answer.status_code == 201 and Line.objects.get(pk=answer.json()["id"]).about == log)
shows("an API: invalid text, other kinds and missing rows: 404", {get(f"/api/orders/{no}/")[0] for no in wrong} == {404})
