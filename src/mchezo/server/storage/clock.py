"""The time of the server: it never runs backwards, and a system clock that is set does not make it jump."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

MILLISECOND = 1_000_000  # nanoseconds
SLEW = 1_000  # a wrong time is corrected by at most one part in this many


class SteadyClock:
    """Milliseconds since 1970: the elapsed time is counted, and a reference clock is followed slowly."""

    def __init__(self, start: int, elapsed: Callable[[], int]) -> None:
        self.elapsed = elapsed  # nanoseconds that really passed, since any point in time
        self.lock = threading.Lock()
        self.base = start * MILLISECOND
        self.since = elapsed()
        self.correction = 0  # nanoseconds, positive if the reference is ahead
        self.latest = self.base

    def now(self) -> int:
        """Return the time, in milliseconds."""
        with self.lock:
            return self._now() // MILLISECOND

    def _now(self) -> int:
        passed = self.elapsed() - self.since
        if passed < 0:
            passed = 0
        now = self.base + passed
        if self.correction:
            now += max(-passed // SLEW, min(passed // SLEW, self.correction))
        if now > self.latest:
            self.latest = now
        return self.latest

    def follow(self, reference: int) -> None:
        """Correct the time slowly towards that of a reference clock, in milliseconds."""
        with self.lock:
            self._continue_from(self._now())
            self.correction = reference * MILLISECOND - self.base

    def advance_to(self, time: int) -> None:
        """Step forward to a time, in milliseconds; never back."""
        with self.lock:
            self._continue_from(max(self._now(), time * MILLISECOND))

    def _continue_from(self, base: int) -> None:
        self.base = self.latest = base
        self.since = self.elapsed()
        self.correction = 0


def elapsed() -> int:
    """Return the nanoseconds that really passed, those in which the machine slept included where the system can."""
    if sys.platform == "linux":
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)  # time.monotonic() stands still while the machine sleeps
    return time.monotonic_ns()


def wall() -> int:
    """Return the time of the system clock, in milliseconds since 1970."""
    return time.time_ns() // MILLISECOND
