"""Customers with their orders, and notes, in Django's administration."""

from django.contrib import admin

from shop.models import Customer, Note, Order


class OrderInline(admin.TabularInline):
    model = Order
    extra = 1


@admin.register(Customer)
class CustomerAdmin(admin.ModelAdmin):
    list_display = ["id", "name"]
    list_editable = ["name"]
    inlines = [OrderInline]


@admin.register(Order)
class OrderAdmin(admin.ModelAdmin):
    list_display = ["id", "customer", "item"]
    search_fields = ["=id", "item"]


@admin.register(Note)
class NoteAdmin(admin.ModelAdmin):
    list_filter = ["ref"]
