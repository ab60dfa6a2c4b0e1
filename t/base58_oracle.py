"""Writes and checks ids with an independent library, Debian's python3-base58.

    base58_oracle.py make COUNT FILE    writes COUNT random ids
    base58_oracle.py check FILE         counts the lines of FILE that are right

Lines contain the bytes in hexadecimal, the canonical text and the compact text,
separated by tabs.  The canonical text follows Graft's rule: base 58 of 7 bytes,
a dash, and base 58 of 9 bytes.  If byte 7 is below 0x80, the second part can have
fewer than 13 digits, and a gid pads it with "1", the digit zero.
"""

import random
import sys

import base58


def number(data):
    """Returns the base 58 of bytes as a number.  This removes the "1" that the library
    writes for each leading zero byte, as Bitcoin does.  The caller pads the number."""
    return base58.b58encode(data).decode().lstrip("1")


def line(data):
    canonical = number(data[:7]).rjust(10, "1") + "-" + number(data[7:]).rjust(13, "1")
    if data[7] >= 0x80:
        assert canonical == "-".join(
            base58.b58encode(part).decode() for part in (data[:7], data[7:])
        )
    return "\t".join((data.hex(), canonical, number(data).rjust(22, "1")))


def make(count, path):
    random.seed(58)
    with open(path, "w") as out:
        for n in range(count):
            data = bytearray(random.randbytes(16))
            data[0] |= 0x80
            if n % 10 == 0:  # runs of zeros and ones carry far
                start = random.randrange(1, 16)
                stop = random.randrange(start, 17)
                data[start:stop] = bytes([random.choice((0, 255))]) * (stop - start)
            print(line(bytes(data)), file=out)


def check(path):
    with open(path) as lines:
        right = 0
        for given in lines:
            given = given.rstrip("\n")
            data = bytes.fromhex(given.split("\t")[0])
            if line(data) == given:
                canonical = given.split("\t")[1]
                back = b"".join(
                    base58.b58decode_int(part).to_bytes(size, "big")
                    for part, size in zip(canonical.split("-"), (7, 9))
                )
                right += back == data
        print(right, "right")


if sys.argv[1] == "make":
    make(int(sys.argv[2]), sys.argv[3])
else:
    check(sys.argv[2])
