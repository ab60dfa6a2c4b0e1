#!/usr/bin/env python3
"""Draws id.svg, layout.svg, range.svg and tutorial.svg of doc/ from the text of the pages.

    doc/pictures.py          writes the files anew
    doc/pictures.py --check  fails if a file is not what it would write
"""

import datetime
import pathlib
import re
import sys
from html import escape

DOC = pathlib.Path(__file__).resolve().parent
BLUE, GREEN, ORANGE, RED, GREY = "#c9d7f0", "#d9ead3", "#fce5cd", "#f4cccc", "#f3f3f3"
DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
ID = r"[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}"


def text(x, y, words, size=16, **attributes):
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}"{more}>{escape(words)}</text>'


def box(x, y, width, height, colour, *lines):
    """A box with lines of text in its middle, the first of them bold."""
    parts = [f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}" stroke="#444"/>']
    first = y + height / 2 + 6 - 10 * (len(lines) - 1)
    for n, words in enumerate(lines):
        style = {"font_weight": "bold"} if n == 0 else {}
        parts.append(text(x + width / 2, first + 20 * n, words, 16 if n == 0 else 15, text_anchor="middle", **style))
    return "\n".join(parts)


def arrow(path):
    return f'<path d="{path}" fill="none" stroke="#555" stroke-width="1.5" marker-end="url(#to)"/>'


def svg(title, width, height, parts):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="0 0 {width} {height}" font-family="sans-serif" fill="#123">',
        f"<title>{escape(title)}</title>",
        '<defs><marker id="to" markerWidth="9" markerHeight="9" refX="8" refY="4.5" orient="auto">'
        '<path d="M0 0 L9 4.5 L0 9 Z" fill="#555"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>', *parts, "</svg>", ""])


def page(name):
    return (DOC / name).read_text(encoding="utf-8")


def value(digits):
    number = 0
    for digit in digits:
        number = number * 58 + DIGITS.index(digit)
    return number


def draw_id():
    """The id of README.md whose time the page shows."""
    shown = re.search(rf"gid_timestamp\('({ID})'\)", page("../README.md"))[1]
    prefix, ms = divmod(value(shown[:10]), 2 ** 48)
    time = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc)
    head, tail = shown.split("-")
    return svg("The parts of an id", 600, 218, [
        text(20, 24, "Text: 24 characters"),
        box(12, 34, 300, 36, GREY), box(326, 34, 262, 36, GREY),
        text(162, 59, head, 20, text_anchor="middle", font_family="monospace"),
        text(319, 59, "-", 20, text_anchor="middle", font_family="monospace"),
        text(457, 59, tail, 20, text_anchor="middle", font_family="monospace"),
        *(f'<path d="M{a} 70 V120" stroke="#555" stroke-dasharray="4 3"/>' for a in (12, 312, 326, 588)),
        text(20, 106, "Bytes: 16"),
        box(12, 120, 76, 76, BLUE, "kind", f"{chr(prefix - 225 + ord('a'))} = {prefix}", "1 byte"),
        box(88, 120, 224, 76, GREEN, "creation time", f"{time:%Y-%m-%d %H:%M:%S}.{ms % 1000:03}", "6 bytes"),
        box(326, 120, 262, 76, ORANGE, "which id of that millisecond", "microsecond, session, number", "9 bytes"),
    ])


def draw_layout():
    bit = 9
    left = 12

    def row(y, x, *fields):
        for name, bits, meaning, colour in fields:
            yield box(x, y, bits * bit, 68, colour, name, f"{bits} bits", meaning)
            x += bits * bit

    medallion = left + 10 * bit
    return svg("The bits of a gid", 600, 350, [
        text(left, 20, "Bytes 0 to 7"),
        *row(28, left, ("prefix", 8, "kind", BLUE), ("milliseconds", 48, "since 1970: when the transaction began", GREEN),
             ("byte 7", 8, "prefix", BLUE)),
        text(left, 128, "Bytes 8 to 15, the payload of an id that gid_new minted"),
        *row(136, left, ("µs", 10, "0 to 999", GREEN), ("medallion", 24, "which generator", ORANGE),
             ("offset", 30, "which id of the instant", RED)),
        *(f'<path d="M{x} 204 V270" stroke="#444" stroke-dasharray="4 3"/>' for x in (medallion, medallion + 24 * bit)),
        text(medallion + 10, 260, "if gid.node is set", 15),
        *row(270, medallion, ("node", 10, "gid.node", ORANGE), ("slot", 14, "of the backend", ORANGE)),
        text(medallion + 24 * bit + 12, 300, "Without gid.node, the medallion", 15),
        text(medallion + 24 * bit + 12, 318, "is a random number.", 15),
    ])


def draw_range():
    """The first comparison with a time in the reference, and its plan."""
    condition, bound = re.search(r"WHERE (id > timestamptz '2026-11-01 00:00\+00').*?Index Cond: \((id >= '[^']+')",
                                 page("reference.md"), re.DOTALL).groups()
    days = ("Oct 30", "Oct 31", "Nov 1", "Nov 2", "Nov 3")
    mono = {"font_family": "monospace"}
    return svg("A comparison with a time becomes a range of the primary key's index", 600, 236, [
        text(12, 30, "The query"), text(120, 30, condition, 16, **mono),
        text(12, 86, "The plan"), text(120, 86, bound, 16, **mono),
        text(12, 148, "The index"),
        arrow("M304 40 V66"), arrow("M304 96 V120"),
        *(box(120 + 92 * n, 124, 92, 40, GREY if n < 2 else GREEN, day) for n, day in enumerate(days)),
        text(212, 186, "not read", 15, text_anchor="middle"),
        text(442, 186, "read: one range, in order of time", 15, text_anchor="middle"),
        text(12, 222, "The plan contains the smallest id after that millisecond. 1 is the digit zero.", 15),
    ])


def draw_tutorial():
    """The tables of the shop.  Arrows go from a column to the column that it refers to."""
    places = {"customers": (12, 12), "orders": (232, 12), "payments": (452, 12), "products": (232, 152), "lines": (452, 152)}
    width, line = 184, 22
    parts, rows = [], {}
    tutorial = page("tutorial.md")
    kinds = dict(re.findall(r"CREATE DOMAIN (\w+) +AS gid\((\w)\)", tutorial))
    tables = {name: re.findall(r"^    (\w+) +(\w+)(?:.*REFERENCES (\w+))?", body, re.MULTILINE)
              for name, body in re.findall(r"CREATE TABLE (\w+) \(\n(.*?)\n\);", tutorial, re.DOTALL) if name in places}
    assert tables.keys() == places.keys()
    for name, (x, y) in places.items():
        kind = kinds[tables[name][0][1]]
        parts.append(box(x, y, width, 28, BLUE, f"{name}: kind {kind}"))
        parts.append(box(x, y + 28, width, line * len(tables[name]) + 6, "#fff"))
        for n, (column, type_, _) in enumerate(tables[name]):
            rows[name, column] = y + 28 + line * n + 13
            parts.append(text(x + 8, rows[name, column] + 5, f"{column} {type_}", 14, font_family="monospace",
                              **({"font_weight": "bold"} if column == "id" else {})))
    for name, columns in tables.items():
        x = places[name][0]
        for column, _, target in columns:
            if target:
                bend = x - (8 if target == "products" else 22)
                parts.append(arrow(f"M{x} {rows[name, column]} H{bend} V{rows[target, 'id']} H{places[target][0] + width + 1}"))
    return svg("The five tables of the shop and their references", 640, 288, parts)


PICTURES = {"id": draw_id, "layout": draw_layout, "range": draw_range, "tutorial": draw_tutorial}
for name, draw in PICTURES.items():
    path = DOC / f"{name}.svg"
    if sys.argv[1:] != ["--check"]:
        path.write_text(draw(), encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != draw():
        sys.exit(f"doc/{path.name} is not what doc/pictures.py draws")
