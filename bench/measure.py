"""The sessions and the results of benchmarks.

This module must not know what is measured, or how the page shows it (pages.py).
"""

import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import time


class Psql:
    """A session of psql.  Its caches stay warm between statements."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.backend = int(self.value("SELECT pg_backend_pid()"))

    def _answer(self, text):
        self.process.stdin.write(text + "\n\\echo end of answer\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) != "end of answer\n":
            if not line:
                sys.exit("psql ended; the statement was: " + text)
            lines.append(line.rstrip("\n"))
        return lines

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def run(self, sql):
        return self._answer(sql + ";")

    def value(self, sql):
        return self.run(sql)[0]

    def ms(self, sql):
        """Returns the time of a statement, and ignores its rows."""
        lines = self._answer("\\timing on\n" + sql + " \\g /dev/null\n\\timing off")
        return sum(float(line.split()[1]) for line in lines if line.startswith("Time:"))

    def cost(self, sql):
        """Returns the time of a statement, and the CPU time of its backend, in ms."""
        clock = ~self.backend << 3 | 2  # see clock_getcpuclockid(3)
        before = time.clock_gettime(clock)
        ms = self.ms(sql)
        return ms, (time.clock_gettime(clock) - before) * 1000


# The smallest UUIDv7 of a time, like gid_lower_bound() for ids.
UUID_LOWER_BOUND = """CREATE OR REPLACE FUNCTION uuid_lower_bound(timestamptz) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
    SELECT rpad(lpad(to_hex(floor(extract(epoch FROM $1) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$"""

# The function of PostgreSQL 18, for older servers.  The values are alike, the time to make them is not.
UUIDV7 = """CREATE FUNCTION uuidv7(shift interval DEFAULT '0') RETURNS uuid LANGUAGE sql AS $$
    SELECT (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0') || substr(gen_random_uuid()::text, 20))::uuid
    FROM (SELECT (extract(epoch FROM clock_timestamp() + shift) * 1000000)::bigint AS us) t $$"""

# An id as gid_new() makes it, of one session, within the millisecond of any time.
MINTED = """CREATE FUNCTION minted(timestamptz) RETURNS gid LANGUAGE sql AS $$
    SELECT gid_from_muid('o', format('%s-10000abcdef-%s', lpad(to_hex((extract(epoch FROM $1) * 1000)::bigint * 1000 + floor(random() * 1000)::int), 13, '0'),
        lpad(to_hex(1 + floor(random() * 2 ^ 29)::int), 8, '0'))) $$"""

SETTINGS = ("shared_buffers", "max_wal_size", "work_mem", "maintenance_work_mem", "fsync", "synchronous_commit", "jit",
            "max_parallel_workers_per_gather", "max_parallel_maintenance_workers", "autovacuum", "shared_preload_libraries")


class Results:
    """The results: tables of formatted figures, by name, and a table of the machine."""

    def __init__(self, path, db):
        self.path = path
        with open("/proc/cpuinfo") as cpuinfo:
            processor = re.search(r"model name\s*: (.*)", cpuinfo.read()).group(1)
        with open("/etc/os-release") as release:
            system = re.search(r'PRETTY_NAME="(.*)"', release.read()).group(1)
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2 ** 30
        self.tables = {"machine": [
            ["", ""],
            ["Date", f"{datetime.date.today():%-d %B %Y}"],
            ["Server", db.value("SELECT version()").split(",")[0]],
            ["System", system],
            ["Machine", f"{processor}, {os.cpu_count()} cores, {memory:.0f} GiB, a shared virtual machine"],
            ["Settings", ", ".join(f"`{name} = {db.value('SHOW ' + name)}`" for name in SETTINGS)],
        ]}

    def table(self, name, header, rows):
        """Stores a table, and prints it."""
        self.tables[name] = [[str(cell) for cell in row] for row in (header, *rows)]
        print(name, *("  " + " | ".join(row) for row in self.tables[name]), sep="\n", flush=True)

    def save(self):
        """Writes the results to the file."""
        with open(self.path, "w") as file:
            json.dump(self.tables, file, ensure_ascii=False)


def turned(labels, run):
    """Returns the labels in the order of a run: every other run goes backwards, because what comes second in each
    pair finds the caches as the first one left them."""
    return list(labels)[::-1 if run % 2 else 1]


def in_turn(measure, labels, runs, warm_up=1):
    """Returns {label: median of its runs}, or one median for each figure of a tuple.  The
    first run of each is not counted."""
    taken = {label: [] for label in labels}
    for run in range(-warm_up, runs):
        for label in turned(labels, run):
            figure = measure(label)
            if run >= 0:
                taken[label].append(figure)
    return {label: tuple(map(statistics.median, zip(*figures))) if isinstance(figures[0], tuple) else statistics.median(figures)
            for label, figures in taken.items()}


def number(n):
    return f"{n:,.0f}" if n >= 100 else f"{n:.3g}"


def percentile(figures, part):
    """Returns a percentile, or NaN if there are no figures."""
    figures = sorted(figures)
    return figures[min(len(figures) - 1, int(part * len(figures)))] if figures else float("nan")
