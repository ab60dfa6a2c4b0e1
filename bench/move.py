#!/usr/bin/env python3
"""Compares the backfill of gid-move with UPDATE and CREATE TABLE AS.

"script/bench move" starts the server and this program.  Each round fills copies of one
table, one way after the other, and the median of the ratios is printed.
"""

import argparse
import re
import statistics
import subprocess
from pathlib import Path

from measure import Psql

ROUNDS = 3
# The type of the keys, and the key of row n.
FORMATS = {
    "uuid": ("uuid", "gen_random_uuid()"),
    "ulid": ('text COLLATE "C"', "formats.ulid_of(gid_random('k', now() - n * interval '1 ms'))"),
}
MOVE = Path(__file__).resolve().parents[1] / "move"


def gid_move(command, *arguments):
    done = subprocess.run(["/usr/bin/python3", MOVE / "gid-move", command, "bench.moved", *arguments],
                          check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def one_round(psql, name, rows):
    """Returns the milliseconds of the backfill, of UPDATE and of CREATE TABLE AS."""
    of, key = FORMATS[name]
    psql.run(f"""DROP SCHEMA IF EXISTS bench CASCADE; CREATE SCHEMA bench;
        CREATE TABLE bench.moved (id {of} PRIMARY KEY, at timestamptz NOT NULL, name text);
        INSERT INTO bench.moved SELECT {key}, now() - n * interval '1 s', 'a name of row ' || n FROM generate_series(1, {rows}) n;
        CREATE TABLE bench.updated (LIKE bench.moved INCLUDING ALL); INSERT INTO bench.updated SELECT * FROM bench.moved;
        ALTER TABLE bench.updated ADD new uuid""")
    psql.run("VACUUM ANALYZE bench.moved, bench.updated")
    gid_move("start", "--kind", "k", "--from", name, *(["--time", "at"] if name == "uuid" else []))
    psql.run("CHECKPOINT")
    filled = re.search(r"rows, ([0-9.]+) s$", gid_move("backfill"), re.M)
    psql.run("CHECKPOINT")
    update = psql.ms("UPDATE bench.updated SET new = gen_random_uuid()")
    create = psql.ms("CREATE TABLE bench.created AS SELECT *, gen_random_uuid() AS new FROM bench.moved")
    gid_move("undo")
    return float(filled.group(1)) * 1000, update, create


parser = argparse.ArgumentParser()
parser.add_argument("--results")
parser.add_argument("--rows", type=int, default=300_000)
given = parser.parse_args()
session = Psql()
session.run("SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS gid; CREATE SCHEMA formats; SET search_path = formats, public")
session.run((MOVE / "gid_move" / "formats.sql").read_text(encoding="utf-8"))
session.run("SET search_path = public")
for name in FORMATS:
    rounds = [one_round(session, name, given.rows) for _ in range(ROUNDS)]
    ratios = [statistics.median(fill / figures[i] for fill, *figures in rounds) for i in (0, 1)]
    print(f"{name}: the backfill of {given.rows:,} rows took {ratios[0]:.1f} times as long as UPDATE,"
          f" and {ratios[1]:.1f} times as long as CREATE TABLE AS (median of {ROUNDS})", flush=True)
