"""What the benchmarks share: sessions to measure in, figures, and pages with
tables and plots.  It must not know what is measured.
"""

import datetime
import os
import re
import statistics
import subprocess
import sys


class Psql:
    """A session, so that what is measured was warm."""

    def __init__(self, port=None):
        self.process = subprocess.Popen(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *(["-p", port] if port else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

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
        """How long a statement takes, its rows thrown away."""
        lines = self._answer("\\timing on\n" + sql + " \\g /dev/null\n\\timing off")
        return sum(float(line.split()[1]) for line in lines if line.startswith("Time:"))


# The least UUIDv7 of a time, as gid_lower_bound() has it for ids.
UUID_LOWER_BOUND = """CREATE FUNCTION uuid_lower_bound(timestamptz) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
    SELECT rpad(lpad(to_hex(floor(extract(epoch FROM $1) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$"""

SETTINGS = ("shared_buffers", "max_wal_size", "work_mem", "maintenance_work_mem", "fsync", "synchronous_commit", "jit",
            "max_parallel_workers_per_gather", "max_parallel_maintenance_workers", "autovacuum")


class Report:
    """The page, as it grows."""

    def __init__(self, path, db):
        self.path = path
        self.db = db
        with open("/proc/cpuinfo") as cpuinfo:
            processor = re.search(r"model name\s*: (.*)", cpuinfo.read()).group(1)
        self.processor = f"{processor}, {os.cpu_count()} cores"
        version = db.value("SHOW server_version").split()[0]
        self.machine = f"PostgreSQL {version}, {self.processor}, a shared virtual machine"
        self.lines = []
        self.targets = []

    def begin(self, title, command, *text):
        """What a page begins with: what wrote it, where, and under which settings."""
        with open("/etc/os-release") as release:
            system = re.search(r'PRETTY_NAME="(.*)"', release.read()).group(1)
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2 ** 30
        self.write(
            "# " + title, "",
            f"Written by `{command}` on {datetime.date.today():%-d %B %Y}: {self.db.value('SELECT version()').split(',')[0]}, {system}, "
            f"{self.processor}, {memory:.0f} GiB, a shared virtual machine.", "",
            *text, "",
            "Settings: " + ", ".join(f"`{name} = {self.db.value('SHOW ' + name)}`" for name in SETTINGS) + ".")

    def section(self, title, *text):
        print(title, "...", flush=True)
        self.write("", "## " + title, "", *text)

    def write(self, *lines):
        self.lines.extend(lines)

    def table(self, header, rows):
        self.write("", "| " + " | ".join(header) + " |", "|" + " --- |" * len(header))
        self.write(*("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows), "")

    def target(self, what, must, got, met, reason=""):
        """met may be None: that is for what is only to be shown.  The reason is
        why an aim was missed."""
        verdict = {True: "met", False: "**missed**", None: "shown"}[met]
        self.targets.append((what, must, got, verdict, reason if met is False else ""))

    def plot(self, name, alt, title, commands, series):
        """A plot by gnuplot, with the machine below its title; series are
        (title, [(x, y), ...]).  With more than four, the first half are of one
        colour each, and the second half repeat the colours in dashes."""
        data = "".join(
            f"$d{i} << EOD\n" + "".join(f"{x} {y}\n" for x, y in points) + "EOD\n"
            for i, (_, points) in enumerate(series))
        colours = ["#0b6e4f", "#c1292e", "#235789", "#e09f3e"]
        solid = len(series) if len(series) <= len(colours) else len(series) // 2
        curves = ", ".join(
            f"$d{i} using 1:2 with linespoints pt 7 ps 0.5 lw 2 dt {1 + i // solid} lc rgb '{colours[i % solid]}' title '{title}'"
            for i, (title, _) in enumerate(series))
        svg = subprocess.run(["gnuplot"], check=True, text=True, stdout=subprocess.PIPE, input=f"""
            set terminal svg size 640,360 font 'sans-serif,12' background rgb 'white'
            set grid lc rgb '#dddddd'
            set border 3
            set tics nomirror
            set key below maxcols 2 noenhanced
            set title "{title}\\n{{/*0.8 {self.machine}}}"
            {commands}
            {data}plot {curves}
            """.replace("            ", "")).stdout
        with open(f"{os.path.dirname(self.path)}/{name}.svg", "w") as out:
            out.write("\n".join(line.rstrip() for line in svg.splitlines()).rstrip() + "\n")
        self.write(f"![{alt}]({name}.svg)", "")

    def save(self):
        if self.targets:
            self.write("", "## What was aimed at")
            self.table(("what", "aim", "measured", "", "why"), self.targets)
        with open(self.path, "w") as out:
            out.write("\n".join(self.lines).rstrip() + "\n")


def in_turn(measure, labels, runs, warm_up=1):
    """{label: median of its runs}, after one of each that is not counted."""
    taken = {label: [] for label in labels}
    for run in range(-warm_up, runs):
        for label in labels:
            figure = measure(label)
            if run >= 0:
                taken[label].append(figure)
    return {label: statistics.median(figures) for label, figures in taken.items()}


def number(n):
    return f"{n:,.0f}" if n >= 100 else f"{n:.3g}"


NOISE = "below the noise"


def above(n):
    """What is left of a time when another is taken away, which varies, too."""
    return number(n) if n > 0 else NOISE


def ratio_above(ours, theirs):
    return f"{ours / theirs:.2f}" if ours > 0 and theirs > 0 else NOISE


def percentile(figures, part):
    """Of any figures; NaN of none."""
    figures = sorted(figures)
    return figures[min(len(figures) - 1, int(part * len(figures)))] if figures else float("nan")
