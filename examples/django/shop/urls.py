"""The URLs: an order by its id, in a page and in an API, and the administration."""

from django.contrib import admin
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import include, path, register_converter
from rest_framework import routers, serializers, viewsets

from pg_gid.django import GidJSONEncoder, gid_converter
from shop.models import Line, Order

register_converter(gid_converter("o"), "order_id")


def show_order(request, id):
    order = get_object_or_404(Order, pk=id)
    return JsonResponse({"id": order.id, "customer": order.customer_id, "item": order.item}, encoder=GidJSONEncoder)


class OrderSerializer(serializers.ModelSerializer):
    class Meta:
        model = Order
        fields = ["id", "customer", "item"]


class OrderViewSet(viewsets.ModelViewSet):
    queryset = Order.objects.order_by("id")
    serializer_class = OrderSerializer


class LineSerializer(serializers.ModelSerializer):
    class Meta:
        model = Line
        fields = ["id", "order", "about"]


class LineViewSet(viewsets.ModelViewSet):
    queryset = Line.objects.order_by("id")
    serializer_class = LineSerializer


router = routers.DefaultRouter()
router.register("orders", OrderViewSet)
router.register("lines", LineViewSet)
urlpatterns = [
    path("orders/<order_id:id>/", show_order, name="order"),
    path("admin/", admin.site.urls),
    path("api/", include(router.urls)),
]
