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
from datetime import datetime, timedelta, timezone
from pathlib import Path
from unittest import mock

import pg_gid._mint
from pg_gid import Gid, json_default, parameter_of

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent.parent / "vectors"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DIGITS = 'The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".'
failed = False


def shows(what, holds):
    global failed
    print("ok -" if holds else "not ok -", what)
    failed = failed or not holds


def rows(path, header=True):
    """The rows of a file of columns that are separated by tabs."""
    lines = path.read_text(encoding="utf-8").split("\n")[1 if header else 0 : -1]
    return [[None if value == r"\N" else value for value in line.split("\t")] for line in lines]


def error(call, *arguments):
    """The error that a call ends in, if any."""
    try:
        call(*arguments)
    except Exception as e:
        return e


def is_reason(e, reason):
    """Is it a ValueError that ends in the server's reason, or no error where there is none?"""
    return e is None if reason is None else type(e) is ValueError and str(e).endswith(". " + reason)


def ask(query, *options, **variables):
    """What psql shows of a query, in UTC."""
    settings = [f"--set={name}={value}" for name, value in variables.items()]
    return subprocess.run(
        ["psql", "-Xq", *options, *settings],
        input=query,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "PGTZ": "UTC"},
    ).stdout


def explained_by(arguments, words):
    """What "python -m pg_gid" prints."""
    return subprocess.run(
        [sys.executable, "-B", "-m", "pg_gid", *arguments], cwd=HERE, input=words, capture_output=True, text=True
    )


def without_age(text):
    return re.sub(r"(?m)^age .*", "", text)


# Values.

id = Gid("A4KfAtmq1H-43VMdfVBbxRrN")
same = Gid("WWnWBiNLDdPGn6shGCuJTG")
later = Gid("A4KfAtmq1H-43VMdfVBbxRrP")
log = Gid("74ggbzxuMf-2uAmM7FwXntwW")

shows(
    "str, repr, compact",
    str(id) == "A4KfAtmq1H-43VMdfVBbxRrN" and eval(repr(id)) == id and id.compact == str(same.compact),
)
shows(
    "bytes",
    bytes(id).hex() == "ef01a1ff6aaa00ef0f2c194cee533387"
    and Gid(bytearray(bytes(id))) == id == Gid(memoryview(bytes(id))),
)
buffer = bytearray(bytes(id))
copied = Gid(buffer)
buffer[15] = 0
shows("an id keeps its own bytes", copied == id and hash(copied) == hash(id))
shows("of itself", Gid(id) == id)
shows("in a uuid", Gid(uuid.UUID(bytes=bytes(id)).bytes) == id)
shows(
    "time",
    id.time == datetime(2026, 11, 21, 18, 42, 22, 848000, tzinfo=timezone.utc) and id.time.tzinfo is timezone.utc,
)
shows("equal, and hashed so", id == same and hash(id) == hash(same) and len({id, same, later}) == 2 and id != later)
shows("no equal of its text or bytes", id != str(id) and id != bytes(id))
shows("ordered", log < id < later and later > id >= same <= id and sorted([later, id, log]) == [log, id, later])
shows(
    "not beside invalid text",
    isinstance(error(lambda: id < str(later)), TypeError) and isinstance(error(lambda: id >= 1), TypeError),
)
shows("JSON by its str", json.dumps({"id": id}, default=str) == '{"id": "A4KfAtmq1H-43VMdfVBbxRrN"}')
shows(
    "copied and pickled", copy.deepcopy([id]) == [id] and all(pickle.loads(pickle.dumps(id, n)) == id for n in range(6))
)
shows(
    "never changed",
    all(isinstance(error(setattr, id, name, b""), AttributeError) for name in ("_number", "kind", "other"))
    and isinstance(error(delattr, id, "_number"), AttributeError),
)
shows(
    "TypeError for what is neither text nor bytes",
    all(type(error(Gid, no)) is TypeError for no in (None, 1, 1.0, [1] * 16, object())),
)
shows(
    "the last years are beyond datetime", isinstance(error(lambda: Gid("AfUXwLfh7c-4FzkJ37568tQv").time), OverflowError)
)


shows("initialized again, it stays", id.__init__(later) is None and id == same and hash(id) == hash(same))
shows("JSON by json_default", json.dumps([id], default=json_default) == '["A4KfAtmq1H-43VMdfVBbxRrN"]')
shows("json_default accepts only ids", isinstance(error(json.dumps, [object()]), TypeError))


class AnyId(Gid):
    """A class of a program's own, of any kind."""


class OrderId(Gid, kind="o"):
    """And one of one kind."""


shows(
    "a class made from it",
    repr(AnyId.new("o")).startswith("AnyId('") and AnyId(id) == id and hash(AnyId(id)) == hash(id),
)
shows(
    "a class of one kind",
    type(OrderId(id)) is type(OrderId.parse(id.text)) is type(OrderId.new()) is OrderId
    and OrderId.new().kind == "o"
    and OrderId.lower_bound(time=id.time) == Gid.lower_bound("o", id.time) <= OrderId.new("O")
    and OrderId.upper_bound(time=id.time) == Gid.upper_bound("o", id.time)
    and type(pickle.loads(pickle.dumps(OrderId(id)))) is OrderId,
)
shows(
    "a bound can be above the kind, and is a Gid",
    OrderId.upper_bound(time=10**30).kind == "p" and type(OrderId.lower_bound(time=0)) is Gid,
)
shows(
    "small, and referenced weakly",
    not any(hasattr(small, "__dict__") for small in (id, AnyId(id), OrderId(id))) and weakref.ref(id)() is id,
)
shows(
    "formatted as text",
    f"{id:>30}" == str(id).rjust(30)
    and f"{id}" == str(id)
    and "%s" % id == str(id)
    and type(error(format, id, "d")) is ValueError,
)
shows(
    "which takes no other",
    str(error(OrderId, log)) == 'gid of kind "log" does not match type gid(o). The value "74ggbzxuMf-2uAmM7FwXntwW" is '
    'the id of a "log". Check the value, or the kind that the program expects.'
    and all(
        type(e) is ValueError
        for e in (error(OrderId, bytes(log)), error(OrderId.new, "log"), error(OrderId.lower_bound, "log", 0))
    ),
)
shows("any other class asks for a kind", all(type(error(call)) is TypeError for call in (Gid.new, AnyId.new)))
shows(
    "parse, with a kind",
    Gid.parse(id.text, "O") == Gid.parse(bytes(id), 239) == Gid.parse(id) == id
    and type(error(Gid.parse, id.text, "c")) is ValueError
    and type(error(Gid.parse, id.text[:-1], "o")) is ValueError
    and type(error(Gid.parse, 7, "o")) is TypeError,
)
shows(
    "is_valid",
    Gid.is_valid(id.text)
    and Gid.is_valid(id.compact, "o")
    and Gid.is_valid(id, 239)
    and OrderId.is_valid(id)
    and not any((Gid.is_valid(""), Gid.is_valid(None), Gid.is_valid(id, "c"), OrderId.is_valid(log)))
    and type(error(Gid.is_valid, id, "orders")) is ValueError
    and type(error(OrderId.is_valid, id, "c")) is ValueError,
)
shows(
    "a surrogate is three bytes",
    is_reason(error(Gid, "\ud800" * 8), "The character at position 1 is not a base-58 digit. " + DIGITS)
    and is_reason(error(Gid, "\ud800"), "A gid is 24 bytes of text, or 22 in its compact form, not 3."),
)
shows(
    "a parameter next to a column of a kind is an id of the kind or a bound of all of them",
    parameter_of(id, "o") == parameter_of(id, None) == parameter_of(str(id), 239) == str(id)
    and all(
        parameter_of(bound, "o") for bound in (OrderId.upper_bound(time=10**30), b"\x80" + bytes(15), b"\xff" * 16)
    )
    and all(type(error(parameter_of, no, "o")) is ValueError for no in (log, str(log), Gid.lower_bound("p", 1), "o")),
)
shows("None where the server has NULL", (log.instant, log.medallion, log.node, log.offset) == (None,) * 4)

# Kinds and times.

shows(
    "kinds by number, and folded",
    [Gid.lower_bound(kind, 0).prefix for kind in (128, 254, "VOLUME", "O", "200")] == [128, 254, 128, 239, 200],
)
shows(
    "numbers that are no kind",
    all(is_reason(error(Gid.new, no), str(error(Gid.new, "")).split(". ", 1)[1]) for no in (127, 255, -1, 1 << 70)),
)
shows(
    "TypeError for what is neither name nor number",
    all(type(error(Gid.new, no)) is TypeError for no in (None, True, 128.0, b"o")),
)
shows(
    "TypeError for what is no time",
    all(type(error(Gid.new, "o", no)) is TypeError for no in (True, 1.5, "2026-01-01", timedelta(1))),
)
shows(
    "ValueError for a time without a zone",
    all(
        type(error(call, "o", datetime(2026, 1, 1))) is ValueError
        for call in (Gid.new, Gid.lower_bound, Gid.upper_bound)
    ),
)
times = [EPOCH + timedelta(microseconds=n) for n in (-1, 0, 1, 999, 1000, 1795286542848063)]
times += [datetime.min.replace(tzinfo=timezone.utc), datetime.max.replace(tzinfo=timezone(timedelta(hours=-23)))]
shows(
    "a datetime is its microseconds",
    all(
        call("o", time) == call("o", (time - EPOCH) // timedelta(microseconds=1))
        for time in times
        for call in (Gid.lower_bound, Gid.upper_bound)
    ),
)
shows(
    "in any zone",
    Gid.lower_bound("o", id.time.astimezone(timezone(timedelta(hours=5)))) == Gid.lower_bound("o", id.time),
)
shows(
    "beyond any time",
    str(Gid.lower_bound("o", 10**30)) == "A6WKt9GwpB-1111111111111"
    and Gid.lower_bound("o", -(10**30)) == Gid.lower_bound("o", 0),
)

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


base = 4_000_000_000_000_000
with clock(base + 2), source(lambda: (1 << 54) - 1):
    last, over = Gid.new("o"), Gid.new("o")
    shows(
        "the random part runs over into the next microsecond",
        as_number(over) - as_number(last) == 1 and as_number(over) >> 54 == base + 3,
    )


def together(target):
    """Runs target(mine) in eight threads at once."""
    threads = [threading.Thread(target=target, args=(mine,)) for mine in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


made = [[] for _ in range(8)]
with clock(base + 5), source(lambda: time.sleep(0.01) or 7):
    together(lambda mine: mine.append(Gid.new("o")))
shows(
    "threads never make the same where one waits for random bits",
    sorted(as_number(*mine) for mine in made) == [base + 5 << 54 | n for n in range(7, 15)],
)


def interrupt():
    """Random bits, while whose source is asked, two more ids are made."""
    patch.stop()
    within.extend([Gid.new("o"), Gid.new("o")])
    return 7


within = []
patch = source(interrupt)
base = as_number(Gid.new("o")) >> 54  # the clock that stood
pg_gid._mint._random_words.clear()
patch.start()
with clock(base + 1):
    ids = [Gid.new("o"), *within, Gid.new("o")]
shows("a signal handler mints in the middle of another id", len(ids) == 4 and all(a < b for a, b in zip(ids, ids[1:])))

pg_gid._mint._random_words.clear()
with mock.patch("pg_gid._mint.urandom", wraps=os.urandom) as asked:
    drawn = [pg_gid._mint.random_bits() for _ in range(1000)]
shows(
    "random bits are the operating system's, each once",
    pg_gid._mint.urandom is os.urandom and len(set(drawn)) == 1000 and 1 < asked.call_count < 100,
)


def status_of_child(call):
    """The exit status of a forked child, or that of a child that hangs."""
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        os._exit(7 if call() else 8)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


held, done = threading.Event(), threading.Event()


def hold():
    """Has the lock until the child is done."""
    with pg_gid._mint._lock:
        pg_gid._mint._is_minting = True
        held.set()
        done.wait()
        pg_gid._mint._is_minting = False


holder = threading.Thread(target=hold)
holder.start()
held.wait()
with clock(base + 10):
    shows(
        "a child neither waits for a lock nor is within an id that another thread was making",
        status_of_child(lambda: -as_number(Gid.new("o")) + as_number(Gid.new("o")) == 1) == 7,
    )
done.set()
holder.join()

# The server.

texts = [row[0] for row in rows(VECTORS / "edges.tsv")]
query = "CREATE EXTENSION gid; SELECT (gid_explain(id)).* FROM unnest(:'ids'::gid[]) AS id"
expected = re.sub(r"-\[.*", "", ask(query, "-x", ids="{" + ",".join(texts) + "}"))
shown = explained_by([*texts], "")
is_same = without_age(shown.stdout).split() == without_age(expected).split() != [] and shown.returncode == 0
shows(f"explained on the command line as by psql: {len(texts)}", is_same)
shows("ids from standard input", without_age(explained_by([], "\n".join(texts)).stdout) == without_age(shown.stdout))
shown = explained_by(["--json", *texts], "")
shows("as JSON", [json.loads(line)["text"] for line in shown.stdout.splitlines()] == texts)
shown = explained_by([texts[0], "nothing", texts[1]], "")
shows(
    "an invalid one is reported, and the others are explained",
    (shown.returncode, shown.stdout.count("remarks")) == (1, 2)
    and shown.stderr == "pg-gid: invalid input syntax for type gid: 'nothing'. "
    "A gid is 24 bytes of text, or 22 in its compact form, not 7.\n",
)

sys.exit(failed)
