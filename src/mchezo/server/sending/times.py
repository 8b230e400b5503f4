"""When a notice may be sent: not in quiet hours, not on vacation, and with a digest once a day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

MOST = 8  # vacations and nights in a row that are skipped


class NoticeSettings(NamedTuple):
    """When a person wants to be notified; times of day are minutes since midnight in their time zone."""

    zone: str = "UTC"
    quiet_from: int | None = None
    quiet_until: int | None = None
    digest: int | None = None


@cache
def known_zones() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones())


def due_time(settings: NoticeSettings, vacations: Iterable[tuple[int, int]], at: int) -> int:
    """Return when a notice is due that could be sent at a point in time."""
    away = sorted(vacations)
    if settings.digest is None:
        return next_allowed(settings, away, at)
    # The time of a digest is the person's choice, quiet hours or not.
    for _ in range(MOST):
        at = next_time_of_day(settings.zone, settings.digest, at)
        back = back_from_vacation(away, at)
        if back == at:
            break
        at = back
    return at


def next_allowed(settings: NoticeSettings, vacations: Iterable[tuple[int, int]], at: int) -> int:
    """Return the first moment, from a point in time on, outside of quiet hours and vacations."""
    away = sorted(vacations)
    for _ in range(MOST):
        later = back_from_vacation(away, at)
        if is_quiet(settings, later):
            assert settings.quiet_until is not None
            later = next_time_of_day(settings.zone, settings.quiet_until, later)
        if later == at:
            break
        at = later
    return at


def back_from_vacation(vacations: Iterable[tuple[int, int]], at: int) -> int:
    """Return the end of the vacation that is taken at a point in time, else that point itself."""
    return max((until for since, until in vacations if since <= at < until), default=at)


def is_quiet(settings: NoticeSettings, at: int) -> bool:
    """Return whether a point in time is in the quiet hours, which may go past midnight."""
    begin, end = settings.quiet_from, settings.quiet_until
    if begin is None or end is None or begin == end:
        return False
    local = local_time(settings.zone, at)
    minute = local.hour * 60 + local.minute
    return begin <= minute < end if begin < end else minute >= begin or minute < end


def next_time_of_day(zone: str, minutes: int, at: int) -> int:
    """Return when it is a time of day for the first time, from a point in time on."""
    local = local_time(zone, at)
    found = local.replace(hour=minutes // 60, minute=minutes % 60, second=0, microsecond=0, fold=0)
    while (time := round(found.timestamp() * 1000)) < at:
        found += timedelta(days=1)
    return time


def local_time(zone: str, at: int) -> datetime:
    """Return a time of the server as people of a time zone read it."""
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
