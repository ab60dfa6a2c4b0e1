"""Runs what a program does with ids of uuid, with ids of gid: the same code, written without the page.

The probes of drivers-python and django use this.  A probe passes if it returns True.
"""

import re
from pathlib import Path

PAGE = re.sub(r"\s+", " ", (Path(__file__).parents[1] / "doc/clients/python.md").read_text())


def found_by(calls, after_error=lambda: None):
    """For each name, None if its call returns True, else what is wrong."""
    found = {}
    for name, call in calls.items():
        try:
            result = call()
            found[name] = None if result is True else f"returned {result!r}"
        except Exception as error:
            after_error()
            found[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return found


def compare(driver, of_uuid, of_gid, documented):
    """Shows that what works with uuid works with gid, or fails as the page says.

    documented: the probes that fail with gid, each with a part of the error and the sentence of the page.
    """
    for name, reason in of_gid.items():
        part, sentence = documented.get(name, (None, None))
        if name in documented:
            holds = reason is not None and part in reason and sentence in PAGE
            note = f"# fails as the page says: {sentence}" if holds else f"# {reason}, which is not on the page"
        else:
            holds = reason is None or of_uuid[name] is not None
            note = "" if reason is None else f"# fails with uuid, too: {of_uuid[name]}" if holds else f"# {reason}"
        print("ok -" if holds else "not ok -", f"{driver}: {name}", note, flush=True)
