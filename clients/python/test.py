"""Shows of gid that it does what the vectors, the server and the README say.

It finds the server by libpq's variables, and asks it by psql: see ../server.sql.
"""

import copy
import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path
from unittest import mock

import pg_gid._mint
from pg_gid import Gid, json_default

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent.parent / "vectors"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
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


def described(id):
    """An id as the server describes it, in the columns of a row."""
    instant = None if id.instant is None else str(id.instant)
    return [str(id), bytes(id).hex(), id.compact, id.kind, str(id.unix_ms), instant]


def all_right(what, wrong, count):
    """Shows that none of so many is wrong, and which ones are."""
    for row in wrong[:5]:
        print("#", row)
    shows(f"{what}: {count}", count > 0 and not wrong)


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


# Vectors.

for name in "edges.tsv", "graft-minted.tsv":
    vectors = rows(VECTORS / name)
    all_right(
        f"{name}, from canonical text, from compact text and from bytes",
        [
            row
            for row in vectors
            for id in (Gid(row[0]), Gid(row[2]), Gid(bytes.fromhex(row[1])))
            if described(id)[:5] != row or id != Gid(row[0])
        ],
        len(vectors),
    )

vectors = rows(VECTORS / "bounds.txt")
all_right(
    "bounds.txt",
    [
        row
        for row in vectors
        for kind, instant, lower, upper in [row]
        if [str(Gid.lower_bound(kind, int(instant))), str(Gid.upper_bound(kind, int(instant)))] != [lower, upper]
    ],
    len(vectors),
)

vectors = rows(VECTORS / "refused.txt")
all_right("refused.txt", [row for row in vectors if row[1] not in str(error(Gid, row[0]))], len(vectors))

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
shows("and keeps its own", copied == id and hash(copied) == hash(id))
shows("of itself", Gid(id) == id)
shows("in a uuid", Gid(uuid.UUID(bytes=bytes(id)).bytes) == id)
shows("kind and prefix", (id.kind, id.prefix, log.kind, log.prefix) == ("o", 239, "log", 160))
shows(
    "time",
    id.time == datetime(2026, 11, 21, 18, 42, 22, 848000, tzinfo=timezone.utc) and id.time.tzinfo is timezone.utc,
)
shows("instant", id.instant == 1795286542848060 and log.instant is None)
shows("equal, and hashed so", id == same and hash(id) == hash(same) and len({id, same, later}) == 2 and id != later)
shows("no equal of its text or bytes", id != str(id) and id != bytes(id))
shows("ordered", log < id < later and later > id >= same <= id and sorted([later, id, log]) == [log, id, later])
shows(
    "not beside what is no id",
    isinstance(error(lambda: id < str(later)), TypeError) and isinstance(error(lambda: id >= 1), TypeError),
)
shows("JSON by its str", json.dumps({"id": id}, default=str) == '{"id": "A4KfAtmq1H-43VMdfVBbxRrN"}')
shows(
    "copied and pickled", copy.deepcopy([id]) == [id] and all(pickle.loads(pickle.dumps(id, n)) == id for n in range(6))
)
shows(
    "never changed",
    all(isinstance(error(setattr, id, name, b""), AttributeError) for name in ("_bytes", "kind", "other"))
    and isinstance(error(delattr, id, "_bytes"), AttributeError),
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
shows("and json_default takes nothing else", isinstance(error(json.dumps, [object()]), TypeError))


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
    "medallion, node, offset",
    (id.medallion, id.node, id.offset) == (11560243, 705, 777204615)
    and (log.medallion, log.node, log.offset) == (None, None, None),
)

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
shows("a range of time is a range of ids", Gid.lower_bound("o", id.time) <= id < Gid.upper_bound("o", id.time))
shows(
    "beyond any time",
    str(Gid.lower_bound("o", 10**30)) == "A6WKt9GwpB-1111111111111"
    and Gid.lower_bound("o", -(10**30)) == Gid.lower_bound("o", 0),
)

# Minting.

before = datetime.now(timezone.utc)
minted = [Gid.new("o") for _ in range(100_000)]
after = datetime.now(timezone.utc)
shows("new ids increase", all(a < b for a, b in zip(minted, minted[1:])))
shows(
    "whatever their kinds",
    all(
        a.instant <= b.instant and bytes(a)[8:] != bytes(b)[8:]
        for a, b in [(Gid.new("z"), Gid.new("a")) for _ in range(1000)]
    ),
)
shows(
    "they tell when they were made",
    all(id.kind == "o" and id.instant is not None for id in minted)
    and before - timedelta(milliseconds=1) < minted[0].time <= minted[-1].time <= after,
)
shows("as microseconds", len({id.instant % 1000 for id in minted}) > 500)

at = datetime(2001, 2, 3, 4, 5, 6, 789012, tzinfo=timezone.utc)
ids = {Gid.new("o", at) for _ in range(1000)}
shows("for a given time", len(ids) == 1000 and {id.instant for id in ids} == {981173106789012})
shows(
    "54 bits are random",
    all(0 < sum(int.from_bytes(bytes(id), "big") >> bit & 1 for id in ids) < 1000 for bit in range(54)),
)


def clock(microsecond):
    """A clock that stands."""
    return mock.patch("pg_gid._mint.time_ns", lambda: microsecond * 1000 + 999)


def as_number(id):
    """The part of an id that only grows."""
    return id.instant << 54 | int.from_bytes(bytes(id)[8:], "big") & (1 << 54) - 1


base = 4_000_000_000_000_000
with clock(base):
    first, second, third = (Gid.new(kind) for kind in ("z", "a", "m"))
shows(
    "a clock that stands: counted up",
    first.instant == base and [as_number(id) - as_number(first) for id in (second, third)] == [1, 2],
)
with clock(base - 3_600_000_000):
    shows("a clock that was set back is waited for", as_number(Gid.new("o")) - as_number(first) == 3)
with clock(base + 1):
    fresh = Gid.new("o")
    shows(
        "a clock that goes on: random again", fresh.instant == base + 1 and as_number(fresh) - as_number(first) > 1000
    )
with clock(base + 2), mock.patch("pg_gid._mint.randbits", lambda bits: (1 << bits) - 1):
    last, over = Gid.new("o"), Gid.new("o")
    shows(
        "the random part runs over into the next microsecond",
        as_number(over) - as_number(last) == 1 and over.instant == base + 3,
    )
for wrong in -1, 1 << 58:
    with clock(wrong):
        shows(
            f"a clock at {wrong} is refused",
            is_reason(
                error(Gid.new, "o"), "A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC."
            ),
        )
with clock(base):
    shows("and leaves no trace", Gid.new("o").instant == base + 3)

made, start = [[] for _ in range(8)], threading.Barrier(8)


def work(mine):
    start.wait()
    mine += [Gid.new("o") for _ in range(5000)]


def together(target):
    """Runs target(mine) in eight threads at once."""
    threads = [threading.Thread(target=target, args=(mine,)) for mine in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


together(work)
shows(
    "threads never make the same",
    len(set().union(*made)) == 40_000 and all(a < b for mine in made for a, b in zip(mine, mine[1:])),
)

made = [[] for _ in range(8)]
with clock(base + 5), mock.patch("pg_gid._mint.randbits", lambda bits: time.sleep(0.01) or 7):
    together(lambda mine: mine.append(Gid.new("o")))
shows(
    "nor where one waits for random bits",
    sorted(as_number(*mine) for mine in made) == [base + 5 << 54 | n for n in range(7, 15)],
)

# A signal handler that mints while the thread that it interrupts is minting.
within = []
signal.signal(signal.SIGALRM, lambda *_: within.append(Gid.new("o")))
signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
outside, end = [], time.monotonic() + 20
while len(within) < 2000 and time.monotonic() < end:
    outside.append(Gid.new("o"))
signal.setitimer(signal.ITIMER_REAL, 0)
shows(
    f"a signal handler mints, too: {len(within)} ids within {len(outside)}",
    len(within) >= 2000
    and len({*within, *outside}) == len(within) + len(outside)
    and all(a < b for a, b in zip(outside, outside[1:])),
)


def interrupt(bits):
    """Random bits, while whose source is asked, two more ids are made."""
    patch.stop()
    within.extend([Gid.new("o"), Gid.new("o")])
    return 7


within = []
patch = mock.patch("pg_gid._mint.randbits", interrupt)
patch.start()
base = Gid.new("o").instant  # the handlers went on from the clock that stood
with clock(base + 1):
    ids = [Gid.new("o"), *within, Gid.new("o")]
shows("in the middle of another", len(ids) == 4 and all(a < b for a, b in zip(ids, ids[1:])))

# Children, of a clock that stands, one of them while another thread mints.
with clock(base + 10):
    parent = Gid.new("o")
    reading, writing = os.pipe()
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            os.write(writing, b"".join(bytes(Gid.new("o")) for _ in range(100)))
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    data = os.read(reading, 100_000)
    ids = [Gid(data[n : n + 16]) for n in range(0, len(data), 16)] + [Gid.new("o") for _ in range(100)]
shows("children never make the same as their parent or each other", len(set(ids)) == 500 and min(ids) > parent)
pg_gid._mint._lock.acquire()
child = os.fork()
if child == 0:
    Gid.new("o")
    os._exit(7)
pg_gid._mint._lock.release()
shows("nor wait for a lock that was held", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7)

# The server.

source = random.Random(58)
count = 20_000
made = [Gid(bytes([source.randrange(128, 256)]) + source.getrandbits(120).to_bytes(15, "big")) for _ in range(count)]
for n in range(count):
    kind = source.randrange(128, 255)
    made.append(Gid.new(kind))
    made.append(Gid.new(kind, source.randrange(281474976710656000)))
    made.append(Gid.lower_bound(kind, source.randrange(281474976710656000)))
made += [Gid(bytes([high]) + bytes([low]) * 15) for high in (128, 160, 254, 255) for low in (0, 1, 127, 128, 255)]

with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    lines = ["\t".join(r"\N" if value is None else value for value in described(id)) + "\n" for id in made]
    (folder / "made.tsv").write_text("".join(lines))
    right = subprocess.run(
        ["psql", "-XqAt", "-f", HERE.parent / "server.sql"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    shows(f"the server says the same of {len(made)} ids made here", right == str(len(made)))

    ids = rows(folder / "ids.tsv", header=False)
    all_right(
        "ids of the server's",
        [
            row
            for row in ids
            if any(described(id) != row for id in (Gid(row[0]), Gid(row[2]), Gid(bytes.fromhex(row[1]))))
        ],
        len(ids),
    )
    shows(
        "in its order, as ids and as text",
        sorted(Gid(row[0]) for row in reversed(ids)) == [Gid(row[0]) for row in ids]
        and sorted(row[0] for row in ids) == [row[0] for row in ids]
        and sorted(row[2] for row in ids) == [row[2] for row in ids],
    )

    # Explained here, and by the server; the age in between is another one.
    texts = [row[0] for row in ids[::20]]
    query = """SELECT json_agg(row_to_json(e) ORDER BY n)
        FROM unnest(:'ids'::gid[]) WITH ORDINALITY AS u (id, n), LATERAL gid_explain(id) e"""
    explained = json.loads(ask(query, "-At", ids="{" + ",".join(texts) + "}"))
    all_right(
        "explained as by the server",
        [
            row
            for row in explained
            for mine in [Gid(row["text"]).explain()]
            if {**mine, "age": 0} != {**row, "age": 0}
            or mine["age"].split(":")[0] != row["age"].split(":")[0]
            or list(mine) != list(row)
        ],
        len(explained),
    )
    query = "SELECT (gid_explain(id)).* FROM unnest(:'ids'::gid[]) AS id"
    expected = re.sub(r"-\[.*", "", ask(query, "-x", ids="{" + ",".join(texts) + "}"))
    shown = explained_by([*texts], "")
    is_same = without_age(shown.stdout).split() == without_age(expected).split() != [] and shown.returncode == 0
    shows(f"and shown as by psql: {len(texts)}", is_same)
    shows(
        "ids from standard input", without_age(explained_by([], "\n".join(texts)).stdout) == without_age(shown.stdout)
    )
    shown = explained_by(["--json", *texts], "")
    shows("and as JSON", [json.loads(line)["text"] for line in shown.stdout.splitlines()] == texts)
    shown = explained_by([texts[0], "nothing", texts[1]], "")
    shows(
        "an invalid one is told of, and the others are explained",
        (shown.returncode, shown.stdout.count("muid")) == (1, 2)
        and shown.stderr == "pg-gid: invalid input syntax for type gid: 'nothing'. "
        "A gid is 24 bytes of text, or 22 in its compact form, not 7.\n",
    )

    texts = [(bytes.fromhex(text).decode(), reason) for text, reason in rows(folder / "texts.tsv", header=False)]
    all_right(
        "texts that the server refuses, with its reason, or takes",
        [row for row in texts if not is_reason(error(Gid, row[0]), row[1])],
        len(texts),
    )
    binary = [(bytes.fromhex(data), reason) for data, reason in rows(folder / "binary.tsv", header=False)]
    all_right("bytes likewise", [row for row in binary if not is_reason(error(Gid, row[0]), row[1])], len(binary))

    kinds = [
        (bytes.fromhex(name).decode(), reason, prefix)
        for name, reason, prefix in rows(folder / "kinds.tsv", header=False)
    ]
    all_right(
        "names of kinds likewise",
        [
            row
            for row in kinds
            if not (
                str(Gid.lower_bound(row[0], 0).prefix) == row[2]
                if row[2]
                else is_reason(error(Gid.new, row[0]), row[1])
            )
        ],
        len(kinds),
    )

    bounds = rows(folder / "bounds.tsv", header=False)
    all_right(
        "bounds of the server's",
        [
            row
            for row in bounds
            if row[2:] != [str(Gid.lower_bound(row[0], int(row[1]))), str(Gid.upper_bound(row[0], int(row[1])))]
        ],
        len(bounds),
    )
    times = rows(folder / "times.tsv", header=False)
    all_right(
        "times that ids can be made for, or not",
        [row for row in times if not is_reason(error(Gid.new, "volume", int(row[0])), row[1])],
        len(times),
    )

sys.exit(failed)
