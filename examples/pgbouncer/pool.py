"""gid behind pgbouncer with pool_mode = transaction."""

import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg

# A pool of one server connection, which all clients share.
SETTINGS = """\
[databases]
one = host='{host}' port={port} dbname='{dbname}' user='{user}' password='{password}' pool_size=1

[pgbouncer]
pool_mode = transaction
auth_type = any
unix_socket_dir = {folder}
listen_port = 6432
logfile = {folder}/pgbouncer.log
"""


def shows(what, holds):
    print("ok -" if holds else "not ok -", what, flush=True)


def value(client, query, *parameters):
    """The one value that a query returns."""
    ((result,),) = client.execute(query, parameters).fetchall()
    return result


def new_id(client):
    return value(client, "INSERT INTO orders (item) VALUES ('bread') RETURNING id")


def observe(client, function="gid_observe"):
    """Observes an id of the near future, as it comes from a server whose clock is ahead, and returns it."""
    ahead = value(client, "SELECT gid_make('o', clock_timestamp() + interval '5 seconds', 0)")
    client.execute(f"SELECT {function}(%s)", [ahead])
    return ahead


with ExitStack() as stack:
    server = stack.enter_context(psycopg.connect(autocommit=True))
    server.execute("CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)")

    # The socket is in a folder that no other user can enter.
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    keywords = {name: getattr(server.info, name) for name in ("host", "port", "dbname", "user", "password")}
    Path(folder, "pgbouncer.ini").write_text(SETTINGS.format(folder=folder, **keywords))
    # With setpriv it also ends if this program is killed.
    process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "pgbouncer", "-q", f"{folder}/pgbouncer.ini"])
    stack.callback(process.wait)
    stack.callback(process.kill)
    while not Path(folder, ".s.PGSQL.6432").exists():
        if process.poll() is not None:
            sys.exit(f"pgbouncer ended with the status {process.returncode}")
        time.sleep(0.05)

    def connect():
        """A client.  psycopg prepares no statements by itself: the next one may run on another server connection."""
        return stack.enter_context(
            psycopg.connect(host=folder, port=6432, dbname="one", user="me", autocommit=True, prepare_threshold=None)
        )

    ada, bob, eve = clients = [connect() for _ in range(3)]
    shows("all clients have one server connection", len({value(client, "SELECT pg_backend_pid()") for client in clients}) == 1)
    shows("ids of different clients increase", new_id(ada) < new_id(bob))
    shows("gid_settled", all(value(client, "SELECT count(*) FROM orders WHERE id < gid_settled('o')") == 2 for client in clients))

    with ada.transaction():
        ada.execute("SET LOCAL gid.instant_source = clock")
    shows("SET LOCAL ends with the transaction", value(bob, "SHOW gid.instant_source") == "transaction")
    ada.execute("SET gid.instant_source = clock")
    shows("SET affects the next client", value(bob, "SHOW gid.instant_source") == "clock")
    counts = "SELECT medallion || ' ' || minted FROM gid_generator()"
    known = value(ada, counts)
    bob.execute("DISCARD ALL")
    shows("DISCARD ALL resets the settings", value(ada, "SHOW gid.instant_source") == "transaction")
    shows("DISCARD ALL does not reset the generator, which all clients share", value(eve, counts) == known)

    path = "SELECT current_setting('search_path')"
    known = value(ada, path)
    move = [sys.executable, "../../move/gid-move", "status", "-d", f"host={folder} port=6432 dbname=one"]
    moved = subprocess.run(move, capture_output=True, text=True)
    shows("gid-move rejects a pooler", moved.returncode == 1 and "goes through a pooler" in moved.stderr)
    shows("gid-move sets nothing before", value(ada, path) == known)

    ahead = observe(ada)
    shows("gid_observe affects the clients that get the server connection", new_id(bob) > ahead)
    ahead = observe(server, "gid_observe_server")
    shows("gid_observe_server moves the ids of all clients", all(new_id(client) > ahead for client in clients))
