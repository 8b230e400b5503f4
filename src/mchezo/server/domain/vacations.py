"""Vacations: how many days a person may take, and what they mean for the clock of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mchezo.server.domain import log
from mchezo.server.domain.context import Change
from mchezo.server.domain.days_clock import DAY, DaysClock, Vacation
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError

DAYS_A_YEAR = 30  # of one person, in any 365 days
DAYS_A_GAME = 60  # of one seat: with the days for a turn, and as many turns as the rules allow, every game ends
TIMES_A_YEAR = 12
YEAR = 365 * DAY
MAX_FACTS = 5_000  # of a table that takes notice of further vacations


def check_vacation(taken: Sequence[Vacation], since: int, until: int, now: int) -> None:
    """Refuse a vacation that is too long, too far away, in the past, or overlaps another one."""
    if not now <= since < until or since > now + YEAR:
        raise TableError("bad-request", "vacation-dates")
    if any(one.since < until and since < one.until for one in taken):
        raise TableError("not-possible", "vacation-overlaps")
    recent = [one for one in taken if one.since > since - YEAR and one.since < since + YEAR]
    if len(recent) >= TIMES_A_YEAR:
        raise TableError("not-possible", "vacation-times", most=TIMES_A_YEAR)
    if until - since > time_left(taken, since, until):
        raise TableError("not-possible", "vacation-days", most=DAYS_A_YEAR)


def time_left(taken: Iterable[Vacation], since: int, until: int) -> int:
    """Return how much vacation could be taken in the years around a span, in milliseconds."""
    spans = [(one.since, one.until) for one in taken]
    # The fullest year begins or ends with a vacation, this one or another.
    ends = [begin for begin, _ in spans] + [end - YEAR for _, end in spans]
    starts = [since, until - YEAR, *(start for start in ends if until - YEAR < start < since)]
    used = [sum(max(0, min(end, start + YEAR) - max(begin, start)) for begin, end in spans) for start in starts]
    return max(0, DAYS_A_YEAR * DAY - max(used))


def apply_vacation(table: Table, guest: str, vacation: Vacation, now: int) -> Change | None:
    """Return the facts by which a person's vacation counts at a table; None if it does already, or never will."""
    clock = table.clock
    if table.status != "running" or not isinstance(clock, DaysClock) or table.number >= MAX_FACTS:
        return None
    assert table.start_number is not None
    started = table.log[table.start_number].at
    facts: list[log.AnyFact] = []
    for seat in table.seats_of(guest):
        if clock.left[seat] is None:
            continue
        known = next((one for one in clock.vacations[seat] if one.id == vacation.id), None)
        others = sum(one.until - one.since for one in clock.vacations[seat] if one.id != vacation.id)
        since = max(vacation.since, started)
        until = min(vacation.until, since + DAYS_A_GAME * DAY - others)
        if (known is None and until > since) or (known is not None and (known.since, known.until) != (since, until)):
            facts.append(log.VacationSet(at=now, seat=seat, vacation=vacation.id, since=since, until=until))
    return Change(facts) if facts else None
