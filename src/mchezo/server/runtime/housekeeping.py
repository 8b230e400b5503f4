"""What a server does on its own: time-outs, its heartbeat, presence, dropping unused tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from mchezo.server.errors import TableError
from mchezo.server.metrics import SET_ASIDE, TIME_OUTS
from mchezo.server.runtime.failures import logged_failure
from mchezo.server.runtime.sessions import Sessions
from mchezo.server.storage.failures import failure_key
from mchezo.server.storage.quarantine import set_aside_error
from mchezo.server.storage.store import OUTAGE, Store

LOG = logging.getLogger("mchezo.server")
TIME_OUTS_EVERY = 0.25  # seconds
HEARTBEAT_EVERY = 1.0
WATCH_EVERY = 500  # milliseconds
PRESENCE_EVERY = 4.0
DROP_EVERY = 20.0
ADMIN_LOG_EVERY = 1.0
SYNC_CLOCK_EVERY = 10.0

Job = tuple[float, Callable[[], Awaitable[None]]]  # the interval in seconds, and what to do


class Housekeeping:
    """The tasks that run as long as the server."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        follow_admin_log: Callable[[], Awaitable[None]],
        more: Sequence[Job] = (),
    ) -> None:
        self.store = store
        self.sessions = sessions
        self.follow_admin_log = follow_admin_log
        self.more = more
        self.tasks: list[asyncio.Task[None]] = []
        self.beating = asyncio.Lock()
        self.last_heartbeat = store.now()  # of this process
        # Outages that could not be excluded from the clock of a table yet, because it could not be stored.
        self.uncorrected: set[tuple[str, int, int]] = set()  # table, since, until

    async def detect_outage(self) -> None:
        """Find out, before any table is loaded, since when no server has been running."""
        if self.store.shared:
            await self.join_living()
        self.sessions.outage_since = await self.outage_before(self.store.now())

    async def join_living(self) -> None:
        """Take the time of the servers that are running.

        The last heartbeat looks old if the database's clock was set since, so wait whether there is another.
        """
        for _ in range(OUTAGE // WATCH_EVERY):
            last = await asyncio.to_thread(self.store.settings.last_heartbeat)
            if last is None:
                return
            if last.time_of_living(OUTAGE) is not None:
                await asyncio.to_thread(self.store.continue_time)
                self.sessions.started = self.last_heartbeat = self.store.now()
                return
            await asyncio.sleep(WATCH_EVERY / 1_000)

    async def start(self) -> None:
        """Correct all running clocks after an outage, then start the tasks."""
        since = self.sessions.outage_since
        if since is not None:
            self.sessions.outage = since, self.sessions.started
            for table in await asyncio.to_thread(self.store.tables.with_running_clock):
                await self.correct_clock(table, since, self.store.now())
            self.sessions.outage_since = None
        # Recorded only now, so that another process does not apply time-outs before all clocks are corrected.
        await self.record_heartbeat()
        self.sessions.check_pulse, self.sessions.pulse_is_late = self.check_pulse, self.pulse_is_late
        jobs: list[Job] = [
            (TIME_OUTS_EVERY, self.append_time_outs),
            (HEARTBEAT_EVERY, self.heartbeat),
            (PRESENCE_EVERY, self.exchange_presence),
            (PRESENCE_EVERY, self.drop_set_aside),
            (DROP_EVERY, self.drop_unused),
            (ADMIN_LOG_EVERY, self.follow_admin_log),
            (SYNC_CLOCK_EVERY, self.sync_clock),
            *self.more,
        ]
        self.tasks = [asyncio.create_task(self.repeat(seconds, job)) for seconds, job in jobs]

    async def stop(self) -> None:
        """Stop all tasks."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def repeat(self, seconds: float, job: Callable[[], Awaitable[None]]) -> None:
        """Run a job periodically; a failure is logged and does not end it."""
        while True:
            try:
                await job()
            except Exception:
                LOG.exception("housekeeping failed", extra={"job": job.__name__})
            await asyncio.sleep(seconds)

    async def append_time_outs(self) -> None:
        """Append the time-outs of clocks that are down, whether anybody is connected or not."""
        await self.check_pulse()
        for outage in list(self.uncorrected):
            await self.correct_clock(*outage)
        for table in await asyncio.to_thread(self.store.tables.timed_out, self.store.now()):
            if any(table == uncorrected for uncorrected, *_ in self.uncorrected):
                continue
            with logged_failure("a time-out is deferred", table):
                await self.sessions.time_out(table)
                TIME_OUTS.inc()

    async def heartbeat(self) -> None:
        """Record that a server is running; if none was since the last heartbeat, correct all running clocks first.

        The process may have been suspended, the machine asleep or overloaded, the database away.
        """
        async with self.beating:
            if self.store.shared:
                await asyncio.to_thread(self.store.join_time)
            now = self.store.now()
            since = await self.outage_before(now) if now - self.last_heartbeat > OUTAGE else None
            if since is not None:
                LOG.warning("no server was running", extra={"milliseconds": now - since})
                self.sessions.watch_anew(since, now)
                for table in await asyncio.to_thread(self.store.tables.with_running_clock):
                    await self.correct_clock(table, since, now)
            await self.record_heartbeat()

    async def correct_clock(self, table: str, since: int, until: int) -> None:
        """Exclude an outage from a table's clock; if that cannot be stored, try again before its next time-out."""
        with logged_failure("a clock was not corrected", table):
            outage = table, since, until
            self.uncorrected.add(outage)
            try:
                await self.sessions.exclude_outage(*outage)
            except Exception as error:
                if failure_key(error) is None and not is_loading(error):
                    self.uncorrected.discard(outage)  # it was set aside, for example
                raise
            self.uncorrected.discard(outage)

    async def check_pulse(self) -> None:
        """Correct all running clocks before anything else happens, if this process stood still."""
        if self.pulse_is_late():
            await self.heartbeat()

    def pulse_is_late(self) -> bool:
        """Return whether this process stood still."""
        return self.store.now() - self.last_heartbeat > OUTAGE

    async def outage_before(self, now: int) -> int | None:
        """Return since when no server has been running; None if one was until now."""
        last = await asyncio.to_thread(self.store.settings.last_heartbeat)
        return last.at if last is not None and now - last.at > OUTAGE else None

    async def record_heartbeat(self) -> None:
        """Record that a server is running."""
        now = self.store.now()
        await asyncio.wrap_future(self.store.settings.heartbeat(now))
        self.last_heartbeat = now

    async def exchange_presence(self) -> None:
        """Tell other processes who is connected here, and read who is connected there."""
        if self.store.shared:
            seats = sorted(set(self.sessions.connected_seats()))
            await asyncio.wrap_future(self.store.presence.record(seats, self.store.now()))
            watched = {id: session for id, session in self.sessions.sessions.items() if session.watchers}
            for id, number in (await asyncio.to_thread(self.store.tables.numbers, list(watched))).items():
                self.sessions.notify(id, number)  # in case a notification was lost
            for id, seen in (await asyncio.to_thread(self.store.presence.last_seen, list(watched))).items():
                watched[id].seen |= seen
        await self.sessions.refresh_presence()

    async def drop_set_aside(self) -> None:
        """Drop tables that another process has set aside."""
        broken = await asyncio.to_thread(self.store.quarantine.broken_tables)
        SET_ASIDE.set(await asyncio.to_thread(self.store.quarantine.count))
        for one in broken:
            session = self.sessions.sessions.get(one.table)
            if session is not None:
                self.sessions.set_aside(session, set_aside_error(one.kind))

    async def drop_unused(self) -> None:
        """Free the memory of tables that nobody uses."""
        self.sessions.drop_unused()

    async def sync_clock(self) -> None:
        """Follow the clock that all processes share."""
        await asyncio.to_thread(self.store.database.sync_clock)


def is_loading(error: Exception) -> bool:
    """Return whether the rules of the table's game are still being compiled."""
    return isinstance(error, TableError) and error.code == "not-ready"
