"""A model of a session's generator.

It reads the records of check/generator.sql in the order in which they were
made, and raises a Fault if a record is not possible.  It does not see the
generator's readings of the clock.  It knows what the clock showed before and
after each step, so a reading is an interval.  If two outcomes are possible,
the model accepts both.  Times are in microseconds since 1970.
"""

import json
import struct
from collections import Counter, namedtuple

NEVER = float("-inf")
LAST_OFFSET = 2**30 - 1
LAST_RANDOM_OFFSET = 2**29  # the highest offset of the first id of an instant

Id = namedtuple("Id", "data prefix instant medallion offset end")


def read_id(data):
    """Returns the parts of a gid.  The end is the last microsecond that its time
    can mean.  The prefix is None if byte 7 differs from byte 0."""
    high, low = struct.unpack(">QQ", data)
    ms, micro = (high >> 8 & 0xFFFFFFFFFFFF) * 1000, low >> 54
    prefix = high >> 56 if high >> 56 == high & 0xFF else None
    end = ms + (micro if prefix and micro <= 999 else 999)
    return Id(data, prefix, ms + micro, low >> 30 & 0xFFFFFF, low & LAST_OFFSET, end)


Record = namedtuple(
    "Record",
    "op n before after start transaction mode skew setting node medallion instant offset minted steps overflows ids",
)


def read_record(text):
    record = Record(**json.loads(text))
    return record._replace(ids=[read_id(bytes.fromhex(id[2:])) for id in record.ids])


class Fault(Exception):
    pass


def check(law, holds):
    if not holds:
        raise Fault(law)


class Model:
    """The known state of a session's generator.  Intervals are pairs."""

    def __init__(self):
        # The state that is known exactly.
        self.node = self.medallion = self.offset = -1
        self.instant = NEVER
        self.is_over = False  # whether the next id needs a later instant
        self.transaction = None  # the transaction that has the instant
        self.minted = self.steps = self.overflows = 0

        # The generator's last reading of the clock, and how far the instant was put
        # ahead of the clock by an observed id.
        self.last_clock = None
        self.lead = 0, 0

        self.is_followed = False  # whether this step followed a set-back

        self.floor = NEVER  # the latest time that was observed
        self.ahead = NEVER  # how far the session can be ahead of the clock
        self.slot = None
        self.least_warnings = self.most_warnings = 0
        self.seen = Counter()  # how often each event occurred

    # --- The clock ---------------------------------------------------------

    def take_reading(self, r, follows):
        """The generator has read the clock, because it was not after the instant, and
        has followed a set-back or not."""
        counted = r.steps - self.steps
        check("a step is counted once", counted in (0, 1))
        check("a reading before the last one is counted", counted or self.last_clock is None or r.after >= self.last_clock[0])
        check("no other reading is counted", not counted or (self.last_clock and r.before < self.last_clock[1]))
        self.seen["step counted"] += counted
        self.steps = r.steps
        self.last_clock = r.before, r.after

        may_be_too_far = self.instant - r.before - self.lead[0] > r.skew
        is_surely_too_far = self.instant - r.after - self.lead[1] > r.skew
        if follows:
            check("a pinned generator does not follow a set-back", r.setting < 0)
            check("a set-back within gid.max_clock_skew is not followed", may_be_too_far)
            self.is_followed, self.lead, self.floor = True, (0, 0), NEVER
            self.seen["step followed"] += 1
        elif r.setting < 0:
            check("a set-back beyond gid.max_clock_skew is followed", not is_surely_too_far)
        elif counted:
            self.least_warnings += is_surely_too_far
            self.most_warnings += may_be_too_far

    # --- Ids ---------------------------------------------------------------

    def begin(self, r, id, by_clock):
        """Checks the instant and the medallion of an id that does not continue the
        last instant.  Returns whether its offset is random."""
        is_new = self.node != r.setting or self.medallion < 0
        one_more = not by_clock or self.is_over or is_new
        is_held = id.instant == self.instant + one_more
        is_fresh = id.instant > self.instant and (r.before <= id.instant <= r.after if by_clock else id.instant == r.start)
        if not by_clock:
            is_held = is_held and r.start <= self.instant
        follows = id.instant <= self.instant and not (is_held and id.medallion == self.medallion)

        if follows:
            time = r.before, r.after
            if not by_clock:
                check("the transaction did not begin after the last instant", r.start <= self.instant)
                time = min(r.start, r.before), min(r.start, r.after)
            check("ids continue from the clock that is followed", time[0] <= id.instant <= time[1])
            check("the medallion is a new one", id.medallion != self.medallion)
            self.take_reading(r, True)
            self.last_clock = id.instant, id.instant
            self.node = r.setting
            return True

        check("the instant is that of the transaction or the clock, or the last one plus one", is_fresh or is_held)
        if is_new:
            check("the medallion contains the node", r.setting < 0 or id.medallion >> 14 == r.setting)
            check("the medallion is a new one", r.setting >= 0 or id.medallion != self.medallion)
            self.seen["another node" if self.medallion >= 0 else "first id"] += 1
            self.node = r.setting
        else:
            check("the medallion stays", id.medallion == self.medallion)

        if is_held and not (is_fresh and r.steps == self.steps):
            self.take_reading(r, False)
            self.seen["instant held" if id.instant == self.instant else "one microsecond more"] += 1
        else:
            check("nothing is counted without a set-back", r.steps == self.steps)
            if is_held:  # both are possible
                self.last_clock, self.lead = (r.before, r.after), (0, self.lead[1])
            else:
                self.last_clock, self.lead = (id.instant, id.instant), (0, 0)
            self.ahead = max(self.ahead, id.instant - r.before)
            self.seen["clock's instant" if by_clock else "transaction's instant"] += 1
        return is_new or not by_clock

    def mint(self, r, id, n=1):
        """Checks an id, which moves the offset by n (see gid_new_run)."""
        by_clock = r.mode == "clock"
        last = self.instant, self.medallion, self.offset
        begins = by_clock or self.transaction != r.transaction
        overflows = self.offset >= LAST_OFFSET

        offsets = self.offset + 1, self.offset + 1
        if begins:
            # With the clock as source, the offset continues in the next instant, and can overflow.
            overflows = overflows and by_clock and self.node == r.setting and id.medallion == self.medallion
            if self.begin(r, id._replace(instant=id.instant - overflows), by_clock):
                offsets = 1, LAST_RANDOM_OFFSET
        else:
            check("the ids of a transaction share instant and medallion",
                  (id.instant - overflows, id.medallion) == last[:2])
            self.seen["next offset"] += 1
        if overflows:
            offsets = 1, 1
            self.overflows += 1
            self.seen["overflow"] += 1

        check("the offset is the next one, or random", offsets[0] <= id.offset <= offsets[1])
        check("byte 7 is the prefix", id.prefix)
        check("ids increase, unless a step is followed",
              (id.instant, id.offset) > (last[0], last[2]) if id.medallion == last[1]
              else id.instant > last[0] or self.is_followed)
        check("an id is later than the observed ids", id.instant > self.floor)
        if self.node >= 0:
            self.slot = id.medallion & 0x3FFF if self.slot is None else self.slot
            check("a session has one slot", self.slot == id.medallion & 0x3FFF)

        self.instant, self.medallion, self.offset = id.instant, id.medallion, id.offset + n - 1
        self.transaction = None if by_clock else r.transaction
        self.is_over = False
        self.minted += n

    def observe(self, r, id):
        check("an id that is too far ahead is rejected", id.end - r.after <= r.skew)
        follows = r.medallion != self.medallion
        self.take_reading(r, follows)
        if follows:
            check("the next instant is after the clock and the observed id",
                  max(r.before, id.end) <= r.instant <= max(r.after, id.end))
            self.node, self.medallion, self.offset = r.setting, r.medallion, r.offset
            self.instant, self.is_over, self.transaction = r.instant, True, None
        elif id.end >= self.instant:
            self.is_over, self.transaction = True, None
        if follows and id.end == r.instant or id.end > self.instant:
            self.lead = max(id.end - r.after, 0), max(id.end - r.before, 0)
            self.instant = id.end
        self.floor = max(self.floor, id.end)
        self.ahead = max(self.ahead, id.end - r.before)
        self.seen["observed ahead" if id.end > r.after else "observed"] += 1

    # --- Steps -------------------------------------------------------------

    def step(self, r):
        self.ahead = self.instant - r.before
        self.is_followed = False
        if r.op == "see":
            self.observe(r, r.ids[0])
        elif r.op == "refused":
            check("an id that is not too far ahead is accepted", r.ids[0].end - r.before > r.skew)
            self.seen["refused"] += 1
        else:
            for id in r.ids:
                self.mint(r, id, r.n if r.op in ("run", "burst") else 1)

        check("the counters are right", (r.minted, r.steps, r.overflows) == (self.minted, self.steps, self.overflows))
        if self.medallion < 0:
            check("gid_generator() shows no id before the first", (r.node, r.medallion, r.offset) == (r.setting, -1, -1))
            return
        check("gid_generator() shows the last id",
              (r.node, r.medallion, r.instant, r.offset) == (self.node, self.medallion, self.instant, self.offset))
        check("adding microseconds does not increase the lead", self.instant - r.after <= max(0, self.ahead))
