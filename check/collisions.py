#!/usr/bin/env python3
"""Counts collisions of ids in a scaled-down space, and fails where they are not as
many as the formula in doc/generator.md expects.

    check/collisions.py [SECONDS]       how long to count for each row; 5

Generators draw medallions, transactions have instants, ids have offsets, as
gid_new() has them, but of so few bits that collisions happen while one waits.
The formula is the same; only the numbers of bits differ.
"""

import math
import random
import sys
import time


def expected(backends, rate, ids, medallion_bits, first_offset_bits, seconds, per_second):
    """Colliding pairs of transactions that the formula expects.

    Two backends have one medallion in 1 of 2^medallion_bits cases; two of
    their transactions one instant in 1 of per_second; and runs of ids that
    start at random overlap in about 2 * ids - 1 of 2^first_offset_bits (a
    little less: a run at the end of the range has no neighbour beyond).  Ids
    of one backend never meet.
    """
    offsets = 2**first_offset_bits
    pairs = backends * (backends - 1) / 2
    same_instant = seconds * rate * rate / per_second
    overlap = ((2 * ids - 1) * offsets - ids * (ids - 1)) / offsets**2
    return pairs / 2**medallion_bits * same_instant * overlap


def count(backends, rate, ids, medallion_bits, first_offset_bits, per_second, rng):
    """The same, counted, in one fleet over one second."""
    seen = {}
    collisions = 0
    for _ in range(backends):
        medallion = rng.getrandbits(medallion_bits)
        for instant in rng.sample(range(per_second), rate):
            first = rng.getrandbits(first_offset_bits) + 1
            others = seen.setdefault((medallion, instant), [])
            collisions += sum(abs(first - other) < ids for other in others)
            others.append(first)
    return collisions


def agree(counted, expect):
    """Within five standard deviations of a Poisson number."""
    return abs(counted - expect) <= 5 * math.sqrt(max(expect, 1))


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5
    rng = random.Random(58)
    wrong = 0
    per_second = 1000  # instants; gid has 10^6

    print("Unpinned: medallions are drawn.")
    print("backends  tx/s  ids  medallion  offset    counted   expected  ratio")
    for backends, rate, ids, medallion_bits, offset_bits in (
        (10, 50, 1, 4, 5),
        (10, 50, 10, 6, 8),
        (50, 20, 1, 6, 4),
        (50, 20, 5, 6, 8),
        (200, 5, 20, 6, 8),
        (200, 5, 2, 8, 5),
    ):
        counted, fleets, end = 0, 0, time.monotonic() + seconds
        while time.monotonic() < end:
            counted += count(backends, rate, ids, medallion_bits, offset_bits, per_second, rng)
            fleets += 1
        expect = expected(backends, rate, ids, medallion_bits, offset_bits, fleets, per_second)
        ok = agree(counted, expect)
        wrong += not ok
        print(
            f"{backends:8}  {rate:4}  {ids:3}  {medallion_bits:4} bits  {offset_bits:2} bits"
            f"  {counted:9}  {expect:9.1f}  {counted / expect:5.2f}" + ("" if ok else "  WRONG")
        )

    print("Pinned: the medallion is node and slot, which no two live backends share.")
    slot_bits, node_bits = 3, 4
    fleet = [node << slot_bits | slot for node in range(2**node_bits) for slot in range(2**slot_bits)]
    shared = len(fleet) - len(set(fleet))
    wrong += shared
    print(f"{2**node_bits} nodes of {2**slot_bits} slots: {shared} medallions shared")

    print("gid itself, by the formula: ids of one kind, 10 to a transaction.")
    print("backends    tx/s each   colliding pairs a year   years to one")
    for backends, rate in ((10, 1000), (1000, 100), (1000, 1000), (100000, 1), (100000, 10)):
        year = expected(backends, rate, 10, 24, 29, 365.25 * 86400, 10**6)
        print(f"{backends:8}  {rate:10}  {year:23.2g}  {1 / year:13.2g}")
    return wrong != 0


sys.exit(main())
