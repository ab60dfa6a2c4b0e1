#!/usr/bin/env python3
"""Draws the bits of a gid, doc/layout.svg.

    doc/layout.py          writes the file anew
    doc/layout.py --check  fails where the file is not what it would write
"""

import pathlib
import sys

FIELDS = (  # name, bits, what it says, colour
    ("prefix", 8, "kind", "#c9d7f0"),
    ("milliseconds", 48, "since 1970: when the transaction began", "#d9ead3"),
    ("byte 7", 8, "prefix again", "#c9d7f0"),
    ("µs", 10, "0–999", "#d9ead3"),
    ("medallion", 24, "which generator", "#fce5cd"),
    ("offset", 30, "which id of the instant", "#f4cccc"),
)
PINNED = (("node", 10, "gid.node", "#fce5cd"), ("slot", 14, "of the backend", "#fce5cd"))
BIT = 13  # pixels
LEFT, TOP, HEIGHT = 20, 40, 46
WORD = 64


def box(x, y, name, bits, text, colour):
    width = bits * BIT
    centre = x + width / 2
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{HEIGHT}" fill="{colour}" stroke="#444"/>'
        f'<text x="{centre}" y="{y + 19}" font-weight="bold">{name} ({bits})</text>'
        f'<text x="{centre}" y="{y + 36}" font-size="11">{text}</text>'
    )


def draw():
    width = LEFT * 2 + WORD * BIT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="290" viewBox="0 0 {width} 290" '
        'font-family="sans-serif" font-size="13" text-anchor="middle">',
        f'<rect width="{width}" height="290" fill="white"/>',
        f'<text x="{LEFT}" y="{TOP - 14}" text-anchor="start">high word, bytes 0–7</text>',
        f'<text x="{LEFT}" y="{TOP + 86}" text-anchor="start">low word, bytes 8–15: the payload, a packed muid</text>',
    ]
    bit = 0
    for name, bits, text, colour in FIELDS:
        if name == "medallion":
            medallion = LEFT + bit % WORD * BIT
        parts.append(box(LEFT + bit % WORD * BIT, TOP + bit // WORD * 100, name, bits, text, colour))
        bit += bits
    assert bit == 2 * WORD
    x = medallion
    for name, bits, text, colour in PINNED:
        parts.append(box(x, TOP + 200, name, bits, text, colour))
        x += bits * BIT
    parts.append(f'<text x="{x + 12}" y="{TOP + 227}" text-anchor="start">if pinned; else 24 random bits</text>')
    for x in (medallion, medallion + 24 * BIT):
        parts.append(f'<path d="M{x} {TOP + 100 + HEIGHT} V{TOP + 200}" stroke="#444" stroke-dasharray="4 3"/>')
    return "\n".join(parts) + "\n</svg>\n"


path = pathlib.Path(__file__).resolve().parent.parent / "doc" / "layout.svg"
if sys.argv[1:] == ["--check"]:
    sys.exit(path.read_text(encoding="utf-8") != draw())
path.write_text(draw(), encoding="utf-8")
