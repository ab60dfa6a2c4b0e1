"""What a type checker takes, and what it refuses, where it is told to ignore it: then that is needed."""

from datetime import datetime, timezone
from typing import List, Optional

from pg_gid import Gid


class OrderId(Gid):
    pass


text: str = str(Gid("A4KfAtmq1H-43VMdfVBbxRrN")) + Gid(bytes(16)).compact + Gid(bytearray(16)).kind
data: bytes = bytes(Gid(memoryview(bytes(16))))
made: Gid = Gid.new("o", datetime.now(timezone.utc))
number: int = Gid.new(239, 1795286542848060).prefix + made.unix_ms
time: datetime = Gid.lower_bound("o", datetime.now(timezone.utc)).time
instant: Optional[int] = Gid.upper_bound("o", 0).instant
ids: List[Gid] = sorted({made, Gid(made)})
earlier: bool = made < Gid(text) or made == Gid(text)

Gid(16)  # type: ignore[arg-type]
Gid.new()  # type: ignore[call-arg]
Gid.new(b"o")  # type: ignore[arg-type]
Gid.new("o", "2026-11-01")  # type: ignore[arg-type]
made < text  # type: ignore[operator]
made.kind = "c"  # type: ignore[misc]
certain: int = made.instant  # type: ignore[assignment]
