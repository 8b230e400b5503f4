"""The clocks of a correspondence game: days for every turn, of which weekends and vacations do not count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from mchezo.server.domain.clock import MAX_CREDIT, GameClock

DAY = 86_400_000
WEEK = 7 * DAY
FIRST_SATURDAY = 2 * DAY  # 3 January 1970


class Vacation(NamedTuple):
    """Time that a player's clock does not count; the same id again replaces it."""

    id: str
    since: int
    until: int


@dataclass(frozen=True)
class DaysClock(GameClock):
    """Clocks that are full again when a turn begins; the first one runs from the start of the game."""

    allowed: int = DAY  # for a turn
    weekends: bool = False  # Saturdays and Sundays, by UTC, do not count
    vacations: tuple[tuple[Vacation, ...], ...] = ()  # by seat

    def elapsed(self, now: int) -> int:
        """Return how much time of the running clock counts."""
        if self.running is None or now <= self.since:
            return 0
        free = sum(min(end, now) - begin for begin, end in takewhile(lambda span: span[0] < now, self.free_time()))
        return now - self.since - free

    def free_time(self) -> Iterator[tuple[int, int]]:
        """Yield the spans since the running clock was started that it does not count, in order; weekends for ever."""
        assert self.running is not None
        vacations = sorted((one.since, one.until) for one in self.vacations[self.running] if one.until > self.since)
        counted_until = self.since
        for begin, end in in_order(vacations, weekends_from(self.since) if self.weekends else iter(())):
            begin = max(begin, counted_until)
            if end > begin:
                yield begin, end
                counted_until = end

    @property
    def deadline(self) -> int | None:
        """When the running clock is down, the maximum latency credit included; None if no clock is running."""
        left = None if self.running is None else self.left[self.running]
        if left is None:
            return None
        down = self.since + left
        for begin, end in self.free_time():
            if begin >= down:
                break
            down += end - begin
        return down + MAX_CREDIT

    def switch(self, seat: int | None, now: int, delay: int = 0) -> GameClock:
        """Start this seat's clock, full unless its turn continues, and stop the running one."""
        if seat is not None and seat == self.running:
            return super().switch(seat, now, delay)
        full = tuple(None if left is None else self.allowed for left in self.left)
        return replace(self, left=full, running=seat, since=now)

    def with_vacation(self, seat: int, vacation: Vacation) -> DaysClock:
        """Return the clocks with a vacation of a seat's player, new or changed."""
        others = tuple(one for one in self.vacations[seat] if one.id != vacation.id)
        of_seat = (*others, vacation) if vacation.until > vacation.since else others
        changed = tuple(of_seat if other == seat else old for other, old in enumerate(self.vacations))
        return replace(self, vacations=changed)


def in_order(spans: list[tuple[int, int]], weekends: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield vacations and weekends by their beginning."""
    weekend = next(weekends, None)
    for span in spans:
        while weekend is not None and weekend < span:
            yield weekend
            weekend = next(weekends, None)
        yield span
    while weekend is not None:
        yield weekend
        weekend = next(weekends, None)


def weekends_from(now: int) -> Iterator[tuple[int, int]]:
    """Yield the weekends from a point in time on, a current one first."""
    saturday = now - (now - FIRST_SATURDAY) % WEEK
    while True:
        yield saturday, saturday + 2 * DAY
        saturday += WEEK


def days_clock(has_clock: Iterable[bool], days: int, weekends: bool) -> DaysClock:
    """Return the clocks of a table before the start."""
    left = tuple(days * DAY if clocked else None for clocked in has_clock)
    return DaysClock(left, (0,) * len(left), allowed=days * DAY, weekends=weekends, vacations=((),) * len(left))
