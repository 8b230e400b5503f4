"""One server process: everything it holds, and how it starts and stops."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from mchezo.core import registry
from mchezo.core.words import LANGUAGES
from mchezo.server import compiling, measures
from mchezo.server.commands import Who
from mchezo.server.compiling import Readiness
from mchezo.server.computers import Computers
from mchezo.server.guests import COOKIE, Signer
from mchezo.server.keeper import Keeper
from mchezo.server.limits import Buckets, Limits
from mchezo.server.listener import Listener
from mchezo.server.messages import LevelInfo
from mchezo.server.opponents import Opponents, Shipped
from mchezo.server.pictures import Pictures
from mchezo.server.refusals import TableRefusal
from mchezo.server.rooms import Rooms
from mchezo.server.store import Hint, Store

LOG = logging.getLogger("mchezo.server")
THREADS = max(1, (os.cpu_count() or 2) - 1)  # that think for computers
IP_ADDRESS = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+\])")


@dataclass(frozen=True)
class Config:
    """How a server is run."""

    database: str
    hosts: tuple[str, ...] = ()  # names under which it is reached, beside localhost and plain addresses
    secure: bool = False  # reached by https only
    threads: int = THREADS
    limits: Limits = field(default_factory=Limits)


class Service:
    """A server process."""

    def __init__(self, config: Config, opponents: Opponents | None = None) -> None:
        self.config = config
        self.opponents: Opponents = opponents or Shipped()
        self.store = Store(config.database)
        self.signer = Signer(self.store.secret())
        self.readiness = Readiness(registry.names())
        self.computers = Computers(self.store, self.opponents, config.threads, self.computer_played)
        self.rooms = Rooms(self.store, self.readiness.is_ready, self.computers.wake)
        self.keeper = Keeper(self.store, self.rooms)
        self.pictures = Pictures()
        self.listener: Listener | None = None
        self.hosts = {"localhost", socket.gethostname().lower(), *(host.lower() for host in config.hosts)}
        limits = config.limits
        self.asking, self.making = Buckets(limits.asking), Buckets(limits.making)
        self.thinking = Buckets(limits.thinking)
        self.sockets: dict[str, int] = {}
        self.stopping = asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.store.on_batch = note_batch

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """From the start to the stop."""
        self.loop = asyncio.get_running_loop()
        await self.keeper.look_back()
        preparing = asyncio.create_task(self.prepare())
        if self.store.shared:
            self.listener = Listener(self.store.url, self.heard, self.listening_again)
        try:
            yield
        finally:
            self.stop_telling()
            preparing.cancel()
            await asyncio.gather(preparing, return_exceptions=True)
            await self.keeper.stop()
            if self.listener is not None:
                await asyncio.to_thread(self.listener.stop)
            self.pictures.stop()
            await asyncio.to_thread(self.computers.stop)
            await asyncio.to_thread(self.store.close)

    def stop_telling(self) -> None:
        """Whoever waits for news has an answer now, and sockets are closed."""
        self.stopping.set()
        for room in self.rooms.rooms.values():
            room.wake(self.store.now())

    async def prepare(self) -> None:
        """Make the games ready, then keep the time and let computers play."""
        ready = asyncio.create_task(compiling.prepare(self.readiness, self.load_computers))
        try:
            while not ready.done() and not self.readiness.all_ready:
                await asyncio.wait([ready], timeout=0.05)
            await self.keeper.start()
            await ready
            self.computers.start()
        except Exception:
            LOG.exception("the server could not be made ready")
        finally:
            ready.cancel()
            await asyncio.gather(ready, return_exceptions=True)

    def load_computers(self) -> None:
        """Let the computer players be compiled or loaded, if they are the shipped ones."""
        if isinstance(self.opponents, Shipped):
            compiling.load_players()

    # What other threads say

    def heard(self, hints: list[Hint]) -> None:
        """Tables have gone on, here or at another process."""
        self.computers.heard(hints)
        self.call(self.follow, hints)

    def follow(self, hints: list[Hint]) -> None:
        """Look at the tables that are open here."""
        for hint in hints:
            self.rooms.hint(hint.table, hint.number)

    def computer_played(self, table: str, number: int) -> None:
        """A computer of ours has moved."""
        self.computers.wake()
        self.call(self.rooms.hint, table, number)

    def listening_again(self) -> None:
        """Hints may have been missed: look at every table that is open here."""
        self.call(self.look_again)

    def look_again(self) -> None:
        """Read anew what others may have appended."""
        for room in self.rooms.rooms.values():
            self.rooms.hint(room.table.id, room.table.number + 1)

    def call(self, function: Callable[..., object], *given: object) -> None:
        """Do something on the event loop."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(function, *given)

    # Who asks, and whether they may

    def who(self, headers: dict[str, str], cookies: dict[str, str]) -> Who | None:
        """Who somebody is; None without cookie and token."""
        authorization = headers.get("authorization")
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            if scheme.lower() != "bearer":
                raise TableRefusal("bad-token", "bad-token")
            return self.signer.read_token(token.strip())
        cookie = cookies.get(COOKIE)
        return None if cookie is None else self.signer.read_cookie(cookie)

    def check_host(self, headers: dict[str, str]) -> None:
        """Only names that are ours: another site's name that leads here is a trick."""
        host = headers.get("host", "").rsplit(":", 1)[0] if ":" in headers.get("host", "") else headers.get("host", "")
        if headers.get("host", "").endswith("]"):
            host = headers["host"]
        if host.lower() not in self.hosts and not IP_ADDRESS.fullmatch(host):
            raise TableRefusal("origin", "host", host=host[:80])

    def check_origin(self, headers: dict[str, str]) -> None:
        """What is done with a cookie is done from our own pages."""
        if "authorization" in headers:
            return
        origin = headers.get("origin")
        if origin is None or origin.partition("://")[2] != headers.get("host"):
            raise TableRefusal("origin", "origin", origin=(origin or "-")[:80])

    def limit(self, buckets: Buckets, who: Who | None, address: str) -> None:
        """Refuse who asks too often."""
        buckets.take(who.guest if who else address, time.monotonic())

    def need_ready(self, game: str) -> None:
        """The game's rules must be there."""
        registry.find(game)
        if not self.readiness.is_ready(game):
            raise TableRefusal("not-ready", "compiling", game=game)

    def levels(self, game: str) -> list[LevelInfo]:
        """The computer players of a game."""
        return self.opponents.levels(game)

    def rating_of(self, game: str, level: int) -> tuple[str, int | None]:
        """The name and rating of a computer player."""
        for info in self.levels(game):
            if info.level == level:
                return info.name, info.rating
        raise TableRefusal("invalid-setup", "no-such-level", level=level)


def note_batch(appends: int, seconds: float) -> None:
    """Measure the writer."""
    measures.BATCH.observe(appends)
    measures.COMMIT.observe(seconds)


def language_of(headers: dict[str, str]) -> str:
    """The first language asked for that we speak."""
    for part in headers.get("accept-language", "").split(","):
        code = part.strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return "en"
