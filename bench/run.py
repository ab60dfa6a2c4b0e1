#!/usr/bin/env python3
"""Measures gid and compares it with uuid, bigint and UUIDv7 on one server.

script/bench starts the server and this program.  Figures are medians of several
runs.  Runs that are compared alternate, so that a slow minute of a shared machine
affects all of them, and hardly affects their ratio.
"""

import argparse
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import threading
import time

import libraries
from measure import MINTED, UUID_LOWER_BOUND, UUIDV7, Psql, Results, in_turn, number, percentile, turned

PARTS = ("statements", "minting", "text", "operations", "filters", "writers", "sorting", "clients", "created_at", "growth",
         "settled", "settled_cost", "partitions", "planning", "estimates", "libraries")

V7_AT = "uuidv7(t - clock_timestamp())"  # a value of the time t


def with_ratio(ours, theirs):
    """Returns two cells, and a third one that compares them."""
    return number(ours), number(theirs), f"{ours / theirs:.2f}"


class Poller(threading.Thread):
    """Polls repeatedly, and stores the delay between the commit and the poll of rows."""

    def __init__(self, query, first, interval, end):
        super().__init__()
        self.db = Psql()
        self.query, self.cursor, self.interval, self.end = query, first, interval, end
        self.delays = []

    def poll(self):
        for line in self.db.run(self.query.format(self.cursor)):
            self.cursor, delay = line.split("|")
            self.delays.append(float(delay))

    def run(self):
        while not self.end.is_set():
            began = time.monotonic()
            self.poll()
            time.sleep(max(0, self.interval - (time.monotonic() - began)))


class Bench:
    def __init__(self, options):
        self.runs = 5
        self.options = options
        self.db = Psql()
        self.results = Results(options.results, self.db)
        self.db.run("SET client_min_messages = warning")
        self.db.run(f"CREATE EXTENSION gid; {UUID_LOWER_BOUND}; {MINTED}")
        # Ways to make a key: name, type and expression.
        self.kinds = {
            "gid": ("gid(o)", "gid_new('o')"),
            "uuid v4": ("uuid", "gen_random_uuid()"),
        }
        if self.value("SELECT count(*) FROM pg_proc WHERE proname = 'uuidv7'") != "0":
            self.kinds["uuidv7()"] = ("uuid", "uuidv7()")
        if self.value("SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_uuidv7'") != "0":
            self.db.run("CREATE EXTENSION pg_uuidv7")
            self.kinds["pg_uuidv7"] = ("uuid", "uuid_generate_v7()")
        self.db.run("CREATE SEQUENCE ticket")
        self.v7 = "uuidv7()" in self.kinds
        if not self.v7:
            self.db.run(UUIDV7)

    def value(self, sql):
        return self.db.value(sql)

    def in_turn(self, statements, runs=None):
        """Returns {label: median of ms} for {label: statement}."""
        return in_turn(lambda label: self.db.ms(statements[label]), list(statements), runs or self.runs)

    def costs(self, statement, values=None, repeat=1):
        """Returns the cells of a statement for a table and its twin: ms, and the ratio of the CPU times."""
        def cost(twin):
            sql = statement.format(twin, *values[twin] if values else ())
            return tuple(ms / repeat for ms in self.db.cost("; ".join([sql] * repeat)))

        (ours, our_cpu), (theirs, their_cpu) = in_turn(cost, ["", "_uuid"], 2 * self.runs + 1).values()
        return number(ours), number(theirs), f"{our_cpu / their_cpu:.2f}"

    def twins(self, table, query, other=None):
        """Creates the same rows twice: with gids, and with uuids of the same bytes.  The
        tables are unlogged, so that CREATE INDEX measures sorting, not the disk."""
        self.db.run(f"CREATE UNLOGGED TABLE {table} AS {query}")
        self.db.run(f"CREATE UNLOGGED TABLE {table}_uuid AS {other or f'SELECT id::uuid AS id FROM {table}'}")
        self.db.run(f"VACUUM ANALYZE {table}, {table}_uuid")

    # --- Short statements ---

    def statements(self):
        import statements  # it requires psycopg, which --list must not
        keys = [key for key in statements.KEYS if self.v7 or "v7" not in key]
        sessions = {key: statements.Session(key) for key in keys}
        results = []
        for what in statements.STATEMENTS:
            us = in_turn(lambda key: sessions[key].cost(what), keys, 2 * self.runs + 1)
            results.append((what, *(number(us[key]) for key in keys)))
        version = self.value("SHOW server_version_num")[:2]
        self.results.table("statements, " + version, (f"on {version}, µs", *keys), results)
        for session in sessions.values():
            session.close()

    # --- Minting ---

    def minting(self):
        rows = 2_000_000
        calls = {label: make for label, (_, make) in self.kinds.items()}
        calls["bigint, nextval()"] = "nextval('ticket')"
        calls["no call"] = "g"
        series = "(SELECT generate_series(1, {}) AS g) s"
        ms = self.in_turn({label: f"SELECT count({call}) FROM {series.format(rows)}" for label, call in calls.items()})
        self.results.table(
            "minting", ("call", "ms", "ns per row", "compared with gid"),
            [(f"`{calls[label]}`" if label != "no call" else "the row alone", number(t), number(t * 1e6 / rows), f"{t / ms['gid']:.2f} ×") for label, t in ms.items()])

    # --- Text and binary ---

    def text(self):
        rows = 1_000_000
        self.twins("v", f"SELECT gid_random('o', '2026-01-01'::timestamptz + g * interval '1 ms') AS id FROM generate_series(1, {rows}) g")
        self.twins("s", "SELECT id::text AS id FROM v", "SELECT id::text AS id FROM v_uuid")
        results = []
        for what, table, gid, uuid in (
                ("text out", "v", "gid_out(id)", "uuid_out(id)"),
                ("text in", "s", "id::gid", "id::uuid"),
                ("binary out", "v", "gid_send(id)", "uuid_send(id)")):
            ms = self.in_turn({
                "scan": f"SELECT count(id) FROM {table}", "scan uuid": f"SELECT count(id) FROM {table}_uuid",
                "gid": f"SELECT count({gid}) FROM {table}", "uuid": f"SELECT count({uuid}) FROM {table}_uuid"}, self.runs + 4)
            results.append((f"{what}: `{gid}`, `{uuid}`", *with_ratio((ms["gid"] - ms["scan"]) * 1e6 / rows, (ms["uuid"] - ms["scan uuid"]) * 1e6 / rows)))
        self.results.table("text", ("conversion", "gid, ns", "uuid, ns", "gid / uuid"), results)

        self.db.run("DROP TABLE v, v_uuid, s, s_uuid")

    # --- Hashing, COPY and GiST ---

    def operations(self):
        self.db.run("CREATE EXTENSION btree_gist")
        self.twins("v", "SELECT gid_random('o', '2026-01-01'::timestamptz + g * interval '1 ms') AS id FROM generate_series(1, 1000000) g")
        self.twins("child", "SELECT id FROM (SELECT id FROM v LIMIT 1000) AS parent, generate_series(1, 1000) ORDER BY random()")
        self.twins("b", """SELECT gid_random('o', '2026-01-01'::timestamptz + g * interval '1 ms') AS id, tstzrange(at, at + '1 h') AS during
            FROM generate_series(1, 500000) g, LATERAL (SELECT timestamptz '2026-01-01' + g * interval '1 h' AS at) t ORDER BY hashint4(g)""",
            "SELECT id::uuid AS id, during FROM b")
        for twin, kind in ("", "gid"), ("_uuid", "uuid"):
            self.db.run(f"CREATE UNLOGGED TABLE copied{twin} (id {kind}); CREATE UNLOGGED TABLE x{twin} (LIKE b{twin}, EXCLUDE USING gist (id WITH =, during WITH &&))")
        file = self.options.scratch + "/copy"
        self.db.run("SET enable_mergejoin = off; SET enable_nestloop = off; SET enable_sort = off")
        results = [(what, *self.costs(statement)) for what, statement in (
            ("GROUP BY, 1,000 groups", "SELECT id, count(*) FROM child{0} GROUP BY id"),
            ("a hash join, all different", "SELECT count(*) FROM v{0} a JOIN v{0} b USING (id)"),
            ("COPY TO, text", f"COPY v{{0}} TO '{file}{{0}}'"),
            ("COPY FROM, text", f"TRUNCATE copied{{0}}; COPY copied{{0}} FROM '{file}{{0}}'"),
            ("build a GiST index of 500,000", "DROP INDEX IF EXISTS i{0}; CREATE INDEX i{0} ON b{0} USING gist (id)"),
            ("insert 100,000, EXCLUDE, all different", "TRUNCATE x{0}; INSERT INTO x{0} SELECT * FROM b{0} LIMIT 100000"),
            ("insert 100,000, EXCLUDE, 300 ids", "TRUNCATE x{0}; INSERT INTO x{0} SELECT i.id, b.during FROM (SELECT id, row_number() OVER () AS n FROM b{0} LIMIT 300) i "
             "JOIN (SELECT during, row_number() OVER () AS n FROM b{0} LIMIT 100000) b ON b.n % 300 + 1 = i.n"),
            ("`to_jsonb(id)`", "SELECT count(to_jsonb(id)) FROM v{0}"), ("`row_to_json`", "SELECT count(row_to_json(v)) FROM v{0} v"))]
        self.results.table("operations", ("operation", "gid, ms", "uuid, ms", "CPU"), results)
        self.db.run("RESET enable_mergejoin; RESET enable_nestloop; RESET enable_sort; DROP TABLE v, v_uuid, child, child_uuid, b, b_uuid, copied, copied_uuid, x, x_uuid")

    # --- Filters ---

    def filters(self):
        """Measures scans that filter by time: the twin of the ids is a column of times."""
        times = "SELECT '2026-01-01'::timestamptz + g * interval '1 min' AS t FROM generate_series(1, 500000) g"
        self.twins("f", f"SELECT gid_random('o', t)::gid(o) AS id FROM ({times}) s", f"SELECT t AS id FROM ({times}) s")
        self.db.run("SET plan_cache_mode = force_generic_plan")
        for twin, within in ("", "gid_within(id, $1)"), ("_uuid", "id <@ $1"):
            for name, condition in (("now", "id >= now() - interval '100 days'"), ("two(timestamptz, timestamptz)", "id >= $1 AND id < $2"), ("within(tstzrange)", within)):
                name, bracket, types = name.partition("(")
                self.db.run(f"PREPARE {name}{twin}{bracket}{types} AS SELECT count(*) FROM f{twin} WHERE {condition}")
        results = [(what, *self.costs(statement)) for what, statement in (
            ("`id >= now() - interval '100 days'`", "EXECUTE now{0}"),
            ("`id >= $1 AND id < $2`", "EXECUTE two{0}('2026-03-01', '2026-04-01')"),
            ("`gid_within(id, $1)`, `created_at <@ $1`", "EXECUTE within{0}('[2026-03-01,2026-04-01)')"))]
        self.results.table("filters", ("filter", "gid, ms", "created_at, ms", "CPU"), results)
        self.db.run("DEALLOCATE ALL; RESET plan_cache_mode; DROP TABLE f, f_uuid")

    # --- Many writers, and sorting their ids ---

    def start_pgbench(self, script, clients, *limit):
        path = f"{self.options.scratch}/{abs(hash(script))}.sql"
        with open(path, "w") as out:
            out.write(script)
        return subprocess.Popen(["pgbench", "-n", "-c", str(clients), "-j", str(min(2, clients)), "-f", path, *limit],
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def pgbench(self, *arguments):
        process = self.start_pgbench(*arguments)
        output = process.communicate()[0]
        if process.returncode:
            sys.exit("pgbench failed")
        return output

    SIZES = (1, 10, 1000)  # rows of a transaction

    def writers(self):
        rows = 480_000
        keys = {"uuidv7()": "id uuid PRIMARY KEY DEFAULT uuidv7()", **self.keys()}
        ways = {"gid": "gid", "gid, `gid.instant_source = clock`": "gid", **{way: way for way in ("uuidv7()", "uuid v4", "bigint")}}
        kept = {"gid": "minted", "uuidv7()": "minted_uuid"}
        index = {way: [] for way in ways}
        for run, size in enumerate(self.SIZES):
            for way in turned(ways, run):
                key = ways[way]
                name = f"{kept.get(way, 'other')}_{size}"
                self.db.run(f"CREATE TABLE {name} ({keys[key]}, n int)")
                os.environ["PGOPTIONS"] = f"-c gid.instant_source={'clock' if 'clock' in way else 'transaction'} -c synchronous_commit=off"
                self.pgbench(f"INSERT INTO {name} (n) SELECT generate_series(1, {size});", 16, "-t", str(rows // size // 16))
                del os.environ["PGOPTIONS"]
                written = int(self.value(f"SELECT pg_relation_size('{name}_pkey')"))
                index[way].append(f"{written / rows:.1f}")
                if way not in kept:
                    self.db.run(f"DROP TABLE {name}")
        self.results.table("writers", ("rows in a transaction", *(f"{size:,}" for size in self.SIZES)), [(way, *sizes) for way, sizes in index.items()])

    def sorting(self):
        if self.value("SELECT to_regclass('minted_1') IS NULL") == "t":
            self.writers()
        rows = int(self.value("SELECT count(*) FROM minted_1"))
        sources = {f"transactions of {size:,}": [f"SELECT id FROM minted{twin}_{size}" for twin in ("", "_uuid")] for size in self.SIZES}
        one = [f"SELECT {make} AS id FROM generate_series(1, {rows})" for make in ("gid_new('o')", "uuidv7()")]
        sources["one transaction"] = one
        sources["one transaction, after a row of another one"] = [
            f"(SELECT id FROM minted{twin}_1 LIMIT 1) UNION ALL {query}" for twin, query in zip(("", "_uuid"), one)]
        sources |= {f"transactions of {size:,}, as inserted": sources[f"transactions of {size:,}"] for size in self.SIZES}
        for what, ms in ("a millisecond apart", "g"), ("at random times of a year", "random() * 365 * 86400000"):
            times = f"(SELECT '2026-01-01'::timestamptz + {ms} * interval '1 ms' AS t FROM generate_series(1, {rows}) g OFFSET 0) s"
            sources[what] = [f"SELECT {make} AS id FROM {times}" for make in ("gid_random('o', t)", V7_AT)]
        results = []
        for what, source in sources.items():
            shuffled = ("SELECT id FROM (SELECT id, row_number() OVER () AS n FROM ({}) i) r "
                        f"ORDER BY n > {int('after' in what)}, hashint8(n)")    # the other row stays the first one
            self.twins("shuffled", *(query if "inserted" in what else shuffled.format(query) for query in source))
            results.append((what, *self.costs("SELECT count(*) FROM (SELECT id FROM shuffled{0} ORDER BY id OFFSET 0) s"),
                            *self.costs("BEGIN; CREATE INDEX ON shuffled{0} (id); ROLLBACK")))
            self.db.run("DROP TABLE shuffled, shuffled_uuid")
        twin = ("uuidv7", "CPU")
        self.results.table("sorting", ("ids of", "ORDER BY: gid", *twin, "CREATE INDEX: gid", *twin), results)

    # --- Tables ---

    def keys(self):
        """Returns {label: definition of the key column} of the tables to insert into."""
        keys = {label: f"id {type_} PRIMARY KEY DEFAULT {make}" for label, (type_, make) in self.kinds.items() if label != "pg_uuidv7"}
        keys["bigint"] = "id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
        return keys

    def clients(self):
        seconds = 3
        keys = self.keys()
        counts = (1, 2, 4, 8, 16, 32)
        tps, wal = {}, {}

        def insert(label):
            self.db.run(f"DROP TABLE IF EXISTS single; CREATE TABLE single ({keys[label]}, n int)")
            self.db.run("CHECKPOINT")
            before = self.value("SELECT pg_current_wal_insert_lsn()")
            output = self.pgbench("INSERT INTO single (n) VALUES (1);", clients, "-T", str(seconds))
            rows = int(self.value("SELECT count(*) FROM single"))
            wal.setdefault((label, clients), []).append(
                float(self.value(f"SELECT pg_current_wal_insert_lsn() - '{before}'")) / rows)
            return float(re.search(r"tps = ([0-9.]+)", output).group(1))

        for clients in counts:
            for label, figure in in_turn(insert, list(keys), 3, warm_up=0).items():
                tps[label, clients] = figure
        self.results.table("clients", ("rows per second", *(f"{n} clients" if n > 1 else "1 client" for n in counts), "WAL bytes per row, 16 clients"),
                          [(label, *(number(tps[label, n]) for n in counts), number(statistics.median(wal[label, 16]))) for label in keys])
        self.db.run("DROP TABLE single")

    # Tables whose rows have a time: columns, their names, the values of a row at the time t, the column of the time, and a bound of it.
    TIMED = {
        "gid": ("id gid(o) PRIMARY KEY, n int", "id, n", "gid_random('o', t), n", "id", "{}"),
        **{f"{key}, created_at": (f"id {type_} PRIMARY KEY, n int, created_at timestamptz", names + "n, created_at", values + "n, t", "created_at", "{}")
           for key, type_, names, values in (("uuid v4", "uuid", "id, ", "gen_random_uuid(), "), ("bigint", "bigint GENERATED ALWAYS AS IDENTITY", "", ""),
                                             ("uuidv7()", "uuid", "id, ", V7_AT + ", "))},
        "uuidv7()": ("id uuid PRIMARY KEY, n int", "id, n", V7_AT + ", n", "id", "uuid_lower_bound({})"),
    }

    def create_timed(self, name, label):
        self.db.run(f"DROP TABLE IF EXISTS {name}; CREATE TABLE {name} ({self.TIMED[label][0]})")
        if "created_at" in label:
            self.db.run(f"CREATE INDEX ON {name} (created_at)")

    def load_timed(self, name, label, first, last):
        """Inserts rows, one second apart.  Returns the milliseconds."""
        _, names, values, *_ = self.TIMED[label]
        self.db.run("CHECKPOINT")
        ms = self.db.ms(f"INSERT INTO {name} ({names}) SELECT {values} FROM (SELECT n, '2026-01-01'::timestamptz + n * interval '1 s' AS t "
                        f"FROM generate_series({first}, {last}) n OFFSET 0) s")
        self.db.run(f"VACUUM ANALYZE {name}")
        return ms

    def hour(self, name, label, rows):
        """Returns the milliseconds of a query for the hour in the middle of the rows."""
        *_, column, bound = self.TIMED[label]
        low, high = (bound.format(f"timestamptz '2026-01-01' + interval '{s} s'") for s in (rows // 2, rows // 2 + 3600))
        query = f"SELECT count(n) FROM {name} WHERE {column} >= {low} AND {column} < {high}"
        if self.value(query) != "3600":
            sys.exit("an hour of " + label + " is not 3,600 rows")
        return statistics.median(self.db.ms(query) for _ in range(15))

    def created_at(self):
        rows = 1_000_000

        def measure(label):
            self.create_timed("hours", label)
            return (self.load_timed("hours", label, 1, rows), int(self.value("SELECT pg_total_relation_size('hours')")), self.hour("hours", label, rows))

        taken = in_turn(measure, [label for label in self.TIMED if self.v7 or "v7" not in label], 3, warm_up=0)
        self.results.table("created_at", ("table", "insert, s", "on disk, MB", "an hour, ms"),
                          [(label, f"{insert / 1000:.1f}", number(size / 1e6), f"{hour:.2f}")
                           for label, (insert, size, hour) in taken.items()])
        self.db.run("DROP TABLE hours")

    def growth(self):
        """Measures tables that grow."""
        sizes = (100_000, 1_000_000, 10_000_000)
        labels = {"gid": "grows_0", **({"uuidv7()": "grows_1"} if self.v7 else {}), "bigint, created_at": "grows_2"}
        taken = {}
        for label, name in labels.items():
            self.create_timed(name, label)
        for run, (done, rows) in enumerate(zip((0, *sizes), sizes)):
            for label in turned(labels, run):
                name = labels[label]
                ms = self.load_timed(name, label, done + 1, rows)
                self.db.run(f"CREATE TABLE wanted AS SELECT id FROM {name} WHERE hashint4(n) % {rows // 10_000} = 0 ORDER BY hashint4(n + 1)")
                found = f"SELECT count(n) FROM wanted, LATERAL (SELECT n FROM {name} WHERE id = wanted.id OFFSET 0) f"
                lookup = statistics.median(self.db.ms(found) for _ in range(15)) / int(self.value(found))
                taken[label, rows] = {
                    "load, µs per row": ms * 1000 / (rows - done), "indexes, bytes per row": int(self.value(f"SELECT pg_indexes_size('{name}')")) / rows,
                    "a row by its id, within one statement, µs": lookup * 1000}
                self.db.run("DROP TABLE wanted")
        self.db.run("DROP TABLE " + ", ".join(labels.values()))
        self.results.table("growth", ("", *(f"{rows:,} rows" for rows in sizes)), [
            (f"{what}: {label}", *(number(taken[label, rows][what]) for rows in sizes)) for what in taken["gid", sizes[0]] for label in labels])

    # --- The horizon ---

    # The ways to poll: a title, the query, and the first cursor.  A query returns the
    # cursor and the delay of the row in ms.
    DELAY = "extract(epoch FROM clock_timestamp() - pg_xact_commit_timestamp(e.xmin)) * 1000"
    HORIZON = "SELECT e.id, {delay} FROM e WHERE e.id > '{{0}}' AND e.id < gid_settled('e') ORDER BY e.id"
    XMIN = """SELECT xid, {delay} FROM e
        WHERE xid > '{{0}}' AND xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY xid"""
    WAIT = """SELECT at, {delay} FROM e
        WHERE at > '{{0}}' AND at < now() - interval '1 s' ORDER BY at"""
    LOCK = "SELECT n, {delay} FROM e WHERE n > {{0}} ORDER BY n"
    TOGETHER = {"`gid_settled`": (HORIZON, None), "`pg_snapshot_xmin`": (XMIN, "0"), "a wait of 1 s": (WAIT, "-infinity")}
    LOCKED = {"an exclusive lock": (LOCK, "0")}
    LOADS = {
        "8 writers": None,
        "8 writers, and one that writes elsewhere for 2 s": "INSERT INTO elsewhere VALUES (1);",
        "8 writers, and one that inserts here and commits 2 s later": "{lock}INSERT INTO e (n) VALUES (DEFAULT);",
    }

    def poll_under(self, load, interval, seconds, ways, lock=""):
        """Polls under a load.  Returns {way: (delays, number of missed rows)}, and the
        transactions per second of the writers."""
        db = self.db
        db.run("""DROP TABLE IF EXISTS e, elsewhere; CREATE TABLE elsewhere (n int);
            CREATE TABLE e (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), n bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
                xid xid8 DEFAULT pg_current_xact_id(), at timestamptz DEFAULT now());
            CREATE INDEX ON e (xid); CREATE INDEX ON e (at)""")
        first = db.value("SELECT gid_lower_bound('e', '-infinity')")
        end = threading.Event()
        pollers = {way: Poller(query.format(delay=self.DELAY), start or first, interval, end)
                   for way, (query, start) in ways.items()}
        other = None
        if self.LOADS[load]:
            other = self.start_pgbench("BEGIN;" + self.LOADS[load].format(lock=lock) + "\n\\sleep 2000 ms\nCOMMIT;", 1, "-T", str(seconds))
        writers = self.start_pgbench("BEGIN;" + lock + "INSERT INTO e (n) VALUES (DEFAULT);\n\\sleep 5 ms\nCOMMIT;", 8, "-T", str(seconds))
        for poller in pollers.values():
            poller.start()
        output = writers.communicate()[0]
        if other:
            other.communicate()
        end.set()
        for poller in pollers.values():
            poller.join()
        delays = {way: list(poller.delays) for way, poller in pollers.items()}
        time.sleep(1.1)
        for poller in pollers.values():  # the last poll shows which rows were missed
            poller.poll()
            poller.db.close()
        rows = int(db.value("SELECT count(*) FROM e"))
        return {way: (delays[way], rows - len(poller.delays)) for way, poller in pollers.items()}, float(
            re.search(r"tps = ([0-9.]+)", output).group(1))

    def settled(self):
        intervals, seconds, runs = (0.01, 1), 4, 3
        delays, missed, rates = {}, {}, {}
        for _ in range(runs):
            for load in self.LOADS:
                for interval in intervals:
                    for ways, lock in ((self.TOGETHER, ""), (self.LOCKED, "LOCK TABLE e IN SHARE ROW EXCLUSIVE MODE;")):
                        results, rate = self.poll_under(load, interval, seconds, ways, lock)
                        for way, (of_rows, lost) in results.items():
                            delays.setdefault((load, interval, way), []).extend(of_rows)
                            missed[load, way] = missed.get((load, way), 0) + lost
                            rates.setdefault((load, way), []).append(rate)
        ways = [*self.TOGETHER, *self.LOCKED]
        for load in self.LOADS:
            self.results.table(
                "settled, " + load,
                ("way", *(f"a poll every {interval * 1000:.0f} ms" for interval in intervals), "transactions per second", "missed rows"),
                [(way, *("{} / {}".format(*(number(percentile(delays[load, interval, way], part)) for part in (0.5, 0.99)))
                         for interval in intervals), number(statistics.median(rates[load, way])), f"{missed[load, way]:,}") for way in ways])

    # The loads of other sessions while gid_settled() is called: the number of sessions
    # and their script.  After READY, a session does nothing.
    READY = "SELECT 1 AS ready;\n\\sleep 2000 s\n"  # pgbench cannot sleep for 2^31 microseconds
    WROTE = "INSERT INTO wrote DEFAULT VALUES;\n" * 4
    OPEN = "BEGIN;\nINSERT INTO other VALUES (1);\n"
    NEST = "SAVEPOINT s;\nINSERT INTO other VALUES (1);\n"
    PREPARE = "BEGIN;\nINSERT INTO other VALUES (1);\nPREPARE TRANSACTION 'p:client_id';\n"
    OTHERS = {
        "1,000 sessions are idle, and have written": (1000, WROTE + READY),
        "100 transactions are open, and have written": (100, OPEN + READY),
        "1,000 transactions are open, and have written": (1000, OPEN + READY),
        "the same, and one is older than the others": (1000, WROTE + OPEN + READY),
        "1,000 transactions are prepared": (1000, PREPARE + WROTE + READY),
        "a transaction has 10,000 nested savepoints": (1, OPEN + NEST * 9000 + "\\sleep 2 s\n" + NEST * 1000 + READY),
        "50 sessions call `gid_settled` as fast as they can": (50, "SELECT gid_settled('e');\n"),
    }

    def settled_cost(self):
        db, calls, runs = self.db, 200, 100
        for name, call in (("ask", "gid_settled('e')"), ("nothing", "NULL")):
            db.run(f"""CREATE PROCEDURE {name}() LANGUAGE plpgsql AS $$
                BEGIN FOR i IN 1 .. {calls} LOOP PERFORM {call}; COMMIT; END LOOP; END $$""")

        def cost():
            ask, nothing = (min(db.ms(f"CALL {name}()") for _ in range(runs)) for name in ("ask", "nothing"))
            return (ask - nothing) * 1000 / calls

        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, limit) if limit > 0 else 4096, limit))
        db.run("CREATE TABLE wrote (id gid(e) DEFAULT gid_new('e')); CREATE TABLE other (n int)")
        figures = [("nothing", f"{cost():.1f}")]
        older = Psql()
        for what, (clients, script) in self.OTHERS.items():
            if "older" in what:
                older.run("BEGIN ISOLATION LEVEL REPEATABLE READ; INSERT INTO other VALUES (1)")
            others = self.start_pgbench(script, clients, "-T", "3600")
            time.sleep(1)
            since = time.monotonic()
            while self.READY in script and db.value("SELECT count(*) FROM pg_stat_activity WHERE query ~ '^SELECT 1 AS ready'") != str(clients):
                if others.poll() is not None or time.monotonic() > since + 300:
                    sys.exit("not reached: " + what)
                db.run("INSERT INTO other VALUES (1)")  # so that some xids are below the xmax of a snapshot, and some above it
                time.sleep(0.5)
            figures.append((what, f"{cost():.1f}"))
            others.terminate()
            others.communicate()
            while db.value("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pgbench'") != "0":
                time.sleep(0.5)
            if "older" in what:
                older.run("ROLLBACK")
            for line in db.run("SELECT format('ROLLBACK PREPARED %L', gid) FROM pg_prepared_xacts"):
                db.run(line)
        older.close()
        db.run("DROP TABLE wrote, other; DROP PROCEDURE ask, nothing")
        self.results.table("settled cost", ("other sessions", "`gid_settled`, µs"), figures)

    # --- A thousand partitions ---

    def partitions(self):
        days, rows = 1000, 100_000
        day = "(timestamptz '2026-01-01 UTC' + interval '{} days')"
        # Columns, values of a row at the time t, the partition key, its bound, and the value to compare it with.
        tables = {
            "gid": ("id gid(o) PRIMARY KEY", "gid_random('o', t)", "id", "gid_lower_bound('o', {})", "{}"),
            "created_at": ("id bigint, created_at timestamptz, PRIMARY KEY (id, created_at)", "n, t", "created_at", "{}", "{}")}
        if self.v7:
            tables["uuidv7()"] = ("id uuid PRIMARY KEY", V7_AT, "id", "uuid_lower_bound({})", "uuid_lower_bound({})")
        queries = {}
        for i, (label, (columns, values, at, bound, limit)) in enumerate(tables.items()):
            self.db.run(f"CREATE TABLE days_{i} ({columns}) PARTITION BY RANGE ({at})")
            for n in range(days):
                self.db.run(f"CREATE TABLE days_{i}_{n} PARTITION OF days_{i} FOR VALUES FROM ({bound.format(day.format(n))}) "
                            f"TO ({bound.format(day.format(n + 1))})")
            self.db.run(f"INSERT INTO days_{i} SELECT {values} FROM (SELECT n, timestamptz '2026-01-01 UTC' + (n - 0.5) * interval '{days} days' / {rows} AS t "
                        f"FROM generate_series(1, {rows}) n) s")
            if at == "created_at":
                self.db.run(f"CREATE INDEX ON days_{i} (created_at)")
            self.db.run(f"VACUUM ANALYZE days_{i}")
            key = self.value(f"SELECT id FROM days_{i} LIMIT 1")
            after, before = (limit.format(f"timestamptz '{self.value('SELECT ' + day.format(n))}'") for n in (500, 501))
            # With a stable time, the executor prunes partitions instead of the planner.
            stable_after, stable_before = (limit.format(day.format(n)) for n in (500, 501))
            queries[label] = {
                "a day": f"SELECT count(*) FROM days_{i} WHERE {at} >= {after} AND {at} < {before}",
                "a day, with times that are not constants": f"SELECT count(*) FROM days_{i} WHERE {at} >= {stable_after} AND {at} < {stable_before}",
                "a row by its id": f"SELECT count(*) FROM days_{i} WHERE id = '{key}'",
                "all rows": f"SELECT count(*) FROM days_{i}"}

        def explained(query):
            lines = self.db.run("EXPLAIN (ANALYZE, TIMING OFF) " + query)
            return tuple(float(re.search(name + " Time: ([0-9.]+) ms", "\n".join(lines)).group(1)) for name in ("Planning", "Execution"))

        results = []
        for what in queries["gid"]:
            for label in tables:
                if what.startswith("a day") and (found := self.value(queries[label][what])) != str(rows // days):
                    sys.exit(f"{what}, by {label}: {found} rows")
            ms = in_turn(lambda label: explained(queries[label][what]), list(tables), 4 * self.runs + 1)
            results.append((what, *(" + ".join(number(t) for t in ms[label]) for label in tables)))
        self.results.table("partitions", ("planning + execution", *tables), results)
        for i in range(len(tables)):
            self.db.run(f"DROP TABLE days_{i}")

    # --- Planning ---

    def ids(self, rows, interval):
        """Creates rows in p and p_uuid, up to now."""
        times = f"(SELECT now() - g * interval '{interval}' AS t FROM generate_series(1, {rows}) g OFFSET 0) s"
        self.twins("p", f"SELECT minted(t) AS id FROM {times}", f"SELECT {V7_AT} AS id FROM {times}")
        self.db.run("CREATE UNIQUE INDEX ON p (id); CREATE UNIQUE INDEX ON p_uuid (id); ALTER TABLE p ALTER id TYPE gid(o)")
        self.db.run("VACUUM ANALYZE p, p_uuid")

    def planning(self):
        """Measures EXPLAIN."""
        self.ids(100_000, "5 minutes")
        values = {"": [], "_uuid": []}
        for twin in values:
            values[twin] = [self.value(f"SELECT id FROM p{twin} ORDER BY id LIMIT 1 OFFSET {n}") for n in (40_000, 60_000)]
            for n in range(1, 6):
                self.db.run(f"CREATE TABLE p{twin}_{n} (LIKE p{twin} INCLUDING INDEXES); INSERT INTO p{twin}_{n} SELECT * FROM p{twin}; ANALYZE p{twin}_{n}")
        plans = {what: (1, "WHERE " + what.strip("`").replace("…", "'{1}'", 1).replace("…", "'{2}'")) for what in ("`id = …`", "`id < …`", "`id > … AND id < …`")}
        plans |= {f"a join of {n} by `id`": (n, " ".join(f"JOIN p{{0}}_{i} USING (id)" for i in range(1, n))) for n in (2, 4, 6)}
        cells = {what: [] for what in plans}
        for target in (100, 1000):
            for twin in values:
                for table in (f"p{twin}", *(f"p{twin}_{n}" for n in range(1, 6))):
                    self.db.run(f"ALTER TABLE {table} ALTER id SET STATISTICS {target}; ANALYZE {table}")
            for what, (tables, rest) in plans.items():
                cells[what] += self.costs("EXPLAIN SELECT count(*) FROM p{0} " + rest, values, 100 // tables)
        twin = ("uuid", "CPU")
        self.results.table("plans", ("planning", "target 100: gid", *twin, "target 1,000: gid", *twin), [(what, *row) for what, row in cells.items()])
        for twin in values:
            self.db.run("DROP TABLE " + ", ".join((f"p{twin}", *(f"p{twin}_{n}" for n in range(1, 6)))))

    def estimates(self):
        """Compares the estimated number of rows in a range with the real one, and joins of ranges."""
        rows, seconds = 1_000_000, 365 * 86400
        self.ids(rows, f"{seconds / rows} s")
        self.db.run("CREATE UNLOGGED TABLE p_time AS SELECT gid_timestamp(id) AS id FROM p; CREATE INDEX ON p_time (id)")
        for twin in ("", "_time", "_uuid"):
            self.db.run(f"ALTER TABLE p{twin} ADD n int; UPDATE p{twin} SET n = random() * 1e6; VACUUM FULL ANALYZE p{twin}")
        newest = float(self.value("SELECT extract(epoch FROM gid_timestamp(id)) FROM p ORDER BY id DESC LIMIT 1"))
        ranges = {"the last hour": 1, "an hour": 1, "a day": 24, "ten days": 240}
        twins = {"gid": ("", "to_timestamp({})"), "created_at": ("_time", "to_timestamp({})"), "uuidv7()": ("_uuid", "uuid_lower_bound(to_timestamp({}))")}

        def conditions(low, hours, bound, alias=""):
            condition = f"{alias}id >= {bound.format(low)}"
            return condition if hours is None else f"{condition} AND {alias}id < {bound.format(low + hours * 3600)}"

        found = {}
        for _ in range(2 * self.runs):
            self.db.run("ANALYZE p, p_time, p_uuid")
            for what, hours in ranges.items():
                for _ in range(20):
                    low = newest - (hours * 3600 if "last" in what else random.uniform(hours * 3600, seconds))
                    for label, (twin, bound) in twins.items():
                        plan = self.value(f"EXPLAIN SELECT FROM p{twin} WHERE " + conditions(low, None if "last" in what else hours, bound))
                        found.setdefault((what, label), []).append(int(re.search(r"rows=(\d+)", plan)[1]))
        self.results.table("estimates", ("range", "rows", *twins), [
            (what, number(rows * hours * 3600 / seconds), *(number(statistics.median(found[what, label])) for label in twins))
            for what, hours in ranges.items()])

        joins = {label: [] for label in twins}
        lengths = {"an hour, ms": 1, "a day, ms": 24, "ten days, ms": 240}
        for hours in lengths.values():
            lows = [newest - random.uniform(hours * 3600, seconds) for _ in range(20)]
            ms = [self.in_turn({label: f"SELECT count(*) FROM p{twin} a JOIN p{twin} b USING (n) WHERE {conditions(low, hours, bound, 'a.')} AND {conditions(low, hours, bound, 'b.')}"
                                for label, (twin, bound) in twins.items()}, 1) for low in lows]
            for label in twins:
                joins[label].append(number(statistics.mean(run[label] for run in ms)))
        self.results.table("joins of ranges", ("range of both sides", *lengths), [(label, *cells) for label, cells in joins.items()])
        self.db.run("DROP TABLE p, p_time, p_uuid")

    # --- Clients ---

    def libraries(self):
        columns = [column for what in ("new", "parse", "format") for column in (f"{what}: gid, ns", "uuid, ns", "gid / uuid")]
        self.results.table("libraries", ("language", "uuid", *columns), [
            (language, library, *with_ratio(*times[:2]), *with_ratio(*times[2:4]), *with_ratio(*times[4:]))
            for language, library, times in libraries.rows("tree/bench/clients")])

    def run(self):
        for part in self.options.parts or PARTS:
            getattr(self, part)()
        self.results.save()


if sys.argv[1:] == ["--list"]:
    print(*PARTS)
    sys.exit()
parser = argparse.ArgumentParser()
parser.add_argument("--scratch", required=True, help="a folder that this program and the server can write to")
parser.add_argument("--results", required=True, help="the file that the results are written to")
parser.add_argument("parts", nargs="*")
Bench(parser.parse_args()).run()
