"""A table in memory, the watchers connected to it, and which of its players are present."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from mchezo.server import messages
from mchezo.server.domain.playing import is_claimable
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.runtime.news_cache import NewsCache
from mchezo.server.runtime.turns import Turns

CROWD = 20  # watchers that are woken before others get their turn
GONE_AFTER = 12_000  # milliseconds without a heartbeat
MAX_SAID = 8  # phrases that wait for a slow client; older ones are dropped


class Watcher(ABC):
    """A connection to a table: as which guest, for which seat, and up to which number it is informed."""

    def __init__(self, guest: str | None, wanted: int | None, number: int) -> None:
        self.guest = guest
        self.wanted = wanted
        self.number = number
        self.wants_facts = False  # instead of views, once it knows the table
        self.presence: messages.Presence | None = None  # as it was sent last
        self.outdated = True  # the view has changed, though the log has not
        self.said: list[messages.Said | messages.Chatted] = []  # still to be sent
        self.looking = True  # somebody looks at it

    @abstractmethod
    def wake(self) -> None:
        """Look at the table again: there may be something to send."""


class LongPoll(Watcher):
    """A request that is answered when there is something new."""

    def __init__(self, guest: str | None, wanted: int | None, number: int) -> None:
        super().__init__(guest, wanted, number)
        self.news = asyncio.Event()

    def wake(self) -> None:
        """Let the request go on."""
        self.news.set()


class TableSession:
    """A table in memory."""

    def __init__(self, table: Table, now: int, encoded: NewsCache) -> None:
        self.table = table
        self.encoded = encoded
        self.turns = Turns()
        self.watchers: dict[Watcher, None] = {}  # in the order in which they came
        self.used = time.monotonic()
        self.opened = now
        self.seen: dict[int, int] = {}  # seat -> last heartbeat of its player
        self.left: dict[int, int] = {}  # seat -> when its player disconnected here
        self.claimable: list[int] = []  # seats whose players have been away for too long
        self.presence = messages.Presence([], 0)
        self.is_behind = False  # others have stored more, and nobody has asked for it yet
        self.outdated = False  # a player has come back: presence is to be computed again
        self.unreadable: TableError | None = None  # why the table was set aside while in memory

    @property
    def is_unused(self) -> bool:
        """Whether nobody watches the table and nothing is being changed."""
        return not self.watchers and not self.turns.taken

    def forget(self) -> None:
        """Free what was made for watchers: about 30 kB, and made again for the next one."""
        self.table.cache = {}
        self.encoded.clear(self.table.id)

    def connected(self, now: int) -> list[bool]:
        """Return which seats' players are connected, to this process or another."""
        watching = {watcher.guest for watcher in self.watchers}
        return [
            occupant.holder is not None and (occupant.holder in watching or self.seen_recently(seat, now))
            for seat, occupant in enumerate(self.table.seats)
        ]

    def seen_recently(self, seat: int, now: int) -> bool:
        """Return whether a seat's player sent a heartbeat recently and has not disconnected since."""
        seen = self.seen.get(seat, 0)
        return now - seen < GONE_AFTER and seen > self.left.get(seat, 0)

    def looking(self) -> set[str]:
        """Return the players who look at the table."""
        watching = {watcher.guest for watcher in self.watchers if watcher.looking and watcher.guest is not None}
        return {guest for guest in watching if self.table.seats_of(guest)}

    def away(self, now: int, connected: Sequence[bool]) -> dict[int, int]:
        """Return how long players have been away; never longer than this process has been watching."""
        since = max(self.opened, self.table.last_at if self.table.log else 0)
        return {
            seat: 0 if connected[seat] else now - max(self.seen.get(seat, 0), since) for seat in range(len(connected))
        }

    def heartbeat(self, guest: str | None, now: int) -> None:
        """Record that a guest is there."""
        here = self.presence.here
        for seat in self.table.seats_of(guest):
            self.seen[seat] = now
            if seat >= len(here) or not here[seat]:
                self.outdated = True

    def update_presence(self, now: int) -> None:
        """Recompute who is connected, watching or away for too long; wake the watchers who were sent otherwise."""
        watching = sum(not self.table.seats_of(watcher.guest) for watcher in self.watchers)
        connected = self.connected(now)
        self.presence = messages.Presence(connected, watching)
        away = self.away(now, connected)
        claimable = [seat for seat in away if is_claimable(self.table, seat, away)]
        changed, self.claimable = claimable != self.claimable, claimable
        if changed:
            self.encoded.clear(self.table.id)
        self.outdated = False
        for watcher in self.watchers if changed else ():
            watcher.outdated = True
        self.wake_watchers([one for one in self.watchers if changed or one.presence != self.presence])

    def say(self, said: messages.Said | messages.Chatted) -> None:
        """Pass a phrase, or that somebody wrote something, on to every watcher."""
        for watcher in self.watchers:
            watcher.said = [*watcher.said, said][-MAX_SAID:]
        self.wake_watchers(list(self.watchers))

    def wake(self, now: Callable[[], int]) -> None:
        """Let every watcher look at the table again."""
        self.encoded.clear(self.table.id)
        # A player who could be waited for no longer has all the time again once something has happened.
        if self.claimable or self.outdated or len(self.presence.here) != len(self.table.seats):
            self.update_presence(now())
        self.wake_watchers(list(self.watchers))

    def wake_watchers(self, woken: list[Watcher]) -> None:
        """Wake watchers: the players at once, a crowd of spectators a few at a time, while others get their turn."""
        if len(woken) > CROWD:
            woken.sort(key=lambda watcher: not self.table.seats_of(watcher.guest))
        wake_some(woken)


def wake_some(watchers: Sequence[Watcher]) -> None:
    """Wake the first watchers now, the others soon."""
    crowd = len(watchers) > CROWD
    for watcher in watchers[:CROWD] if crowd else watchers:
        watcher.wake()
    if crowd:
        asyncio.get_running_loop().call_soon(wake_some, watchers[CROWD:])
