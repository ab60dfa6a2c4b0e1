"""Texts and ids for check/codec.pl, and what the codec must return for them.

    codec_cases.py make COUNT FILE ...      prints the questions for codec_test: edge cases,
                                            COUNT random ids and texts, and the ids in the
                                            FILEs, with all texts that differ in one byte
    codec_cases.py check QUESTIONS ANSWERS  prints how many answers are wrong

The numbers here are Python's, which have any size.
"""

import itertools
import random
import sys

ALPHABET = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
DIGIT = {c: n for n, c in enumerate(ALPHABET)}
OK, LENGTH_WRONG, DASH_WRONG, NOT_BASE58, OVERFLOW, NO_HIGH_BIT = range(6)
FIRST, SECOND = (7, 10), (9, 13)    # bytes and digits of the two parts


def write(n, digits):
    text = bytearray()
    for _ in range(digits):
        n, digit = divmod(n, 58)
        text.append(ALPHABET[digit])
    return bytes(text[::-1])


def read(text):
    n = 0
    for c in text:
        n = n * 58 + DIGIT[c]
    return n


def canonical(id):
    return write(id >> 72, 10) + b"-" + write(id & (1 << 72) - 1, 13)


def encoded(id):
    """The line that codec_test prints for an id."""
    parts = [(127, 1), (120, 8), (72, 48), (64, 8), (54, 10), (30, 24), (0, 30)]
    return " ".join([canonical(id).decode(), write(id, 22).decode(), *(str(id >> low & (1 << bits) - 1) for low, bits in parts)])


def fault_at(text, i):
    """The error of one character."""
    is_dash = len(text) == 24 and i == 10
    if (text[i] == ord("-")) != is_dash:
        return DASH_WRONG
    return OK if is_dash or text[i] in DIGIT else NOT_BASE58


def is_right(text, status, position, id):
    """If a text has several errors, each of them is right."""
    if status != OK and id != 42 << 64 | 43:
        return False
    if len(text) not in (22, 24):
        return (status, position) == (LENGTH_WRONG, 12345)
    if any(fault_at(text, i) for i in range(len(text))):
        return position < len(text) and status != OK and status == fault_at(text, position)
    if position != 12345:
        return False
    if len(text) == 24:
        first, second = read(text[:10]), read(text[11:])
        number, fits_first, fits = first << 72 | second, first < 1 << 56, first < 1 << 56 and second < 1 << 72
    else:
        number = read(text)
        fits_first = fits = number < 1 << 128
    is_low = fits_first and not number >> 127
    if status == OK:
        return fits and not is_low and id == number
    return status == OVERFLOW and not fits or status == NO_HIGH_BIT and is_low


def edges(bits):
    """Powers of 2 and of 58 that fit, and their neighbours."""
    powers = [2 ** n for n in range(bits + 1)] + [58 ** n for n in range(bits // 5)]
    return sorted({n + d for n in powers for d in (-1, 0, 1) if 0 <= n + d < 1 << bits})


def random_id():
    """Often with a run of zeros or ones, or of digits 0 or 57, for carries."""
    id = random.getrandbits(128) | (random.random() < 0.9) << 127
    shape = random.randrange(4)
    if shape == 0:
        start, stop = sorted(random.sample(range(129), 2))
        id |= (1 << stop) - (1 << start)
        return id if random.randrange(2) else id ^ (1 << stop) - (1 << start)
    if shape == 1:
        for low, (size, digits) in ((72, FIRST), (0, SECOND)):
            round_by = 58 ** random.randrange(digits)
            part = (id >> low & (1 << 8 * size) - 1) // round_by * round_by - random.randrange(2)
            id = id & ~((1 << 8 * size) - 1 << low) | (part & (1 << 8 * size) - 1) << low
    return id


def random_text(id):
    """One to four other characters, most of them digits."""
    text = bytearray(random.choice((canonical(id), write(id, 22))))
    for _ in range(random.randint(1, 4)):
        text[random.randrange(len(text))] = random.choice(ALPHABET) if random.randrange(8) else random.randrange(256)
    return bytes(text)


def make(count, files):
    random.seed(58)
    some = [int(line.split("\t")[1], 16) for file in files for line in open(file).readlines()[1:]]
    texts = [b"1" * length for length in range(101)]
    for id in some:
        for text in (canonical(id), write(id, 22)):
            texts += [text[:i] + bytes([c]) + text[i + 1:] for i in range(len(text)) for c in range(256)]
    for first, second in ((2 ** 56, 0), (58 ** 10 - 1, 0), (2 ** 55, 2 ** 72), (2 ** 55, 58 ** 13 - 1)):
        texts.append(write(first, 10) + b"-" + write(second, 13))
    texts += [write(2 ** 128, 22), b"z" * 22]
    ids = some + edges(128) + [first << 72 | second for first in edges(56) for second in edges(72)]
    for _ in range(count):
        ids.append(random_id())
        texts.append(random_text(ids[-1]))
    for id in ids:
        print("%032x" % id)
        texts += canonical(id), write(id, 22)
    for text in texts:
        print("=" + text.hex())
    in_order = sorted(set(ids))
    for form in canonical, lambda id: write(id, 22):
        assert all(form(a) < form(b) for a, b in itertools.pairwise(in_order)), "texts sort differently from ids"


def check(questions, answers):
    wrong = 0
    for question, answer in itertools.zip_longest(open(questions), open(answers)):
        if not question or not answer:
            sys.exit("not one answer for each question")
        question, answer = question.strip(), answer.strip()
        if question[0] == "=":
            status, position, id = answer.split()
            right = is_right(bytes.fromhex(question[1:]), int(status), int(position), int(id, 16))
        else:
            right = answer == encoded(int(question, 16))
        if not right:
            wrong += 1
            if wrong < 10:
                print(question, answer)
    print(wrong, "wrong answers")
    sys.exit(wrong > 0)


if sys.argv[1] == "make":
    make(int(sys.argv[2]), sys.argv[3:])
else:
    check(*sys.argv[2:])
