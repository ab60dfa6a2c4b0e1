"""Runs random actions on the generator of a session.  The model in generator_model.py
checks the result of each step.

    generator.py [--seed SEED] [--episode N] [--clock FILE] STEPS

An episode is a list of messages to a new session.  The seed and the number of the
episode determine it, so --episode repeats an episode and those after it.  With
--clock, the server runs under faketime with that file, and the clock steps.  After a
fault, the program prints the episode, and the last steps.  It prints TAP.
"""

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

from psycopg import pq

from generator_model import Fault, Model, check, read_record

# The events that must occur in every run, so that the run tests them.
HAPPENS = [
    "transaction's instant", "clock's instant", "one microsecond more", "instant held", "next offset", "overflow",
    "observed", "observed ahead", "refused", "another node",
    "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PREPARE TRANSACTION", "COMMIT PREPARED",
    "ROLLBACK PREPARED", "SET",
]
HAPPENS_TO_CLOCKS = ["step counted", "step followed", "step not followed"]


class Session:
    def __init__(self, clock=""):
        options = "options='-c client_min_messages=log -c model.clock=%s'" % clock
        self.connection = pq.PGconn.connect(options.encode())
        if self.connection.status != pq.ConnStatus.OK:
            raise SystemExit(self.connection.error_message.decode())
        self.connection.notice_handler = self.hear
        self.records = []
        self.seen = Counter()
        self.query("LOAD 'gid'")

    def hear(self, notice):
        if notice.error_field(pq.DiagnosticField.MESSAGE_PRIMARY).startswith(b"clock moved backwards"):
            severity = notice.error_field(pq.DiagnosticField.SEVERITY_NONLOCALIZED)
            self.seen["logged" if severity == b"LOG" else "step not followed"] += 1

    def query(self, sql):
        """Runs a statement outside the episode.  Returns its first value."""
        result = self.connection.exec_(sql.encode())
        value = result.get_value(0, 0) if result.status == pq.ExecStatus.TUPLES_OK and result.ntuples else None
        return value.decode() if value is not None else None

    def message(self, statements):
        self.connection.send_query("; ".join(statements).encode())
        while (result := self.connection.get_result()) is not None:
            check(result.error_message.decode(), result.status != pq.ExecStatus.FATAL_ERROR)
            self.seen[(result.command_status or b"").decode()] += 1
            if result.ntuples and (value := result.get_value(0, 0)):
                self.records.append(read_record(value))

    def judge(self):
        """Checks all records with the model, which finds ids that this session minted
        twice.  t/007_unique.pl finds ids that two sessions minted."""
        model = Model()
        for n, record in enumerate(self.records):
            try:
                model.step(record)
            except Fault as fault:
                fault.history = self.records[: n + 1]
                raise
        logged, warned = self.seen["logged"], self.seen["step not followed"]
        check("a step that is followed is logged", logged == model.seen["step followed"])
        check("a step that is not followed causes a warning", model.least_warnings <= warned <= model.most_warnings)
        self.seen += model.seen


def play(admin, clock, episode):
    """Runs an episode.  Returns its session."""
    if clock:  # is renamed, because a process that finds an empty file exits
        Path(clock + ".new").write_text("+0\n")
        Path(clock + ".new").rename(clock)
    session = Session(clock)
    try:
        for what in episode:
            if isinstance(what, list):
                session.message(what)
            else:  # affects a later message of the session
                admin.query("ALTER SYSTEM SET gid.node = %d" % what)
                admin.query("SELECT pg_reload_conf()")
        session.judge()
        return session
    finally:
        session.connection.finish()
        for name in (admin.query("SELECT string_agg(gid, ' ') FROM pg_prepared_xacts") or "").split():
            admin.query("ROLLBACK PREPARED '%s'" % name)


class Writer:
    """Writes an episode.  Each part is a message, a list of statements, or a number for gid.node."""

    KINDS = ["o", "o", "log", "segment", "z", "200", "254"]
    SKEWS = ["0", "0", "1ms", "1ms", "20ms", "20ms", "1s", "10s", "1h"]
    # 2**30 - 2, which begins after an overflow, ends at the last offset but one.
    SIZES = [1, 2, 100, 2**20, 2**28, 2**29 - 1, 2**29, 2**29, 2**30 - 2, 2**30 - 2]
    MOVES = [10**3, 5 * 10**3, 5 * 10**5, 10**6, 5 * 10**6, 10**7 - 1000, 10**7, 10**7 + 1000, 6 * 10**7, 36 * 10**8,
             864 * 10**8, 31536 * 10**9]
    DISTANCES = {
        "clock": [0, 0, -1, -(10**3), -(10**6), -(10**15), 1, 20, 10**3],
        "edge": [0, 0, 0, -1, -20, -(10**3), -(10**6), 1, 20, 10**3, 10**6, 36 * 10**8],
        "own": [0, 0, 0, -1, -(10**3), 1, 10**3],
    }

    def __init__(self, seed, number, steps_clock):
        self.random = random.Random("%s/%d" % (seed, number))
        self.any = lambda *choices: self.random.choice(choices)
        self.steps_clock = steps_clock
        self.likes = {}  # the weights of choices differ between episodes
        self.names, self.prepared = 0, []
        self.block = self.savepoint = False  # the state of the session

    def pick(self, **weights):
        for name in weights:
            if name not in self.likes:
                self.likes[name] = self.any(0.2, 1, 1, 3)
        names = [name for name in weights if weights[name]]
        return self.random.choices(names, [weights[name] * self.likes[name] for name in names])[0]

    def statement(self):
        """A statement that fits the state of the session."""
        op = self.pick(new=20, several=5, run=6, burst=1, undone=3, see=18, instant=3, skew=3, look=1, set=4,
                       begin=0 if self.block else 6, commit=8, rollback=3, chain=2 * self.block, savepoint=4 * self.block,
                       back=4 * self.savepoint, release=5 * self.savepoint, prepare=4 * self.block, move=8 * self.steps_clock)
        if op in ("begin", "commit", "rollback", "chain", "prepare"):
            self.block, self.savepoint = op in ("begin", "chain"), False
        elif op in ("savepoint", "release"):
            self.savepoint = op == "savepoint"
        if op == "prepare":
            self.names += 1
            self.prepared.append(self.names)
        kind, n = self.random.choice(self.KINDS), 1
        if op in ("several", "undone"):
            n = self.random.randint(1, 6)
        elif op == "run":
            n = self.random.choice(self.SIZES)
        elif op == "burst":
            n = 2**29
        elif op == "see":
            origin = self.any("clock", "edge", "own")
            kind = "%s %s" % (self.any("muid", "muid", "muid", "byte", "noise"), origin)
            n = self.random.choice(self.DISTANCES[origin])
        elif op == "instant":
            kind, n = self.any("transaction", "transaction", "clock"), self.any(0, 1)
        elif op == "skew":
            kind, n = self.random.choice(self.SKEWS), self.any(0, 1)
        elif op == "move":
            n = self.random.choice(self.MOVES)
            n = self.any(-n, n + self.random.randrange(10**5))
        return {
            "set": self.any("SET ", "SET LOCAL ") + self.any(
                "gid.instant_source = clock", "gid.instant_source = transaction",
                "gid.max_clock_skew = '%s'" % self.random.choice(self.SKEWS)),
            "begin": "BEGIN", "commit": "COMMIT", "rollback": "ROLLBACK", "chain": self.any("COMMIT", "ROLLBACK") + " AND CHAIN",
            "savepoint": "SAVEPOINT s", "back": "ROLLBACK TO s", "release": "RELEASE s",
            "prepare": "PREPARE TRANSACTION 'p%d'" % self.names,
            "move": "SELECT move(%d)" % n,
        }.get(op, "SELECT step('%s', '%s', %d)" % (op, kind, n))

    def episode(self):
        changes_node = self.any(True, False, False, False)
        parts = [self.any(0, 7, 1023) if changes_node else -1]
        for _ in range(self.random.randint(3, 30)):
            action = self.pick(message=14, prepared=12 * bool(self.prepared), node=3 * changes_node)
            if action == "node":
                parts.append(self.any(-1, -1, 0, 7, 1023))
            elif action == "message":
                parts.append([self.statement() for _ in range(self.any(1, 1, 2, 5, 20, 80))])
            else:
                if self.block:
                    parts.append(["ROLLBACK"])
                    self.block = self.savepoint = False
                parts.append([self.any("COMMIT", "ROLLBACK") + " PREPARED 'p%d'" % self.prepared.pop()])
        return parts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default=str(random.randrange(10**9)))
    parser.add_argument("--episode", type=int, default=0)
    parser.add_argument("--clock", default="")
    parser.add_argument("steps", type=int, nargs="?", default=0)
    options = parser.parse_args()

    admin, seen, number, steps = Session(), Counter(), options.episode, 0
    while steps < options.steps:
        episode = Writer(options.seed, number, bool(options.clock)).episode()
        try:
            session = play(admin, options.clock, episode)
        except Fault as fault:
            print("not ok - %s (seed %s, episode %d, after %d steps)" % (fault, options.seed, number, steps), flush=True)
            for line in map(str, [*episode, *getattr(fault, "history", [])[-8:]]):
                print("#    " + line, file=sys.stderr)
            print("1..1")
            sys.exit(1)
        steps += len(session.records)
        seen += session.seen
        number += 1

    print("ok - the model accepts %d steps of %d sessions (seed %s)" % (steps, number - options.episode, options.seed))
    happens = HAPPENS + HAPPENS_TO_CLOCKS * bool(options.clock)
    rare = [what for what in happens if seen[what] < 10]
    for what in happens:
        print("%s - %s: %d times" % ("not ok" if what in rare else "ok", what, seen[what]))
    print("1..%d" % (1 + len(happens)))
    sys.exit(bool(rare))


if __name__ == "__main__":
    main()
