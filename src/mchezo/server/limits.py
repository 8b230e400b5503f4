"""How often somebody may ask: a bucket for each guest or address, that fills slowly."""

from __future__ import annotations

from dataclasses import dataclass, field

from mchezo.server.refusals import TableRefusal

MOST_BUCKETS = 100_000


@dataclass(frozen=True)
class Rate:
    """So many a second, and so many at once."""

    a_second: float
    at_once: float


@dataclass(frozen=True)
class Limits:
    """What the server takes from one guest, or from an address without one."""

    asking: Rate = Rate(30, 120)  # any request, or message by WebSocket
    making: Rate = Rate(0.5, 30)  # new tables, tokens, set-ups
    thinking: Rate = Rate(0.5, 10)  # hints
    sockets: int = 50  # open at once
    all_sockets: int = 20_000
    body: int = 256 * 1024  # bytes
    frame: int = 64 * 1024


@dataclass
class Buckets:
    """One bucket for each who asks, of one kind."""

    rate: Rate
    held: dict[str, tuple[float, float]] = field(default_factory=dict)  # who -> left, when

    def take(self, who: str, now: float) -> None:
        """Take one, or refuse."""
        left, then = self.held.get(who, (self.rate.at_once, now))
        left = min(self.rate.at_once, left + (now - then) * self.rate.a_second)
        if left < 1:
            raise TableRefusal("too-often", "too-often", seconds=max(1, round((1 - left) / self.rate.a_second)))
        if len(self.held) >= MOST_BUCKETS and who not in self.held:
            self.forget(now)
        self.held[who] = (left - 1, now)

    def forget(self, now: float) -> None:
        """Drop the full buckets: they are as good as new ones."""
        full = self.rate.at_once / self.rate.a_second
        self.held = {who: (left, then) for who, (left, then) in self.held.items() if now - then < full}
