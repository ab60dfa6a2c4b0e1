"""Writers and pollers that are killed at random, and what arrives nevertheless.

Each of the pollers' lines is a delivery: the poller's process, and the columns
of the event.  All pollers of a consumer append to one file, so its lines are in
the order of delivery.
"""

import os
import random
import subprocess
import time
from collections import Counter

import psycopg

SECONDS = 1800  # at most; it ends when enough was written, killed and delivered again
COMMANDS = {
    "writer": ["python3", "-B", "writer.py"],
    "python": ["python3", "-B", "poller.py", "python"],
    "node": ["node", "poller.js", "node"],
    "printer": ["python3", "-B", "worker.py"],
    "printer in node": ["node", "worker.js"],
}
CONSUMERS = [name for name in COMMANDS if name != "writer"]
SHARED = ["python", "node"]  # by several pollers at a time


def shows(what: str, holds: bool) -> None:
    print("ok -" if holds else "not ok -", what, flush=True)


def start(name: str) -> subprocess.Popen:
    with open(f"{name}.out", "ab") as out, open(f"{name}.err", "ab") as err:
        user = "outbox_writer" if name == "writer" else "outbox_poller"
        return subprocess.Popen(COMMANDS[name], stdout=out, stderr=err, env={**os.environ, "PGUSER": user})


def deliveries(consumer: str) -> list[list[str]]:
    """The poller, the id, the account, the amount, the balance and the shard.  A worker prints neither poller nor shard."""
    with open(f"{consumer}.out", encoding="ascii") as file:
        lines = [line.split() for line in file if line.endswith("\n")]
    return lines if consumer in SHARED else [["", *line, ""] for line in lines if len(line) == 4]


def again(consumer: str) -> int:
    """How many deliveries were not the first one of their event."""
    ids = [id for _, id, *_ in deliveries(consumer)]
    return len(ids) - len(set(ids))


def enough() -> bool:
    return (
        connection.execute("SELECT count(*) > 1000 FROM events").fetchone() == (True,)
        and all(kills[name] >= 3 for name in COMMANDS)
        and all(again(consumer) > 0 for consumer in SHARED)
    )


def kill(process: subprocess.Popen) -> None:
    """By SIGKILL, which no program can prepare for."""
    process.kill()
    process.wait()


connection = psycopg.connect(autocommit=True)
running = [(name, start(name)) for name in ["writer"] * 6 + SHARED * 3 + CONSUMERS]
kills = Counter()
end = time.monotonic() + SECONDS
while time.monotonic() < end and not enough():
    time.sleep(random.uniform(0.1, 0.9))
    n = random.randrange(len(running))
    name, process = running[n]
    if process.poll() is not None:
        shows(f"a {name} ended by itself, with {process.returncode}", False)
    kill(process)
    kills[name] += 1
    running[n] = name, start(name)

for name, process in running:
    if name == "writer":
        kill(process)

# The servers of killed writers end when they notice; then all are delivered.
undelivered = """
    SELECT count(*) FROM cursors c JOIN events e ON id > position AND (e.shard = c.shard OR consumer LIKE 'printer%')
"""
for query in "SELECT count(*) FROM gid_unsettled()", undelivered:
    end = time.monotonic() + 600
    while connection.execute(query).fetchone() != (0,) and time.monotonic() < end:
        time.sleep(0.1)
for name, process in running:
    kill(process)

committed = {id for id, in connection.execute("SELECT id FROM events")}
shows(f"writers: {len(committed)} events are committed, {kills['writer']} times a writer was killed", len(committed) > 1000)
for consumer in CONSUMERS:
    delivered = deliveries(consumer)
    ids = {id for _, id, *_ in delivered}
    shows(f"{consumer}: each event is delivered", committed <= ids)
    shows(f"{consumer}: nothing else is", ids <= committed)
    print(f"# {consumer}: {again(consumer)} were delivered again, of {kills[consumer]} processes killed")

    if consumer in SHARED:
        last, in_order = {}, True
        for poller, id, *_, shard in delivered:
            in_order = in_order and id > last.get((poller, shard), "")
            last[poller, shard] = id
        shows(f"{consumer}: in order, for each poller and shard", in_order)

    seen, balances, in_order = set(), Counter(), True
    for _, id, account, amount, balance, _ in delivered:
        if id not in seen:
            seen.add(id)
            balances[int(account)] += int(amount)
            in_order = in_order and balances[int(account)] == int(balance)
    shows(f"{consumer}: the changes of an account come in their order", in_order)

for name in COMMANDS:
    with open(f"{name}.err", encoding="utf8") as file:
        print(file.read(), end="")
