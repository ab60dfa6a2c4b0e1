"""A model of a session's generator.

It reads the records of check/generator.sql in the order in which they were
made, and raises a Fault if a record is not possible.  It does not see the
generator's readings of the clock.  It knows what the clock showed before and
after each step, so a reading is an interval.  If two outcomes are possible,
the model accepts both.  Times are in microseconds since 2000.
"""

import struct
from collections import Counter, namedtuple

NEVER = float("-inf")
LAST_OFFSET = 2**30 - 1
LAST_RANDOM_OFFSET = 2**29  # the highest offset of the first id of an instant
UNIX_EPOCH = -946684800000000

Id = namedtuple("Id", "data prefix instant medallion offset end")


def read_id(data):
    """Returns the parts of a gid.  The end is the last microsecond that its time
    can mean.  The prefix is None if byte 7 differs from byte 0."""
    high, low = struct.unpack(">QQ", data)
    ms, micro = (high >> 8 & 0xFFFFFFFFFFFF) * 1000 + UNIX_EPOCH, low >> 54
    prefix = high >> 56 if high >> 56 == high & 0xFF else None
    end = ms + (micro if prefix and micro <= 999 else 999)
    return Id(data, prefix, ms + micro, low >> 30 & 0xFFFFFF, low & LAST_OFFSET, end)


PACKED = struct.Struct(">10sqqqqqQ12s8siiiqiqqq")
Record = namedtuple(
    "Record",
    "op n before after start statement transaction mode skew setting"
    " node medallion instant offset minted steps overflows ids",
)
UNITS = {b"": 10**3, b"us": 1, b"ms": 10**3, b"s": 10**6, b"min": 6 * 10**7, b"h": 36 * 10**8, b"d": 864 * 10**8}


def read_records(data):
    records, place = [], 0
    while place < len(data):
        end = place + 4 + int.from_bytes(data[place : place + 4], "big")
        part = list(PACKED.unpack_from(data, place + 4))
        part[0], part[7], part[8] = part[0].rstrip().decode(), part[7].rstrip(), part[8].rstrip()
        digits = part[8].rstrip(b"dhimnsu")
        part[8] = int(digits) * UNITS[part[8][len(digits) :]]
        ids = [read_id(data[i : i + 16]) for i in range(place + 4 + PACKED.size, end, 16)]
        records.append(Record(*part, ids))
        place = end
    return records


class Fault(Exception):
    pass


def check(law, holds):
    if not holds:
        raise Fault(law)


def hull(a, b):
    return min(a[0], b[0]), max(a[1], b[1])


class Model:
    """The known state of a session's generator.  Intervals are pairs."""

    def __init__(self):
        # The state that is known exactly.
        self.node = self.medallion = self.offset = -1
        self.instant = NEVER
        self.is_over = False  # whether the next id needs a later instant
        self.transaction = None  # the transaction that has the instant
        self.minted = self.steps = self.overflows = 0

        # Each time that the clock showed to this session gets a number, its place.
        self.place = 0
        self.shown = NEVER
        self.places = {}  # of the starts of statements and transactions (see show_clock)
        self.set_backs = 0  # since one was counted

        # The generator's last reading of the clock, and the highest one since ids
        # last had the time of the clock.  A set-back is measured from the latter.
        self.read, self.read_place = None, 0
        self.high = None

        # The place at which the last step was followed.
        self.follow_place = -1

        self.floor = NEVER  # the latest time that was observed
        self.lead = NEVER  # how far the session can be ahead of the clock
        self.slot = None
        self.least_warnings = self.most_warnings = 0
        self.seen = Counter()  # how often each event occurred

    # --- The clock ---------------------------------------------------------

    def show(self, time):
        self.place += 1
        self.set_backs += time < self.shown
        self.shown = time

    def show_clock(self, r):
        # A transaction of a procedure starts after the statement, any other before the
        # statement or with it.  Procedures begin with a step.  After a set-back, a
        # transaction can start at an earlier time again, so only the last step is known.
        # Transactions share the start of a statement.  Two transactions of a procedure
        # can have one start only by chance, if the clock was set back between them.
        known, self.places = self.places, {}
        for time, owner in (r.start, r.transaction if r.start != r.statement else None), (r.statement, None):
            if time not in known or known[time][1] not in (owner, None):
                self.show(time)
                known[time] = self.place, owner
            self.places[time] = known[time]
        self.show(r.before)
        self.show(r.after)

    def is_surely_too_far(self, r):
        return self.high is not None and self.high[0] - r.after > r.skew

    def may_be_too_far(self, r):
        return self.high is not None and self.high[1] - r.before > r.skew

    def count(self, r):
        """Checks that a counted step was a set-back that was not counted before."""
        counted = r.steps - self.steps
        check("only set-backs of the clock are counted, and each once", 0 <= counted <= min(1, self.set_backs))
        if counted:
            self.set_backs = 0
            self.seen["step counted"] += 1
        self.steps = r.steps

    def take_reading(self, r):
        """The generator has read the clock, and compared the result with its last
        reading."""
        counted = r.steps - self.steps
        if self.read is None:
            check("the first reading is not counted as a set-back", not counted)
        else:
            check("a set-back that the generator reads is counted", counted or r.after >= self.read[0])
            check("a reading that is not a set-back is not counted", not counted or r.before < self.read[1])
        if counted and r.setting >= 0:
            self.least_warnings += self.is_surely_too_far(r)
            self.most_warnings += self.may_be_too_far(r)
        self.count(r)
        self.read, self.read_place = (r.before, r.after), self.place

    def hold(self, r):
        """The generator has read the clock, and has not followed a step."""
        check("a step beyond gid.max_clock_skew is followed", r.setting >= 0 or not self.is_surely_too_far(r))
        self.take_reading(r)
        self.high = tuple(map(max, self.high or self.read, self.read))

    def follow(self, r):
        """The generator has read the clock, and has followed a step."""
        check("a pinned generator does not follow a step", r.setting < 0)
        check("a step within gid.max_clock_skew is not followed", self.may_be_too_far(r))
        self.take_reading(r)
        self.high = self.read
        self.follow_place = self.place
        self.floor = NEVER
        self.seen["step followed"] += 1

    # --- Ids ---------------------------------------------------------------

    def begin(self, r, id, by_clock):
        """Checks the instant and the medallion of an id that does not continue the
        last instant.  Returns whether its offset is random."""
        is_new = self.node != r.setting or self.medallion < 0
        followed = id.medallion != self.medallion and not (is_new and id.instant > self.instant)

        # The intervals in which the generator can have read the time of the id.
        clock, start = (r.before, r.after), (r.start, r.start)
        sources = [clock] if by_clock else [start]
        if not by_clock and self.read and self.places[r.start][0] < self.read_place and self.read[0] < r.start:
            # The transaction began before a set-back that the generator has read.
            sources.append(clock)
            if self.read[1] < r.start and self.instant < r.start:
                sources.remove(start)

        if followed:
            allowed = [(min(low, r.before), min(high, r.after)) for low, high in sources]
            check("ids continue from the clock that is followed", any(a <= id.instant <= b for a, b in allowed))
            self.follow(r)
            self.node = r.setting
            return True

        fresh = [(max(low, self.instant + 1), high) for low, high in sources]
        fresh = any(low <= id.instant <= high for low, high in fresh)
        one_more = not by_clock or self.is_over or is_new
        held = id.instant == self.instant + one_more and any(low <= self.instant for low, _ in sources)
        check("the instant is that of the transaction or the clock, or the last one plus one", fresh or held)

        if is_new:
            check("the medallion contains the node", r.setting < 0 or id.medallion >> 14 == r.setting)
            check("the medallion is a new one", r.setting >= 0 or id.medallion != self.medallion)
            self.seen["another node" if self.medallion >= 0 else "first id"] += 1
            self.node = r.setting

        if fresh and held:  # both are possible if the source is the clock
            self.count(r)
            was = tuple(map(max, self.high or clock, clock))
            self.high = hull(was, (id.instant, id.instant))
            self.read, self.read_place = hull(clock, self.read or clock), self.place
        elif held:
            self.hold(r)
            self.seen["instant held" if id.instant == self.instant else "one microsecond more"] += 1
        else:
            check("nothing is counted without a set-back", r.steps == self.steps)
            place = self.place if by_clock or r.start != id.instant else self.places[r.start][0]
            time = (id.instant, id.instant)
            if place >= self.read_place:
                if self.read and self.read[1] > id.instant:  # a set-back was not read
                    time = hull(self.read, time)
                self.read, self.read_place = time, place
                self.high = id.instant, id.instant
            else:  # the transaction began before the last reading
                self.high = hull(self.high, time)
            self.lead = max(self.lead, id.instant - r.before)
            self.seen["clock's instant" if by_clock else "transaction's instant"] += 1
        return is_new or not by_clock

    def mint(self, r, id, n=1):
        """Checks an id, which moves the offset by n (see gid_new_run)."""
        by_clock = r.mode == b"clock"
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
              else id.instant > last[0] or self.follow_place == self.place)
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
        if r.medallion != self.medallion:
            check("the next instant is after the clock and the observed id",
                  max(r.before, id.end) <= r.instant <= max(r.after, id.end))
            self.follow(r)
            self.node, self.medallion, self.offset = r.setting, r.medallion, r.offset
            self.instant, self.is_over, self.transaction = r.instant, True, None
        else:
            self.hold(r)
            if id.end >= self.instant:
                self.instant, self.is_over, self.transaction = id.end, True, None
        self.floor = max(self.floor, id.end)
        self.lead = max(self.lead, id.end - r.before)
        self.seen["observed ahead" if id.end > r.after else "observed"] += 1

    # --- Steps -------------------------------------------------------------

    def step(self, r):
        self.show_clock(r)
        self.lead = self.instant - r.before
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
        check("adding microseconds does not increase the lead", self.instant - r.after <= max(0, self.lead))
