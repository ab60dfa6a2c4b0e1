#!/usr/bin/env python3
"""Measures tables that grow to 10^8 rows.

script/bench --long starts the server and this program.  There is a table for each
type of key.  Each table grows by a month of ten million rows at a time.  The tables
alternate, so that a slow hour of a shared machine affects all of them.  In the
second stage, the tables are partitioned by month.
"""

import argparse
import dataclasses
import random
import statistics
import sys

from measure import UUID_LOWER_BOUND, Psql, Results, number

WHOLE = 10 ** 8
MONTHS = 10
INDEXED = (1, 2, 5, 10)     # after which months CREATE INDEX is timed
ROUNDS = 5
LOOKUPS, PAGES = 1000, 200  # keys in a round
PAGE = 100                  # rows
HOURS = 51
SAMPLE = 20_000             # keys of each month that can be asked for


@dataclasses.dataclass
class Table:
    """bound is the bound of the column `at` for a time."""
    kind: str
    months: bool            # whether it is partitioned
    type: str
    columns: str
    key: str
    names: str
    values: str             # of a row's number n and its time t
    at: str
    bound: str

    @property
    def name(self):
        return self.kind + ("_months" if self.months else "_whole")

    @property
    def label(self):
        return self.kind + (", by month" if self.months else "")

    def newest(self, month):
        return f"{self.name}_{month}" if self.months else self.name


def tables(months):
    """gid and uuidv7 contain the creation time.  bigint requires a column for it, which
    must be in the primary key if the table is partitioned by this column."""
    return [
        Table("gid", months, "gid", "id gid(o)", "id", "id, n", "gid_random('o', t), n", "id", "gid_lower_bound('o', {})"),
        Table("uuidv7", months, "uuid", "id uuid", "id", "id, n", "uuidv7(t - clock_timestamp()), n", "id", "uuid_lower_bound({})"),
        Table("bigint", months, "bigint", "id bigint GENERATED ALWAYS AS IDENTITY, created_at timestamptz",
              "id, created_at" if months else "id", "created_at, n", "t, n", "created_at", "{}"),
    ]


def month(n):
    return f"timestamptz '2026-{n + 1:02}-01'"


class Rows:
    def __init__(self, options):
        self.options = options
        self.per_month = options.rows // MONTHS
        if self.per_month < SAMPLE:
            sys.exit(f"{options.rows:,} rows are too few; the minimum is {MONTHS * SAMPLE:,}")
        self.db = Psql()
        self.db.run("SET client_min_messages = warning; SET timezone = 'UTC'")
        self.db.run(f"CREATE EXTENSION gid; {UUID_LOWER_BOUND}")
        self.figures = {}       # (table's label, month, what): figure

    # --- Growing ---

    def create(self, table):
        statements = [f"CREATE TABLE {table.name} ({table.columns}, n int, PRIMARY KEY ({table.key}))"]
        if table.months:
            statements[0] += f" PARTITION BY RANGE ({table.at})"
            statements += [f"CREATE TABLE {table.newest(n)} PARTITION OF {table.name} "
                           f"FOR VALUES FROM ({table.bound.format(month(n))}) TO ({table.bound.format(month(n + 1))})" for n in range(MONTHS)]
        if table.at != "id":
            statements.append(f"CREATE INDEX ON {table.name} ({table.at})")
        statements.append(f"CREATE TABLE {table.name}_sample (id {table.type}, n int)")
        for what, loops, query in (
                ("lookup", LOOKUPS, "PERFORM n FROM {} WHERE id = key"),
                ("page", PAGES, f"PERFORM count(n) FROM (SELECT n FROM {{}} WHERE id > key ORDER BY id LIMIT {PAGE}) p")):
            statements.append(f"""CREATE FUNCTION {table.name}_{what}(seed int, skipped int) RETURNS float8 LANGUAGE plpgsql AS $$
                DECLARE
                    key {table.type};
                    keys {table.type}[] := ARRAY(SELECT id FROM {table.name}_sample ORDER BY hashint8extended(n, seed), n
                        OFFSET skipped LIMIT {loops});
                    began timestamptz := clock_timestamp();
                BEGIN
                    FOREACH key IN ARRAY keys LOOP {query.format(table.name)}; END LOOP;
                    RETURN extract(epoch FROM clock_timestamp() - began) * 1e6 / cardinality(keys);
                END $$""")
        self.db.run("BEGIN;" + ";".join(statements) + ";COMMIT")

    def load(self, table, step):
        """Inserts the rows of a month, evenly spread.  Returns the milliseconds."""
        self.db.run("CHECKPOINT")
        first, last = (float(self.db.value(f"SELECT extract(epoch FROM {month(n)})")) for n in (step, step + 1))
        ms = self.db.ms(f"INSERT INTO {table.name} ({table.names}) SELECT {table.values} FROM (SELECT {step * self.per_month} + g AS n, "
                        f"to_timestamp({first} + (g - 1) * {(last - first) / self.per_month!r}) AS t FROM generate_series(1, {self.per_month}) g OFFSET 0) s")
        self.db.run(f"INSERT INTO {table.name}_sample SELECT id, n FROM {table.name} "
                    f"WHERE {table.at} >= {table.bound.format(month(step))} AND n % {self.per_month // SAMPLE} = 0")
        return ms

    # --- Measuring ---

    def keys(self, table, step):
        """Returns the microseconds per key twice: when it is read first, and again when
        its pages are in memory.  Each round uses other keys."""
        seed, skipped, figures = random.getrandbits(30), 0, {}
        for what, loops in (("page", PAGES), ("lookup", LOOKUPS)):
            passes = []
            for _ in range(ROUNDS):
                passes.append([float(self.db.value(f"SELECT {table.name}_{what}({seed}, {skipped})")) for _ in range(2)])
                skipped += loops
            figures |= {name: statistics.median(row) for name, row in zip((what, what + " again"), zip(*passes))}
        return figures

    def hour(self, table, step):
        """Returns the milliseconds of a query for an hour, with its pages in memory."""
        taken = []
        for n in range(HOURS):
            month_, day, hour = n * 7 % (step + 1), 1 + n * 11 % 28, n * 5 % 23
            low, high = (f"timestamptz '2026-{month_ + 1:02}-{day:02} {hour_:02}:00'" for hour_ in (hour, hour + 1))
            if table.kind == "uuidv7":
                low, high = table.bound.format(low), table.bound.format(high)
            query = f"SELECT count(n) FROM {table.name} WHERE {table.at} >= {low} AND {table.at} < {high}"
            days = float(self.db.value(f"SELECT extract(epoch FROM {month(month_ + 1)} - {month(month_)}) / 86400"))
            rows, expected = int(self.db.value(query)), self.per_month / days / 24
            if abs(rows - expected) > 2:
                sys.exit(f"{rows} rows, and not {expected:.0f}: {query}")
            taken.append(self.db.ms(query))
        return statistics.median(taken)

    def create_index(self, table):
        self.db.run("BEGIN")
        ms = self.db.ms(f"CREATE INDEX again ON {table.name} (id)")
        self.db.run("ROLLBACK")
        return ms

    def indexes(self, table):
        """Returns the bytes of the indexes, with all partitions."""
        return int(self.db.value(f"SELECT sum(pg_indexes_size(oid)) FROM pg_class WHERE relname ~ '^{table.name}(_[0-9]+)?$'"))

    def measure(self, table, step):
        print(f"{table.label}, {(step + 1) * self.per_month:,} rows ...", flush=True)
        figures = {"load": self.load(table, step)}
        self.db.run(f"VACUUM (ANALYZE) {table.newest(step)}")
        figures["indexes"] = self.indexes(table)
        figures["hour"] = self.hour(table, step)
        figures |= self.keys(table, step)
        if step + 1 in INDEXED:
            figures["index"] = self.create_index(table)
        self.figures |= {(table.label, step, what): figure for what, figure in figures.items()}

    def grow(self, months):
        stage = tables(months)
        for table in stage:
            self.create(table)
        for step in range(MONTHS):
            for table in stage[step % 3:] + stage[:step % 3]:
                self.measure(table, step)
        self.db.run("DROP TABLE " + ", ".join(f"{table.name}, {table.name}_sample" for table in stage))

    # --- The results ---

    def save(self):
        """The first and the last figures, and the ratios of the last.  Prints all figures."""
        results = Results(self.options.results, "machine of the large tables", self.db)
        rows = []
        for label, what, unit, scale in (
                ("insert", "load", "rows per second", None),
                ("indexes", "indexes", "GB", 1e-9),
                ("an hour", "hour", "ms", 1),
                ("a page", "page again", "µs", 1),
                ("a page for the first time", "page", "µs", 1),
                ("a row", "lookup again", "µs", 1),
                ("a row for the first time", "lookup", "µs", 1),
                ("`CREATE INDEX`", "index", "s", 1e-3)):
            steps = [nth - 1 for nth in (INDEXED if what == "index" else range(1, MONTHS + 1))]
            for stage in (tables(False), tables(True)):
                figures = [[self.figures[table.label, step, what] for step in steps] for table in stage]
                figures = [[self.per_month / figure * 1000 if scale is None else figure * scale for figure in row] for row in figures]
                for table, row in zip(stage, figures):
                    print(f"{label}, {unit}, {table.label}:", *map(number, row), flush=True)
                last = [row[-1] for row in figures]
                rows.append((f"{label}{', by month' if stage[0].months else ''}, {unit}",
                             *(f"{number(row[0])} → {number(row[-1])}" for row in figures),
                             *(f"{last[0] / other:.2f}" for other in last[1:])))
        kinds = [table.kind for table in tables(False)]
        results.table("large tables", ("", *kinds, *(f"{kinds[0]} / {kind}" for kind in kinds[1:])), rows)
        if self.options.rows == WHOLE:
            results.save()

    def run(self):
        self.grow(False)
        self.grow(True)
        self.save()


parser = argparse.ArgumentParser()
parser.add_argument("--results", required=True, help="the file that the results are written to")
parser.add_argument("rows", type=int, nargs="?", default=WHOLE, help="the number of rows at the end")
Rows(parser.parse_args()).run()
