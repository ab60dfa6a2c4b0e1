#!/usr/bin/env python3
"""Writes the tables and the charts of doc/benchmarks.md.

    bench/pages.py FILE     writes the tables that were measured, and the charts
    bench/pages.py --check  fails if the charts are not those of the tables, or if a
                            section does not name the command that prints a table

In the page, "<!-- results: NAME -->" stands above a table.  The charts are drawn from
the tables.  All other text of the page is written by hand.  Except for the
names of parts and tables, this program must not know how anything is measured.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
from html import escape

TOP = pathlib.Path(__file__).resolve().parents[1]
PAGE = TOP / "doc" / "benchmarks.md"
COLOURS = ("#0b6e4f", "#c1292e", "#235789", "#e09f3e", "#7a9e9f", "#8e6c8a")

# File: table, title, unit, first and last column, whether the axis is logarithmic.
CHARTS = {
    "bench-mint": ("minting", "Time to create an id", "ns per row", 2, 2, False),
    "bench-settled": ("settled, 8 writers, and one that writes elsewhere for 2 s",
                      "From the commit of a row until it is read, with another transaction of 2 s", "ms, median", 1, 3, True),
}


def markdown(rows):
    """The lines of a table."""
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    return [head, "|" + " --- |" * len(rows[0]), *body]


def page_lines():
    return PAGE.read_text(encoding="utf-8").split("\n")


def page_tables():
    """{name: the lines of its table}"""
    tables, name = {}, None
    for line in page_lines():
        if found := re.fullmatch(r"<!-- results: (.+) -->", line):
            name = found[1]
            tables[name] = []
        elif name and line.startswith("|"):
            tables[name].append(line)
        else:
            name = None
    return tables


def fill(results):
    """Writes the page with the tables of the results."""
    tables = {name: markdown(rows) for name, rows in results.items()}
    if missing := tables.keys() - page_tables().keys():
        sys.exit("the page does not show the results " + ", ".join(sorted(missing)))
    lines, new = [], None
    for line in page_lines():
        if new and line.startswith("|"):
            continue
        lines.append(line)
        found = re.fullmatch(r"<!-- results: (.+) -->", line)
        new = tables.get(found[1]) if found else None
        lines += new or []
    PAGE.write_text("\n".join(lines), encoding="utf-8")


def figure(cell):
    """The first number of a cell."""
    return float(re.match(r"[\d,.]+", cell)[0].replace(",", ""))


def chart(title, unit, groups, series, is_log):
    """Grouped bars as SVG: the bars of a group stand side by side, so none hides another.

    groups are the labels below the axis, series (label, figures).
    """
    width, left, top, height = 720, 70, 46, 230
    bottom, legend = top + height, top + height + 50
    columns = 3 if max(len(label) for label, _ in series) < 22 else 2
    whole = legend + 22 * math.ceil(len(series) / columns)
    figures = [figure for _, row in series for figure in row]
    if is_log:
        low, high = 0, math.ceil(math.log10(max(figures)))
        ticks = [10 ** n for n in range(low, high + 1)]

        def up(value):
            return height * max(0.0, math.log10(value) - low) / (high - low)
    else:
        step = 10 ** math.floor(math.log10(max(figures)))
        step = next(step * part for part in (0.2, 0.5, 1, 2) if max(figures) / (step * part) <= 6)
        ticks = [step * n for n in range(math.ceil(max(figures) / step) + 1)]

        def up(value):
            return height * value / ticks[-1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {whole}" font-family="sans-serif" font-size="12" fill="#222">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{whole}" fill="#fff"/>',
        f'<text x="{left}" y="20" font-size="15" font-weight="bold">{escape(title)}</text>',
        f'<text x="{left}" y="37">{escape(unit)}</text>',
    ]
    for tick in ticks:
        y = bottom - up(tick)
        parts.append(f'<path d="M{left} {y:.1f} H{width - 10}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:,.10g}</text>')
    group = (width - 10 - left) / len(groups)
    bar = group * 0.84 / len(series)
    for n, label in enumerate(groups):
        start = left + group * n + group * 0.08
        for m, (_, row) in enumerate(series):
            parts.append(f'<rect x="{start + bar * m:.1f}" y="{bottom - up(row[n]):.1f}" width="{bar * 0.9:.1f}" height="{up(row[n]):.1f}" '
                         f'fill="{COLOURS[m % len(COLOURS)]}"/>')
        parts.append(f'<text x="{left + group * (n + 0.5):.1f}" y="{bottom + 20}" text-anchor="middle">{escape(label)}</text>')
    for m, (label, _) in enumerate(series):
        x, y = left + m % columns * (width - left) / columns, legend + 22 * (m // columns)
        parts.append(f'<rect x="{x:.1f}" y="{y - 10}" width="12" height="12" fill="{COLOURS[m % len(COLOURS)]}"/>')
        parts.append(f'<text x="{x + 18:.1f}" y="{y}">{escape(label)}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def charts():
    """Each chart's file and its SVG."""
    for name, (table, title, unit, first, last, is_log) in CHARTS.items():
        head, _, *rows = ([cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in page_tables()[table])
        if first == last:
            series = [(row[0], [figure(row[first])]) for row in rows]
            groups = [""]
        else:
            groups = head[first:last + 1]
            series = [(row[0], [figure(cell) for cell in row[first:last + 1]]) for row in rows]
        yield TOP / "doc" / f"{name}.svg", chart(title, unit, groups, series, is_log)


def printed_by():
    """{command: the source of what it prints}"""
    _, *methods = re.split(r"\n    def (\w+)\(self\):\n", (TOP / "bench" / "run.py").read_text(encoding="utf-8"))
    sources = dict(zip(methods[::2], methods[1::2]))
    parts = subprocess.run([sys.executable, TOP / "bench" / "run.py", "--list"], check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    return {part: sources[part] for part in parts} | {
        option: (TOP / "bench" / file).read_text(encoding="utf-8")
        for option, file in (("--long", "rows.py"), ("client-libraries", "libraries.py"))}


def wrong_commands():
    """Tables whose section does not name a command above them that prints them.
    Every run prints the machine."""
    sources, command, before = printed_by(), None, ""
    for line in page_lines():
        if line.startswith("#"):
            command = None
        for command in re.findall(r"script/bench ([\w-]+)", line):
            if command not in sources:
                yield f'there is no "script/bench {command}"'
        if line.startswith("|") and not before.startswith("|"):
            mark = re.fullmatch(r"<!-- results: (.+) -->", before)
            name = mark[1] if mark else line
            if not mark or command is None and not name.startswith("machine"):
                yield f"nothing says which command prints the table {name}"
            elif not name.startswith("machine") and not re.search(f'"{re.escape(name.split(", ")[0])}[",]', sources.get(command, "")):
                yield f'"script/bench {command}" does not print the table {name}'
        before = line


def main():
    is_check = sys.argv[1] == "--check"
    if is_check and (wrong := list(wrong_commands())):
        sys.exit("doc/benchmarks.md: " + "; ".join(wrong))
    if not is_check:
        fill(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
    for path, text in charts():
        if not is_check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"doc/{path.name} is not what bench/pages.py writes")


main()
