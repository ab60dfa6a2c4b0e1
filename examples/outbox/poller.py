"""Delivers events, at least once and in order, next to other pollers.

    poller.py CONSUMER

Killed anywhere, it has lost nothing: the next one goes on from the cursor.
"""

import os
import sys
import time

import psycopg
from pg_gid.consumer import Consumer


def deliver(event: dict) -> None:
    """Stands for what is done with an event: a message that is sent, and has arrived when this returns."""
    time.sleep(0.005)
    os.write(sys.stdout.fileno(), "\t".join(map(str, (os.getpid(), *event.values()))).encode() + b"\n")


with psycopg.connect(autocommit=True) as connection:
    Consumer(
        connection, sys.argv[1], "events", deliver, shard="shard", shards=range(4), channel="events"
    ).run()
