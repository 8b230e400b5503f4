"""A table live, by WebSocket: news as they happen, commands answered in the order they came."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from mchezo.core.errors import Refusal
from mchezo.core.words import LANGUAGES
from mchezo.server import messages, sight
from mchezo.server.commands import Who
from mchezo.server.measures import SOCKETS
from mchezo.server.refusals import TableRefusal, refused
from mchezo.server.rooms import Room, Watcher
from mchezo.server.service import Service, language_of
from mchezo.server.table import Table
from mchezo.server.thinking import hint

LOG = logging.getLogger("mchezo.server")
PING_EVERY = 15.0  # seconds
MOST_DELAY = 5_000  # milliseconds; a connection is not believed to be slower
POLICY = 1008  # close code: refused
GOING_AWAY = 1001
read = msgspec.json.Decoder(messages.FromClient).decode


class Live:
    """One socket."""

    def __init__(
        self, socket: WebSocket[Any, Any, Any], service: Service, table: str, language: str | None = None
    ) -> None:
        self.socket = socket
        self.service = service
        self.table = table
        self.headers = dict(socket.headers)
        self.language = language if language in LANGUAGES else language_of(self.headers)
        self.address = socket.client.host if socket.client else "-"
        self.who: Who | None = None
        self.hinting: set[asyncio.Task[None]] = set()

    async def run(self, after: int, wanted: int | None) -> None:
        """From the first message to the last."""
        await self.socket.accept()
        try:
            self.enter()
        except Refusal as refusal:
            await self.refuse(refusal)
            await self.socket.close(POLICY)
            return
        key = self.who.guest if self.who else self.address
        self.service.sockets[key] = self.service.sockets.get(key, 0) + 1
        SOCKETS.inc()
        try:
            await self.stay(after, wanted)
        except (WebSocketDisconnect, OSError):
            pass  # the other side has gone
        finally:
            SOCKETS.dec()
            self.service.sockets[key] -= 1
            if not self.service.sockets[key]:
                del self.service.sockets[key]
            for task in self.hinting:
                task.cancel()

    def enter(self) -> None:
        """Refuse who may not come in."""
        service = self.service
        service.check_host(self.headers)
        self.who = service.who(self.headers, dict(self.socket.cookies))
        if self.who is not None or "origin" in self.headers:
            service.check_origin(self.headers)
        service.limit(service.asking, self.who, self.address)
        limits = service.config.limits
        mine = service.sockets.get(self.who.guest if self.who else self.address, 0)
        if mine >= limits.sockets or sum(service.sockets.values()) >= limits.all_sockets:
            raise TableRefusal("too-often", "too-many-sockets")

    async def stay(self, after: int, wanted: int | None) -> None:
        """Tell and listen until one side goes."""
        room = await self.open_table()
        if room is None:
            return
        watcher = Watcher(self.who.guest if self.who else None, wanted, after)
        try:
            sight.viewing_seat(room.table, watcher.guest, wanted)
        except Refusal as refusal:
            await self.refuse(refusal)
            await self.socket.close(POLICY)
            return
        self.service.rooms.enter(room, watcher)
        teller = asyncio.create_task(self.tell(room, watcher))
        pinger = asyncio.create_task(self.ping(watcher))
        try:
            await self.listen(room, watcher)
        finally:
            self.service.rooms.hang_up(room, watcher)
            pinger.cancel()
            teller.cancel()
            await asyncio.gather(teller, pinger, return_exceptions=True)

    async def open_table(self) -> Room | None:
        """The table; while its rules are compiled, how far they are."""
        readiness = self.service.readiness
        event = asyncio.Event()
        readiness.waiting.add(event)
        try:
            while True:
                try:
                    return await self.service.rooms.latest(self.table)
                except Refusal as refusal:
                    if not isinstance(refusal, TableRefusal) or refusal.code != "not-ready":
                        await self.refuse(refusal)
                        await self.socket.close(POLICY)
                        return None
                await self.send(messages.Compiling(readiness.games, readiness.players))
                event.clear()
                await event.wait()
        finally:
            readiness.waiting.discard(event)

    async def tell(self, room: Room, watcher: Watcher) -> None:
        """Send what is new; who is slow gets several things at once, and nothing piles up."""
        rooms, readiness = self.service.rooms, self.service.readiness
        told = None  # of how far the computer players are
        readiness.waiting.add(watcher.news)
        try:
            while True:
                watcher.news.clear()
                if self.service.stopping.is_set():
                    await self.socket.close(GOING_AWAY)
                    return
                if watcher.outdated or room.table.number > watcher.number:
                    await self.socket.send_data(rooms.news_for(room, watcher).decode())
                if told != readiness.players and (told or not readiness.players.ready) and needs_computers(room.table):
                    told = readiness.players
                    await self.send(messages.Compiling(readiness.games, told))
                if room.presence != watcher.presence:
                    watcher.presence = room.presence
                    await self.send(room.presence)
                if watcher.ping:
                    watcher.ping = False
                    await self.send(messages.Ping(self.service.store.now()))
                await watcher.news.wait()
        except (WebSocketDisconnect, RuntimeError, OSError):
            return  # the other side has gone; whoever listens finds out, too
        except Exception:
            LOG.exception("telling failed", extra={"table": self.table})
            await self.socket.close(1011)
        finally:
            readiness.waiting.discard(watcher.news)

    async def ping(self, watcher: Watcher) -> None:
        """Let a ping be sent again and again: its answer tells how long the connection takes."""
        while True:
            await asyncio.sleep(PING_EVERY)
            watcher.ping = True
            watcher.news.set()

    async def listen(self, room: Room, watcher: Watcher) -> None:
        """Carry out what the client sends."""
        while True:
            raw: Any = await self.socket.receive()
            if raw["type"] == "websocket.disconnect":
                return
            data = raw.get("text") or raw.get("bytes") or b""
            asked: messages.FromClient | None = None
            try:
                self.service.limit(self.service.asking, self.who, self.address)
                asked = read(data)
                await self.obey(asked, room, watcher)
            except msgspec.DecodeError as error:  # of which ValidationError is one
                await self.refuse(TableRefusal("bad-request", "bad-request", reason=str(error)))
            except Refusal as refusal:
                await self.refuse(refusal, getattr(asked, "id", None))

    async def obey(self, asked: messages.FromClient, room: Room, watcher: Watcher) -> None:
        """One message."""
        now = self.service.store.now()
        if isinstance(asked, messages.Pong):
            watcher.delay = max(0, min(MOST_DELAY, now - asked.at))
            room.note(watcher.guest, now)
            return
        if self.who is None:
            raise TableRefusal("not-signed-in", "not-signed-in")
        if isinstance(asked, messages.Try):
            await self.send(sight.try_moves(room.table, self.who.guest, asked))
        elif isinstance(asked, messages.Hint):
            self.service.limit(self.service.thinking, self.who, self.address)
            task = asyncio.create_task(self.hint(asked, room))
            self.hinting.add(task)
            task.add_done_callback(self.hinting.discard)
        else:
            await self.send(await self.service.rooms.command(self.table, asked, self.who, watcher.delay))

    async def hint(self, asked: messages.Hint, room: Room) -> None:
        """A hint takes a while; other messages go on meanwhile."""
        assert self.who is not None
        try:
            await self.send(await hint(self.service, room, self.who.guest, asked))
        except Refusal as refusal:
            await self.refuse(refusal, asked.id)

    async def refuse(self, refusal: Refusal, id: str | None = None) -> None:
        """Say why not."""
        await self.send(refused(refusal, self.language, id))

    async def send(self, message: messages.FromServer) -> None:
        """One message."""
        await self.socket.send_data(messages.encode(message).decode())


def needs_computers(table: Table) -> bool:
    """Whether a computer has something to play there."""
    return table.status == "running" and any(table.plays_itself(seat) for seat in range(len(table.seats)))
