#!/usr/bin/env python3
"""Measures Gid and uuid.UUID of the standard library in turn, in nanoseconds.  doc/format.md has the lines."""

import platform
import uuid
from statistics import median
from timeit import Timer

from pg_gid import Gid


class OrderId(Gid, kind="o"):
    """The id of an order."""


make, version = (uuid.uuid7, "v7") if hasattr(uuid, "uuid7") else (uuid.uuid4, "v4")
id, other = OrderId.new(), make()
id_text, other_text = str(id), str(other)
pairs = {
    "new": (OrderId.new, make),
    "parse": (lambda: OrderId(id_text), lambda: uuid.UUID(other_text)),
    "format": (lambda: str(id), lambda: str(other)),
}
print("other", f"uuid of Python {platform.python_version()}, {version}", sep="\t")
for operation, calls in pairs.items():
    timers = [Timer(call) for call in calls]
    rounds = [[timer.timeit(20_000) * 50_000 for timer in timers] for _ in range(11)]
    print(operation, *(f"{median(taken):.0f}" for taken in zip(*rounds)), sep="\t")
