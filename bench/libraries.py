"""Compares the clients with the uuid library of their language: the programs clients/*/bench.* in turn.

Prints a table, in nanoseconds.  doc/format.md says what such a program prints.
"""

# Packages: cargo default-jdk-headless golang-go golang-github-google-uuid-dev librust-uuid-dev nodejs npm ruby

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAMS = {".py": "python3", ".js": "node", ".mjs": "node", ".rb": "ruby", ".sh": "sh"}

print("| language | other | new: gid | other | gid / other | parse: gid | other | gid / other | format: gid | other | gid / other |")
print("|" + " --- |" * 11)
failed = False
with tempfile.TemporaryDirectory() as work:
    npm = ["npm", "install", "--prefix", work, "--no-audit", "--no-fund", "--loglevel=error", "uuid@11"]
    subprocess.run(npm, stdout=subprocess.DEVNULL, check=False)  # without it, bench.js says so
    shutil.copytree("clients", work + "/clients")
    for path in sorted(pathlib.Path(work).glob("clients/*/bench.*")):
        command = [PROGRAMS[path.suffix], path.name]
        done = subprocess.run(command, cwd=path.parent, env={**os.environ, "TMPDIR": work}, stdout=subprocess.PIPE, text=True)
        lines = dict(line.split("\t", 1) for line in done.stdout.splitlines())
        if done.returncode:
            failed = failed or done.returncode != 77
            continue
        cells = []
        for gid, other in (map(float, lines[name].split("\t")) for name in ("new", "parse", "format")):
            cells += [f"{gid:,.0f}", f"{other:,.0f}", f"{gid / other:.2f}"]
        print("| " + " | ".join([path.parent.name, lines.get("other", "uuid"), *cells]) + " |", flush=True)
sys.exit(failed)
