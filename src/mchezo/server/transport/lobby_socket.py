"""The lobby over a WebSocket: its state, whenever it changes. While it is open, its guest's seek stays."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import Any

from litestar.connection import ASGIConnection
from litestar.types import Scope

from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.core.words import LANGUAGES
from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.errors import TableError, error_message
from mchezo.server.metrics import SOCKETS
from mchezo.server.runtime.addresses import TrustedProxies
from mchezo.server.runtime.service import Service
from mchezo.server.transport.addresses import client_address, rewrite
from mchezo.server.transport.callers import preferred_language
from mchezo.server.transport.websocket import GOING_AWAY, INTERNAL_ERROR, POLICY_VIOLATION, Wire, as_user_error

LOG = logging.getLogger("mchezo.server")
PATH = "/api/lobby/live"
PLAYS = re.compile("[a-z]{1,20}(,[a-z]{1,20}){0,9}")


def listen_in_lobby(service: Service, proxies: TrustedProxies, wire: Wire, scope: Scope) -> LobbySocket | None:
    """Return the lobby's socket, about to open, if a request asks for it."""
    if scope["path"] != PATH:
        return None
    rewrite(scope, proxies)
    socket = LobbySocket(wire, service, ASGIConnection(scope))
    asyncio.get_running_loop().call_soon(socket.open)
    return socket


class Encoded:
    """The last state that was sent: most visitors are shown the same one."""

    def __init__(self) -> None:
        self.lobby: messages.Lobby | None = None
        self.data = b""

    def encode(self, lobby: messages.Lobby) -> bytes:
        """Return a state as it is sent."""
        if lobby is not self.lobby:
            self.lobby, self.data = lobby, messages.encode(lobby)
        return self.data


LATEST = Encoded()


class LobbySocket:
    """A client's WebSocket in the lobby."""

    who: Identity

    def __init__(self, wire: Wire, service: Service, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        self.wire = wire
        self.inbox: list[bytes] = []  # stays empty: clients have nothing to say here
        self.service = service
        self.connection = connection
        self.address = client_address(connection)
        self.plays: Sequence[str] = ()
        self.latest: messages.Lobby | None = None  # to be shown
        self.shown: messages.Lobby | None = None
        self.ended = False
        self.admitted = False
        self.task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Identify the client, or refuse it; then enter the lobby."""
        if self.ended:
            return
        headers = dict(self.connection.headers)
        try:
            self.admit(headers)
        except UserError as error:
            asked = self.connection.query_params.get("lang")
            language = asked if asked in LANGUAGES else preferred_language(headers)
            self.wire.send(messages.encode(error_message(error, language or "en")))
            self.close(POLICY_VIOLATION)
            return
        SOCKETS.inc()
        self.admitted = True
        self.task = asyncio.create_task(self.enter())

    def admit(self, headers: dict[str, str]) -> None:
        """Identify the client, or refuse it, and count the socket."""
        access = self.service.access
        access.check_host(headers)
        who = access.identify(headers, self.connection.cookies)
        if who is None:
            raise TableError("not-signed-in", "not-signed-in")
        access.check_origin(headers, self.connection.scope["scheme"])
        self.who = who
        access.limit("requests", who, self.address)
        if (games := self.connection.query_params.get("plays")) is not None and who.bot and not who.reads_only:
            known = registry.names()
            if not PLAYS.fullmatch(games) or any(game not in known for game in games.split(",")):
                raise TableError("unknown-game", "unknown-page")
            self.plays = games.split(",")
        access.open_socket(who, self.address)

    async def enter(self) -> None:
        """Enter the lobby."""
        try:
            await self.service.lobby.enter(self)
        except Exception as error:
            if as_user_error(error) is None:
                LOG.exception("a socket failed")
            self.close(INTERNAL_ERROR)

    def show(self, lobby: messages.Lobby) -> None:
        """Send the state of the lobby if it has changed; a slow client gets the latest one when it has read."""
        self.latest = lobby
        if self.ended:
            return
        if self.service.stopping.is_set():
            self.close(GOING_AWAY)
        elif not self.service.guests.is_admitted(self.who):
            self.close(POLICY_VIOLATION)
        elif not self.wire.full and lobby is not self.shown:
            changed, self.shown = lobby != self.shown, lobby
            if changed:
                self.wire.send(LATEST.encode(lobby))

    def writable(self) -> None:
        """Continue to send."""
        if self.latest is not None:
            self.show(self.latest)

    def received(self, data: bytes) -> None:
        """Refuse messages: seeks and challenges are requests over HTTP."""
        self.close(POLICY_VIOLATION)

    def close(self, code: int) -> None:
        """Close the connection."""
        self.wire.close(code)
        self.closed()

    def closed(self) -> None:
        """End: the connection is closed."""
        if self.ended:
            return
        self.ended = True
        if self.admitted:
            SOCKETS.dec()
            self.service.access.close_socket(self.who, self.address)
            self.service.lobby.leave(self)
