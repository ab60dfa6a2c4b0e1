"""Runs commands of gid-move for move/t/Move.pm, all in one process: Python's start takes longer than most commands.

Reads a line [HOW, COMMAND, CONNECTION, TABLE, ARGUMENT ...] of JSON for each, and prints [STATUS, OUTPUT].  HOW is one of
    once    runs it
    each    breaks the connection before each statement of each step, until the command succeeds.  Statements of an ordinary
            transaction are one case.  Meanwhile each other command must be refused
    EVERY   runs start, backfill and switch, and breaks the connection somewhere in every EVERYth step.  Then undo must
            restore all definitions
"""

import contextlib
import io
import itertools
import json
import random
import subprocess
import sys
import time
import traceback
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from gid_move import cli, run

sleep, wait, step, connect = time.sleep, psycopg.Connection.wait, run.Runner.step, psycopg.connect
give_way = run.Runner.give_way
opened = []  # an exit of the program would close them
time.sleep = lambda seconds: sleep(seconds / 10)
cli.range = lambda count: range(1000 * count)  # the process of a broken connection can work for long
how, seen, ends_at, steps, broken, answers, current = "once", set(), 0, 0, None, 0, None


class Killed(BaseException):
    """The connection is broken."""


def gid_move(command, *arguments):
    """Runs a command.  Returns its exit status and what it printed."""
    global broken
    more = [] if command in ("plan", "status") or "--retries" in arguments else ["--retries", "1000"]
    sys.argv, broken = ["gid-move", command, "-d", *arguments, *more], None
    with io.StringIO() as said, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            status = cli.main() or 0
        except SystemExit as end:
            status = end.code
        except BaseException:
            status = traceback.print_exc() or -1
        finally:
            while opened:
                opened.pop().close()
        return status, said.getvalue()


def kill(runner):
    global broken
    broken = runner.move.phase
    runner.connection.pgconn.finish()
    raise Killed


def given_way(runner):
    """No setting of a batch is left after it."""
    assert runner.catalog.value("SHOW session_replication_role") == "origin", "session_replication_role is left"
    give_way(runner)


def counted(connection, *rest, **named):
    global answers
    if current:
        runner, place, kind = current
        answers += 1
        inside = connection.pgconn.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        mark = (place, "inside" if inside and kind != "alone" else answers)
        if mark not in seen if how == "each" else answers == ends_at:
            seen.add(mark)
            kill(runner)
    return wait(connection, *rest, **named)


def counted_step(runner, one, place, progress):
    global answers, current
    seen.add(place)
    answers, current = 0, (runner, place, one.kind) if how == "each" or how != "once" and len(seen) >= steps else None
    try:
        step(runner, one, place, progress)
    finally:
        was, current = current, None
    if how != "each" and was:
        kill(runner)


def each(command, *arguments):
    refused = set()
    for count in itertools.count():
        status, said = gid_move(command, *arguments)
        if not broken:
            return status, f"killed {count} times\n{said}"
        phase = broken
        for other in set(cli.NEXT.values()) - {cli.NEXT[phase], command, "undo"} if phase not in refused else []:
            said = gid_move(other, *arguments[:2], *(["--kind", "c"] if other == "start" else []))[1]
            assert f"gid-move {cli.NEXT[phase]} " in said, (other, phase, said)
        refused.add(phase)


def definitions(connection):
    dumped = subprocess.run(["pg_dump", "-s", "-N", "gid_*", connection], stdout=-1, text=True, check=True)
    return sorted(line for line in dumped.stdout.split("\n") if not line.startswith(("--", "\\")))


def undo(every, *arguments):
    global how, seen, ends_at, steps
    before = definitions(arguments[0])
    for steps in itertools.count(random.randint(1, every), every):
        how, seen, ends_at = every, set(), random.randint(1, 12)
        for command in ("start", "backfill", "switch"):
            status, said = gid_move(command, *arguments[: None if command == "start" else 2])
            assert broken or not status, said
            if broken:
                break
        killed, how = broken, "once"
        status, said = gid_move("undo", *arguments[:2])
        assert not status and definitions(arguments[0]) == before, (steps, ends_at, said)
        if not killed:
            return 0, ""


psycopg.connect = lambda *given, **named: opened.append(connect(*given, **named)) or opened[-1]
psycopg.Connection.wait, run.Runner.step, run.Runner.give_way = counted, counted_step, given_way
for line in sys.stdin:
    how, *command = json.loads(line)
    seen = set()
    try:
        answer = {"once": gid_move, "each": each}.get(how, lambda _, *rest: undo(how, *rest))(*command)
    except AssertionError as error:
        answer = 1, str(error)
    print(json.dumps(answer), flush=True)
