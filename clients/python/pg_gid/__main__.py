"""Prints everything that ids contain, as gid_explain() does on the server.

    python -m pg_gid ID ...         or ids from standard input, separated by white space
    python -m pg_gid --json ID ...  one JSON object a line, as row_to_json(gid_explain(id))
"""

from __future__ import annotations

import argparse
import json
import sys

from . import Gid


def as_psql(row: dict[str, str | int | None]) -> str:
    """The row in the expanded format of psql."""
    shown = {name: "" if value is None else str(value) for name, value in row.items()}
    for name in "time", "instant":
        shown[name] = shown[name].replace("T", " ").replace("+00:00", "+00")
    return "\n".join(f"{name:11} | {value}" for name, value in shown.items())


def main() -> int:
    """Explains ids.  Returns 1 if a text is not a valid id."""
    parser = argparse.ArgumentParser(prog="pg-gid", description="Prints everything that ids contain.")
    parser.add_argument("ids", metavar="ID", nargs="*", help="without any, they are read from standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    options = parser.parse_args()
    if not options.ids and sys.stdin.isatty():
        parser.print_help()
        return 2

    status, separator = 0, ""
    for text in options.ids or (word for line in sys.stdin for word in line.split()):
        try:
            row = Gid(text).explain()
            print(json.dumps(row) if options.json else separator + as_psql(row))
            separator = "\n"
        except ValueError as error:
            sys.stdout.flush()
            print(f"pg-gid: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
