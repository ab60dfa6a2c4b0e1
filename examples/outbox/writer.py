"""Changes balances until it is killed, in transactions of different lengths."""

import random
import time

import psycopg


def change(account: int, amount: int) -> None:
    """The change and its event, both or neither."""
    (balance,) = connection.execute(
        "UPDATE accounts SET balance = balance + %s WHERE id = %s RETURNING balance", (amount, account)
    ).fetchone()
    connection.execute(
        "INSERT INTO events (account, amount, balance) VALUES (%s, %s, %s)", (account, amount, balance)
    )


connection = psycopg.connect(autocommit=True)
while True:
    with connection.transaction(force_rollback=random.random() < 0.1):
        for account in sorted(random.sample(range(1, 1001), 3)):
            change(account, random.randint(-100, 100))
            time.sleep(random.choice([0, 0.001, 0.01, 0.05, 0.2]))
