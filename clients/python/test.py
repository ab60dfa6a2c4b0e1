"""Shows what only Python has.  ../conformance asks what all clients answer.

The variables of libpq name the server.
"""

import copy
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
import weakref
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from unittest import mock

import pg_gid._mint
from pg_gid import Gid, parameter_of

HERE = Path(__file__).resolve().parent
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
failed = False


def shows(what, *holds):
    global failed
    print("ok -" if all(holds) else "not ok -", what)
    failed = failed or not all(holds)


def error(call, *arguments):
    try:
        call(*arguments)
    except Exception as e:
        return e


def rejects(expected, values, call):
    """Does a call reject each of the values with such an error?"""
    return all(type(error(call, value)) is expected for value in values)


id = Gid("A4KfAtmq1H-43VMdfVBbxRrN")
later = Gid("A4KfAtmq1H-43VMdfVBbxRrP")
log = Gid("74ggbzxuMf-2uAmM7FwXntwW")


class OrderId(Gid, kind="o"):
    """A class of a program's own."""


AnyId = type(Gid)("AnyId", (Gid,), {})
buffer = bytearray(bytes(id))
of_buffers = [Gid(buffer), Gid(memoryview(buffer)), Gid(uuid.UUID(bytes=bytes(id)).bytes), Gid(id)]
buffer[15] = 0
shows("from buffers, from a uuid, of itself; an id keeps its own bytes", of_buffers == [id] * 4)
shows("repr", eval(repr(id)) == id, repr(AnyId(id)).startswith("AnyId('"))
shows("formatted as text", f"{id:>30}" == str(id).rjust(30), f"{id}" == "%s" % id == str(id), error(format, id, "d"))
shows("time", id.time == datetime(2026, 11, 21, 18, 42, 22, 848000, timezone.utc), id.time.tzinfo is timezone.utc)
last = Gid("AfUXwLfh7c-4FzkJ37568tQv")
shows("the last years are beyond datetime", rejects(OverflowError, [last], lambda last: last.time))
shows("no equal of its text or bytes", id != str(id), id != bytes(id), id in {AnyId(id)}, id == OrderId(id))
shows("not beside text", rejects(TypeError, [str(later), 1], lambda no: id < no or id >= no))
shows("JSON", json.dumps([id], default=str) == f'["{id}"]')
shows("copied and pickled", copy.deepcopy([id]) == [id], all(pickle.loads(pickle.dumps(id, n)) == id for n in range(6)))
shows("also of a class", type(pickle.loads(pickle.dumps(OrderId(id)))) is OrderId)
shows("never changed", rejects(AttributeError, ["_number", "kind", "other"], lambda name: setattr(id, name, b"")))
shows("nor deleted, nor initialized again", rejects(AttributeError, ["_number"], lambda name: delattr(id, name)))
id.__init__(later)
shows("small", not any(hasattr(small, "__dict__") for small in (id, AnyId(id), OrderId(id))))
shows("referenced weakly", weakref.ref(id)() is id < later)
shows("TypeError for what is neither text nor bytes", rejects(TypeError, [None, 1, 1.0, [1] * 16, object()], Gid))
shows("a surrogate is three bytes", "position 1 is" in str(error(Gid, "\ud800" * 8)))

order = OrderId.new()
shows("a class of one kind", {type(i) for i in (order, OrderId(id), OrderId(id, "o"))} == {OrderId}, order.kind == "o")
shows("takes no other", rejects(ValueError, [log, str(log), bytes(log)], OrderId), not OrderId.is_valid(log))
calls = OrderId.new, lambda kind: OrderId.lower_bound(kind, 0)
shows("makes no other", all(rejects(ValueError, ["c", 240], call) for call in calls))
shows("any other class asks for a kind", rejects(TypeError, [Gid, AnyId], lambda cls: cls.new()))
first, end = OrderId.lower_bound(time=id.time), OrderId.upper_bound(time=10**30)
shows("its bounds", first == Gid.lower_bound("o", id.time) <= id < OrderId.upper_bound(time=id.time))
shows("can be above the kind, and are Gid", end.kind == "p", type(end) is type(first) is Gid)
shows("a kind in each spelling", all(Gid(bytes(id), kind) == id for kind in ("o", "O", 239, "239", None)))
shows("another kind", rejects(ValueError, ["c", 240, "log"], lambda kind: Gid(id, kind)))
shows("is_valid", Gid.is_valid(id, 239), not any(Gid.is_valid(*no) for no in ((id, "c"), (None,), (1,), (None, "o"))))
for call in Gid.new, lambda kind: Gid(id, kind), lambda kind: Gid.is_valid("", kind):
    shows("numbers that are no kind", rejects(ValueError, [127, 255, -1, 1 << 70, "orders"], call))
    shows("neither name nor number", rejects(TypeError, [True, 128.0, b"o"], call))
shows("kinds by number", [Gid.lower_bound(kind, 0).prefix for kind in (128, 254)] == [128, 254])
of_kind = [id, end, Gid(b"\x80" + bytes(15)), Gid(b"\xff" * 16)]
shows("a parameter of a kind", [parameter_of(str(id), "o") for id in of_kind] == [*map(str, of_kind)])
others = [log, str(log), Gid.lower_bound("p", 1), "o"]
shows("of another", rejects(ValueError, others, lambda no: parameter_of(no, "o")), parameter_of(log, None) == str(log))

no_times = True, 1.5, "2026-01-01", timedelta(1)
shows("TypeError for what is no time", rejects(TypeError, no_times, lambda no: Gid.new("o", no)))
calls = Gid.lower_bound, Gid.upper_bound, Gid.new
shows("ValueError for a time without a zone", rejects(ValueError, calls, lambda call: call("o", datetime(2026, 1, 1))))
times = [EPOCH + timedelta(microseconds=n) for n in (-1, 0, 1, 999, 1000, 1795286542848063)]
times += [datetime.min.replace(tzinfo=timezone.utc), datetime.max.replace(tzinfo=timezone(timedelta(hours=-23)))]
for call in calls[:2]:
    bounds = [call("o", (at - EPOCH) // timedelta(microseconds=1)) for at in times]
    shows("a datetime is its microseconds, in any zone", [call("o", at) for at in times] == bounds)

# Minting.


def clock(microsecond):
    """A clock that stands."""
    return mock.patch("pg_gid._mint.time_ns", lambda: microsecond * 1000 + 999)


def as_number(id):
    """The part of an id that only grows."""
    return (id.unix_ms * 1000 << 54) + int.from_bytes(bytes(id)[8:], "big")


def source(give):
    """A source of random bits, which gives the same 54 bits each time that it is asked."""
    pg_gid._mint._random_words.clear()
    return mock.patch("pg_gid._mint.urandom", lambda size: (give() << 10).to_bytes(8, sys.byteorder) * (size // 8))


def of_child(call):
    """The exit status of a forked child, or that of a child that hangs."""
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        os._exit(call())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


base = 4_000_000_000_000_000
with clock(base), source(lambda: time.sleep(0.01) or 7), ThreadPoolExecutor(8) as pool:
    made = sorted(map(as_number, pool.map(Gid.new, "oooooooo")))
shows("threads where one waits for random bits", made == [base << 54 | n for n in range(7, 15)])


def interrupt():
    """Random bits.  While their source is asked, more ids are made, also by a child."""
    patch.stop()
    within.extend(Gid.new("o") for _ in range(9))
    microseconds.append(of_child(lambda: (as_number(Gid.new("o")) >> 54) - base))
    return 7


within, microseconds = [], []
patch = source(interrupt)
patch.start()
with clock(base + 1):
    ids = [Gid.new("o"), *within, Gid.new("o")]
shows("a signal handler mints in the middle of another id", len(ids) == 11, all(a < b for a, b in zip(ids, ids[1:])))
shows("and a child that it forks mints others", microseconds == [(as_number(within[-1]) >> 54) - base + 1])

pg_gid._mint._random_words.clear()
with mock.patch("pg_gid._mint.urandom", wraps=os.urandom) as asked:
    drawn = {pg_gid._mint.random_bits() for _ in range(1000)}
shows("random bits are the operating system's", pg_gid._mint.urandom is os.urandom, len(drawn) == 1000)
shows("asked for in blocks", 1 < asked.call_count < 100)

held, done = threading.Event(), threading.Event()


def hold():
    """Is in the middle of an id until the child is done."""
    with pg_gid._mint._lock, mock.patch("pg_gid._mint._is_minting", True):
        held.set()
        done.wait()


with clock(base), ThreadPoolExecutor() as pool:
    pool.submit(hold)
    held.wait()
    step = of_child(lambda: -as_number(Gid.new("o")) + as_number(Gid.new("o")))
    done.set()
shows("a child neither waits for a lock nor is within an id that another thread was making", step == 1)

# The server.


def shown(command, words):
    """What a command prints, without ages and without the lines between records."""
    environment = {**os.environ, "PGTZ": "UTC", "PGOPTIONS": "-c client_min_messages=warning"}
    result = subprocess.run(command, cwd=HERE, env=environment, input=words, capture_output=True, text=True)
    return result.returncode, re.sub(r"(?m)^(-\[|age ).*", "", result.stdout).split(), result.stderr


def explained(*arguments, words=""):
    return shown([sys.executable, "-B", "-m", "pg_gid", *arguments], words)


texts = re.findall("(?m)^[^\t]{24}(?=\t)", (HERE.parent.parent / "vectors/edges.tsv").read_text(encoding="utf-8"))
query = f"SELECT e.* FROM unnest('{{{','.join(texts)}}}'::gid[]) id, gid_explain(id) e"
expected = shown(["psql", "-Xqx"], f"CREATE EXTENSION IF NOT EXISTS gid; {query}")
shows(f"explained on the command line as by psql: {len(texts)}", explained(*texts) == expected, len(expected[1]) > 100)
shows("ids from standard input", explained(words="\n".join(texts)) == expected)
status, words, errors = explained("--json", texts[0], "nothing", texts[1])
shows("as JSON", all(f'"{text}",' in words for text in texts[:2]), words.count('{"kind":') == 2)
reason = "A gid is 24 bytes of text, or 22 in its compact form, not 7."
shows("invalid", (status, errors) == (1, f"pg-gid: invalid input syntax for type gid: 'nothing'. {reason}\n"))

sys.exit(failed)
