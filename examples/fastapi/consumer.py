"""Prints each new order once."""

import psycopg

from pg_gid.consumer import Consumer


def handle(order: dict) -> None:
    print(order["id"], order["customer"], flush=True)


with psycopg.connect(autocommit=True) as connection:
    Consumer(connection, "printer", "orders", handle).run()
