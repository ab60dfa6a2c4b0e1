"""Customers and their orders, each with ids of its own kind."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from pg_gid import Gid
from pg_gid.django import GidField


class CustomerId(Gid, kind="c"):
    """The id of a customer."""


class LineId(Gid, kind="l"):
    """The id of a line of an order."""


class Customer(models.Model):
    id = GidField(CustomerId, primary_key=True)
    name = models.TextField()


class Order(models.Model):
    id = GidField("o", primary_key=True)
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="orders")
    item = models.TextField()


class Line(models.Model):
    """Its ids are made by the program."""

    id = GidField(LineId, primary_key=True, default=LineId.new)
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    about = GidField(null=True)


class Note(models.Model):
    """Notes on orders: on one that has a field of its own, and on many."""

    id = GidField("n", primary_key=True)
    ref = GidField("o", null=True, blank=True)
    refs = ArrayField(GidField("o"), default=list, blank=True)
    text = models.TextField(blank=True)
