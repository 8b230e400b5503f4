"""The tables in this process's memory, and who looks at them. Every change is stored first, then told."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace as with_
from typing import Any

import msgspec

from mchezo.core.errors import Refusal
from mchezo.server import commands, messages, sight
from mchezo.server import facts as log
from mchezo.server.commands import Scene, Verdict, Who
from mchezo.server.measures import COMMANDS, MOVES, TABLES
from mchezo.server.refusals import TableRefusal, code_of
from mchezo.server.store import Append, Store, append_for
from mchezo.server.table import Table

LOG = logging.getLogger("mchezo.server")
TRIES = 20  # to append what somebody else was quicker at
KEEP_SECONDS = 60  # a table that nobody looks at
MOST_EVENTS = 500  # told at once to who comes back; beyond that one begins anew
GONE_AFTER = 12_000  # milliseconds without a sign of life: not connected


class Watcher:
    """Somebody who looks at a table: as which guest, for which seat, and up to which number."""

    def __init__(self, guest: str | None, wanted: int | None, number: int) -> None:
        self.guest = guest
        self.wanted = wanted
        self.number = number
        self.presence: messages.Presence | None = None  # as it was told
        self.outdated = True  # the table looks otherwise than it was told, though nothing has happened there
        self.ping = True  # to be sent
        self.news = asyncio.Event()
        self.delay = 0  # measured, in milliseconds


class Room:
    """A table in memory."""

    def __init__(self, table: Table, now: int) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.used = time.monotonic()
        self.opened = now
        self.seen: dict[int, int] = {}  # seat -> when its player was last there
        self.left: dict[int, int] = {}  # seat -> when its player hung up here
        self.claimable: list[int] = []  # the seats whose players have been away for too long
        self.told: dict[tuple[int, int | None, str | None], bytes] = {}
        self.presence = messages.Presence([], 0)

    def here(self, now: int) -> list[bool]:
        """Which seats' players are connected, here or at another process."""
        watching = {watcher.guest for watcher in self.watchers}
        return [
            sitter.holder is not None and (sitter.holder in watching or self.was_here(seat, now))
            for seat, sitter in enumerate(self.table.seats)
        ]

    def was_here(self, seat: int, now: int) -> bool:
        """Whether a seat's player gave a sign of life a moment ago, and has not hung up since."""
        seen = self.seen.get(seat, 0)
        return now - seen < GONE_AFTER and seen > self.left.get(seat, 0)

    def away(self, now: int, here: Sequence[bool]) -> dict[int, int]:
        """For how long players have not been there; never longer than we have been looking."""
        since = max(self.opened, self.table.last_at if self.table.log else 0)
        return {seat: 0 if here[seat] else now - max(self.seen.get(seat, 0), since) for seat in range(len(here))}

    def note(self, guest: str | None, now: int) -> None:
        """A guest gave a sign of life."""
        for seat in self.table.held_by(guest):
            self.seen[seat] = now

    def see_who_is_here(self, now: int) -> None:
        """Who is connected, how many watch, who has been away too long; whoever was told otherwise is woken."""
        watching = sum(not self.table.held_by(watcher.guest) for watcher in self.watchers)
        here = self.here(now)
        self.presence = messages.Presence(here, watching)
        away = self.away(now, here)
        claimable = [seat for seat in away if commands.claimable(self.table, seat, away)]
        changed, self.claimable = claimable != self.claimable, claimable
        if changed:
            self.told.clear()
        for watcher in self.watchers:
            watcher.outdated |= changed
            if changed or watcher.presence != self.presence:
                watcher.news.set()

    def wake(self, now: int) -> None:
        """Something has changed: everybody looks again."""
        self.told.clear()
        self.see_who_is_here(now)
        for watcher in self.watchers:
            watcher.news.set()


class Rooms:
    """All tables that are in memory here."""

    def __init__(self, store: Store, ready: Callable[[str], bool], wake_computers: Callable[[], None]) -> None:
        self.store = store
        self.ready = ready
        self.wake_computers = wake_computers
        self.rooms: dict[str, Room] = {}
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.started = store.now()
        self.nobody_since: int | None = None  # when the last server died, until all clocks are forgiven that
        self.following: set[asyncio.Task[None]] = set()

    async def get(self, id: str) -> Room:
        """A table by its name."""
        room = self.rooms.get(id)
        if room is None:
            task = self.loading.get(id)
            if task is None:
                task = asyncio.create_task(self._load(id))
                self.loading[id] = task
                task.add_done_callback(lambda _: self.loading.pop(id, None))
            room = await asyncio.shield(task)
        room.used = time.monotonic()
        return room

    async def _load(self, id: str) -> Room:
        facts = await asyncio.to_thread(self.store.facts, id)
        if not facts or not isinstance(facts[0], log.Made):
            raise TableRefusal("unknown-table", "unknown-table")
        if not self.ready(facts[0].game):
            raise TableRefusal("not-ready", "compiling", game=facts[0].game)
        room = Room(await asyncio.to_thread(Table, id, facts), self.started)
        room.seen = (await asyncio.to_thread(self.store.last_seen, [id]))[id]
        await self._forgive(room)
        self.rooms[id] = room
        TABLES.set(len(self.rooms))
        await self.catch_up(room)  # no hint found the table here until now
        return room

    async def latest(self, id: str) -> Room:
        """A table by its name, with everything that other processes have stored."""
        room = await self.get(id)
        if self.store.shared:
            await self.catch_up(room)
        return room

    async def catch_up(self, room: Room, number: int | None = None) -> None:
        """Read what others have appended, unless all up to a number is known by now."""
        async with room.lock:
            if number is None or room.table.number < number:
                await self._catch_up(room)

    async def _catch_up(self, room: Room) -> None:
        table = room.table
        new = await asyncio.to_thread(self.store.facts, table.id, table.number)
        if new:
            room.table = table.after(new)
            room.wake(self.store.now())

    def hint(self, id: str, number: int) -> None:
        """Somebody says that a table has gone on."""
        room = self.rooms.get(id)
        if room is not None and room.table.number < number:
            self._follow(self.catch_up(room, number))

    def _follow(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.following.add(task)
        task.add_done_callback(self.following.discard)

    # Changing

    async def make(self, id: str, facts: list[log.Facts]) -> Room:
        """Store a new table."""
        table = await asyncio.to_thread(Table, id, facts)
        await asyncio.wrap_future(self.store.append(append_for(table, facts)))
        return self._take_in(table)

    def _take_in(self, table: Table) -> Room:
        """Have a table in memory that was just stored."""
        room = self.rooms[table.id] = Room(table, self.started)
        TABLES.set(len(self.rooms))
        if table.waits_for_computer:
            self.wake_computers()
            self._follow(self.catch_up(room))  # a quick one may have moved already, and its hint found no table here
        return room

    async def command(self, id: str, command: messages.Commands, who: Who, delay: int = 0) -> messages.Done:
        """Carry out a command; what is refused changes nothing."""
        received = self.store.now()
        kind = command.__struct_config__.tag
        try:
            # Who hangs up does not interrupt what is being stored.
            done = await asyncio.shield(asyncio.create_task(self._command(id, command, who, delay, received)))
        except Refusal as refusal:
            COMMANDS.labels(kind, code_of(refusal)).inc()
            raise
        COMMANDS.labels(kind, "done").inc()
        return done

    async def _command(
        self,
        id: str,
        command: messages.Commands,
        who: Who,
        delay: int,
        received: int,
    ) -> messages.Done:
        room = await self.get(id)
        digest = hashlib.sha256(messages.encode(command)).hexdigest()[:16]
        async with room.lock:
            claims = isinstance(command, messages.Claim)
            if claims and self.store.shared:
                room.seen |= (await asyncio.to_thread(self.store.last_seen, [id]))[id]
            room.note(who.guest, received)
            beaten = False
            for _ in range(TRIES):
                table = room.table
                known = table.done.get((who.guest, command.id))
                if known is not None:
                    if known[1] != digest:
                        raise TableRefusal("duplicate", "duplicate", id=command.id)
                    return messages.Done(command.id, known[0])
                away = room.away(received, room.here(received)) if claims else {}
                scene = Scene(who, max(received, table.last_at), delay, away)
                try:
                    verdict = commands.decide(table, command, scene)
                except TableRefusal as refusal:
                    if beaten and refusal.code == "stale":
                        raise TableRefusal("conflict", "conflict") from refusal
                    raise
                first = msgspec.structs.replace(verdict.facts[0], id=command.id, by=who.guest, digest=digest)
                number = table.number + 1
                if await self._store(room, with_(verdict, facts=[first, *verdict.facts[1:]])):
                    return messages.Done(command.id, number)
                beaten = True
                await self._catch_up(room)
        raise TableRefusal("overloaded", "overloaded")

    async def _store(self, room: Room, verdict: Verdict) -> bool:
        """Store what follows, then tell it; False if somebody else was quicker."""
        following = room.table.after(verdict.facts, verdict.position)
        append: Append = append_for(following, verdict.facts)
        other: Table | None = None
        if verdict.new_table is not None:
            new_id, new_facts = verdict.new_table
            other = Table(new_id, new_facts)
            append.with_table = append_for(other, new_facts)
        if not await asyncio.wrap_future(self.store.append(append)):
            return False
        room.table = following
        MOVES.inc(sum(isinstance(fact, log.Decided) for fact in verdict.facts))
        room.wake(self.store.now())
        if following.waits_for_computer:
            self.wake_computers()
        if other is not None:
            self._take_in(other)
        return True

    async def keep_time(self, id: str) -> None:
        """Append the time-out of a table whose running clock is down; if another process did, well."""
        room = await self.latest(id)
        async with room.lock:
            scene = Scene(Who("server"), max(self.store.now(), room.table.last_at))
            verdict = commands.time_out(room.table, scene)
            if verdict is not None and not await self._store(room, verdict):
                await self._catch_up(room)

    async def _forgive(self, room: Room) -> None:
        """Do not count, for a table's running clock, the time since the last server died."""
        table, now = room.table, self.store.now()
        if self.nobody_since is not None and table.last_at < self.started:
            paused = commands.pause(table, now - max(self.nobody_since, table.last_at), now)
            if paused and not await self._store(room, Verdict(paused)):
                await self._catch_up(room)

    # Looking

    def look(self, room: Room, guest: str | None, wanted: int | None) -> messages.Table:
        """The table as a guest sees it now."""
        room.see_who_is_here(self.store.now())
        return self._look(room, guest, wanted)

    def _look(self, room: Room, guest: str | None, wanted: int | None) -> messages.Table:
        return sight.look(room.table, guest, wanted, self.store.now(), room.presence.here, room.claimable)

    def news_for(self, room: Room, watcher: Watcher) -> bytes:
        """What a watcher has not been told yet, and the table as it sees it; the same for all who see the same."""
        table = room.table
        seat = sight.viewing_seat(table, watcher.guest, watcher.wanted)
        known = watcher.guest if table.held_by(watcher.guest) or table.made.by == watcher.guest else None
        key = (watcher.number, seat, known)
        found = room.told.get(key)
        if found is None:
            first = watcher.number + 1
            fresh = watcher.number < 0 or first > table.number + 1 or table.number - first >= MOST_EVENTS
            begin = max(0, table.number + 1 - MOST_EVENTS) if fresh else first
            events = [sight.event(table, number, seat) for number in range(begin, table.number + 1)]
            views = [] if fresh else sight.step_views(table, first, seat)
            news = messages.News(events, self._look(room, watcher.guest, watcher.wanted), fresh, views)
            found = room.told[key] = messages.encode(news)
        watcher.number, watcher.outdated = table.number, False
        return found

    def enter(self, room: Room, watcher: Watcher) -> None:
        """Somebody begins to look. Players are told at once who has come, of spectators only now and then."""
        room.watchers.add(watcher)
        if room.table.held_by(watcher.guest) or len(room.watchers) == 1:
            room.see_who_is_here(self.store.now())

    def go(self, room: Room, watcher: Watcher) -> None:
        """Somebody stops looking, to look again soon or not."""
        room.watchers.discard(watcher)
        room.used = time.monotonic()
        if room.table.held_by(watcher.guest):
            now = self.store.now()
            room.note(watcher.guest, now)
            room.see_who_is_here(now)

    def hang_up(self, room: Room, watcher: Watcher) -> None:
        """Somebody's connection has ended."""
        self.go(room, watcher)
        if held := room.table.held_by(watcher.guest):
            room.left |= {seat: room.seen[seat] for seat in held}
            room.see_who_is_here(self.store.now())

    def present(self) -> list[tuple[str, int]]:
        """The seats whose players are connected here."""
        return [
            (id, seat)
            for id, room in self.rooms.items()
            if room.watchers
            for watcher in room.watchers
            for seat in room.table.held_by(watcher.guest)
        ]

    async def refresh_presence(self) -> None:
        """Tell who has come or gone since; a few tables at a time, so that nobody's move waits for all of them."""
        for number, room in enumerate(list(self.rooms.values())):
            if room.watchers:
                room.see_who_is_here(self.store.now())
            if number % 20 == 0:
                await asyncio.sleep(0)

    def forget(self) -> None:
        """Let go of tables that nobody looks at."""
        limit = time.monotonic() - KEEP_SECONDS
        for id, room in list(self.rooms.items()):
            if not room.watchers and room.used < limit and not room.lock.locked():
                del self.rooms[id]
        TABLES.set(len(self.rooms))
