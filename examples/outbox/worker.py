"""A worker with one cursor: it prints each event, at least once and in order."""

import psycopg
from pg_gid.consumer import Consumer


def handle(event: dict) -> None:
    print(event["id"], event["account"], event["amount"], event["balance"], flush=True)


with psycopg.connect(autocommit=True) as connection:
    Consumer(connection, "printer", "events", handle).run()
