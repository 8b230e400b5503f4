"""What a server does by itself: it keeps the time, says that it is alive, notes who is there, and tidies up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from mchezo.core.errors import Refusal
from mchezo.server.measures import TIME_OUTS
from mchezo.server.rooms import Rooms
from mchezo.server.store import Store

LOG = logging.getLogger("mchezo.server")
TIME_OUTS_EVERY = 0.25  # seconds
PULSE_EVERY = 1.0
PRESENCE_EVERY = 4.0
TIDY_EVERY = 20.0
CLOCK_EVERY = 60.0
OUTAGE = 3_000  # milliseconds without a pulse: no server was alive


class Keeper:
    """The tasks that run as long as the server."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self.store = store
        self.rooms = rooms
        self.tasks: list[asyncio.Task[None]] = []

    async def look_back(self) -> None:
        """Find out, before anybody asks for a table, since when no server was alive."""
        now = self.store.now()
        last = await asyncio.wrap_future(self.store.pulse(now))
        if last is not None and now - last > OUTAGE:
            self.rooms.nobody_since = last

    async def start(self) -> None:
        """Forgive the clocks the time in which nobody could move, then begin."""
        if self.rooms.nobody_since is not None:
            for table in await asyncio.to_thread(self.store.clocked):
                await self.rooms.latest(table)
            self.rooms.nobody_since = None
        duties: list[tuple[float, Callable[[], Awaitable[None]]]] = [
            (TIME_OUTS_EVERY, self.keep_time),
            (PULSE_EVERY, self.pulse),
            (PRESENCE_EVERY, self.note_presence),
            (TIDY_EVERY, self.tidy),
            (CLOCK_EVERY, self.set_clock),
        ]
        self.tasks = [asyncio.create_task(self.every(seconds, duty)) for seconds, duty in duties]

    async def stop(self) -> None:
        """Stop all tasks."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def every(self, seconds: float, duty: Callable[[], Awaitable[None]]) -> None:
        """Do something again and again; a failure is noted and does not end it."""
        while True:
            try:
                await duty()
            except Exception:
                LOG.exception("a duty failed", extra={"duty": duty.__name__})
            await asyncio.sleep(seconds)

    async def keep_time(self) -> None:
        """Append the time-outs of clocks that are down, whether anybody is connected or not."""
        for table in await asyncio.to_thread(self.store.down, self.store.now()):
            try:
                await self.rooms.keep_time(table)
                TIME_OUTS.inc()
            except Refusal as refusal:  # its rules are still being compiled
                LOG.info("a time-out waits", extra={"table": table, "reason": str(refusal)})

    async def pulse(self) -> None:
        """Say that a server is alive."""
        await asyncio.wrap_future(self.store.pulse(self.store.now()))

    async def note_presence(self) -> None:
        """Where there are other processes, note who is connected here and look who is connected there."""
        if self.store.shared:
            await asyncio.wrap_future(self.store.see(sorted(set(self.rooms.present())), self.store.now()))
            watched = {name: room for name, room in self.rooms.rooms.items() if room.watchers}
            for name, number in (await asyncio.to_thread(self.store.numbers, list(watched))).items():
                self.rooms.hint(name, number)  # the net below the hints
            for name, seen in (await asyncio.to_thread(self.store.last_seen, list(watched))).items():
                watched[name].seen |= seen
        await self.rooms.refresh_presence()

    async def tidy(self) -> None:
        """Let go of what nobody uses."""
        self.rooms.forget()

    async def set_clock(self) -> None:
        """Compare clocks with the database."""
        await asyncio.to_thread(self.store.read_clock)
