"""Runs random actions on the generators of several sessions.  The model in
generator_model.py checks the result of each step.

    generator.py [--seed SEED] [--episode N] [--clock FILE] STEPS

An episode is a list of messages to some sessions.  The seed and the number of
the episode determine it, so --episode repeats an episode and those after it.
With --clock, the server runs under faketime with that file, and the clock
steps.  After a fault, the program prints the episode, and the last steps of
the session.  It prints TAP.
"""

import argparse
import random
import select
import sys
import time
from collections import Counter

from psycopg import pq

from generator_model import Fault, Model, check, read_records

# The errors that a session can get, because some statements do not fit its state.
REFUSALS = {
    b"P0001",  # fail()
    b"22008",  # gid_observe()
    b"25001",  # in a transaction
    b"25P01",  # not in a transaction
    b"25P02",  # in a failed transaction
    b"3B001",  # no such savepoint
    b"34000",  # no such cursor
    b"42P03",  # the cursor exists
    b"42704",  # no such prepared transaction
    b"55000",  # the cursor cannot scan backward
}

# The events that must occur in every run, so that the run tests them.
HAPPENS = [
    "transaction's instant", "clock's instant", "one microsecond more", "instant held", "next offset", "overflow",
    "observed", "observed ahead", "refused", "another node", "cancelled",
    "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PREPARE TRANSACTION", "COMMIT PREPARED",
    "ROLLBACK PREPARED", "CALL", "INSERT", "SET", "DECLARE CURSOR", "FETCH", "MOVE", "DISCARD ALL",
]
HAPPENS_TO_CLOCKS = ["step counted", "step followed", "step not followed"]


class Session:
    def __init__(self, clock):
        options = "options='-c client_min_messages=log -c model.clock=%s'" % clock
        self.connection = pq.PGconn.connect(options.encode())
        if self.connection.status != pq.ConnStatus.OK:
            raise SystemExit(self.connection.error_message.decode())
        self.connection.notice_handler = self.hear
        self.records = {}
        self.all_but_stands = False  # whether the clock is nearly stopped
        self.hurried = set()  # the numbers of the records from that time
        self.latest = None  # the last id in its records, also of another session
        self.is_minting = False
        self.seen = Counter()
        self.query("LOAD 'gid'")

    def hear(self, notice):
        text = notice.error_field(pq.DiagnosticField.MESSAGE_PRIMARY)
        if text.startswith(b"record "):
            self.keep(bytes.fromhex(text[7:].decode()))
        elif text == b"minting":
            self.is_minting = True
        elif text.startswith(b"clock moved backwards"):
            severity = notice.error_field(pq.DiagnosticField.SEVERITY_NONLOCALIZED)
            self.seen["logged" if severity == b"LOG" else "step not followed"] += 1

    def keep(self, data):
        for record in read_records(data):
            self.records[record.number] = record
            if self.all_but_stands:
                self.hurried.add(record.number)
            if record.ids:
                self.latest = record.ids[-1].data

    def take(self, result):
        if result.status == pq.ExecStatus.FATAL_ERROR:
            check(result.error_message.decode(), result.error_field(pq.DiagnosticField.SQLSTATE) in REFUSALS)
            return
        self.seen[(result.command_status or b"").decode().rstrip(" 0123456789")] += 1
        for row in range(result.ntuples):
            value = result.get_value(row, 0)
            if value and result.fformat(0) == pq.Format.BINARY:
                self.keep(value)
            elif value:
                self.keep(bytes.fromhex(value[2:].decode()))

    def query(self, sql):
        """Runs a statement outside the episode.  Returns its first value."""
        result = self.connection.exec_(sql.encode())
        value = result.get_value(0, 0) if result.status == pq.ExecStatus.TUPLES_OK and result.ntuples else None
        return value.decode() if value is not None else None

    def message(self, statements):
        self.connection.send_query("; ".join(statements).encode())
        while (result := self.connection.get_result()) is not None:
            self.take(result)

    def interrupt(self, statements, admin):
        """The last statement sends a notice when it begins to mint, and is then
        cancelled.  This uses pg_cancel_backend() because a cancel request of libpq
        sends two signals.  If the second one is late, the ids are not recorded."""
        self.connection.send_query("; ".join(statements).encode())
        while True:
            while self.connection.is_busy() and not self.is_minting:
                select.select([self.connection.socket], [], [])
                self.connection.consume_input()
            if self.is_minting:
                self.is_minting = False
                time.sleep(random.choice([0, random.random() / 500]))
                admin.query("SELECT pg_cancel_backend(%d)" % self.connection.backend_pid)
            if (result := self.connection.get_result()) is None:
                return
            self.take(result)

    def pipeline(self, statements):
        statements = [*statements, "SYNC"]
        self.connection.enter_pipeline_mode()
        for statement in statements:
            if statement == "SYNC":
                self.connection.pipeline_sync()
            else:
                self.connection.send_query_params(statement.encode(), None, result_format=pq.Format.BINARY)
        syncs = statements.count("SYNC")
        while syncs:
            result = self.connection.get_result()
            if result is None or result.status == pq.ExecStatus.PIPELINE_ABORTED:
                continue
            if result.status == pq.ExecStatus.PIPELINE_SYNC:
                syncs -= 1
            else:
                self.take(result)
        self.connection.exit_pipeline_mode()

    def call(self, program):
        if self.connection.transaction_status != pq.TransactionStatus.IDLE:
            self.query("ROLLBACK")
        program = "{%s}" % ",".join('"(%s,%s,%d)"' % step for step in program)
        self.take(self.connection.exec_params(b"CALL run($1, NULL)", [program.encode()], result_format=pq.Format.BINARY))

    def judge(self):
        """Checks all records with the model, which finds ids that this session minted
        twice.  t/007_unique.pl finds ids that two sessions minted."""
        model = Model()
        history = [self.records[number] for number in sorted(self.records)]
        for n, record in enumerate(history):
            try:
                model.step(record, record.number in self.hurried)
            except Fault as fault:
                fault.history = history[: n + 1]
                raise
        logged, warned = self.seen["logged"], self.seen["step not followed"]
        check("a step that is followed is logged", logged == model.seen["step followed"])
        check("a step that is not followed causes a warning", model.least_warnings <= warned <= model.most_warnings)
        self.seen += model.seen


class Server:
    def __init__(self, clock):
        self.clock = clock
        self.admin = Session(clock)
        self.node = None
        if clock:  # with the pace 0, the clock shows the start of the server
            self.set_clock(0, 0)
            self.started = float(self.admin.query("SELECT extract(epoch FROM clock_timestamp())"))

    def set_clock(self, seconds, pace):
        self.admin.query("COPY (SELECT '%+.6f x%.5f') TO '%s'" % (seconds, pace, self.clock))

    def set_pace(self, pace):
        """Changes the pace of the clock, and keeps its current time."""
        seconds, was = self.admin.query("SELECT pg_read_file('%s')" % self.clock).split()
        self.set_clock(float(seconds) + (float(was[1:]) - pace) * (time.time() - self.started), pace)

    def set_node(self, node, sessions):
        """Sets gid.node, and waits for the sessions that are not in a failed transaction."""
        if node == self.node:
            return
        self.node = node
        self.admin.query("ALTER SYSTEM SET gid.node = %d" % node)
        self.admin.query("SELECT pg_reload_conf()")
        for session in [self.admin, *sessions]:
            deadline = time.monotonic() + 600
            while session.query("SHOW gid.node") not in (str(node), None):
                if time.monotonic() > deadline:
                    raise SystemExit("a reload took more than ten minutes")
                time.sleep(0.001)

    def play(self, episode):
        """Runs an episode.  Returns its sessions."""
        sessions, gone, all_but_stands = {}, [], False
        if self.clock:
            self.set_clock(0, 1)
        self.set_node(-1, [])
        try:
            for action, n, parts in episode:
                session = sessions[n] = sessions.get(n) or Session(self.clock)
                session.all_but_stands = all_but_stands
                if action == "move":
                    self.admin.query("SELECT move(%d)" % parts[0])
                elif action == "pace":
                    self.set_pace(parts[0])
                    all_but_stands = parts[0] < 1
                elif action == "node":
                    self.set_node(parts[0], sessions.values())
                elif action == "leave":
                    gone.append(sessions.pop(n))
                    session.connection.finish()
                elif action == "call":
                    session.call(parts)
                elif action == "interrupt":
                    session.interrupt(parts, self.admin)
                else:
                    latest = next((s.latest for s in sessions.values() if s is not session and s.latest), None)
                    other = "'\\x%s'::bytea::gid" % latest.hex() if latest else "NULL::gid"
                    getattr(session, action)([part.replace("OTHER", other) for part in parts])
            gone += sessions.values()
            for session in gone:
                session.judge()
            return gone
        finally:
            for session in sessions.values():
                session.connection.finish()
            for name in (self.admin.query("SELECT string_agg(gid, ' ') FROM pg_prepared_xacts") or "").split():
                self.admin.query("ROLLBACK PREPARED '%s'" % name)


# --- Episodes ----------------------------------------------------------------


class State:
    """The expected state of a session."""

    def __init__(self, savepoint=False):
        self.block = self.savepoint = savepoint
        self.cursor = self.failed = False


class Writer:
    """Writes an episode: a list of actions.  Each has a session and parts."""

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
        self.steps_clock = steps_clock
        self.likes = {}  # the weights of choices differ between episodes
        self.prepared = 0

    def any(self, *choices):
        return self.random.choice(choices)

    def pick(self, **weights):
        for name in weights:
            if name not in self.likes:
                self.likes[name] = self.any(0.2, 1, 1, 3)
        names = [name for name in weights if weights[name]]
        return self.random.choices(names, [weights[name] * self.likes[name] for name in names])[0]

    def distance(self):
        """The size of a step of the clock.  A clock that is nearly stopped must not
        show a microsecond twice."""
        n = self.random.choice(self.MOVES)
        return self.any(-n, n + self.random.randrange(10**5))

    def step(self, in_procedure):
        """The arguments of step()."""
        ends = 1 if in_procedure else 0
        op = self.pick(new=20, several=5, run=6, burst=1, undone=3, see=14, instant=3, skew=3, look=1, commit=14 * ends,
                       rollback=4 * ends, chain=3 * ends, by_clock=2 * ends, move=5 * ends * self.steps_clock)
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
        elif op == "look":
            kind = "o"
        elif op == "move":
            n = self.distance()
        return op, kind, n

    def program(self, longest):
        length = self.any(5, longest // 20, longest // 4, longest)
        return [self.step(True) for _ in range(self.random.randint(1, length))]

    def statements(self, state, alone):
        """Returns a statement, or several that belong together.  Most fit the state
        of the session.  alone is true if the message is not a transaction block."""
        any = self.any
        wrong = self.random.random() < 0.02
        block, savepoint, cursor = state.block or wrong, state.savepoint or wrong, state.cursor or wrong
        op = self.pick(step=20, new=8, insert=3, see=4, see_other=3, set=3, begin=0 if state.block else 8,
                       commit=10 if state.block else 4, rollback=3, chain=2 * block, savepoint=5 * block,
                       back=5 * savepoint, release=6 * savepoint, prepare=5 * (block and not cursor),
                       cursor=3 * (block or not alone) * (not state.cursor), fetch=6 * cursor, hold=not alone,
                       fail=1, move=4 * self.steps_clock)
        if op in ("commit", "rollback", "chain", "prepare", "hold"):
            state.__init__()
        if op in ("begin", "chain"):
            state.block = True
        elif op == "savepoint":
            state.savepoint, state.cursor = True, False
        elif op in ("back", "release"):
            state.savepoint, state.cursor = False, False
        elif op == "cursor":
            state.cursor = True
        elif op == "fail":
            state.failed = state.block
        elif op == "prepare":
            self.prepared += 1

        record = "record('%s', 1, %s, %s, clock_timestamp())"
        if op == "step":
            return ["SELECT step('%s', '%s', %d)" % self.step(False)]
        if op == "new":
            id = "gid_send(gid_new(%s))" % any("'o'", "'log'", "'200'")
            return ["SELECT " + record % ("new", "clock_timestamp()", id)]
        if op == "insert":
            return ["INSERT INTO minted (before) SELECT clock_timestamp() FROM generate_series(1, %d) RETURNING %s" %
                    (any(1, 3), record % ("new", "before", "gid_send(id)"))]
        if op in ("see", "see_other"):
            id = "OTHER" if op == "see_other" else "gid_random('o', clock_timestamp() + interval '%d us')" % any(0, -1, 500)
            see = record % ("see", "clock_timestamp()", "gid_send(id) || gid_observe(id)::text::bytea")
            return ["SELECT %s FROM (SELECT %s AS id OFFSET 0) s WHERE id IS NOT NULL" % (see, id)]
        if op == "set":
            what = any("gid.instant_source = clock", "gid.instant_source = transaction",
                       "gid.max_clock_skew = '%s'" % self.random.choice(self.SKEWS))
            return [any("SET ", "SET LOCAL ") + what, *any([], [], ["RESET gid.instant_source"])]
        if op == "begin":
            return ["BEGIN" + any("", "", " ISOLATION LEVEL REPEATABLE READ")]
        if op == "cursor":
            return ["DECLARE c %sCURSOR FOR SELECT tell(step('new', 'o', 1)) FROM generate_series(1, 9)" %
                    any("", "NO SCROLL "), *any([], ["FETCH 2 FROM c"])]
        if op == "hold":
            return ["BEGIN", "DECLARE h CURSOR WITH HOLD FOR SELECT tell(step('new', 'o', 1)) FROM generate_series(1, 5)",
                    *any([], ["FETCH 2 FROM h"]), "COMMIT", *any([], ["SELECT step('new', 'o', 1)"]),
                    "FETCH ALL FROM h", "CLOSE h"]
        return [{
            "commit": "COMMIT", "rollback": "ROLLBACK", "chain": any("COMMIT", "ROLLBACK") + " AND CHAIN",
            "savepoint": "SAVEPOINT s", "back": "ROLLBACK TO s", "release": "RELEASE s",
            "prepare": "PREPARE TRANSACTION 'p%d'" % self.prepared,
            "fetch": any("FETCH 1", "FETCH 3", "FETCH BACKWARD 2", "MOVE 2") + " FROM c",
            "fail": "SELECT fail(step('%s', 'o', 3))" % any("several", "undone", "run"),
            "move": "SELECT move(%d)" % self.distance(),
        }[op]]

    def message(self, state, is_pipeline):
        parts = []
        if state.failed:
            parts = ["ROLLBACK TO s" if state.savepoint else self.any("ROLLBACK", "COMMIT")]
            state.__init__(state.savepoint)
        length = self.any(1, 2, 5, 10, 20)
        for _ in range(length):
            parts += self.statements(state, length == 1 or is_pipeline)
            if is_pipeline and self.any(True, False, False):
                parts.append("SYNC")
            if state.failed:
                break
        if not state.block:
            state.__init__()
        return parts

    def interrupt(self):
        """Uses a separate transaction, which can mint and observe before."""
        return ["COMMIT", *self.any([], ["BEGIN"]), *self.any([], ["SELECT step('new', 'o', 1)"]),
                *self.any([], ["SELECT step('see', 'muid edge', -1)"]), "SELECT step('until', 'o', %d)" % 2**29]

    def episode(self):
        actions, sessions = [], self.any(1, 1, 2, 3)
        states = [State() for _ in range(sessions)]
        changes_node = self.any(True, False, False, False)
        if changes_node:
            actions.append(("node", 0, [self.any(0, 7, 1023)]))
        for _ in range(self.random.randint(3, 14)):
            n = self.random.randrange(sessions)
            action = self.pick(message=10, pipeline=3, call=4, prepared=12 * bool(self.prepared), discard=1, leave=0.5,
                               node=3 * changes_node, move=2 * self.steps_clock, pace=0.7 * self.steps_clock, interrupt=0.2)
            parts = []
            if action in ("message", "pipeline"):
                parts = self.message(states[n], action == "pipeline")
            elif action == "call":
                parts = self.program(200 if self.steps_clock else 300)
            elif action == "prepared":
                how = self.any("COMMIT", "ROLLBACK")
                action, parts = "message", ["%s PREPARED 'p%d'" % (how, self.random.randint(1, self.prepared))]
            elif action == "discard":
                action, parts = "message", ["DISCARD ALL"]
            elif action == "node":
                parts = [self.any(-1, -1, 0, 7, 1023)]
            elif action == "move":
                parts = [self.distance()]
            elif action == "pace":
                parts = [self.any(0.00001, 0.001, 0.001, 1)]
            elif action == "interrupt":
                parts = self.interrupt()
            actions.append((action, n, parts))
            if action == "pace":  # for a short time, because it slows down minting
                actions.append(self.any(("call", n, self.program(30)), ("interrupt", self.any(n, 3), self.interrupt())))
                actions.append(("pace", n, [1]))
            if action in ("call", "leave", "pace", "interrupt"):
                states[n] = State()
        return actions


def describe(r):
    """Shows a record.  Times are microseconds after the clock before the step."""
    ids = ["%+d/%06x/%d" % (id.instant - r.before, id.medallion, id.offset) for id in r.ids[:4]]
    state = "no id yet"
    if r.medallion >= 0:
        state = "%+d/%06x/%d" % (r.instant - r.before, r.medallion, r.offset)
    return "%s %d [%s] at %d to %+d, transaction %d of %+d, %s, skew %d, node %d: %s, minted %d, steps %d, overflows %d" % (
        r.op, r.n, " ".join(ids), r.before, r.after - r.before, r.transaction, r.start - r.before, r.mode.decode(),
        r.skew, r.setting, state, r.minted, r.steps, r.overflows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default=str(random.randrange(10**9)))
    parser.add_argument("--episode", type=int, default=0)
    parser.add_argument("--clock", default="")
    parser.add_argument("steps", type=int, nargs="?", default=0)
    options = parser.parse_args()

    server, seen = Server(options.clock), Counter()
    number, steps, sessions = options.episode, 0, 0
    while steps < options.steps:
        episode = Writer(options.seed, number, bool(options.clock)).episode()
        try:
            played = server.play(episode)
        except Fault as fault:
            print("not ok - %s (seed %s, episode %d, after %d steps)" % (fault, options.seed, number, steps), flush=True)
            for action, n, parts in episode:
                print("#    session %d, %s: %s" % (n, action, parts), file=sys.stderr)
            for record in getattr(fault, "history", [])[-8:]:
                print("#    " + describe(record), file=sys.stderr)
            print("1..1")
            sys.exit(1)
        for session in played:
            sessions += 1
            steps += len(session.records)
            seen += session.seen
        number += 1

    print("ok - the model accepts %d steps of %d sessions (seed %s)" % (steps, sessions, options.seed))
    happens = HAPPENS + HAPPENS_TO_CLOCKS * bool(options.clock)
    rare = [what for what in happens if seen[what] < 10]
    for what in happens:
        print("%s - %s: %d times" % ("not ok" if what in rare else "ok", what, seen[what]))
    print("1..%d" % (1 + len(happens)))
    sys.exit(bool(rare))


if __name__ == "__main__":
    main()
