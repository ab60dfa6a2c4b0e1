"""The number of the ids that this process makes without a time: the instant, and below it 54 random bits.

If the clock shows a later microsecond, that and new random bits are next.  If it does not, the number is counted up by
one; so the random bits run over into the next microsecond, and if the clock is set back, the numbers continue.
"""

from __future__ import annotations

import os
from os import urandom  # not "random", which can be predicted
from struct import Struct
from threading import RLock
from time import time_ns as time_ns  # also for explain

RANDOM_BITS = 54
OTHER_PAYLOAD = 0xFF  # in byte 7, if the payload is not a muid; no kind has this prefix
MAX_INSTANT = (1 << 48) * 1000 - 1  # in Unix microseconds

_BLOCK = Struct("=128Q")  # random bits are asked for in blocks, because each question takes a microsecond

_random_words: list[int] = []
_last = 0
_lock = RLock()
_is_minting = False  # in the thread that has the lock
_in_between = 0  # the last number that was made while a number was being made


def random_bits() -> int:
    """54 random bits.  A thread, a signal handler or a child never gets those of another."""
    global _random_words
    while True:
        try:
            return _random_words.pop() >> 64 - RANDOM_BITS
        except IndexError:
            _random_words = list(_BLOCK.unpack(urandom(_BLOCK.size)))


def check_instant(instant: int, time: object) -> int:
    """An instant that an id can hold, in Unix microseconds."""
    if not 0 <= instant <= MAX_INSTANT:
        reason = "A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC."
        raise ValueError(f"timestamp out of range for type gid: {str(time)!r}. {reason}")
    return instant


def next_number() -> int:
    """The next number: microseconds, and 54 bits."""
    global _last, _is_minting, _in_between
    with _lock:
        if _is_minting:
            # A signal handler or a finalizer interrupted this function in the same thread.  The next
            # microsecond keeps its number apart from the one that is being made.
            instant = max(time_ns() // 1000, _last >> RANDOM_BITS, _in_between >> RANDOM_BITS) + 1
            _in_between = instant << RANDOM_BITS | random_bits()
            return _in_between
        _is_minting = True
        try:
            now, last = time_ns() // 1000, _last if _last > _in_between else _in_between
            if not 0 <= now <= MAX_INSTANT:
                check_instant(now, now)
            _last = now << RANDOM_BITS | random_bits() if now > last >> RANDOM_BITS else last + 1
            return _last
        finally:
            _is_minting = False


def _after_fork() -> None:
    """A child must not count up from the same number as its parent, nor wait for a lock that stayed there."""
    global _last, _lock, _is_minting
    _random_words.clear()
    _last = (max(_last, _in_between) >> RANDOM_BITS) + 1 << RANDOM_BITS | random_bits()
    _lock = RLock()
    _is_minting = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
