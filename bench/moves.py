"""Processor time of a move in the server, by part: `python -m bench.moves [GAME...]`.

The server runs in this process: real connections over loopback, a real database file that is synced before anybody is
told. Every table has two players. In a round somebody moves at every table at once, so that tables share a commit as
they do under load. What the clients do is not counted. Times are processor time, not time on the clock; on a busy
machine compare only figures of one run.

The parts are measured in rounds of their own; what reading the clock costs is subtracted from them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import uvloop

from mchezo.server.domain import commands
from mchezo.server.domain.table import Table
from mchezo.server.run import Server, allow_many_sockets, listen, tune_interpreter, uvicorn_config
from mchezo.server.runtime import sessions, table_session
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.service import Service
from mchezo.server.storage import appending, writer
from mchezo.server.transport import frames, websocket
from tests.server.serving import UNLIMITED

GAMES = {"katarenga": {"variant": "congress"}, "kiwara": {}, "kitara": {}}
WANTS = ("facts", "view")
LONGEST = 1 << 20  # bytes read from a socket at once

# What belongs to a part, without the parts within it.
PARTS: dict[str, list[tuple[Any, str]]] = {
    "frames in": [(frames.WebSocketConnection, "data_received")],
    "decode, limits": [(websocket.TableSocket, "obey")],
    "command": [(sessions.Sessions, "submit"), (sessions.Sessions, "_attempted")],
    "decide": [(commands, "decide")],
    "apply": [(Table, "after")],
    "rows": [(appending, "append_for")],
    "commit": [(writer.Writer, "commit")],
    "wake": [(table_session.TableSession, "wake"), (websocket.TableSocket, "wake")],
    "project, encode": [(sessions.Sessions, "news_for")],
    "answer": [(websocket.TableSocket, "finish")],
    "frames out": [(frames.WebSocketConnection, "send")],
}


class Parts:
    """How long the parts took, each without the parts within it."""

    def __init__(self) -> None:
        self.spent: dict[str, int] = defaultdict(int)  # nanoseconds
        self.nested = threading.local()
        readings = [time.thread_time_ns() for _ in range(1_000)]
        self.reading = round(
            statistics.median(map(int.__sub__, readings[1:], readings))
        )  # what reading the clock costs

    def measured(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that also counts its time."""

        def call(*arguments: Any, **named: Any) -> Any:
            nested = self.nested.__dict__.setdefault("spent", [0])
            began = time.thread_time_ns()
            nested.append(0)
            try:
                return function(*arguments, **named)
            finally:
                took = time.thread_time_ns() - began
                self.spent[part] += took - self.reading - nested.pop()
                nested[-1] += took + self.reading

        return call

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Count."""
        replaced = [(owner, name, getattr(owner, name)) for places in PARTS.values() for owner, name in places]
        for part, places in PARTS.items():
            for owner, name in places:
                setattr(owner, name, self.measured(part, getattr(owner, name)))
        try:
            yield
        finally:
            for owner, name, function in replaced:
                setattr(owner, name, function)


class Match:
    """A table and the sockets of its two players."""

    def __init__(self, id: str, players: list[socket.socket]) -> None:
        self.id = id
        self.players = players


class Load:
    """The clients of a server in this process."""

    def __init__(self, service: Service, address: tuple[str, int]) -> None:
        self.service = service
        self.address = address
        self.random = random.Random(1)
        self.pending = 0
        self.all_answered = asyncio.Event()
        self.number = 0

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the answers to moves."""
        finish = websocket.TableSocket.finish

        def count(connection: websocket.TableSocket, answer: Any, id: str) -> None:
            finish(connection, answer, id)
            if isinstance(answer, Exception):
                raise answer
            self.pending -= 1
            if not self.pending:
                self.all_answered.set()

        websocket.TableSocket.finish = count  # type: ignore[method-assign, assignment]  # counted
        try:
            yield
        finally:
            websocket.TableSocket.finish = finish  # type: ignore[method-assign]  # as it was

    async def open(self, game: str, want: str, http: httpx.AsyncClient, tokens: list[str]) -> Match:
        """Make a table, and sit down at it."""

        async def post(path: str, body: Any, token: str) -> Any:
            answer = await http.post(path, json=body, headers={"Authorization": f"Bearer {token}"})
            answer.raise_for_status()
            return answer.json()

        seats = [{"kind": "you"}, {"kind": "open"}]
        asked = {"game": game, "options": GAMES[game], "seats": seats, "lot": False, "public": True}
        id = (await post("/api/tables", asked, tokens[0]))["id"]
        await post(f"/api/tables/{id}/commands", {"type": "join", "id": "join"}, tokens[1])
        return Match(id, [await self.connect(id, want, token) for token in tokens])

    async def connect(self, id: str, want: str, token: str) -> socket.socket:
        """Open a WebSocket, and read what comes first."""
        host, port = self.address
        client = socket.socket()
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(client, self.address)
        request = (
            f"GET /api/tables/{id}/live?want={want} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        )
        await loop.sock_sendall(client, request.encode())
        received = b""
        while b'"type":"ping"' not in received:  # the last of what comes first
            received += await loop.sock_recv(client, LONGEST)
        return client

    def move(self, match: Match) -> bool:
        """Send a random move; False if the game is over."""
        table = self.service.sessions.sessions[match.id].table
        seat, position = table.to_move, table.position
        if seat is None or position is None:
            return False
        action = self.random.choice(position.choices()[0])
        text = position.game.notation.write(action, position.states[0], position.setups[0])
        self.number += 1
        message = {"type": "move", "id": f"{self.number}", "decision": table.decision, "moves": [text]}
        match.players[seat].send(masked(json.dumps(message).encode()))
        return True

    def drain(self, match: Match) -> int:
        """Read what the players were sent; return how many bytes."""
        size = 0
        for client in match.players:
            with suppress(BlockingIOError):
                size += len(client.recv(LONGEST))
        return size


def masked(payload: bytes) -> bytes:
    """Return a client's frame; its mask is zero."""
    size = len(payload)
    head = bytes((0x81, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE, size >> 8, size & 255))
    return head + bytes(4) + payload


class Measured:
    """What the rounds of one load cost: nanoseconds of the event loop and of everything else, moves, bytes."""

    def __init__(self) -> None:
        self.loop: list[float] = []  # microseconds a move, by round
        self.others: list[float] = []
        self.moves = 0
        self.bytes = 0


async def play(load: Load, matches: list[Match], rounds: int) -> Measured:
    """Play rounds; games that are over are left out."""
    measured = Measured()
    for _ in range(rounds):
        load.all_answered.clear()
        load.pending = len(matches)
        matches = [match for match in matches if load.move(match)]
        load.pending = len(matches)
        if not matches:
            break
        process, thread = time.process_time_ns(), time.thread_time_ns()
        await load.all_answered.wait()
        for _ in range(3):  # until everything is written to the sockets
            await asyncio.sleep(0)
        own = time.thread_time_ns() - thread
        others = time.process_time_ns() - process - own
        measured.loop.append(own / 1000 / len(matches))
        measured.others.append(others / 1000 / len(matches))
        measured.moves += len(matches)
        measured.bytes += sum(map(load.drain, matches))
    return measured


async def measure(game: str, want: str, tables: int, rounds: int, folder: str) -> dict[str, float]:
    """Return the microseconds of a move: in all, and by part."""
    service = Service(Config(database=f"{folder}/{game}-{want}.sqlite", threads=0, limits=UNLIMITED))
    server = Server(uvicorn_config(service), service)
    listening = listen("127.0.0.1", 0)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    host, port = listening.getsockname()
    parts, load = Parts(), Load(service, (host, port))
    try:
        while not server.started or not service.readiness.games[game].ready:
            await asyncio.sleep(0.1)
        with load.counting():
            async with httpx.AsyncClient(base_url=f"http://{host}:{port}", timeout=60) as http:
                tokens = [(await http.post("/api/tokens", json={"name": name})).json()["token"] for name in ("a", "b")]
                first = [await load.open(game, want, http, tokens) for _ in range(tables)]
                with parts.installed():  # connections keep the functions that they began with
                    second = [await load.open(game, want, http, tokens) for _ in range(tables)]
            tune_interpreter()
            await play(load, first, 2)
            plain = await play(load, first, rounds)
            with parts.installed():
                await play(load, second, 2)
                parts.spent.clear()
                split = await play(load, second, rounds)
        loop, others = statistics.median(plain.loop), statistics.median(plain.others)
        found = {"move": loop + others, "event loop": loop, "other threads": others}
        found |= {part: parts.spent[part] / 1000 / split.moves for part in PARTS}
        found["the rest"] = found["move"] - sum(parts.spent.values()) / 1000 / split.moves
        return found | {"bytes sent": plain.bytes / plain.moves, "moves measured": plain.moves}
    finally:
        server.should_exit = True
        await serving


def main() -> None:
    """Measure the named games, or all, and print a table."""
    parser = argparse.ArgumentParser(description="Measure the processor time of a move in the server.")
    parser.add_argument("games", nargs="*", default=[*GAMES])
    parser.add_argument("--want", choices=WANTS)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=40)
    asked = parser.parse_args()
    allow_many_sockets()
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        for game in asked.games:
            for want in [asked.want] if asked.want else WANTS:
                with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                    found[f"{game}, {want}"] = runner.run(measure(game, want, asked.tables, asked.rounds, folder))
                print(game, want, file=sys.stderr, flush=True)
    print("| us of processor time a move | " + " | ".join(found) + " |\n|" + " --- |" * (len(found) + 1))
    for part in next(iter(found.values())):
        print(f"| {part} | " + " | ".join(f"{one[part]:,.0f}" for one in found.values()) + " |")


if __name__ == "__main__":
    main()
