"""One server process: what it consists of, how it starts and stops, and how its threads reach the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from mchezo.core import registry
from mchezo.server import messages
from mchezo.server.compute import compiling
from mchezo.server.compute.compiling import Readiness
from mchezo.server.compute.computers import Computers
from mchezo.server.compute.fairness import FairExecutor, QueueLimits
from mchezo.server.compute.opponents import Opponents, Shipped
from mchezo.server.compute.pictures import Pictures
from mchezo.server.compute.thinking import Thinking
from mchezo.server.errors import TableError
from mchezo.server.runtime.access import Access
from mchezo.server.runtime.admin_log import AdminLog
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.correspondence import Correspondence
from mchezo.server.runtime.fair_play import FairPlay
from mchezo.server.runtime.housekeeping import Housekeeping
from mchezo.server.runtime.lobby import SWEEP_EVERY as LOBBY_EVERY
from mchezo.server.runtime.lobby import Lobby
from mchezo.server.runtime.mailbox import Mailbox
from mchezo.server.runtime.notices import Notices
from mchezo.server.runtime.passkeys import Passkeys
from mchezo.server.runtime.probes import Probe
from mchezo.server.runtime.sessions import Sessions
from mchezo.server.runtime.signing import Signer
from mchezo.server.runtime.tournaments import Tournaments
from mchezo.server.storage.listener import Listener
from mchezo.server.storage.notifications import Notification
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append

PROBE_SECONDS = 5.0  # within which a database has to respond
SWEEP_EVERY = 5.0  # seconds: notices; conditional moves and vacations that a crash left behind
TOURNAMENTS_EVERY = 2.0  # seconds: results, pairings, starts
RETRY_SECONDS = 1.0  # until housekeeping that could not be started is tried again
LOG = logging.getLogger("mchezo.server")
TRIALS = QueueLimits(guest=20, network=80, total=500)  # moves tried out, set-ups, SVGs: milliseconds each
REPLAYS = QueueLimits(guest=6, network=24, total=100)  # whole games: up to a second each


class Service:
    """A server process."""

    def __init__(self, config: Config, opponents: Opponents | None = None) -> None:
        self.config = config
        self.opponents: Opponents = opponents or Shipped()
        self.store = Store(config.database)
        self.admin_log = AdminLog(self.store)
        self.guests = self.admin_log.guests
        self.signer = Signer(self.store.settings.secret(), self.guests)
        self.access = Access(config, self.signer)
        self.passkeys = Passkeys(self.signer.secret, config.passkey_domain)
        self.readiness = Readiness(registry.names())
        self.computers = Computers(self.store, self.opponents, config.threads, self.computer_moved)
        self.mailbox = Mailbox()
        self.sessions = Sessions(
            self.store, self.readiness.is_ready, self.computers.wake, self.mailbox, config.limits.watchers
        )
        self.correspondence = Correspondence(self.store, self.sessions)
        self.fair_play = FairPlay(self.store)
        self.lobby = Lobby(self.store, self.opponents, self.require_ready, self.guests.is_restricted)
        self.tournaments = Tournaments(self.store, self.sessions, self.readiness.is_ready, self.computers.wake)
        self.notices = Notices(self.store, self.sessions, config)
        self.housekeeping = Housekeeping(
            self.store,
            self.sessions,
            self.follow_admin_log,
            [
                (SWEEP_EVERY, self.correspondence.sweep),
                (LOBBY_EVERY, self.lobby.sweep),
                (SWEEP_EVERY, self.fair_play.sweep),
                (SWEEP_EVERY, self.notices.sweep),
                (TOURNAMENTS_EVERY, self.tournaments.sweep),
            ],
        )
        # Thinking, trying moves out and drawing have threads of their own: pages and moves never wait behind them.
        self.thinking = Thinking(self.opponents, self.readiness, config.threads)
        self.trials = FairExecutor("trials", 1, TRIALS)
        self.replays = FairExecutor("replays", 1, REPLAYS)
        self.pictures = Pictures()
        self.responding = Probe(self.ping, keep=0.0, patience=PROBE_SECONDS)
        self.writing = Probe(self.write, keep=1.0, patience=PROBE_SECONDS)
        self.listener: Listener | None = None
        self.stopping = asyncio.Event()

    # Starting and stopping

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Start, and stop at the end."""
        self.mailbox.loop = asyncio.get_running_loop()
        await self.housekeeping.detect_outage()
        preparing = asyncio.create_task(self.prepare())
        if self.store.shared:
            self.listener = Listener(self.store.database.url, self.on_notify, self.on_listening, self.on_said)
        try:
            yield
        finally:
            self.release_watchers()
            preparing.cancel()
            await asyncio.gather(preparing, return_exceptions=True)
            await self.housekeeping.stop()
            if self.listener is not None:
                await asyncio.to_thread(self.listener.stop)
            self.notices.stop()
            self.pictures.stop()
            self.trials.stop()
            self.replays.stop()
            self.thinking.executor.stop()
            await asyncio.to_thread(self.computers.stop)
            await asyncio.to_thread(self.store.close)

    async def follow_admin_log(self) -> None:
        """Do what operators changed: reload the guests and tables that the admin log names."""
        guests, tables = await asyncio.to_thread(self.admin_log.read)
        for table in tables:
            await self.sessions.reload(table)
        if guests:
            self.sessions.wake_watchers(guests)

    def release_watchers(self) -> None:
        """Answer long polls and close sockets."""
        self.stopping.set()
        for session in self.sessions.sessions.values():
            session.wake(self.store.now)
        self.lobby.release()

    async def prepare(self) -> None:
        """Compile or load the games, then start the housekeeping and the computers."""
        ready = asyncio.create_task(compiling.prepare(self.readiness, self.load_computers))
        try:
            while not ready.done() and not self.readiness.all_ready:
                await asyncio.wait([ready], timeout=0.05)
            while not await self.start_housekeeping():
                await asyncio.sleep(RETRY_SECONDS)
            await ready
            self.computers.start()
        except Exception:
            LOG.exception("the computers could not be started")
        finally:
            ready.cancel()
            await asyncio.gather(ready, return_exceptions=True)

    async def start_housekeeping(self) -> bool:
        """Start the housekeeping; False if the database does not allow it yet."""
        try:
            await self.housekeeping.start()
        except Exception:
            LOG.exception("the housekeeping could not be started; it is tried again")
            return False
        return True

    def load_computers(self) -> None:
        """Compile or load the computer players, if they are the shipped ones."""
        if isinstance(self.opponents, Shipped):
            compiling.load_players()

    async def ping(self) -> int:
        """Return how many tables are set aside; fail if the database does not respond."""
        return await asyncio.to_thread(self.store.quarantine.count)

    async def write(self) -> int:
        """Do the same; fail if nothing can be stored."""
        await asyncio.wrap_future(self.store.settings.test_writing(self.store.now()))
        return await self.ping()

    async def say(self, table: str, said: messages.Said | messages.Chatted) -> None:
        """Pass a player's phrase, or that there is a line of chat, on to everybody at the table, in every process."""
        if self.store.shared:
            await asyncio.wrap_future(self.store.notify_said(table, said))
        else:
            self.pass_on(table, said)

    def pass_on(self, table: str, said: messages.Said | messages.Chatted) -> None:
        """Send a phrase, or that there is a line of chat, to the watchers of a table in this process."""
        session = self.sessions.sessions.get(table)
        if session is not None:
            session.say(said)

    # Called by other threads

    def on_notify(self, notifications: list[Notification]) -> None:
        """Pass notifications on to the computers and the sessions."""
        self.computers.on_notify(notifications)
        # Every process is notified of every move, most of which it has made itself or need not know.
        sessions = self.sessions.sessions
        news = [one for one in notifications if (found := sessions.get(one.table)) and found.table.number < one.number]
        if news:
            self.mailbox.put(self.notify_sessions, news)

    def on_said(self, table: str, said: messages.Said | messages.Chatted) -> None:
        """Pass on what somebody said or wrote, here or at another process."""
        self.mailbox.put(self.pass_on, table, said)

    def notify_sessions(self, notifications: list[Notification]) -> None:
        """Read the new facts of tables that are in memory."""
        for notification in notifications:
            self.sessions.notify(notification.table, notification.number)

    def computer_moved(self, append: Append) -> None:
        """Read the move that one of our computers has stored."""
        self.computers.wake()
        self.mailbox.put(self.sessions.computer_moved, append)

    def on_listening(self) -> None:
        """Check every table in memory: notifications may have been missed."""
        self.mailbox.put(self.reload_sessions)

    def reload_sessions(self) -> None:
        """Read what other processes may have appended."""
        for session in self.sessions.sessions.values():
            self.sessions.notify(session.table.id, session.table.number + 1)

    # Games and computer players

    def require_ready(self, game: str) -> None:
        """Refuse a game whose rules are not compiled yet."""
        registry.find(game)
        if not self.readiness.is_ready(game):
            raise TableError("not-ready", "compiling", game=game)

    async def require_free_names(self, names: Iterable[str | None], guest: str | None) -> None:
        """Refuse names that belong to somebody else's account, or look like it."""
        for name in dict.fromkeys(names):
            owner = None if name is None else await asyncio.to_thread(self.store.accounts.owner_of_name, name)
            if owner is not None and owner != guest:
                raise TableError("not-possible", "name-taken", name=name)

    async def require_welcome(self, table: str, guest: str) -> None:
        """Refuse a player whom somebody at the table, or its creator, has blocked."""
        found = (await self.sessions.latest(table)).table
        others = {occupant.holder for occupant in found.seats if occupant.holder} | {found.creation.by or ""}
        if await asyncio.to_thread(self.store.relations.blocked_by, guest, others - {guest}):
            raise TableError("not-possible", "not-welcome")

    def rating_of(self, game: str, level: int) -> tuple[str, int | None]:
        """Return the name and rating of a computer player."""
        for info in self.opponents.levels(game):
            if info.level == level:
                return info.name, info.rating
        raise TableError("invalid-setup", "no-such-level", level=level)
