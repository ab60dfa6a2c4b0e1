"""What the programs share that break the sources:

    PROGRAM            lists the mutations
    PROGRAM NAME SRC   makes one of them in the sources in the folder SRC

A mutation is a list of edits: file, function, old code, new code.  The old code must
occur once in the function, or in the whole file if the function is None.  Comments
and white space make no difference.
"""

import pathlib
import re
import sys


def blank_comments(code):
    """The same code, with everything in its place."""
    return re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"\S", " ", comment[0]), code, flags=re.S)


def edit(text, function, old, new):
    code = blank_comments(text)
    bodies = [(0, len(code))]
    if function:
        definition = r"^(\w[\w \t*]*)?\b%s\([^;{}]*\)\s*\{.*?^\}" % function
        bodies = [match.span() for match in re.finditer(definition, code, re.S | re.M)]
    tokens = r"\s*".join(map(re.escape, re.findall(r"\w+|\S", blank_comments(old))))
    pattern = re.compile(r"(\b|(?=\W))%s(\b|(?<=\W))" % tokens)
    places = [place.span() for body in bodies for place in pattern.finditer(code, *body)]
    if len(bodies) != 1 or len(places) != 1 or old == new:
        raise LookupError("%d functions, %d places of:\n%s\nto be replaced by:\n%s" % (len(bodies), len(places), old, new))
    (start, end), = places
    return text[:start] + new + text[end:]


def main(lines, mutations):
    if len(sys.argv) == 1:
        print(*lines, sep="\n")
        return
    name, folder = sys.argv[1:]
    for file, function, old, new in mutations[name]:
        path = pathlib.Path(folder) / file
        try:
            path.write_text(edit(path.read_text(), function, old, new))
        except LookupError as error:
            sys.exit("mutation %s, %s in %s: %s" % (name, function or "anywhere", path, error))
