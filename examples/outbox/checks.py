"""What a consumer promises, and what it rejects, each by itself."""

import os
import re
import resource
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pg_gid.consumer
import psycopg
from pg_gid import Gid
from pg_gid.consumer import Consumer


def shows(what: str, holds: bool) -> None:
    print("ok -" if holds else "not ok -", what, flush=True)


def connect(name: str = "") -> psycopg.Connection:
    return psycopg.connect(autocommit=True, application_name=name)


def error(call) -> Exception:
    try:
        call()
    except Exception as e:
        return e


def write(count: int) -> list:
    query = "INSERT INTO jobs.queue (what) SELECT n FROM generate_series(1, %s) n RETURNING id"
    return [id for id, in db.execute(query, (count,))]


def consume(name: str, count: int, handle=lambda row, connection: None, table="jobs.queue", cursors="jobs.Cursors", interval=0.1, **options) -> list:
    """The ids, or the parts, of rows that a consumer handles until it has handled so many."""
    handled = []

    def callback(row: dict) -> None:
        handled.append(row.get("part", row["id"]))
        handle(row, connection)
        if len(handled) == count:
            consumer.stop()

    with connect(name) as connection:
        consumer = Consumer(connection, name, table, callback, cursors=cursors, interval=interval, **options)
        limit = threading.Timer(600, consumer.stop)  # for errors
        limit.daemon = True
        limit.start()
        consumer.run()
    return handled


def wait_for_idle(name: str) -> None:
    """Waits until a consumer has completed a transaction, and does nothing.  The limit is for errors."""
    query = "SELECT FROM pg_stat_activity WHERE application_name = %s AND state = 'idle' AND query = 'COMMIT'"
    end = time.monotonic() + 600
    while db.execute(query, (name,)).rowcount == 0 and time.monotonic() < end:
        time.sleep(0.01)


db = connect()
db.execute("""
    CREATE SCHEMA jobs;
    CREATE DOMAIN jobs.any_job AS gid(j);
    CREATE DOMAIN jobs.job_id AS jobs.any_job;
    CREATE TABLE jobs.queue (id jobs.job_id PRIMARY KEY DEFAULT gid_new('j'), what int NOT NULL);
    CREATE TABLE jobs.done (what int PRIMARY KEY);
    CREATE TABLE jobs.mixed (id gid PRIMARY KEY);
    CREATE TABLE jobs.plain (id uuid PRIMARY KEY);
    CREATE TABLE jobs.random (id gid(r) PRIMARY KEY DEFAULT gid_random('r'));
    CREATE VIEW jobs.seen AS TABLE jobs.random;
    ALTER VIEW jobs.seen ALTER id SET DEFAULT gid_new('r');
    CREATE TABLE jobs.clients (id gid(w) PRIMARY KEY);
    CREATE DOMAIN jobs.minted AS gid(m) DEFAULT gid_new('m');
    CREATE TABLE jobs.parted (id jobs.minted) PARTITION BY HASH (id);
    CREATE TABLE jobs.parted_0 (id jobs.minted DEFAULT gid_random('m'));
    ALTER TABLE jobs.parted ATTACH PARTITION jobs.parted_0 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
    CREATE TABLE jobs.drawn (id gid(d) DEFAULT gid_random('d'));
    CREATE TABLE jobs.tree (id gid(t) DEFAULT gid_random('t')) PARTITION BY HASH (id);
    CREATE TABLE jobs.leaf (id gid(t) DEFAULT gid_new('t'));
    ALTER TABLE jobs.tree ATTACH PARTITION jobs.leaf FOR VALUES WITH (MODULUS 1, REMAINDER 0);
    CREATE TABLE jobs.parts (id gid(p) PRIMARY KEY DEFAULT gid_new('p'), part int);
    CREATE TABLE jobs."Cursors" (consumer text, shard int, position gid NOT NULL, PRIMARY KEY (consumer, shard));
""")
first = write(250)
shows("a consumer continues where it stopped", consume("all", 120) + consume("all", 130) == first)
second = write(3)
shows("a new consumer can begin after an id", consume("later", 3, after=Gid(first[-1])) == second)


def fail(row: dict, connection: psycopg.Connection) -> None:
    connection.execute("INSERT INTO jobs.done VALUES (%s)", (row["what"],))
    if row["what"] == 30:
        raise RuntimeError("30")


shows("an error of the callback is the caller's", str(error(lambda: consume("failing", 250, fail))) == "30")
shows("what the callback executed is undone", db.execute("SELECT FROM jobs.done").rowcount == 0)
shows("and the rows are handled again", consume("failing", 50) == first[:50])

# The descriptors of these and all later connections are above 1,024, which select() cannot wait for.
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2048), hard))
for _ in range(1024):
    os.dup(0)

waits = {"after": Gid(second[-1]), "interval": 3600}
terminate = threading.Thread(target=lambda: wait_for_idle("terminated") or os.kill(os.getpid(), signal.SIGTERM), daemon=True)
terminate.start()
shows("SIGTERM ends one that waits", consume("terminated", 1, **waits) == [])


class Early(Consumer):
    def _prepare(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        super()._prepare()


begun = []
with connect() as connection:
    Early(connection, "early", "jobs.queue", begun.append, cursors="jobs.Cursors").run()
shows("SIGTERM ends one that begins", not begun)
shows("a consumer restores the signal handler", signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)

with ThreadPoolExecutor() as pool:
    woken = pool.submit(consume, "woken", 2, channel="Jobs", **waits)
    wait_for_idle("woken")
    third = write(2)
    db.execute('NOTIFY "Jobs"')
    shows("NOTIFY wakes it, in a thread", woken.result() == third)

parts = {"table": "jobs.parts", "shard": "part", "shards": [0, 1]}
# The worker looks first at the shard whose cursor is furthest behind.
in_both = "INSERT INTO jobs.parts (part) VALUES (0), (1)"
db.execute("INSERT INTO jobs.parts (part) VALUES (1)")
with connect() as late, late.transaction():
    late.execute(in_both)
    db.execute("INSERT INTO jobs.parts (part) VALUES (0)")
    shows("a shard without rows below the horizon does not delay another", consume("parts", 1, **parts) == [1])
shows("nor are they lost", sorted(consume("parts", 3, **parts)) == [0, 0, 1])
db.execute(in_both)
meeting = threading.Barrier(2)
with ThreadPoolExecutor() as pool:
    two = [pool.submit(consume, "parts", 1, lambda *_: meeting.wait(600), **parts) for _ in range(2)]
    shows("a busy worker does not delay another shard", sorted(one.result()[0] for one in two) == [0, 1])
db.execute(in_both)
shows("a worker takes only its shards", consume("parts", 1, **{**parts, "shards": [1]}) == [1])
os.environ["PGOPTIONS"] = "-c search_path=decoys,pg_catalog,public"
for options in {}, parts:
    failed = error(lambda: consume("among decoys", 1, **options))
    shows(f"calls no function or operator of another role: {failed}", failed is None)
del os.environ["PGOPTIONS"]

through = "the worker would miss rows that arrive through"
covered = "give covered=True if all writers call gid_new"
different = "give the consumers of different tables different names"
for table, reason in {
    "jobs.mixed": "jobs.mixed.id is not a column of type gid(kind)",
    "jobs.done": "jobs.done.id is not a column of type gid(kind)",
    "jobs.plain": "jobs.plain.id is of type uuid: give the kind",
    "jobs.random": f"{through} jobs.random: the default is gid_random('r'::text): "
    f"execute ALTER TABLE jobs.random ALTER id SET DEFAULT gid_new('r'), or {covered}",
    "jobs.seen": f"{through} jobs.seen: not a table: poll the tables that it reads",
    "jobs.clients": f"{through} jobs.clients: the column has no default: "
    f"execute ALTER TABLE jobs.clients ALTER id SET DEFAULT gid_new('w'), or {covered}",
    "jobs.parted": f"{through} jobs.parted_0: the default is gid_random('m'::text): "
    f"execute ALTER TABLE jobs.parted_0 ALTER id SET DEFAULT gid_new('m'), or {covered}",
    "events": f"the cursor of consumer 'all' is not of the kind of events.id: {different}",
}.items():
    refused = error(lambda: consume("all", 1, table=table))
    shows(f"refused: {reason}", type(refused) is ValueError and str(refused) == reason)
refused = error(lambda: consume("new", 1, after=Gid.lower_bound("z", 0)))
shows("refused: after of another kind", str(refused) == "after is not of the kind of jobs.queue.id")
db.execute("INSERT INTO jobs.clients VALUES (gid_new('w'))")
shows("covered=True: the writers mint", len(consume("clients", 1, table="jobs.clients", covered=True)) == 1)
db.execute("ALTER TABLE jobs.parted_0 ALTER id DROP DEFAULT; INSERT INTO jobs.parted DEFAULT VALUES")
shows("the default of a domain mints, and a partition has none", len(consume("parted", 1, table="jobs.parted")) == 1)


def late_and_other(table: str, polled: str) -> bool:
    """Whether a consumer gets two rows in order, of which the first commits last."""
    insert = f"INSERT INTO {table} DEFAULT VALUES RETURNING id"
    with ThreadPoolExecutor() as pool, connect() as late:
        with late.transaction():
            ids = [connection.execute(insert).fetchone()[0] for connection in (late, db)]
            handled = pool.submit(consume, polled, 2, table=polled)
            wait_for_idle(polled)
        return handled.result() == ids


for table, polled in ("jobs.drawn", "jobs.drawn"), ("jobs.tree", "jobs.leaf"):
    statement = re.search("execute (.*), or", str(error(lambda: consume(polled, 1, table=polled))))[1]
    db.execute(statement)
    shows(f"after {statement}, rows of {table} are not missed", late_and_other(table, polled))
for change in (
    "CREATE TABLE jobs.heir (id gid(x) DEFAULT gid_random('x')) INHERITS (jobs.changed)",
    "ALTER TABLE jobs.changed ALTER id SET DEFAULT gid_random('x')",
):
    db.execute("DROP TABLE IF EXISTS jobs.changed CASCADE; CREATE TABLE jobs.changed (id gid(x) DEFAULT gid_new('x'))")
    with ThreadPoolExecutor() as pool:
        changed = pool.submit(error, lambda: consume(change, 1, table="jobs.changed"))
        wait_for_idle(change[:63])
        db.execute(change)
        pg_gid.consumer.monotonic = lambda: time.monotonic() + 60
        shows(f"ends a worker that runs: {change}", str(changed.result()).startswith(through))
        pg_gid.consumer.monotonic = time.monotonic
for wrong in {"shard": "part"}, {"shards": [0]}, {"shard": "part", "shards": []}, {"shard": "part", "shards": [-1]}:
    shows(f"rejected: {wrong}", type(error(lambda: Consumer(db, "all", "jobs.parts", print, **wrong))) is ValueError)
# Deleting what all consumers have read, as doc/settled.md does.
with open(sys.argv[1], encoding="utf8") as file:
    delete = file.read()


def remaining() -> list:
    """How many events each shard has, after the statement."""
    db.execute(delete)
    return [n for n, in db.execute("SELECT count(e.id) FROM generate_series(0, 3) s LEFT JOIN events e ON shard = s GROUP BY s ORDER BY s")]


sharded = {"table": "events", "cursors": "cursors", "shard": "shard"}
db.execute("INSERT INTO events (account, amount, balance) SELECT -n, 1, 1 FROM generate_series(0, 11) n ORDER BY n")
shows("without consumers, no event is deleted", remaining() == [3, 3, 3, 3])
consume("sharded", 12, **sharded, shards=range(4))
for other in ("jobs.queue", "first"), ("jobs.parts", "last"):
    consume(other[1], 1, table=other[0], cursors="cursors")
db.execute("INSERT INTO cursors VALUES ('lower', 0, gid_lower_bound('a', now())), ('higher', 0, gid_lower_bound('z', now()))")
consume("printer", 6, table="events", cursors="cursors")
shows("a consumer without shards keeps what it has not read", remaining() == [1, 1, 2, 2])
consume("some", 1, **sharded, shards=[0])
consume("printer", 6, table="events", cursors="cursors")
shows("a consumer of shard 0 keeps the other shards", remaining() == [0, 1, 2, 2])
consume("some", 2, **sharded, shards=[1, 2])
shows("and the rest of those that it reads", remaining() in ([0, 0, 1, 2], [0, 1, 0, 2]))
db.execute("DELETE FROM cursors WHERE consumer = 'some'")
shows("what all others have read is deleted", remaining() == [0, 0, 0, 0])
db.execute("DELETE FROM events; DELETE FROM cursors")

with psycopg.connect() as connection:
    shows("a connection without autocommit is rejected", type(error(lambda: Consumer(connection, "all", "events", print))) is ValueError)
