"""What mypy --strict reports.  It also reports a comment "type: ignore" without an error."""

from models import CustomerId, Order


def typed(order: Order) -> CustomerId:
    order.customer = order.id  # type: ignore[assignment]
    return order.id  # type: ignore[return-value]
