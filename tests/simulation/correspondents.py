"""People who play by correspondence: where they live, how they are notified, when they are away."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from mchezo.server.domain.context import Identity
from mchezo.server.domain.days_clock import Vacation
from tests.simulation.world import World

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe")


class Person:
    """Somebody who plays by correspondence."""

    def __init__(self, world: World, number: int) -> None:
        rng = world.rng
        self.guest = f"person{number:04}"
        self.who = Identity(self.guest, f"Person {number}", bot=True)
        self.zone = world.pick(ZONES)
        quiet = rng.random() < 0.5
        self.quiet = (rng.randrange(20 * 60, 24 * 60), rng.randrange(5 * 60, 9 * 60)) if quiet else None
        self.digest = rng.randrange(24 * 60) if rng.random() < 0.2 else None
        self.channels = [f"{number:04}{n:012}" for n in range(rng.choice((0, 1, 1, 1, 2)))]
        self.pace = rng.choice((0.05, 0.15, 0.4))  # of the days for a turn
        self.absent_minded = rng.random() < 0.05  # leaves games alone in the middle
        self.vacations: list[Vacation] = []

    def on_vacation(self, at: int) -> Vacation | None:
        """Return the vacation that is taken at a time of the server."""
        return next((one for one in self.vacations if one.since <= at < one.until), None)

    def minute(self, at: int) -> int:
        """Return the minute of the day, as this person's clock shows it."""
        local = datetime.fromtimestamp(at / 1000, ZoneInfo(self.zone))
        return local.hour * 60 + local.minute

    def is_quiet(self, at: int) -> bool:
        """Return whether it is one of the quiet hours, which all go past midnight."""
        return self.quiet is not None and not self.quiet[1] <= self.minute(at) < self.quiet[0]

    def first_allowed(self, at: int) -> int:
        """Return when a notice may come first, by trying one minute after the other."""
        digest_from: int | None = None
        while True:
            vacation = self.on_vacation(at)
            if vacation is not None:
                at = vacation.until
            elif self.digest is not None and self.minute(at) != self.digest:
                at = next_minute(at)
                digest_from = at
            elif self.digest is None and self.is_quiet(at):
                at = next_minute(at)
            elif self.digest is not None and digest_from is None and at % 60_000:
                digest_from = at = next_minute(at)  # today's digest has gone
            else:
                return at


def next_minute(at: int) -> int:
    """Return the beginning of the next minute."""
    return at - at % 60_000 + 60_000
