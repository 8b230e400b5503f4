"""A table over a WebSocket: news as they happen, commands answered in the order they came."""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import AbstractContextManager, ExitStack
from typing import Any

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from mchezo.core.errors import UserError
from mchezo.core.words import LANGUAGES
from mchezo.server import messages
from mchezo.server.compute import thinking
from mchezo.server.domain.checks import acting_seat
from mchezo.server.domain.context import Identity
from mchezo.server.domain.payers import Payer
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError, error_message
from mchezo.server.metrics import SOCKETS
from mchezo.server.projection.trial import try_moves
from mchezo.server.projection.viewers import viewing_seat
from mchezo.server.runtime.limits import LimitKind
from mchezo.server.runtime.service import Service
from mchezo.server.runtime.table_session import TableSession, Watcher
from mchezo.server.storage.failures import unavailable
from mchezo.server.transport.addresses import client_address
from mchezo.server.transport.callers import preferred_language
from mchezo.server.transport.decoding import decode

LOG = logging.getLogger("mchezo.server")
PING_EVERY = 15.0  # seconds
ID = re.compile(r'"id": ?"([^"\\]{1,64})"')
POLICY_VIOLATION, GOING_AWAY, INTERNAL_ERROR = 1008, 1001, 1011  # close codes


class TableSocket:
    """A client's WebSocket at a table."""

    def __init__(
        self, socket: WebSocket[Any, Any, Any], service: Service, table: str, language: str | None = None
    ) -> None:
        self.socket = socket
        self.service = service
        self.table = table
        self.headers = dict(socket.headers)
        self.language = language if language in LANGUAGES else preferred_language(self.headers)
        self.address = client_address(socket)
        self.who: Identity | None = None
        self.hints: set[asyncio.Task[None]] = set()

    async def run(self, after: int, wanted: int | None) -> None:
        """Serve the socket from the handshake to the end."""
        await self.socket.accept()
        with ExitStack() as held:
            try:
                held.enter_context(self.admit())
            except UserError as error:
                await self.reject(error)
                return
            SOCKETS.inc()
            try:
                await self.follow_table(after, wanted)
            except (WebSocketDisconnect, OSError):
                pass  # the client has disconnected
            finally:
                SOCKETS.dec()
                for task in self.hints:
                    task.cancel()

    def admit(self) -> AbstractContextManager[None]:
        """Identify the client, or refuse it; return the context in which the socket is counted."""
        access = self.service.access
        access.check_host(self.headers)
        self.who = access.identify(self.headers, dict(self.socket.cookies))
        if self.who is not None or "origin" in self.headers:
            access.check_origin(self.headers, self.socket.scope["scheme"])
        self.limit("requests")
        return access.socket(self.who, self.address)

    def limit(self, kind: LimitKind) -> None:
        """Refuse a message that exceeds a rate limit."""
        self.service.access.limit(kind, self.who, self.address)

    async def follow_table(self, after: int, wanted: int | None) -> None:
        """Send news and receive messages until either side closes the socket."""
        watcher = Watcher(self.who.guest if self.who else None, wanted, after)
        try:
            session = await self.open_table()
            viewing_seat(session.table, watcher.guest, wanted)
            self.service.sessions.watch(session, watcher)
        except Exception as error:
            await self.reject(as_user_error(error))
            return
        sender = asyncio.create_task(self.send_news(session, watcher))
        pinger = asyncio.create_task(self.request_pings(watcher))
        try:
            await self.receive(session, watcher)
        finally:
            self.service.sessions.disconnect(session, watcher)
            pinger.cancel()
            sender.cancel()
            await asyncio.gather(sender, pinger, return_exceptions=True)

    async def open_table(self) -> TableSession:
        """Return the table; while its rules are being compiled, send the progress."""
        readiness = self.service.readiness
        progress = asyncio.Event()
        readiness.waiting.add(progress)
        try:
            while True:
                try:
                    return await self.service.sessions.latest(self.table)
                except TableError as error:
                    if error.code != "not-ready":
                        raise
                await self.send(messages.Compiling(readiness.games, readiness.players))
                progress.clear()
                await progress.wait()
        finally:
            readiness.waiting.discard(progress)

    async def send_news(self, session: TableSession, watcher: Watcher) -> None:
        """Send what is new. Backpressure: a slow client gets several changes in one message, and no queue grows."""
        sessions, readiness = self.service.sessions, self.service.readiness
        progress: messages.GameReady | None = None  # of the computer players, as it was sent last
        readiness.waiting.add(watcher.news)
        try:
            while True:
                watcher.news.clear()
                if self.service.stopping.is_set():
                    await self.socket.close(GOING_AWAY)
                    return
                if session.unreadable is not None:
                    await self.reject(session.unreadable)
                    return
                if not self.service.guests.is_admitted(self.who):
                    await self.socket.close(POLICY_VIOLATION)
                    return
                if watcher.outdated or session.table.number > watcher.number:
                    await self.socket.send_data(sessions.news_for(session, watcher).decode())
                players = readiness.players
                if progress != players and (progress or not players.ready) and computers_play(session.table):
                    progress = players
                    await self.send(messages.Compiling(readiness.games, players))
                if session.presence != watcher.presence:
                    watcher.presence = session.presence
                    await self.send(session.presence)
                while watcher.said:
                    await self.send(watcher.said.popleft())
                if watcher.ping:
                    watcher.ping = False
                    await self.send(messages.Ping(watcher.latency.ping(self.service.store.now())))
                await watcher.news.wait()
        except (WebSocketDisconnect, RuntimeError, OSError):
            return  # the client has disconnected; `receive` notices, too
        except Exception:
            LOG.exception("sending news failed", extra={"table": self.table})
            await self.socket.close(INTERNAL_ERROR)
        finally:
            readiness.waiting.discard(watcher.news)

    async def request_pings(self, watcher: Watcher) -> None:
        """Let a ping be sent periodically: its answer measures the latency."""
        while True:
            await asyncio.sleep(PING_EVERY)
            watcher.ping = True
            watcher.news.set()

    async def receive(self, session: TableSession, watcher: Watcher) -> None:
        """Carry out what the client sends."""
        while True:
            raw: Any = await self.socket.receive()
            if raw["type"] == "websocket.disconnect":
                return
            data = raw.get("text") or raw.get("bytes") or b""
            message: messages.FromClient | None = None
            try:
                self.limit("requests")
                decoded: messages.FromClient = decode(data, messages.FromClient)
                message = decoded
                await self.carry_out(decoded, session, watcher)
            except Exception as error:
                id = find_id(data) if message is None else getattr(message, "id", None)
                await self.refuse(as_user_error(error), id)

    async def carry_out(self, message: messages.FromClient, session: TableSession, watcher: Watcher) -> None:
        """Carry out one message and answer it."""
        now = self.service.store.now()
        if self.who is not None:
            self.service.guests.admit(self.who)
        if isinstance(message, messages.Pong):
            watcher.latency.pong(message.at, now)
            session.heartbeat(watcher.guest, now)
            return
        if self.who is None:
            raise TableError("not-signed-in", "not-signed-in")
        if isinstance(message, messages.Try):
            asked = self.service.access.affordable(message, self.who, self.address)
            payer, table = self.service.access.payer(self.who, self.address), session.table
            await self.send(await self.service.trials.run(payer, 1, lambda: try_moves(table, payer.guest, asked)))
        elif isinstance(message, messages.HintRequest):
            self.limit("thinking")
            payer = self.service.access.payer(self.who, self.address)
            task = asyncio.create_task(self.send_hint(message, session.table, payer))
            self.hints.add(task)
            task.add_done_callback(self.hints.discard)
        elif isinstance(message, messages.Say):
            seat = acting_seat(session.table, self.who, message.seat)
            self.limit("phrases")
            await self.service.say(self.table, messages.Said(seat, message.phrase))
        else:
            await self.send(
                await self.service.sessions.command(self.table, message, self.who, watcher.latency.milliseconds)
            )

    async def send_hint(self, asked: messages.HintRequest, table: Table, payer: Payer) -> None:
        """Think about a hint and send it, while other messages are answered."""
        try:
            await self.send(await thinking.hint(self.service.thinking, table, payer, asked))
        except UserError as error:
            await self.refuse(error, asked.id)

    async def reject(self, error: UserError) -> None:
        """Send an error and close the socket."""
        await self.refuse(error)
        await self.socket.close(POLICY_VIOLATION)

    async def refuse(self, error: UserError, id: str | None = None) -> None:
        """Send an error."""
        await self.send(error_message(error, self.language, id))

    async def send(self, message: messages.FromServer) -> None:
        """Send a message."""
        await self.socket.send_data(messages.encode(message).decode())


def find_id(data: bytes | str) -> str | None:
    """Return the id of a message that was not decoded, so that the client knows what was refused."""
    start = data[:1000]
    found = ID.search(start if isinstance(start, str) else start.decode(errors="replace"))
    return found[1] if found else None


def as_user_error(error: Exception) -> UserError:
    """Return what to tell the client; raise the error again if it is a bug of ours."""
    found = error if isinstance(error, UserError) else unavailable(error)
    if found is None:
        raise error
    return found


def computers_play(table: Table) -> bool:
    """Return whether the game is running and a computer plays in it."""
    return table.status == "running" and any(table.computer_level(seat) for seat in range(len(table.seats)))
