"""Runs gid-move, and breaks its connection.

    killed.py each COMMAND ...  before each statement of each step, until the command succeeds.  Statements of an ordinary
                                transaction are one case.  Meanwhile each other command must be refused
    killed.py undo EVERY ...    somewhere in every EVERYth step of start, backfill and switch.  Then undo must restore all
                                definitions
"""

import contextlib
import io
import itertools
import random
import subprocess
import sys
import time
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from gid_move import cli, run

how, what, *arguments = sys.argv[1:]
sleep, wait, step, connect = time.sleep, psycopg.Connection.wait, run.Runner.step, psycopg.connect
opened = []  # an exit of the program would close them
time.sleep = lambda seconds: sleep(seconds / 4)
seen, ends_at, broken, answers, current = set(), 0, None, 0, None


class Killed(BaseException):
    """The connection is broken."""


def gid_move(command):
    """Runs a command.  Returns whether it was killed, and the errors that it printed."""
    global broken
    more = (arguments[3:] or ["--kind", "c"]) if command == "start" else []
    sys.argv, broken = ["gid-move", command, *arguments[:3], *more], None
    try:
        with contextlib.redirect_stderr(io.StringIO()) as errors, contextlib.redirect_stdout(io.StringIO()):
            cli.main()
    except BaseException as error:
        return broken, errors.getvalue() or str(error)
    finally:
        while opened:
            opened.pop().close()
    return False, None


def kill(runner):
    global broken
    broken = runner.move.phase
    runner.connection.pgconn.finish()
    raise Killed


def counted(connection, *rest, **named):
    global answers
    if current:
        runner, place, kind = current
        answers += 1
        inside = connection.pgconn.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        mark = (what, place, "inside" if inside and kind != "alone" else answers)
        if mark not in seen if how == "each" else answers == ends_at:
            seen.add(mark)
            kill(runner)
    return wait(connection, *rest, **named)


def counted_step(runner, one, place, progress):
    global answers, current
    seen.add(place)
    answers, current = 0, (runner, place, one.kind) if how == "each" or how == "undo" and len(seen) >= steps else None
    try:
        step(runner, one, place, progress)
    finally:
        was, current = current, None
    if how == "undo" and was:
        kill(runner)


def definitions():
    dumped = subprocess.run(["pg_dump", "-s", "-N", "gid_*", *arguments[:2]], stdout=-1, text=True, check=True)
    return sorted(line for line in dumped.stdout.split("\n") if not line.startswith(("--", "\\")))


psycopg.connect = lambda *given, **named: opened.append(connect(*given, **named)) or opened[-1]
psycopg.Connection.wait, run.Runner.step = counted, counted_step
refused = set()
if how == "each":
    for count in itertools.count():
        phase, errors = gid_move(what)
        if not phase:
            print(f"killed {count} times")
            sys.exit(errors)
        for other in set(cli.NEXT.values()) - {cli.NEXT[phase], what, "undo"} if phase not in refused else []:
            said = gid_move(other)[1]
            assert f"gid-move {cli.NEXT[phase]} " in said, (other, phase, said)
        refused.add(phase)
before = definitions()
for steps in itertools.count(random.randint(1, int(what)), int(what)):
    seen, ends_at = set(), random.randint(1, 12)
    for command in ("start", "backfill", "switch"):
        killed, errors = gid_move(command)
        assert killed or not errors, errors
        if killed:
            break
    how = "none"
    errors, how = gid_move("undo")[1], "undo"
    assert not errors and definitions() == before, (steps, ends_at, errors)
    if not killed:
        sys.exit()
