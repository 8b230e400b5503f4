"""uvicorn's protocols with limits: a connection that never ends its headers, body or reading costs next to nothing.

uvicorn gives httptools whatever arrives. httptools joins the pieces of an unfinished header, which is quadratic, and
nothing ends a connection that is silent or slow.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

import httptools
import uvicorn
from litestar.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from mchezo.server import metrics
from mchezo.server.runtime.addresses import UNKNOWN
from mchezo.server.runtime.connections import Drain, OpenConnections
from mchezo.server.transport.frames import Listener, WebSocketConnection, accept_key, pieces, refusal
from mchezo.server.transport.homes import Homes, Passed

LIVE = re.compile("/api/tables/([0-9A-Za-z]{1,40})/live")  # the address of a table's WebSocket

# Returns what receives the messages of a WebSocket, given its request; None if there is nothing at its address.
Listen = Callable[[WebSocketConnection, Scope], Listener | None]


class LimitedConfig(uvicorn.Config):
    """uvicorn's settings, with the connections that the protocols count."""

    def __init__(
        self, app: Any, connections: OpenConnections, listen: Listen, homes: Homes | None = None, **settings: Any
    ) -> None:
        self.connections = connections
        self.listen = listen
        self.homes = homes  # the processes that share the port
        super().__init__(
            app,
            http=LimitedHttp,
            ws="none",  # ours
            backlog=connections.limits.backlog,
            timeout_keep_alive=connections.limits.keep_alive_seconds,
            **settings,
        )


class LimitedHttp(HttpToolsProtocol):
    """HTTP/1.1 with limits."""

    def __init__(self, config: uvicorn.Config, *arguments: Any, **named: Any) -> None:
        super().__init__(config, *arguments, **named)
        self.register = cast(LimitedConfig, config).connections
        self.limits = self.register.limits
        self.drain = Drain(self.limits)
        self.answering: RequestResponseCycle | None = None
        self.refused = False
        self.status = HTTPStatus.BAD_REQUEST  # of the answer if parsing fails
        self.head_since: float | None = None  # when the peer began to owe us the rest of the headers
        self.head_bytes = 0
        self.reading_body = False
        self.body_since = 0.0
        self.body_bytes = 0  # since then
        self.unread = 0  # bytes of a body, received after the answer

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Count the connection, or refuse it."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else UNKNOWN
        if not self.register.admit(transport, self, address):
            self.transport = transport
            self.refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        super().connection_made(transport)
        self.head_since = self.register.now()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting it."""
        self.register.release(self.transport)
        self.abandon()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what arrives, piece by piece, within the limits."""
        self._unset_keepalive_if_required()
        for piece in pieces(data):
            if self.refused or self.transport.is_closing():
                return
            if not self.reading_body:
                if self.head_since is None:
                    self.head_since = self.register.now()
                self.head_bytes += len(piece)
            try:
                self.parser.feed_data(piece)
            except httptools.HttpParserUpgrade:
                if self._should_upgrade():
                    self.upgrade()
                return
            except httptools.HttpParserError:
                self.refuse(self.status)
                return
            if self.head_bytes > self.limits.head_bytes:
                self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
                return

    def _should_upgrade(self) -> bool:
        """Return whether the request asks for a WebSocket; uvicorn asks this, too."""
        return bool(self._get_upgrade() == b"websocket")

    def upgrade(self) -> None:
        """Continue as a WebSocket, if there is one at this address."""
        config = cast(LimitedConfig, self.config)
        headers = dict(self.scope["headers"])
        accept = accept_key(headers.get(b"sec-websocket-key", b"").decode("latin-1"))
        if headers.get(b"sec-websocket-version") != b"13" or accept is None or self.scope["method"] != "GET":
            self.refuse(HTTPStatus.BAD_REQUEST)
            return
        self.register.serve(self)
        url = httptools.parse_url(self.url)
        path, query = (url.path or b"/").decode("latin-1"), url.query or b""
        scheme = "wss" if self.scheme == "https" else "ws"
        asked = {**self.scope, "path": path, "query_string": query, "type": "websocket", "scheme": scheme}
        if config.homes is not None and (table := LIVE.fullmatch(path)) is not None:
            request = Passed(path, query, asked["headers"], asked["client"], asked["server"], scheme, accept)
            if config.homes.pass_on(self.transport.get_extra_info("socket"), table[1], request):
                self.refused = True
                self.register.release(self.transport)
                self.transport.abort()  # this end of it
                return
        connection = WebSocketConnection(self.register, config.ws_max_size, cast(Any, self.connections))
        listener = config.listen(connection, cast(Scope, asked))
        if listener is None:
            self.refuse(HTTPStatus.NOT_FOUND)
            return
        self.connections.discard(self)
        connection.open(self.transport, accept, listener)
        self.parser = None  # type: ignore[assignment]  # which refers to us: nothing of HTTP is kept

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Answer a request, whose answer is the next to be sent; called by uvicorn."""
        self.answering = cycle
        super()._start_asgi_task(cycle, app)

    def abandon(self) -> None:
        """Send no more answers: of several requests at once, uvicorn only lets the last one know."""
        for cycle in (self.answering, *(cycle for cycle, _ in self.pipeline)):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        self.pipeline.clear()

    # The parser's callbacks

    def on_message_begin(self) -> None:
        """Begin a request."""
        if self.head_since is None:
            self.head_since = self.register.now()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header."""
        if len(self.headers) >= self.limits.headers:
            self.status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise ValueError("too many headers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start to answer."""
        if len(self.pipeline) >= self.limits.pipelined:
            self.status = HTTPStatus.TOO_MANY_REQUESTS
            raise ValueError("too many requests at once")
        if self.url.count(b"&") > self.limits.parameters:
            raise ValueError("too many parameters")
        self.head_since = None
        self.head_bytes = 0
        self.reading_body = True
        self.body_since = self.register.now()
        self.body_bytes = self.unread = 0
        self.register.serve(self)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body."""
        self.body_bytes += len(body)
        super().on_body(body)
        if self.cycle is not None and self.cycle.response_complete:
            self.unread += len(body)
            if self.unread > self.limits.unread_body:
                self.drop("unread-body")

    def on_message_complete(self) -> None:
        """Note the end of a body."""
        self.reading_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self.pipeline and self.transport in self.register.open:
            self.register.wait(self)

    # Slow peers

    def resume_writing(self) -> None:
        """Note that the peer has read."""
        self.drain.progress()
        super().resume_writing()

    def check(self, now: float) -> None:
        """Close the connection if its peer is too slow."""
        if self.drain.stalled(self.transport.get_write_buffer_size(), now):
            self.drop("slow-reader")
        elif self.transport.is_closing():
            return
        elif self.flow.read_paused:  # we make the peer wait
            self.body_since = now
            self.head_since = self.head_since and now
        elif self.head_since is not None:
            if now - self.head_since > self.limits.head_seconds:
                self.refuse(HTTPStatus.REQUEST_TIMEOUT)
        elif self.reading_body and now - self.body_since > self.limits.body_seconds:
            if self.body_bytes < self.limits.rate * self.limits.body_seconds:
                self.refuse(HTTPStatus.REQUEST_TIMEOUT)
            self.body_since, self.body_bytes = now, 0

    def drop(self, reason: str) -> None:
        """Close the connection at once."""
        metrics.CONNECTIONS_CLOSED.labels(reason).inc()
        self.refused = True
        self.register.release(self.transport)
        self.abandon()
        self.transport.abort()

    def refuse(self, status: HTTPStatus) -> None:
        """Answer briefly, if an answer is expected, and close the connection."""
        self.refused = True
        answering = self.cycle is not None and not self.cycle.response_complete and self.cycle.response_started
        if answering or self.pipeline:
            self.drop(str(status.value))
            return
        metrics.CONNECTIONS_CLOSED.labels(str(status.value)).inc()
        # A browser opens connections that it may need: closing them without a word is what it expects.
        unused = status is HTTPStatus.REQUEST_TIMEOUT and self.head_since is not None and not self.head_bytes
        if not unused:
            self.transport.write(refusal(status))
        self.transport.close()


class Adopted(asyncio.Protocol):
    """A connection that another process has passed on, until its WebSocket is open."""

    def __init__(self, config: LimitedConfig, connections: set[Any], request: Passed) -> None:
        self.config = config
        self.connections = connections
        self.request = request
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Continue as a WebSocket, within the limits."""
        self.transport = cast(asyncio.Transport, transport)
        register, request = self.config.connections, self.request
        address = request.client[0] if request.client else UNKNOWN
        if not register.admit(self.transport, self, address):
            self.transport.write(refusal(HTTPStatus.SERVICE_UNAVAILABLE))
            self.transport.close()
            return
        register.serve(self)
        connection = WebSocketConnection(register, self.config.ws_max_size, self.connections)
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": request.scheme,
            "client": request.client,
            "server": request.server,
            "root_path": self.config.root_path,
            "path": request.path,
            "raw_path": request.path.encode("latin-1"),
            "query_string": request.query,
            "headers": request.headers,
            "subprotocols": [],
            "state": {},
        }
        listener = self.config.listen(connection, cast(Scope, scope))
        if listener is None:
            self.drop("unknown")
            return
        connection.open(self.transport, request.accept, listener)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting it."""
        self.config.connections.release(self.transport)

    def check(self, now: float) -> None:
        """Do nothing: it is never waited for."""

    def drop(self, reason: str) -> None:
        """Close the connection at once."""
        metrics.CONNECTIONS_CLOSED.labels(reason).inc()
        self.config.connections.release(self.transport)
        self.transport.abort()


def adopt(config: LimitedConfig, connections: set[Any], passed: socket.socket, request: Passed) -> asyncio.Task[Any]:
    """Serve a connection that another process has passed on."""
    work = asyncio.get_running_loop().connect_accepted_socket(lambda: Adopted(config, connections, request), passed)
    return asyncio.ensure_future(work)
