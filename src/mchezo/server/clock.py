"""The clocks of a table as one value: who has how much time left, and whose runs since when. Times are milliseconds."""

from __future__ import annotations

from dataclasses import dataclass, replace

MOST_CREDIT = 500  # for the delay of a player's connection, each time a clock stops


@dataclass(frozen=True)
class Clock:
    """Time left of every seat when the running clock was started; None where a seat has no clock."""

    left: tuple[int | None, ...]
    increment: tuple[int, ...]
    running: int | None = None
    since: int = 0

    def left_at(self, now: int) -> tuple[int | None, ...]:
        """Time left of every seat at a moment; never below 0."""
        return tuple(
            None if left is None else max(0, left - (self.spent(now) if seat == self.running else 0))
            for seat, left in enumerate(self.left)
        )

    def spent(self, now: int) -> int:
        """How long the running clock has run; a clock that is set back does not run backwards."""
        return max(0, now - self.since)

    def go(self, seat: int | None, now: int, delay: int = 0) -> Clock:
        """The next decision is this seat's (None: nobody's); the delay of who decided is credited, within bounds."""
        mover = self.running
        if mover is None:
            return replace(self, running=seat, since=now)
        left = list(self.left)
        before = left[mover]
        if before is not None:
            spent = max(0, self.spent(now) - max(0, min(delay, MOST_CREDIT)))
            left[mover] = max(0, before - spent) + (self.increment[mover] if seat != mover else 0)
        return replace(self, left=tuple(left), running=seat, since=now)

    def stop(self, now: int) -> Clock:
        """Nobody's time runs any more, and nothing is added."""
        return replace(self, left=self.left_at(now), running=None, since=now)

    def skip(self, milliseconds: int) -> Clock:
        """So much time does not count."""
        return self if self.running is None else replace(self, since=self.since + milliseconds)

    @property
    def deadline(self) -> int | None:
        """When the running clock is down, the greatest credit included; None if no clock runs."""
        left = None if self.running is None else self.left[self.running]
        return None if left is None else self.since + left + MOST_CREDIT

    def is_down(self, now: int, delay: int = 0) -> bool:
        """Whether the running clock is down, the delay of its player credited."""
        left = None if self.running is None else self.left[self.running]
        return left is not None and self.spent(now) - max(0, min(delay, MOST_CREDIT)) >= left

    def reseat(self, order: list[int]) -> Clock:
        """The clocks when players have changed seats: `order` says which old seat each new one was."""
        left, increment = tuple(self.left[old] for old in order), tuple(self.increment[old] for old in order)
        return replace(self, left=left, increment=increment)
