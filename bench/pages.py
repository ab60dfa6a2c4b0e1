#!/usr/bin/env python3
"""Writes the tables and the charts of doc/benchmarks.md, and the figures of README.md.

    bench/pages.py FILE     writes the tables that were measured, and what is made of them
    bench/pages.py --charts writes what is made of the tables of the page
    bench/pages.py --check  fails if that would change a file, or if a section does not
                            name the command that prints a table

In the page, "<!-- results: NAME -->" stands above a table.  The charts and the figures are
those of the tables.  All other text of the page is written by hand.  Except for the
names of parts and tables, this program must not know how anything is measured.
"""

import json
import pathlib
import re
import subprocess
import sys
from html import escape

TOP = pathlib.Path(__file__).resolve().parents[1]
PAGE = TOP / "doc" / "benchmarks.md"
README = TOP / "README.md"
SETTLED = "settled, 8 writers, and one that writes elsewhere for 2 s"

# File: title, and for each group of bars its heading, table and column.
CHARTS = {
    "bench-mint": ("Time to create an id", [("ns, less is better", "minting", 2)]),
    "bench-settled": ("Eight writers, a poll every 10 ms, another transaction of 2 s", [
        ("from the commit of a row until it is read: ms, less is better", SETTLED, 1),
        ("transactions per second: more is better", SETTLED, 4)]),
}

# Figures of README.md: text, table, column, and the rows of gid, uuidv7() and bigint.  A
# bigint without created_at does not contain its time.
FIGURES = (
    ("create and count an id, ns", "minting", 2, ("gid_new('o')", "uuidv7()", "nextval('ticket')")),
    ("1,000,000 rows with their time, indexes included, MB", "created_at", 2, ("gid", "uuidv7(), created_at", "bigint, created_at")),
    ("the same without `created_at`, MB", "created_at", 2, ("gid", "uuidv7()", None)),
    ("rows inserted per second, each durable, by 16 clients", "clients", 5, ("gid", "uuidv7()", "bigint")),
)


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


def rows_of(table):
    """{first cell: cells} without marks of code"""
    rows = ([cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in page_tables()[table][2:])
    return {row[0]: row for row in rows}


def figure(cell):
    """The first number of a cell."""
    return re.match(r"[\d,.]+", cell)[0]


def svg(title, width, height, parts):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="15" fill="#222">',
        f'<title>{escape(title)}</title>', f'<rect width="{width}" height="{height}" fill="#fff"/>', *parts, "</svg>", ""])


def chart(title, groups):
    """Horizontal bars as SVG, each with its number.  groups are (heading, {label: number})."""
    width, left, line, y = 560, 158, 26, 34
    parts = [f'<text x="10" y="24" font-size="16" font-weight="bold">{escape(title)}</text>']
    for heading, bars in groups:
        y += 24
        parts.append(f'<text x="10" y="{y}">{escape(heading)}</text>')
        numbers = [float(number.replace(",", "")) for number in bars.values()]
        for n, (label, number) in enumerate(bars.items()):
            y += line
            long = (width - left - 80) * numbers[n] / max(numbers)
            parts.append(f'<text x="{left - 8}" y="{y}" text-anchor="end">{escape(label)}</text>')
            parts.append(f'<rect x="{left}" y="{y - 14}" width="{long:.1f}" height="18" fill="{"#7a9e9f" if n else "#0b6e4f"}"/>')
            parts.append(f'<text x="{left + long + 6:.1f}" y="{y}">{number}</text>')
        y += 10
    return svg(title, width, y + 8, parts)


def line_charts(title, panels):
    """Charts with lines, two in a row, as SVG.  panels are (heading, [label of x], {label: [number]})."""
    width, high, colours = 640, 110, ("#0b6e4f", "#c2571a", "#4a6fa5")
    parts = [f'<text x="10" y="24" font-size="16" font-weight="bold">{escape(title)}</text>']
    for n, label in enumerate(panels[0][2]):
        parts.append(f'<text x="{10 + n * 120}" y="48" font-weight="bold" fill="{colours[n]}">{escape(label)}</text>')
    for n, (heading, xs, series) in enumerate(panels):
        left, bottom = 50 + n % 2 * width // 2, 200 + n // 2 * 185
        numbers = {label: [float(number.replace(",", "")) for number in row] for label, row in series.items()}
        largest, label = max((number, series[label][i]) for label, row in numbers.items() for i, number in enumerate(row))
        parts.append(f'<text x="{left - 40}" y="{bottom - high - 16}">{escape(heading)}</text>')
        parts.append(f'<path d="M{left} {bottom - high}v{high}h240" fill="none" stroke="#999"/>')
        parts += [f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{text}</text>' for y, text in ((bottom - high, label), (bottom, "0"))]
        places = [left + 20 + i * 200 // (len(xs) - 1) for i in range(len(xs))]
        parts += [f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{text}</text>' for x, text in zip(places, xs)]
        for colour, row in zip(colours, numbers.values()):
            points = " ".join(f"{x},{bottom - high * number / largest:.1f}" for x, number in zip(places, row))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return svg(title, width, bottom + 32, parts)


def growing():
    """The panels of the chart of growth."""
    xs = [cell.strip().replace(" rows", "") for cell in page_tables()["growth"][0].strip("|").split("|")[1:]]
    panels = {}
    for what, *numbers in rows_of("growth").values():
        heading, label = what.split(": ")
        panels.setdefault(heading, {})[label] = numbers
    calls = {"0" if row[0] == "nothing" else row[0].split()[0]: row[1] for row in rows_of("settled cost").values()
             if row[0] == "nothing" or row[0].endswith("transactions are open, and have written")}
    return [*((heading, xs, series) for heading, series in panels.items()),
            ("gid_settled, µs, by open transactions", list(calls), {"gid": list(calls.values())})]


def made_of_tables():
    """Each file that shows figures of the tables, and what it must contain."""
    yield TOP / "doc" / "bench-growth.svg", line_charts("Growth: by the number of rows", growing())
    for name, (title, groups) in CHARTS.items():
        yield TOP / "doc" / f"{name}.svg", chart(title, [
            (heading, {label: figure(row[column]) for label, row in rows_of(table).items()}) for heading, table, column in groups])
    text = README.read_text(encoding="utf-8")
    lines = [f"| {what} | " + " | ".join(figure(rows_of(table)[row][column]) if row else "–" for row in rows) + " |\n" for what, table, column, rows in FIGURES]
    yield README, re.sub(r"(<!-- figures -->\n.*\n.*\n)(?:\|.*\n)*", lambda found: found[1] + "".join(lines), text)


def printed_by():
    """{command: the source of what it prints}"""
    _, *methods = re.split(r"\n    def (\w+)\(self\):\n", (TOP / "bench" / "run.py").read_text(encoding="utf-8"))
    sources = dict(zip(methods[::2], methods[1::2]))
    parts = subprocess.run([sys.executable, TOP / "bench" / "run.py", "--list"], check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    libraries = (TOP / "bench" / "libraries.py").read_text(encoding="utf-8")
    return {part: sources[part] for part in parts} | {"client-libraries": libraries}


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
    if sys.argv[1] not in ("--check", "--charts"):
        fill(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
    for path, text in made_of_tables():
        if not is_check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.relative_to(TOP)} is not what bench/pages.py writes")


main()
