"""Asks each client the same questions, and compares the answers with the server's.

A client is a folder with an executable "conformance", which answers a line for each line that it reads.
README.md has the questions.  The server's answers come from questions.sql, on the database that libpq's
variables name.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path

CLIENTS = Path(__file__).resolve().parent.parent
LOW_BITS = (1 << 54) - 1
STANDING = 4_000_000_000_000_000  # a clock that stands, in the year 2096
failed = False


def shows(client: str, what: str, holds: bool) -> None:
    global failed
    print("ok -" if holds else "not ok -", f"{client}: {what}", flush=True)
    failed = failed or not holds


def lines_of(text: str) -> list:
    return text.split("\n")[:-1]


class Client:
    """A client, and what it minted."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.program = folder / "conformance"

    def ask(self, *questions: str, locale: str = "C") -> list:
        """The answers of a process of its own, each a list of fields."""
        result = subprocess.run(
            [self.program],
            cwd=self.program.parent,
            env={**os.environ, "TMPDIR": str(folder), "LC_ALL": locale[:5].replace("-", "_") + ".UTF-8"},
            input="".join(q + "\n" for q in questions),
            stdout=subprocess.PIPE,
            encoding="utf-8",
            timeout=300,
        )
        answers = lines_of(result.stdout)
        if result.returncode or len(answers) != len(questions):
            self.shows(f"{len(answers)} lines for {len(questions)} questions, status {result.returncode}", False)
            sys.exit(1)
        return [answer.split("\t") for answer in answers]

    def shows(self, what: str, holds: bool) -> None:
        shows(self.name, what, holds)


def can_be_unsupported(question: str) -> bool:
    """Whether a language need not have the value: a time with nanoseconds or beyond 64 bits, or null."""
    operation, *fields = question.split("\t")
    at = fields[1] if operation in ("lower", "upper", "new") else "0"
    return "." in at or abs(int(at)) >= 1 << 63 or question == "valid\t-"


def is_right(question: str, answer: list, expected: list) -> bool:
    """Whether a client's answer is the server's."""
    operation = question.split("\t")[0]
    if answer == ["unsupported"]:
        return can_be_unsupported(question)
    if operation == "explain":
        return json.loads(answer[0]) == json.loads(expected[0])
    if expected[0] == "error" and len(expected) == 2:
        return answer[0] == "error" and bytes.fromhex(answer[1]).decode().endswith(". " + expected[1])
    if operation == "new":
        return answer[0] == "ok" and number_of(answer[1])[0] == int(expected[1])
    return answer == expected


def number_of(text: str) -> tuple:
    """The instant of an id, which is -1 if the microseconds are too many, and its random bits."""
    digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    head, tail = (reduce(lambda number, digit: number * 58 + digits.index(digit), part, 0) for part in text.split("-"))
    micro = tail >> 54 & 1023
    return (head & (1 << 48) - 1) * 1000 + micro if micro < 1000 else -1, tail & LOW_BITS


def growing(text: str) -> int:
    """The number that only grows in a process."""
    instant, low = number_of(text)
    return instant << 54 | low


def increase(ids: list) -> bool:
    return all(growing(a) < growing(b) for a, b in zip(ids, ids[1:]))


def ask_what_the_server_knows(client: Client) -> None:
    answers = client.ask(*questions)
    counts, wrong, unsupported = Counter(), Counter(), Counter()
    for question, answer, expected in zip(questions, answers, expected_answers):
        operation = question.split("\t")[0]
        counts[operation] += 1
        unsupported[operation] += answer == ["unsupported"]
        if not is_right(question, answer, expected):
            wrong[operation] += 1
            if wrong[operation] <= 5:
                print("#", client.name, repr(question), repr(answer), "instead of", repr(expected))
    for operation in counts:
        client.shows(
            f"{operation}: {counts[operation]} answers, {unsupported[operation]} unsupported", not wrong[operation]
        )
    some = [n for n, asked in enumerate(questions) if re.match("(clock|explain|kind)\t|(read|lower)\t.*7$", asked)]
    for locale in "ar-EG", "hi-IN-u-nu-deva", "tr-TR":
        is_set, *answers = client.ask(f"locale\t{locale}", *(questions[n] for n in some), locale=locale)
        same = [is_right(questions[n], answer, expected_answers[n]) for n, answer in zip(some, answers)]
        client.shows(f"locale {locale}, {is_set[0]}: {len(same)} answers", all(same))


def ask_to_mint(client: Client) -> None:
    # By the system's clock, in several processes at once.
    with ThreadPoolExecutor() as pool:
        minted = [answers[0] for answers in pool.map(lambda _: client.ask("mint\to\t20000"), range(4))]
    client.shows("processes: the ids of each increase", all(len(ids) == 20000 and increase(ids) for ids in minted))
    client.shows("processes: they never mint the same", len(set().union(*minted)) == 80000)
    client.shows("they have microseconds", len({number_of(id)[0] % 1000 for id in minted[0]}) > 100)
    at = 981173106789012
    for_time = [answer[1] for answer in client.ask(*[f"new\to\t{at}"] * 300)]
    given = [number_of(id) for id in for_time]
    client.shows("ids for a time have it", {instant for instant, _ in given} == {at})
    ones = [sum(low >> bit & 1 for _, low in given) for bit in range(54)]
    client.shows("new ids have 54 random bits", all(0 < count < 300 for count in ones))

    # By a clock that stands, each id depends on the last one.  The random bits of ids for a time are kept apart, too.
    threads = []
    for what, clock, time in ("", "-", ""), (", if the clock stands", STANDING, ""), (", for a time", "-", f"\t{at}"):
        _, first, minted_together, forked, signalled = client.ask(
            f"clock\t{clock}", f"new\to{time}", f"threads\to\t8\t10000{time}", f"fork\to\t4\t100{time}", f"signals\to\t500{time}"
        )  # fmt: skip
        of_each = [minted_together[n : n + 10000] for n in range(0, 80000, 10000)]
        client.shows(
            f"threads{what}: they never mint the same",
            len({first[1], *minted_together}) == 80001 and (bool(time) or all(map(increase, of_each))),
        )
        if forked != ["unsupported"]:
            client.shows(f"fork{what}: a child never mints the same", len({first[1], *forked}) == 501)
            client.shows(
                f"fork{what}: a child continues", bool(time) or all(growing(id) > growing(first[1]) for id in forked)
            )
        if signalled != ["unsupported"]:
            middle = signalled.index("|")
            outside, inside = signalled[:middle], signalled[middle + 1 :]
            client.shows(
                f"signals{what}: {len(inside)} ids within {len(outside)}",
                len(inside) >= 500
                and len({*outside, *inside}) == len(outside) + len(inside)
                and (bool(time) or increase(outside)),
            )
        threads += minted_together[::20]

    # By known random bits, at the end of a millisecond.
    last = (STANDING + 999 << 54) + LOW_BITS
    _, _, for_a_time, *ids = client.ask(
        f"clock\t{STANDING + 999}",
        f"random\t{LOW_BITS - 1}",
        f"new\to\t{STANDING + 9999}",
        "new\to",
        "new\tz",
        "new\to",
    )
    client.shows(
        "random bits run over into the next microsecond", [growing(id[1]) for id in ids] == [last - 1, last, last + 1]
    )
    client.shows(
        "ids for a time have random bits of the same source",
        number_of(for_a_time[1]) == (STANDING + 9999, LOW_BITS - 1),
    )

    # By clocks that stand, are set back, go on, and are beyond what an id can hold.
    answers = client.ask(
        f"clock\t{STANDING}", "new\tz", "new\ta", "new\tm",
        f"clock\t{STANDING - 3_600_000_000}", "new\to",
        f"clock\t{STANDING + 1000}", "new\to",
        "clock\t-1", "new\to",
        "clock\t281474976710656000", "new\to",
        f"clock\t{STANDING}", "new\to",
        "clock\t-",
    )  # fmt: skip
    ids = [growing(answer[1]) if answer[0] == "ok" and len(answer) > 1 else None for answer in answers]
    first = ids[1]
    client.shows("a clock that stands is counted from", first >> 54 == STANDING and ids[2:4] == [first + 1, first + 2])
    client.shows("whatever the kinds", len({answer[1] for answer in answers[1:4]}) == 3)
    client.shows("if the clock is set back, ids continue from the last one", ids[5] == first + 3)
    client.shows("a clock that goes on has new random bits", ids[7] >> 54 == STANDING + 1000 and ids[7] - first > 1000)
    reason = "A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC."
    client.shows(
        "a clock that no id can hold is rejected",
        all(answers[n][0] == "error" and bytes.fromhex(answers[n][1]).decode().endswith(reason) for n in (9, 11)),
    )
    client.shows("an error while minting does not change later ids", ids[13] == ids[7] + 1)
    again = [client.ask(f"clock\t{STANDING}", "new\to")[1][1] for _ in range(2)]
    client.shows("a restart within one microsecond mints another id", again[0] != again[1])

    # The server reads what was minted here.
    texts = [ids[n] for ids in minted for n in range(0, 20000, 20)] + threads + for_time
    described = ["\t".join(answer) for answer in client.ask(*(f"read\t{text}" for text in texts))]
    (folder / "minted.txt").write_text("".join(text + "\n" for text in texts))
    query = """
        CREATE TEMP TABLE minted (n serial, id gid); \\copy minted (id) FROM 'minted.txt'
        SELECT conformance.described(id) FROM minted ORDER BY n;
    """
    read = lines_of(psql(query))
    client.shows(f"the server reads its ids: {len(texts)}", read == described)
    fields = [line.split("\t") for line in read]
    client.shows("their byte 7 is 0xFF", {id[1][14:16] for id in fields} == {"ff"})
    client.shows("they have no instant, node, medallion or offset", all(id[6:] == ["-"] * 4 for id in fields))


def psql(commands: str) -> str:
    lines = [line.strip() for line in commands.strip().split("\n")]
    commands = "\n".join(lines).replace("; \\copy", ";\n\\copy")
    return subprocess.run(
        ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1"], cwd=folder, input="SET search_path = conformance;\n" + commands,
        stdout=subprocess.PIPE, encoding="utf-8", check=True,
    ).stdout  # fmt: skip


with tempfile.TemporaryDirectory() as temporary:
    folder = Path(temporary)
    (folder / "vectors").symlink_to(CLIENTS.parent / "vectors")
    subprocess.run(["psql", "-Xq", "-f", CLIENTS / "conformance" / "questions.sql"], cwd=folder, check=True)
    questions = lines_of((folder / "questions.txt").read_text(encoding="utf-8"))
    expected_answers = [line.split("\t") for line in lines_of((folder / "answers.txt").read_text(encoding="utf-8"))]
    assert len(questions) == len(expected_answers) > 50_000
    for program in sorted(CLIENTS.glob("*/conformance")):
        if len(sys.argv) == 1 or program.parent.name in sys.argv[1:]:
            client = Client(program.parent)
            ask_what_the_server_knows(client)
            ask_to_mint(client)
sys.exit(failed)
