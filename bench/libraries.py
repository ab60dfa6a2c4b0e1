"""Compares the clients with the UUID library of their language: a new id, a text that is parsed, an id that is formatted.

Each command prints the version of the language, and the nanoseconds of 200 calls in rounds of six lines: new, parse and
format, each of the client and of the library.  Rounds are short, so that few are interrupted on a shared machine.
"""

import re
import statistics
import subprocess

LANGUAGES = (
    ("Go", "google/uuid, v7", """
        go version && mkdir src && ln -s "$PWD/../../clients/go" src/gid &&
        GO111MODULE=off GOPATH=$PWD:/usr/share/gocode go run bench.go"""),
    ("Java", "java.util.UUID, v4", """
        javac -cp /usr/share/java/jackson-annotations.jar -d . ../../clients/java/src/gid/*.java Bench.java &&
        java --version && java Bench"""),
    ("JavaScript", "crypto.randomUUID, v4; uuid", "node --version && NODE_PATH=/usr/share/nodejs node bench.mjs"),
    ("Python", "uuid, v7", "python3 --version && PYTHONPATH=../../clients/python python3 bench.py"),
    ("Ruby", "SecureRandom.uuid_v7; pack and unpack", "ruby --version && ruby -I ../../clients/ruby/lib bench.rb"),
    ("Rust", "crate uuid, v7", "rustc --version && work=$PWD && . ../../examples/cargo-path.sh && cargo run --quiet --release"),
)


def rows(folder):
    """Measures in bench/clients of a copy of the tree."""
    for language, library, command in LANGUAGES:
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            print(f"{language} is skipped: {done.stderr}", flush=True)
            continue
        version = re.search(r"\d+\.\d+", done.stdout)[0]
        times = [int(line) for line in done.stdout.splitlines() if line.isdigit()]
        yield f"{language} {version}", library, [statistics.median(times[n::6]) / 200 for n in range(6)]
