"""Clients that choose the address they come from."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

HONEST = "127.0.1.1"
names = itertools.count()


def http(url: str, source: str, **options: Any) -> httpx.AsyncClient:
    """Return an HTTP client whose connections come from `source`."""
    limits = httpx.Limits(max_connections=500, max_keepalive_connections=100)
    transport = httpx.AsyncHTTPTransport(local_address=source, limits=limits)
    return httpx.AsyncClient(
        **{"base_url": url, "transport": transport, "trust_env": False, "timeout": 60.0, **options}
    )


class Guest:
    """A bot with a token of its own."""

    def __init__(self, url: str, source: str, client: httpx.AsyncClient | None = None) -> None:
        self.url, self.source = url, source
        self.http = client or http(url, source)
        self.headers: dict[str, str] = {}

    async def sign_in(self) -> Guest:
        """Get a token."""
        answer = await self.http.post("/api/tokens", json={"name": f"bot {next(names)}"})
        answer.raise_for_status()
        self.headers["Authorization"] = f"Bearer {answer.json()['token']}"
        return self

    async def get(self, path: str, **options: Any) -> httpx.Response:
        """Send a GET request."""
        return await self.http.get(path, headers=self.headers, **options)

    async def post(self, path: str, body: Any, **options: Any) -> httpx.Response:
        """Send a POST request with a JSON body."""
        return await self.http.post(path, json=body, headers=self.headers, **options)

    async def create(self, game: str, seats: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
        """Create a table; return the answer."""
        answer = await self.post("/api/tables", {"game": game, "seats": seats, "lot": False, **options})
        answer.raise_for_status()
        table: dict[str, Any] = answer.json()
        return table

    async def command(self, table: str, **what: Any) -> httpx.Response:
        """Send a command to a table."""
        return await self.post(f"/api/tables/{table}/commands", {"id": unique(), **what})

    @contextlib.asynccontextmanager
    async def live(self, table: str, **options: Any) -> AsyncIterator[ClientConnection]:
        """Open a WebSocket to a table."""
        address = f"{self.url.replace('http', 'ws')}/api/tables/{table}/live"
        options = {"local_addr": (self.source, 0), "proxy": None, "open_timeout": 30, "close_timeout": 1, **options}
        async with connect(address, additional_headers=self.headers, max_size=None, **options) as connection:
            yield connection


def unique() -> str:
    """Return a new idempotency key."""
    return f"{random.getrandbits(64):x}"


async def messages(connection: ClientConnection) -> AsyncIterator[dict[str, Any]]:
    """Yield what a table sends; answer its pings."""
    async for text in connection:
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "ping":
            await connection.send(json.dumps({"type": "pong", "at": message["at"]}))
        else:
            yield message


class Raw:
    """A bare connection, to write what no client library would."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, source: str, receive: int | None = None) -> Raw:
        """Connect; `receive` sets the size of the receive buffer in bytes."""
        plain = socket.socket()
        plain.setblocking(False)
        if receive is not None:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        plain.bind((source, 0))
        await asyncio.wait_for(asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port)), 10)
        limit = 1 << 16 if receive is None else max(receive, 1024)
        return cls(*await asyncio.open_connection(sock=plain, limit=limit))

    async def send(self, data: bytes, seconds: float = 10.0) -> bool:
        """Write; return whether the server took it."""
        try:
            self.writer.write(data)
            await asyncio.wait_for(self.writer.drain(), seconds)
        except (OSError, TimeoutError):
            return False
        return not self.writer.is_closing() and not self.reader.at_eof()

    async def receive(self, size: int = 65_536, seconds: float = 10.0) -> bytes:
        """Read what there is; empty if the server closed or sent nothing."""
        try:
            return await asyncio.wait_for(self.reader.read(size), seconds)
        except (OSError, TimeoutError):
            return b""

    async def closed(self) -> bool:
        """Return whether the server hung up; what it sent before is read and dropped."""
        await self.receive(seconds=0.001)
        return self.reader.at_eof() or self.reader.exception() is not None or self.writer.is_closing()

    def close(self) -> None:
        """Close."""
        with contextlib.suppress(OSError, RuntimeError):
            self.writer.transport.abort()


def sources(count: int) -> Iterator[str]:
    """Yield addresses of one attacker, all in the prefix 127.0.2.0/24."""
    for number in range(count):
        yield f"127.0.2.{1 + number % 250}"


def status_counts(statuses: list[int]) -> str:
    """Return how often each status was answered, as text."""
    return ", ".join(f"{statuses.count(code)} x {code}" for code in sorted(set(statuses)))


async def count_open(connections: list[Raw]) -> int:
    """Return how many connections the server has not closed."""
    return sum([not await raw.closed() for raw in connections])
