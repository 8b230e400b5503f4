"""The network: WebSockets, which keep the order of messages until they are cut, and single HTTP requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.simulation.world import World

if TYPE_CHECKING:
    from mchezo.server.transport.websocket import TableSocket
    from tests.simulation.clients import Client
    from tests.simulation.process import Process


class Network:
    """How slow and how unreliable the network is at present."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.slow_until = 0
        self.loss = self.duplication = 0.0  # probabilities for an HTTP request or its answer

    def latency(self) -> int:
        """Return how long a message takes."""
        if self.world.time < self.slow_until:
            return self.world.between(0.0, 3.0)
        return self.world.rng.randrange(500, 40_000)


class Link:
    """A connection between a client and a server process; what is under way when it is cut is lost."""

    def __init__(self, network: Network, client: Client, process: Process) -> None:
        self.network = network
        self.world = network.world
        self.client = client
        self.process = process
        self.alive = True  # as the owner of what is under way
        self.client_knows = self.server_knows = False  # that it is cut
        self.arrivals = [0, 0]  # of the last message to the server, to the client
        self.under_way = 0
        self.listener: TableSocket | None = None

    def _deliver(self, direction: int, function: Any, *arguments: Any) -> None:
        at = max(self.arrivals[direction], self.world.time + self.network.latency())
        self.arrivals[direction] = at
        self.under_way += 1

        def arrive() -> None:
            self.under_way -= 1
            function(*arguments)

        self.world.after(at - self.world.time, arrive, owner=self)

    def to_server(self, raw: bytes) -> None:
        """Send a message to the server."""
        self._deliver(0, self._arrive, raw)

    def to_client(self, raw: bytes) -> None:
        """Send a message to the client."""
        self._deliver(1, self.client.receive, self, raw)

    def _arrive(self, raw: bytes) -> None:
        if self.process.alive and self.listener is not None:
            self.client.oracle.on_arrival(self.client, raw)
            self.process.loop.call_soon(self.listener.received, raw)

    def _close(self) -> None:
        if self.process.alive and self.listener is not None:
            self.process.loop.call_soon(self.listener.closed)

    def cut(self) -> None:
        """Cut the connection; both ends notice some time later."""
        if not self.alive:
            return
        self.alive = False
        if self.under_way:
            self.world.faults["messages lost with their connection"] += self.under_way
        self.world.after(self.world.between(0.01, 1.0), self.client.disconnected, self)
        if self.process.alive:
            self.world.after(self.world.between(0.01, 4.0), self._close, owner=self.process)

    def close_later(self) -> None:
        """Close the connection once everything that was sent has arrived."""
        if self.alive:
            self._deliver(1, self.cut)


class Socket:
    """The server's end of a connection, in place of the protocol that reads and writes frames."""

    def __init__(self, link: Link, process: Process) -> None:
        self.link = link
        self.process = process
        self.full = False

    def send(self, payload: bytes) -> None:
        """Send a message; now and then the client is slow to read it."""
        world = self.link.world
        self.link.client.oracle.on_send(self.link.client, payload)
        if self.link.alive:
            self.link.to_client(payload)
        if world.chance(0.1):
            self.full = True
            self.process.loop.call_later(world.rng.random() * 0.02, self.drained)

    def drained(self) -> None:
        """Let the server send again."""
        self.full = False
        assert self.link.listener is not None
        self.link.listener.writable()

    def close(self, code: int) -> None:
        """Close the connection."""
        self.link.close_later()
