"""What a consumer promises, and what it rejects, each by itself."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import psycopg
from pg_gid import Gid
from pg_gid.consumer import Consumer


def shows(what: str, holds: bool) -> None:
    print("ok -" if holds else "not ok -", what, flush=True)


def connect() -> psycopg.Connection:
    return psycopg.connect(autocommit=True)


def error(call) -> Exception:
    try:
        call()
    except Exception as e:
        return e


def write(count: int) -> list:
    query = "INSERT INTO jobs.queue (what) SELECT n FROM generate_series(1, %s) n RETURNING id"
    return [id for id, in db.execute(query, (count,))]


def consume(name: str, count: int, handle=lambda row: None, **options) -> list:
    """The ids of rows that a consumer handles until it has handled so many."""
    handled = []

    def callback(row: dict) -> None:
        handled.append(row["id"])
        handle(row)
        if len(handled) == count:
            consumer.stop()

    with connect() as connection:
        consumer = Consumer(connection, name, "jobs.queue", callback, cursors="jobs.Cursors", interval=0.1, **options)
        consumer.run()
    return handled


def wait_until(condition) -> None:
    """The limit is for errors."""
    end = time.monotonic() + 600
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)


def wait_for_idle(consumer: psycopg.Connection) -> None:
    """Until a consumer has completed a transaction, and waits."""
    query = "SELECT state = 'idle' AND query = 'COMMIT' FROM pg_stat_activity WHERE pid = %s"
    wait_until(lambda: db.execute(query, (consumer.info.backend_pid,)).fetchone() == (True,))


db = connect()
db.execute("""
    CREATE SCHEMA jobs;
    CREATE DOMAIN jobs.job_id AS gid(j);
    CREATE TABLE jobs.queue (id jobs.job_id PRIMARY KEY DEFAULT gid_new('j'), what int NOT NULL);
    CREATE TABLE jobs.done (what int PRIMARY KEY);
    CREATE TABLE jobs.mixed (id gid PRIMARY KEY);
    CREATE TABLE jobs.parts (id gid(p) PRIMARY KEY DEFAULT gid_new('p'), part int);
    CREATE TABLE jobs."Cursors" (consumer text, shard int, position gid NOT NULL, PRIMARY KEY (consumer, shard));
    CREATE TABLE jobs.part_cursors (LIKE jobs."Cursors" INCLUDING ALL);
""")
first = write(250)
shows("a new consumer begins before the first row", consume("all", 120) == first[:120])
shows("a consumer continues where it stopped", consume("all", 130) == first[120:])
second = write(3)
shows("a new consumer can begin after an id", consume("later", 3, after=Gid(first[-1])) == second)


def fail(row: dict) -> None:
    if row["what"] == 30:
        raise RuntimeError("30")


shows("an error of the callback is the caller's", str(error(lambda: consume("failing", 250, fail))) == "30")
shows("after an error the rows are handled again", consume("failing", 50) == first[:50])


def once(row: dict) -> None:
    """On the connection of the consumer."""
    holder[0].execute("INSERT INTO jobs.done VALUES (%s)", (row["what"],))
    fail(row)


with connect() as connection:
    holder = [connection]
    failing = Consumer(connection, "once", "jobs.queue", once, cursors="jobs.Cursors")
    shows("what the callback executes", str(error(failing.run)) == "30")
    shows("is undone with the transaction", db.execute("SELECT count(*) FROM jobs.done").fetchone() == (0,))

with connect() as connection:
    signals = threading.Thread(target=lambda: wait_for_idle(connection) or os.kill(os.getpid(), signal.SIGTERM))
    signals.start()
    idle = Consumer(connection, "all", "jobs.queue", lambda row: None, cursors="jobs.Cursors", interval=3600)
    idle.run()
    signals.join()
    shows("SIGTERM ends one that waits", True)


class Early(Consumer):
    def _prepare(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        super()._prepare()


begun = []
with connect() as connection:
    Early(connection, "early", "jobs.queue", begun.append, cursors="jobs.Cursors").run()
    shows("SIGTERM ends one that begins", not begun)
    shows("a consumer restores the signal handler", signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)

woken = []
with connect() as connection:
    listening = Consumer(
        connection, "all", "jobs.queue", woken.append, cursors="jobs.Cursors", interval=3600, channel="Jobs"
    )
    thread = threading.Thread(target=listening.run)
    thread.start()
    wait_for_idle(connection)
    with db.transaction():
        third = write(2)
        db.execute('NOTIFY "Jobs"')
    wait_until(lambda: len(woken) == 2)
    shows("NOTIFY wakes it, in a thread", [row["id"] for row in woken] == third)
    listening.stop()
    thread.join(600)
    shows("stop() ends a consumer", not thread.is_alive())


def together(workers: int, count: int, pause=lambda: None, shards=(0, 1)) -> list:
    """The parts of the rows that workers of one consumer handle, until they have handled so many."""
    handled = []

    def callback(row: dict) -> None:
        handled.append(row["part"])
        pause()

    options = {"cursors": "jobs.part_cursors", "interval": 0.02, "shard": "part", "shards": shards}
    with ExitStack() as stack, ThreadPoolExecutor(workers) as pool:
        connections = [stack.enter_context(connect()) for _ in range(workers)]
        consumers = [Consumer(each, "together", "jobs.parts", callback, **options) for each in connections]
        running = [pool.submit(consumer.run) for consumer in consumers]
        wait_until(lambda: len(handled) >= count)
        for consumer in consumers:
            consumer.stop()
        for ended in running:
            ended.result()
    return handled


# The worker looks first at the shard whose cursor is furthest behind.
db.execute("INSERT INTO jobs.parts (part) VALUES (1)")
shows("a new shard has a cursor", together(1, 1) == [1])
db.execute("INSERT INTO jobs.parts (part) VALUES (1)")
in_parts = "INSERT INTO jobs.parts (part) VALUES (0), (1)"
with connect() as late, late.transaction():
    late.execute(in_parts)
    db.execute("INSERT INTO jobs.parts (part) VALUES (0)")
    shows("a shard without rows below the horizon does not delay another", together(1, 1) == [1])
shows("nor are they lost", len(together(1, 3)) == 3)
db.execute(in_parts)
meeting = threading.Barrier(2)
met = error(lambda: together(2, 2, lambda: meeting.wait(600))) is None
shows("a busy worker does not delay another shard", met)
db.execute(in_parts)
shows("a worker takes only its shards", set(together(1, 1, shards=[1])) == {1})

different = "give the consumers of different tables different names"
with connect() as connection:
    for table, reason in {
        "jobs.mixed": "jobs.mixed.id is not a column of type gid(kind)",
        "jobs.done": "jobs.done.id is not a column of type gid(kind)",
        "events": f"the cursor of consumer 'all' is not of the kind of events.id: {different}",
    }.items():
        refused = error(Consumer(connection, "all", table, print, cursors="jobs.Cursors").run)
        shows(f"refused: {reason}", type(refused) is ValueError and str(refused) == reason)
with psycopg.connect() as connection:
    shows("a connection without autocommit is rejected", type(error(lambda: Consumer(connection, "all", "events", print))) is ValueError)
