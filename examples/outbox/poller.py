"""Delivers events, at least once and in order, beside other pollers.

    poller.py CONSUMER

Killed anywhere, it has lost nothing: the next one goes on from the cursor.  On
any error it ends, and whoever watches over it starts it again.
"""

import os
import select
import sys
import time

import psycopg

# The shard that is furthest behind, of those that have something to deliver
# and that nobody else delivers.
TAKE = """
    SELECT shard, position FROM cursors
    WHERE consumer = %s AND EXISTS (
        SELECT FROM events
        WHERE events.shard = cursors.shard AND id > position AND id < gid_settled('e'))
    ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED
"""
READ = """
    SELECT id, account, amount, balance FROM events
    WHERE shard = %s AND id > %s AND id < gid_settled('e') ORDER BY id LIMIT 100
"""
MOVE = "UPDATE cursors SET position = %s WHERE consumer = %s AND shard = %s"


def deliver(*event) -> None:
    """Stands for what is done with an event: a message that is sent, and has arrived when this returns."""
    time.sleep(0.005)
    os.write(sys.stdout.fileno(), "\t".join(map(str, (os.getpid(), *event))).encode() + b"\n")


def deliver_some() -> bool:
    """Delivers what one shard has, up to 100 events.  False if there is nothing to do."""
    with connection.transaction():
        cursor = connection.execute(TAKE, (consumer,)).fetchone()
        if cursor is None:
            return False
        shard, position = cursor
        events = connection.execute(READ, (shard, position)).fetchall()
        for event in events:
            deliver(shard, *event)
        if events:
            connection.execute(MOVE, (events[-1][0], consumer, shard))
        return len(events) > 0


consumer = sys.argv[1]
connection = psycopg.connect(autocommit=True)
notified = []
connection.add_notify_handler(notified.append)
connection.execute("LISTEN events")
while True:
    notified.clear()
    while deliver_some():
        pass
    # A transaction that held the horizon may have been rolled back, or another
    # poller killed, of which nobody notifies.  So it looks each second, too.
    if not notified:
        select.select([connection], [], [], 1)
