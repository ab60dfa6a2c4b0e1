"""Orders and notes in Django's administration."""

from django.contrib import admin

from shop.models import Customer, Note, Order


@admin.register(Order)
class OrderAdmin(admin.ModelAdmin):
    list_display = ["id", "customer", "item"]
    list_editable = ["item"]
    search_fields = ["=id", "item"]


admin.site.register([Customer, Note])
