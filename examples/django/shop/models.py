"""Customers and their orders, each with ids of its own kind."""

from functools import partial

from django.db import models

from pg_gid import Gid
from pg_gid.django import GidField


class Customer(models.Model):
    id = GidField("c", primary_key=True)
    name = models.TextField()


class Order(models.Model):
    id = GidField("o", primary_key=True)
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="orders")
    item = models.TextField()


class Line(models.Model):
    """Its ids are made by the program."""

    id = GidField("l", primary_key=True, default=partial(Gid.new, "l"))
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    about = GidField(null=True)


class TextOrder(models.Model):
    """The table of orders, as inspectdb would have it: what not to do."""

    id = models.TextField(primary_key=True)
    customer = models.TextField(db_column="customer_id")
    item = models.TextField()

    class Meta:
        managed = False
        db_table = "shop_order"
