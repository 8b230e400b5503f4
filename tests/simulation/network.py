"""The network: WebSockets, which keep the order of messages until they are cut, and single HTTP requests."""

from __future__ import annotations

import asyncio
from collections import deque
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from litestar.exceptions import WebSocketDisconnect

from tests.simulation.world import World

if TYPE_CHECKING:
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
        self.inbox: deque[dict[str, Any]] = deque()
        self.received: asyncio.Event | None = None

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
        self._deliver(0, self._arrive, {"type": "websocket.receive", "text": raw.decode()})

    def to_client(self, raw: bytes) -> None:
        """Send a message to the client."""
        self._deliver(1, self.client.receive, self, raw)

    def _arrive(self, message: dict[str, Any]) -> None:
        if self.process.alive:
            self.inbox.append(message)
            if self.received is not None:
                self.process.loop.call_soon(self.received.set)

    def cut(self) -> None:
        """Cut the connection; both ends notice some time later."""
        if not self.alive:
            return
        self.alive = False
        if self.under_way:
            self.world.faults["messages lost with their connection"] += self.under_way
        self.world.after(self.world.between(0.01, 1.0), self.client.disconnected, self)
        if self.process.alive:
            self.world.after(
                self.world.between(0.01, 4.0), self._arrive, {"type": "websocket.disconnect"}, owner=self.process
            )

    def close_later(self) -> None:
        """Close the connection once everything that was sent has arrived."""
        if self.alive:
            self._deliver(1, self.cut)


class Socket:
    """The server's end of a connection, as far as the server uses the web framework's class."""

    def __init__(self, link: Link, process: Process) -> None:
        self.link = link
        self.process = process
        self.scope = {"scheme": "ws"}
        self.headers = {"host": "localhost"}
        self.cookies: dict[str, str] = {}
        if link.client.token is not None:
            self.headers["authorization"] = f"Bearer {link.client.token}"
        self.client = SimpleNamespace(host="127.0.0.1", port=1)
        self.ended = False

    async def accept(self) -> None:
        """Complete the handshake."""

    async def send_data(self, data: str) -> None:
        """Send a message."""
        if self.ended:
            raise WebSocketDisconnect(detail="closed")
        world = self.link.world
        raw = data.encode()
        self.link.client.oracle.on_send(self.link.client, raw)
        if self.link.alive:
            self.link.to_client(raw)
        if world.chance(0.1):
            await asyncio.sleep(world.rng.random() * 0.02)  # backpressure

    async def receive(self) -> dict[str, Any]:
        """Return the next message of the client."""
        while not self.link.inbox:
            self.link.received = asyncio.Event()
            await self.link.received.wait()
        message = self.link.inbox.popleft()
        if message["type"] == "websocket.disconnect":
            self.ended = True
        else:
            self.link.client.oracle.on_arrival(self.link.client, message["text"].encode())
        return message

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Close the connection."""
        self.link.close_later()
