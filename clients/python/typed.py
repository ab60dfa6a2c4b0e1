"""What type checkers accept, and reject: mypy --strict and pyright report each comment "type: ignore" without an error."""

from datetime import datetime, timezone
from typing import Dict, List, Optional, Type, TypeVar

from pg_gid import Gid


class OrderId(Gid, kind="o"):
    """The id of an order."""


class CustomerId(Gid, kind="c"):
    """The id of a customer."""


T = TypeVar("T", bound=Gid)
now = datetime.now(timezone.utc)

text: str = str(Gid("A4KfAtmq1H-43VMdfVBbxRrN")) + Gid(bytes(16)).compact + Gid(bytearray(16)).kind
data: bytes = bytes(Gid(memoryview(bytes(16))))
made: Gid = Gid.new("o", now)
number: int = Gid.new(239, 1795286542848060).prefix + made.unix_ms
time: datetime = Gid.lower_bound("o", now).time
instant: Optional[int] = Gid.upper_bound("o", 0).instant
ids: List[Gid] = sorted({made, Gid(made)})
earlier: bool = made < Gid(text) or made == Gid(text)
valid: bool = Gid.is_valid(text, "o") and OrderId.is_valid(None)
order: OrderId = OrderId.new()
order = OrderId.new(at=now)
order = OrderId("A4KfAtmq1H-43VMdfVBbxRrN")
order = OrderId(made)
earlier = OrderId.lower_bound(time=now) <= order or order >= OrderId.upper_bound("o", now)
customer: CustomerId = CustomerId.new()
orders: List[OrderId] = sorted([order, OrderId.new()])
owners: Dict[OrderId, CustomerId] = {order: customer}
made = order
earlier = made < order or order <= made or made == order or order == made


def load(cls: Type[T], text: str) -> T:
    return cls(text)


order = load(OrderId, text)
made = load(Gid, text)

order = customer  # type: ignore[assignment]
order = made  # type: ignore[assignment]
order = load(CustomerId, text)  # type: ignore[assignment]
owners[customer] = customer  # type: ignore[index]
order < customer  # type: ignore[operator]
order >= customer  # type: ignore[operator]
earlier = order == customer  # type: ignore[comparison-overlap]
earlier = order == text  # type: ignore[comparison-overlap]
earlier = order in [customer]  # type: ignore[comparison-overlap]
made < text  # type: ignore[operator]

order = OrderId.lower_bound(time=now)  # type: ignore[assignment]


class Bad(Gid, kind="zz"):  # type: ignore[arg-type]
    """No kind has this name."""


Gid(16)  # type: ignore[arg-type]
Gid.new("order")  # type: ignore[arg-type]
Gid(text, "order")  # type: ignore[arg-type]
Gid.new(b"o")  # type: ignore[arg-type]
Gid.new("o", "2026-11-01")  # type: ignore[arg-type]
Gid.lower_bound("o", "2026-11-01")  # type: ignore[arg-type]
made.kind = "c"  # type: ignore[misc]
certain: int = made.instant  # type: ignore[assignment]
