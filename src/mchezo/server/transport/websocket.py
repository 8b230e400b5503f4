"""A table over a WebSocket: news as they happen, commands answered in the order they came."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any, NamedTuple, Protocol

from litestar.connection import ASGIConnection
from litestar.types import Scope

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
from mchezo.server.runtime.addresses import TrustedProxies
from mchezo.server.runtime.latency import Latency
from mchezo.server.runtime.limits import LimitKind
from mchezo.server.runtime.service import Service
from mchezo.server.runtime.table_session import TableSession, Watcher
from mchezo.server.storage.failures import unavailable
from mchezo.server.transport.addresses import client_address, rewrite
from mchezo.server.transport.callers import preferred_language, require_writing, wanted_seat
from mchezo.server.transport.decoding import decoder

LOG = logging.getLogger("mchezo.server")
decode_message = decoder(messages.FromClient)
PING_EVERY = 15.0  # seconds
PATH = re.compile("/api/tables/([0-9A-Za-z]{1,40})/live")
AFTER = re.compile("-?[0-9]{1,10}")
WANTS = ("view", "facts")
SEAT = re.compile("[0-3]|none")
ID = re.compile(r'"id": ?"([^"\\]{1,64})"')
POLICY_VIOLATION, GOING_AWAY, INTERNAL_ERROR = 1008, 1001, 1011  # close codes


class Wire(Protocol):
    """What a socket is written to."""

    full: bool  # more waits to be sent than should

    def send(self, payload: bytes) -> None:
        """Send a text."""

    def close(self, code: int) -> None:
        """Close the connection."""


class Handshake(NamedTuple):
    """The request that opened a socket."""

    table: str
    headers: dict[str, str]
    cookies: dict[str, str]
    address: str
    scheme: str
    after: int = -1
    wanted: int | None = None
    language: str | None = None
    want: str = "view"  # or "facts"


def read_handshake(scope: Scope, proxies: TrustedProxies) -> Handshake | None:
    """Return a request for a table's socket; None if it is none."""
    rewrite(scope, proxies)
    path = PATH.fullmatch(scope["path"])
    connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
    query = connection.query_params
    after, seat = query.get("after", "-1"), query.get("seat")
    want = query.get("want", "view")
    if path is None or not AFTER.fullmatch(after) or (seat is not None and not SEAT.fullmatch(seat)):
        return None
    if want not in WANTS:
        return None
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    return Handshake(
        path[1],
        headers,
        dict(connection.cookies),
        client_address(connection),
        scope["scheme"],
        int(after),
        wanted_seat(seat),
        query.get("lang"),
        want,
    )


def listen_at_table(service: Service, proxies: TrustedProxies, wire: Wire, scope: Scope) -> TableSocket | None:
    """Return the socket that a request asks for, about to open; None if there is none at its address."""
    handshake = read_handshake(scope, proxies)
    if handshake is None:
        return None
    socket = TableSocket(wire, service, handshake)
    asyncio.get_running_loop().call_soon(socket.open)
    return socket


class TableSocket(Watcher):
    """A client's WebSocket at a table."""

    def __init__(self, wire: Wire, service: Service, handshake: Handshake) -> None:
        super().__init__(None, handshake.wanted, handshake.after)
        self.wants_facts = handshake.want == "facts"
        self.wire = wire
        self.service = service
        self.table = handshake.table
        self.address = handshake.address
        language = handshake.language
        self.language = language if language in LANGUAGES else preferred_language(handshake.headers)
        self.handshake: Handshake | None = handshake  # until the socket is open
        self.who: Identity | None = None
        self.session: TableSession | None = None
        self.latency = Latency()
        self.progress: messages.GameReady | None = None  # of the computer players, as it was sent last
        self.ping_due = True
        self.ping_timer: asyncio.TimerHandle | None = None
        self.inbox: list[bytes] = []
        self.busy = False  # a message is being carried out
        self.working = False  # messages are being taken from the inbox
        self.ended = False
        self.tasks: set[asyncio.Task[None]] = set()
        self.admitted = False  # and counted

    # Opening and closing

    def open(self) -> None:
        """Identify the client, or refuse it; then open the table."""
        if self.ended:
            return
        assert self.handshake is not None
        try:
            self.admit(self.handshake)
        except UserError as error:
            self.reject(error)
            return
        self.handshake = None
        self.admitted = True
        SOCKETS.inc()
        self.start(self.open_table())

    def admit(self, asked: Handshake) -> None:
        """Identify the client, or refuse it, and count the socket."""
        access = self.service.access
        access.check_host(asked.headers)
        self.who = access.identify(asked.headers, asked.cookies)
        self.guest = self.who.guest if self.who else None
        if self.who is not None or "origin" in asked.headers:
            access.check_origin(asked.headers, asked.scheme)
        self.limit("requests")
        access.open_socket(self.who, self.address)

    async def open_table(self) -> None:
        """Find the table, and begin to follow it; while its rules are being compiled, send the progress."""
        readiness, sessions = self.service.readiness, self.service.sessions
        step = asyncio.Event()
        readiness.waiting[step.set] = None
        try:
            while self.session is None:
                try:
                    session = await sessions.latest(self.table)
                    viewing_seat(session.table, self.guest, self.wanted)
                    sessions.watch(session, self)
                    self.session = session
                except TableError as error:
                    if error.code != "not-ready":
                        raise
                    self.send(messages.Compiling(readiness.games, readiness.players))
                    step.clear()
                    await step.wait()
        except Exception as error:
            self.fail(error)
            return
        finally:
            del readiness.waiting[step.set]
        readiness.waiting[self.wake] = None
        self.wake()
        self.work()

    def closed(self) -> None:
        """End: the connection is closed."""
        if self.ended:
            return
        self.ended = True
        self.inbox.clear()
        if self.ping_timer is not None:
            self.ping_timer.cancel()
        for task in self.tasks:
            task.cancel()
        if self.session is not None:
            self.service.sessions.disconnect(self.session, self)
            self.service.readiness.waiting.pop(self.wake, None)
        if self.admitted:
            SOCKETS.dec()
            self.service.access.close_socket(self.who, self.address)

    def close(self, code: int) -> None:
        """Close the connection."""
        self.wire.close(code)
        self.closed()

    def reject(self, error: UserError) -> None:
        """Send an error and close the connection."""
        self.refuse(error)
        self.close(POLICY_VIOLATION)

    def fail(self, error: Exception) -> None:
        """Close the connection after an error: the client's, or a bug of ours."""
        found = as_user_error(error)
        if found is not None:
            self.reject(found)
            return
        LOG.error("a socket failed", exc_info=error, extra={"table": self.table})
        self.close(INTERNAL_ERROR)

    # Sending

    def wake(self) -> None:
        """Send what is new. Backpressure: a slow client gets several changes in one message, and no queue grows."""
        session = self.session
        if session is None or self.ended or self.wire.full:
            return
        try:
            self.send_news(session)
        except Exception as error:
            self.fail(error)

    def writable(self) -> None:
        """Continue to send."""
        self.wake()

    def send_news(self, session: TableSession) -> None:
        """Send what has changed since it was sent last, or close the socket if its client may not see it."""
        service, readiness = self.service, self.service.readiness
        if service.stopping.is_set():
            self.close(GOING_AWAY)
            return
        if session.unreadable is not None:
            self.reject(session.unreadable)
            return
        if not service.guests.is_admitted(self.who):
            self.close(POLICY_VIOLATION)
            return
        if self.outdated or session.table.number > self.number:
            self.wire.send(service.sessions.news_for(session, self))
        players = readiness.players
        if self.progress != players and (self.progress or not players.ready) and computers_play(session.table):
            self.progress = players
            self.send(messages.Compiling(readiness.games, players))
        if session.presence is not self.presence and session.presence != self.presence:
            self.presence = session.presence
            self.send(session.presence)
        if self.said:
            said, self.said = self.said, []
            for one in said:
                self.send(one)
        if self.ping_due:
            self.ping_due = False
            self.send(messages.Ping(self.latency.ping(service.store.now())))
            self.ping_timer = asyncio.get_running_loop().call_later(PING_EVERY, self.request_ping)

    def request_ping(self) -> None:
        """Send a ping as soon as possible: its answer measures the latency."""
        self.ping_due = True
        self.wake()

    def refuse(self, error: UserError, id: str | None = None) -> None:
        """Send an error."""
        self.send(error_message(error, self.language, id))

    def send(self, message: messages.FromServer) -> None:
        """Send a message."""
        if not self.ended:
            self.wire.send(messages.encode(message))

    # Receiving

    def received(self, data: bytes) -> None:
        """Take a message; it is carried out after those that came before."""
        if not self.ended:
            self.inbox.append(data)
            self.work()

    def work(self) -> None:
        """Carry out messages until one has to be waited for."""
        if self.working or self.session is None:
            return
        self.working = True
        while self.inbox and not self.busy:
            self.obey(self.inbox.pop(0), self.session)
        self.working = False

    def obey(self, data: bytes, session: TableSession) -> None:
        """Carry out one message."""
        message: messages.FromClient | None = None
        try:
            self.service.access.limit("requests", self.who, self.address)
            message = decode_message(data)
            self.carry_out(message, session)
        except Exception as error:
            self.answer(error, find_id(data) if message is None else getattr(message, "id", None))

    def limit(self, kind: LimitKind) -> None:
        """Refuse a message that exceeds a rate limit."""
        self.service.access.limit(kind, self.who, self.address)

    def carry_out(self, message: messages.FromClient, session: TableSession) -> None:
        """Carry out one message; its answer may come later."""
        service = self.service
        if self.who is not None:
            service.guests.admit(self.who)
        if isinstance(message, messages.Pong):
            now = service.store.now()
            self.latency.pong(message.at, now)
            session.heartbeat(self.guest, now)
            return
        if isinstance(message, messages.Look):
            self.looking = message.looking
            return
        if self.who is None:
            raise TableError("not-signed-in", "not-signed-in")
        require_writing(self.who)
        if isinstance(message, messages.Try):
            self.busy = True
            asked = service.access.affordable(message, self.who, self.address)
            self.start(self.try_out(asked, session.table, service.access.payer(self.who, self.address)))
        elif isinstance(message, messages.HintRequest):
            self.limit("thinking")
            self.start(self.send_hint(message, session.table, service.access.payer(self.who, self.address)))
        elif isinstance(message, messages.Say):
            seat = acting_seat(session.table, self.who, message.seat)
            self.limit("phrases")
            self.start(self.say(messages.Said(seat, message.phrase)))
        elif isinstance(message, messages.Join):
            self.limit("creations")
            self.busy = True
            self.start(self.join(message, self.who))
        else:
            self.busy = True
            self.submit(message, self.who)

    def submit(self, message: messages.Commands, who: Identity) -> None:
        """Have a command carried out; its answer comes when it is stored or refused."""
        id = message.id
        self.service.sessions.submit(
            self.table, message, who, self.latency.milliseconds, lambda answer: self.finish(answer, id)
        )

    async def join(self, message: messages.Join, who: Identity) -> None:
        """Join, unless the name is somebody else's, or somebody at the table has blocked the player."""
        try:
            await self.service.require_free_names([message.name], who.guest)
            await self.service.require_welcome(self.table, who.guest)
        except Exception as error:
            self.finish(error, message.id)
        else:
            self.submit(message, who)

    def finish(self, answer: messages.FromServer | Exception, id: str) -> None:
        """Answer a message that was waited for, and continue with the next."""
        self.busy = False
        self.answer(answer, id)
        self.work()

    def answer(self, answer: messages.FromServer | Exception, id: str | None) -> None:
        """Send the answer to a message, or why it is refused."""
        if not isinstance(answer, Exception):
            self.send(answer)
        elif (error := as_user_error(answer)) is not None:
            self.refuse(error, id)
        else:
            self.fail(answer)

    async def try_out(self, asked: messages.Try, table: Table, payer: Payer) -> None:
        """Try moves out and send where they lead."""
        answer: messages.Tried | Exception
        try:
            answer = await self.service.trials.run(payer, 1, lambda: try_moves(table, payer.guest, asked))
        except Exception as error:
            answer = error
        self.finish(answer, asked.id)

    async def say(self, said: messages.Said) -> None:
        """Say a phrase to everybody at the table."""
        try:
            await self.service.say(self.table, said)
        except Exception as error:
            self.answer(error, None)

    async def send_hint(self, asked: messages.HintRequest, table: Table, payer: Payer) -> None:
        """Think about a hint and send it, while other messages are answered."""
        answer: messages.Hinted | Exception
        try:
            answer = await thinking.hint(self.service.thinking, table, payer, asked)
        except Exception as error:
            answer = error
        self.answer(answer, asked.id)

    def start(self, work: Any) -> None:
        """Do something that takes its time, until the socket is closed."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


def find_id(data: bytes) -> str | None:
    """Return the id of a message that was not decoded, so that the client knows what was refused."""
    found = ID.search(data[:1000].decode(errors="replace"))
    return found[1] if found else None


def as_user_error(error: Exception) -> UserError | None:
    """Return what to tell the client; None for a bug of ours."""
    return error if isinstance(error, UserError) else unavailable(error)


def computers_play(table: Table) -> bool:
    """Return whether the game is running and a computer plays in it."""
    return table.status == "running" and any(table.computer_level(seat) for seat in range(len(table.seats)))
