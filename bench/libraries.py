"""Compares the clients with the uuid library of their language: the programs clients/*/bench.* in turn.

Prints a table, in nanoseconds.  doc/format.md says what such a program prints.  Started by script/env, in a copy of the
tree, where it installs the package of npm.
"""

# Packages: cargo default-jdk-headless golang-go golang-github-google-uuid-dev libjackson2-annotations-java
# Packages: librust-uuid-dev nodejs npm ruby

import os
import pathlib
import subprocess
import sys

PROGRAMS = {".py": "python3", ".js": "node", ".mjs": "node", ".rb": "ruby", ".sh": "sh"}

print("client-libraries", "", sep="\n")
print("| language | other | new: gid | other | gid / other | parse: gid | other | gid / other | format: gid | other | gid / other |")
print("|" + " --- |" * 11)
failed = False
certificates = {"NODE_EXTRA_CA_CERTS": "/etc/ssl/certs/ca-certificates.crt"}  # npm trusts only its own
npm = ["npm", "install", "--prefix", ".", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "uuid@latest"]
subprocess.run(npm, env={**certificates, **os.environ}, stdout=subprocess.DEVNULL, check=False)  # or bench.js fails
for path in sorted(pathlib.Path().glob("clients/*/bench.*")):
    done = subprocess.run([PROGRAMS[path.suffix], path.name], cwd=path.parent, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        failed = failed or done.returncode != 77
        continue
    lines = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    cells = []
    for gid, other in (map(float, lines[name].split("\t")) for name in ("new", "parse", "format")):
        cells += [f"{gid:,.0f}", f"{other:,.0f}", f"{gid / other:.2f}"]
    print("| " + " | ".join([path.parent.name, lines.get("other", "uuid"), *cells]) + " |", flush=True)
sys.exit(failed)
