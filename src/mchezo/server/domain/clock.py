"""The clocks of a table as one value: the time each seat has left, and whose clock has been running since when.

All times are milliseconds; the current time is always an argument.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

MAX_CREDIT = 500  # for the latency of a player's connection, each time a clock stops
MAX_GAME_CREDIT = 15_000  # for one seat in a whole game
CLOCK_FRACTION = 15  # a computer with a clock thinks for at most this fraction of the time it has left


@dataclass(frozen=True)
class GameClock:
    """The time left of every seat when the running clock was started; None where a seat has no clock."""

    left: tuple[int | None, ...]
    increment: tuple[int, ...]
    running: int | None = None
    since: int = 0

    def left_at(self, now: int) -> tuple[int | None, ...]:
        """Return the time left of every seat at a point in time, never below 0."""
        return tuple(
            None if left is None else max(0, left - (self.elapsed(now) if seat == self.running else 0))
            for seat, left in enumerate(self.left)
        )

    def elapsed(self, now: int) -> int:
        """Return how long the running clock has run; never negative, even if the system clock was set back."""
        return max(0, now - self.since)

    def switch(self, seat: int | None, now: int, delay: int = 0) -> GameClock:
        """Start this seat's clock (None: nobody's) and stop the running one, crediting its player's latency."""
        mover = self.running
        if mover is None:
            return replace(self, running=seat, since=now)
        left = list(self.left)
        before = left[mover]
        if before is not None:
            elapsed = max(0, self.elapsed(now) - credit(delay))
            left[mover] = max(0, before - elapsed) + (self.increment[mover] if seat != mover else 0)
        return replace(self, left=tuple(left), running=seat, since=now)

    def stop(self, now: int) -> GameClock:
        """Stop all clocks without adding an increment."""
        return replace(self, left=self.left_at(now), running=None, since=now)

    def skip(self, milliseconds: int) -> GameClock:
        """Exclude a span of time from the running clock."""
        return self if self.running is None else replace(self, since=self.since + milliseconds)

    def without(self, seat: int) -> GameClock:
        """Take a seat's clock away."""
        return replace(self, left=tuple(None if other == seat else left for other, left in enumerate(self.left)))

    @property
    def deadline(self) -> int | None:
        """When the running clock is down, the maximum latency credit included; None if no clock is running."""
        left = None if self.running is None else self.left[self.running]
        return None if left is None else self.since + left + MAX_CREDIT

    def is_down(self, now: int, delay: int = 0) -> bool:
        """Return whether the running clock is down, with its player's latency credited."""
        left = None if self.running is None else self.left[self.running]
        return left is not None and self.elapsed(now) - credit(delay) >= left

    def reseat(self, order: list[int]) -> GameClock:
        """Return the clocks after players changed seats: new seat i was old seat order[i]."""
        left, increment = tuple(self.left[old] for old in order), tuple(self.increment[old] for old in order)
        return replace(self, left=left, increment=increment)


def credit(delay: int) -> int:
    """Return the latency that is credited, within bounds."""
    return max(0, min(delay, MAX_CREDIT))
