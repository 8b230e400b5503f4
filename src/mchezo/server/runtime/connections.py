"""Open connections: how many there may be, in all and per network, and how long each may keep the server waiting."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from mchezo.server import metrics
from mchezo.server.runtime.addresses import TrustedProxies, network_prefix

SWEEP_BATCH = 500  # connections checked before other work gets its turn


@dataclass(frozen=True)
class ConnectionLimits:
    """What a connection may cost."""

    total: int = 16_000  # open at the same time
    per_network: int = 1_000  # from one IPv4 /24 or IPv6 /56; proxies that are trusted have no limit of their own
    backlog: int = 2_048  # waiting to be accepted
    head_bytes: int = 32 * 1024  # request line and headers
    headers: int = 100
    parameters: int = 64  # in the address of a request; each takes a microsecond to read
    head_seconds: float = 10.0  # from the first byte, or from the connection, to the end of the headers
    keep_alive_seconds: int = 10  # between two requests
    body_seconds: float = 10.0  # a body arrives at `rate` or faster, measured over this time
    read_seconds: float = 20.0  # an answer is read at `rate` or faster, measured over this time
    rate: int = 1024  # bytes per second
    unread_body: int = 1024 * 1024  # bytes received after the answer to a request that nobody read
    pipelined: int = 16  # requests waiting for the answers to earlier ones
    messages: int = 256  # of a WebSocket, received and not yet carried out
    fragments: int = 64  # of one WebSocket message
    control_frames: int = 200  # pings and pongs of a WebSocket between two sweeps
    socket_buffer: int = 1024 * 1024  # bytes that a WebSocket's client has not read
    silent_seconds: float = 20.0  # after which a WebSocket is pinged, and closed if it stays silent as long again


class Connection(Protocol):
    """A connection, as it is limited."""

    def check(self, now: float) -> None:
        """Close it if its peer is too slow."""

    def drop(self, reason: str) -> None:
        """Close it at once."""


class Flushed(Protocol):
    """A connection that gathers what it sends."""

    def flush(self) -> None:
        """Write it."""


class OpenConnections:
    """The open connections of a server."""

    def __init__(
        self,
        limits: ConnectionLimits,
        proxies: TrustedProxies | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits
        self.proxies = proxies or TrustedProxies()
        self.now = now
        self.open: dict[Any, tuple[Connection, str]] = {}  # by transport, with the network it counts for
        self.networks: Counter[str] = Counter()
        self.waiting: dict[Connection, None] = {}  # for their next request, the longest waiting first
        self.unsent: list[Flushed] = []  # which have something to write in this iteration of the event loop

    def admit(self, transport: Any, connection: Connection, address: str) -> bool:
        """Count a new connection; return False if its network has too many.

        If there are too many in all, the connection that has waited longest for its next request makes room.
        """
        network = "" if address in self.proxies else network_prefix(address)
        if network and self.networks[network] >= self.limits.per_network:
            metrics.CONNECTIONS_CLOSED.labels("network").inc()
            return False
        if len(self.open) >= self.limits.total:
            if not self.waiting:
                metrics.CONNECTIONS_CLOSED.labels("total").inc()
                return False
            next(iter(self.waiting)).drop("total")
        self.open[transport] = connection, network
        self.networks[network] += 1
        self.wait(connection)
        metrics.CONNECTIONS.set(len(self.open))
        return True

    def wait(self, connection: Connection) -> None:
        """Note that a connection waits for its next request."""
        self.waiting.pop(connection, None)
        self.waiting[connection] = None

    def serve(self, connection: Connection) -> None:
        """Note that the headers of a request have arrived."""
        self.waiting.pop(connection, None)

    def replace(self, transport: Any, connection: Connection) -> None:
        """Let a connection continue under another protocol."""
        old, network = self.open[transport]
        self.waiting.pop(old, None)
        self.open[transport] = connection, network

    def release(self, transport: Any) -> None:
        """Stop counting a connection."""
        found = self.open.pop(transport, None)
        if found is None:
            return
        connection, network = found
        self.waiting.pop(connection, None)
        self.networks[network] -= 1
        if not self.networks[network]:
            del self.networks[network]
        metrics.CONNECTIONS.set(len(self.open))

    def flush_soon(self, connection: Flushed) -> None:
        """Have a connection write what it has gathered, at the end of this iteration of the event loop."""
        if not self.unsent:
            asyncio.get_running_loop().call_soon(self.flush)
        self.unsent.append(connection)

    def flush(self) -> None:
        """Write what all connections have gathered."""
        unsent, self.unsent = self.unsent, []
        for connection in unsent:
            connection.flush()

    async def sweep(self) -> None:
        """Close the connections whose peers are too slow."""
        for index, (connection, _) in enumerate(list(self.open.values())):
            if index % SWEEP_BATCH == SWEEP_BATCH - 1:
                await asyncio.sleep(0)
            connection.check(self.now())


class Drain:
    """Whether a peer reads what is sent to it."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.seconds = limits.read_seconds
        self.enough = limits.rate * limits.read_seconds
        self.since: float | None = None
        self.size = 0

    def progress(self) -> None:
        """Note that the peer has read a good part."""
        self.since = None

    def stalled(self, size: int, now: float) -> bool:
        """Return whether the peer is too slow, given how many bytes wait to be sent."""
        if not size:
            self.since = None
        elif self.since is None or size <= self.size - self.enough:
            self.since, self.size = now, size
        return self.since is not None and now - self.since > self.seconds
