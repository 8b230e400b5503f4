"""Rate limits: token buckets by guest and by network, since anybody can be any number of guests.

A network is an IPv4 /24 or an IPv6 /56 (addresses.py).
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import Literal

from mchezo.server.errors import TableError

MAX_BUCKETS = 100_000

LimitKind = Literal[
    "requests", "previews", "creations", "packs", "thinking", "pictures", "phrases", "correspondence", "chat", "mails"
]
NetworkLimitKind = Literal["pages", "guests", "sign_ins", "tournaments", "seeks"]


@dataclass(frozen=True)
class Rate:
    """Token bucket: refill rate and burst."""

    per_second: float
    burst: float

    def times(self, factor: float) -> Rate:
        """Return the rate of this many guests."""
        return Rate(self.per_second * factor, self.burst * factor)


@dataclass(frozen=True)
class Limits:
    """What the server accepts of a guest, of a network, and in total.

    The allowance of a network is that of `guests_per_network` guests at full speed. Nobody plays at full speed: a move
    takes a person seconds, so a class of thirty behind one address stays below it.
    """

    requests: Rate = Rate(30, 120)  # any request, or message over a WebSocket
    previews: Rate = Rate(8, 60)  # of all legal moves, up to 5 ms each; beyond that they are left out
    creations: Rate = Rate(0.5, 30)  # tables, tokens, set-ups
    packs: Rate = Rate(1 / 600, 10)  # tables with a pack of their own, which is stored with them
    thinking: Rate = Rate(0.5, 10)  # hints, estimates, analyses
    pictures: Rate = Rate(0.5, 30)  # an animation counts as ten
    phrases: Rate = Rate(1 / 4, 4)  # said to the others at a table
    correspondence: Rate = Rate(1 / 2, 60)  # notes, conditional moves, vacations that are stored
    chat: Rate = Rate(1 / 3, 6)  # lines written at tables
    mails: Rate = Rate(1 / 600, 5)  # requests for confirmation; a test counts half
    guests_per_network: float = 4
    pages: Rate = Rate(100, 1_000)  # of a network: pages, files, health checks; a first visit loads twenty files
    guests: Rate = Rate(1 / 30, 60)  # of a network: new guests and bots; two classes at once, then two a minute
    sign_ins: Rate = Rate(1 / 10, 30)  # of a network: attempts, right or wrong
    tournaments: Rate = Rate(1 / 1_800, 15)  # of a network: new ones, which everybody is shown
    seeks: Rate = Rate(1 / 1_200, 60)  # of a network: by correspondence; in 14 days half of all
    sockets: int = 50  # open at the same time, long polls included
    sockets_per_network: int = 400  # a class of thirty, a few tabs each
    all_sockets: int = 20_000
    watchers: int = 1_000  # of one table
    unfinished: int = 60  # tables of a guest that are not over and were played at or created within a day
    unfinished_per_network: int = 240
    body: int = 256 * 1024  # bytes
    frame: int = 64 * 1024


@dataclass
class TokenBuckets:
    """The token buckets of one rate, by key; the least recently used are forgotten."""

    rate: Rate
    buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)  # key -> tokens, since when

    def left_after(self, key: str, now: float, count: float = 1) -> float:
        """Return how many tokens a key would have left; negative if they are not there."""
        rate = self.rate
        burst = rate.burst
        left, then = self.buckets.get(key, (burst, now))
        left += (now - then) * rate.per_second
        return (left if left < burst else burst) - (count if count < burst else burst)

    def wait(self, left: float) -> int:
        """Return how many seconds to wait until a number of tokens left is not negative."""
        return 0 if left >= 0 else max(1, round(-left / self.rate.per_second))

    def keep(self, key: str, now: float, left: float) -> None:
        """Note how many tokens a key has left."""
        buckets = self.buckets
        buckets[key] = (left, now)
        buckets.move_to_end(key)
        if len(buckets) > MAX_BUCKETS:
            buckets.popitem(last=False)

    def take(self, key: str, now: float, count: float = 1) -> None:
        """Take tokens, or refuse and say how long to wait."""
        left = self.left_after(key, now, count)
        require_tokens(self.wait(left))
        self.keep(key, now, left)


class RateLimits:
    """Two sets of token buckets for each kind of request: by guest, and by network."""

    def __init__(self, limits: Limits) -> None:
        rates: dict[LimitKind, Rate] = {
            "requests": limits.requests,
            "previews": limits.previews,
            "creations": limits.creations,
            "packs": limits.packs,
            "thinking": limits.thinking,
            "pictures": limits.pictures,
            "phrases": limits.phrases,
            "correspondence": limits.correspondence,
            "chat": limits.chat,
            "mails": limits.mails,
        }
        self.guests = {kind: TokenBuckets(rate) for kind, rate in rates.items()}
        self.networks = {kind: TokenBuckets(rate.times(limits.guests_per_network)) for kind, rate in rates.items()}
        self.network_only: dict[NetworkLimitKind, TokenBuckets] = {
            "pages": TokenBuckets(limits.pages),
            "guests": TokenBuckets(limits.guests),
            "sign_ins": TokenBuckets(limits.sign_ins),
            "tournaments": TokenBuckets(limits.tournaments),
            "seeks": TokenBuckets(limits.seeks),
        }

    def take(self, kind: LimitKind, guest: str, network: str, now: float, count: float = 1) -> None:
        """Take tokens of the guest and of its network, or refuse; a request that is refused costs nothing."""
        own, shared = self.guests[kind], self.networks[kind]
        left, left_of_all = own.left_after(guest, now, count), shared.left_after(network, now, count)
        if left < 0 or left_of_all < 0:
            require_tokens(max(own.wait(left), shared.wait(left_of_all)))
        own.keep(guest, now, left)
        shared.keep(network, now, left_of_all)

    def take_network(self, kind: NetworkLimitKind, network: str, now: float) -> None:
        """Take a token of a network, or refuse."""
        self.network_only[kind].take(network, now)


def require_tokens(seconds: int) -> None:
    """Refuse a request that has to wait."""
    if seconds:
        raise TableError("too-often", "too-often", seconds=seconds)


class OpenSockets:
    """How many sockets and long polls are open, by guest and by network."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.guests: Counter[str] = Counter()
        self.networks: Counter[str] = Counter()

    def open(self, guest: str, network: str) -> None:
        """Count a socket, or refuse it if there are too many."""
        limits = self.limits
        if (
            self.guests[guest] >= limits.sockets
            or self.networks[network] >= limits.sockets_per_network
            or self.total() >= limits.all_sockets
        ):
            self.forget_closed(guest, network)
            raise TableError("too-often", "too-many-sockets", seconds=5)
        self.guests[guest] += 1
        self.networks[network] += 1

    def close(self, guest: str, network: str) -> None:
        """Stop counting a socket."""
        self.guests[guest] -= 1
        self.networks[network] -= 1
        self.forget_closed(guest, network)

    def forget_closed(self, guest: str, network: str) -> None:
        """Drop counts of zero."""
        for counts, key in ((self.guests, guest), (self.networks, network)):
            if not counts[key]:
                del counts[key]

    def total(self) -> int:
        """Return how many are open."""
        return self.networks.total()
