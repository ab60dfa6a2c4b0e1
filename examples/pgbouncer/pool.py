"""gid behind pgbouncer with pool_mode = transaction: what stays as it is, and what becomes of a session's promises."""

import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

# A pool of one server connection, which all clients share.
SETTINGS = """\
[databases]
one = {server} pool_size=1

[pgbouncer]
pool_mode = transaction
auth_type = any
unix_socket_dir = {folder}
listen_port = 6432
logfile = {folder}/pgbouncer.log
"""


def shows(what: str, holds: bool) -> None:
    print("ok -" if holds else "not ok -", what, flush=True)


@contextmanager
def pgbouncer(server):
    """Runs it in front of a server, and gives the folder of its socket, which no other user can enter."""
    keywords = {"host": server.host, "port": server.port, "dbname": server.dbname, "user": server.user}
    if server.password:
        keywords["password"] = server.password
    connection = " ".join("{}='{}'".format(name, str(value).replace("'", "''")) for name, value in keywords.items())
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "pgbouncer.ini")
        settings.write_text(SETTINGS.format(server=connection, folder=folder), encoding="utf-8")
        # setpriv sees to it that it ends with this program, however that ends.
        process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "pgbouncer", "-q", settings])
        try:
            while not Path(folder, ".s.PGSQL.6432").exists():
                if process.poll() is not None:
                    sys.exit(f"pgbouncer ended with the status {process.returncode}")
                time.sleep(0.05)
            yield folder
        finally:
            process.kill()
            process.wait()


def value(client, query, *parameters, **options):
    """The one value that a query returns."""
    ((result,),) = client.execute(query, parameters, **options).fetchall()
    return result


def new_id(client):
    return value(client, "INSERT INTO orders (item) VALUES ('bread') RETURNING id")


def observe(client, function="gid_observe"):
    """Observes an id of the near future, as it comes from a server whose clock is ahead, and returns it."""
    ahead = value(client, "SELECT gid_make('o', clock_timestamp() + interval '5 seconds', 0)")
    client.execute(f"SELECT {function}(%s)", [ahead])
    return ahead


def backend(client):
    return value(client, "SELECT pg_backend_pid()")


def generator(client):
    return client.execute("SELECT medallion, minted FROM gid_generator()").fetchone()


def instants(client):
    """How many instants the ids of two statements of one transaction have."""
    client.execute("INSERT INTO orders (item) VALUES ('salt')")
    client.execute("SELECT pg_sleep(0.01)")
    client.execute("INSERT INTO orders (item) VALUES ('sugar')")
    return value(
        client, "SELECT count(DISTINCT gid_instant(id)) FROM orders WHERE xmin::text = pg_current_xact_id()::xid::text"
    )


with ExitStack() as stack:
    server = stack.enter_context(psycopg.connect(autocommit=True))
    server.execute("CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)")
    folder = stack.enter_context(pgbouncer(server.info))

    def connect():
        """A client.  psycopg prepares no statements by itself: the next one may run on another server connection."""
        return stack.enter_context(
            psycopg.connect(host=folder, port=6432, dbname="one", user="me", autocommit=True, prepare_threshold=None)
        )

    # What needs no session is as it is without a pooler.

    ada, bob, eve = (connect() for _ in range(3))
    shows("all clients of a pool of one have one server connection", backend(ada) == backend(bob) == backend(eve))

    tea, milk = new_id(ada), new_id(bob)
    shows("the default makes ids, and RETURNING tells them", len(tea) == len(milk) == 24 and tea < milk)
    shows(
        "gid_settled tells each client the same",
        all(value(c, "SELECT count(*) FROM orders WHERE id < gid_settled('o')") == 2 for c in (ada, bob, eve)),
    )

    # A setting is for the transaction, or else for whoever comes next.

    with bob.transaction():
        before = instants(bob)
    with ada.transaction():
        ada.execute("SET LOCAL gid.instant_source = clock")
        inside = instants(ada)
    shows("SET LOCAL gid.instant_source is for one transaction", (before, inside) == (1, 2))
    shows("the next client has its own setting", value(bob, "SHOW gid.instant_source") == "transaction")
    ada.execute("SET gid.instant_source = clock")
    shows("SET gid.instant_source is left to the next client", value(bob, "SHOW gid.instant_source") == "clock")
    known = generator(ada)
    bob.execute("DISCARD ALL")
    shows("DISCARD ALL takes settings back", value(ada, "SHOW gid.instant_source") == "transaction")
    shows("DISCARD ALL keeps the generator", generator(ada) == known and known[1] == 6)
    shows("the generator, with its counts, is that of the server connection", generator(eve) == known)

    # What a client observes holds for its server connection, and so for others.

    ahead = observe(ada)
    shows("what one client observed moves another one's ids, in a pool of one", new_id(bob) > ahead)
    ahead = observe(server, "gid_observe_server")
    shows("gid_observe_server moves the ids of all clients", all(new_id(c) > ahead for c in (ada, bob, eve)))
