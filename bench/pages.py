#!/usr/bin/env python3
"""Writes the tables of doc/benchmarks.md, and the figures of README.md.

    bench/pages.py FILE ... writes the tables that were measured; if two files have one
                            of the same name, that of the last file
    bench/pages.py --check  fails if README.md has other figures, or if the page names
                            commands or tables that do not exist

In the page, "<!-- results: NAME -->" stands above a table.  All other text of the page
is written by hand.  Except for the names of parts and tables, this program must not
know how anything is measured.
"""

import json
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[1]
PAGE = TOP / "doc" / "benchmarks.md"
README = TOP / "README.md"

# Figures of README.md: text, table, and row and column of gid, uuidv7() and bigint.  A
# bigint without created_at does not contain its time.
FIGURES = (
    ("create and count an id, ns", "minting", (("gid_new('o')", 2), ("uuidv7()", 2), ("nextval('ticket')", 2))),
    ("get a row by its id, CPU of the server, µs", "statements, 18", (("a row by its id", 1), ("a row by its id", 3), ("a row by its id", 4))),
    ("1,000,000 rows with their time, indexes included, MB", "created_at", (("gid", 2), ("uuidv7(), created_at", 2), ("bigint, created_at", 2))),
    ("the same without `created_at`, MB", "created_at", (("gid", 2), ("uuidv7()", 2), None)),
    ("rows inserted per second, each durable, by 16 clients", "clients", (("gid", 5), ("uuidv7()", 5), ("bigint", 5))),
)


def markdown(rows):
    """The lines of a table."""
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    return [head, "|" + "---|" * len(rows[0]), *body]


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


def readme():
    """README.md with the figures of the tables."""
    text = README.read_text(encoding="utf-8")
    lines = [f"| {what} | " + " | ".join(figure(rows_of(table)[cell[0]][cell[1]]) if cell else "–" for cell in cells) + " |\n" for what, table, cells in FIGURES]
    return re.sub(r"(<!-- figures -->\n.*\n.*\n)(?:\|.*\n)*", lambda found: found[1] + "".join(lines), text)


def wrong_names():
    """Commands and tables of the page that do not exist.  Every run prints the machine."""
    parts = subprocess.run([sys.executable, TOP / "bench" / "run.py", "--list"], check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    named = re.findall(r"(?:script/bench |^`(?=\w+`:))([\w-]+)", PAGE.read_text(encoding="utf-8"), re.M)
    sources = "".join(path.read_text(encoding="utf-8") for path in (TOP / "bench").glob("*.py"))
    yield from (f"script/bench {part}" for part in set(named) - set(parts))
    yield from (f"the table {name}" for name in page_tables() if not re.search(f'"{re.escape(name.split(", ")[0])}[",]', sources))


def main():
    if sys.argv[1] != "--check":
        fill({name: rows for path in sys.argv[1:] for name, rows in json.loads(pathlib.Path(path).read_text(encoding="utf-8")).items()})
        README.write_text(readme(), encoding="utf-8")
    elif wrong := list(wrong_names()):
        sys.exit("doc/benchmarks.md names what does not exist: " + ", ".join(wrong))
    elif README.read_text(encoding="utf-8") != readme():
        sys.exit("README.md does not have the figures of doc/benchmarks.md")


main()
