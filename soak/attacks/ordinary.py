"""What honest players notice: a game of two, a game against a computer, and visitors who open a page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from .clients import HONEST, Guest, http, messages, unique

MOVES_A_SECOND = 5
PATIENCE = 45.0  # seconds an honest player waits
COMPILING = 300.0  # seconds until the computer players are compiled


@dataclass
class Waits:
    """Seconds that one kind of action took, and how often it failed."""

    seconds: list[float] = field(default_factory=list)
    failed: int = 0

    def quantile(self, share: float) -> float | None:
        """Return the wait that this share of actions did not exceed."""
        if not self.seconds:
            return None
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Follower:
    """A player's WebSocket: the newest table, and answers by their id."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.table: dict[str, Any] = {}
        self.changed = asyncio.Condition()
        self.answers: dict[str, dict[str, Any]] = {}
        self.task = asyncio.create_task(self.follow())

    async def follow(self) -> None:
        """Read until the connection ends."""
        with contextlib.suppress(WebSocketException, OSError):
            async for message in messages(self.connection):
                async with self.changed:
                    if message["type"] == "news" and message.get("table"):
                        self.table = message["table"]
                    elif "id" in message:
                        self.answers[message["id"]] = message
                    self.changed.notify_all()
        async with self.changed:
            self.changed.notify_all()

    async def until(self, condition: Any) -> None:
        """Wait for a condition on the table or the answers."""
        async with self.changed:
            await self.changed.wait_for(lambda: condition() or self.task.done())
        if not condition():
            raise RuntimeError("disconnected")

    def mine(self) -> bool:
        """Return whether the player has to move, or the game is over."""
        return bool(self.table.get("legal")) or self.over()

    def over(self) -> bool:
        """Return whether the game is over."""
        return self.table.get("status") == "over"

    async def move(self) -> None:
        """Play a random move; return when it is acknowledged."""
        id, decision = unique(), self.table["decision"]
        move = {"type": "move", "id": id, "decision": decision, "moves": [random.choice(self.table["legal"])]}
        await self.connection.send(json.dumps(move))
        await self.until(lambda: id in self.answers)
        if self.answers.pop(id)["type"] != "done":
            raise RuntimeError("move refused")

    async def after(self, decision: int) -> None:
        """Wait until the player has to answer a later decision."""
        await self.until(lambda: self.over() or (self.mine() and self.table["decision"] > decision))


class Ordinary:
    """Honest players, measured all the time."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.waits = {"move": Waits(), "computer": Waits(), "visit": Waits()}
        self.table = ""
        self.tasks: list[asyncio.Task[None]] = []
        self.stopping = False
        self.ended: list[str] = []
        self.playing_two, self.playing_computer = asyncio.Event(), asyncio.Event()

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Play until the block ends; then let pending actions finish."""
        games = (self.two(), self.against_computer(), self.visit())
        self.tasks = [asyncio.create_task(game) for game in games]
        for begun in (self.playing_two, self.playing_computer):  # computer players may have to be compiled first
            await asyncio.wait_for(begun.wait(), COMPILING)
        try:
            yield
        finally:
            self.stopping = True
            await asyncio.wait(self.tasks, timeout=PATIENCE + 5)
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)

    def forget(self) -> dict[str, Waits]:
        """Return the waits so far and begin new ones."""
        waits = self.waits
        self.waits = {kind: Waits() for kind in waits}
        return waits

    async def measure(self, kind: str, action: Awaitable[object]) -> None:
        """Measure one action when it ends; a failure counts as the wait until it."""
        began, failed = time.monotonic(), True
        try:
            await asyncio.wait_for(action, PATIENCE)
            failed = False
        finally:
            self.waits[kind].seconds.append(time.monotonic() - began)
            self.waits[kind].failed += failed

    async def retry(self, game: Any) -> None:
        """Play games one after the other; reconnect after failures."""
        while not self.stopping:
            try:
                await game()
            except Exception as failure:
                self.ended.append(f"{type(failure).__name__}: {failure}"[:200])
                await asyncio.sleep(0.5)

    async def two(self) -> None:
        """Two players move about five times a second."""

        async def game() -> None:
            white, black = [await Guest(self.url, HONEST).sign_in() for _ in range(2)]
            created = await white.create("katarenga", [{"kind": "you"}, {"kind": "open"}], public=True)
            table = created["id"]
            (await black.command(table, type="join", seat=1)).raise_for_status()
            async with white.live(table) as first, black.live(table) as second:
                players = [Follower(first), Follower(second)]
                for player in players:
                    await player.until(lambda player=player: player.table.get("status") == "running")
                self.table = table
                self.playing_two.set()
                decision = -1
                while not self.stopping:
                    ready = [asyncio.create_task(player.after(decision)) for player in players]
                    await asyncio.wait(ready, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
                    for task in ready:
                        task.cancel()
                    turn = next((player for player in players if player.table.get("legal")), None)
                    if turn is None or turn.over():
                        return
                    decision = turn.table["decision"]
                    began = time.monotonic()
                    await self.measure("move", turn.move())
                    await asyncio.sleep(max(0.0, 1 / MOVES_A_SECOND - (time.monotonic() - began)))

        await self.retry(game)

    async def against_computer(self) -> None:
        """One player against a computer of level 2; its answers are measured."""

        async def game() -> None:
            guest = await Guest(self.url, HONEST).sign_in()
            created = await guest.create("katarenga", [{"kind": "you"}, {"kind": "computer", "level": 2}])
            async with guest.live(created["id"]) as connection:
                player = Follower(connection)
                await self.measure("computer", player.until(player.mine))
                while not self.stopping and not player.over():
                    decision = player.table["decision"]
                    await player.move()
                    await self.measure("computer", player.after(decision))
                    self.playing_computer.set()
                    await asyncio.sleep(0.5)

        await self.retry(game)

    async def visit(self) -> None:
        """Visitors with new connections open the list of games and the start page."""
        while not self.stopping:

            async def look() -> None:
                async with http(self.url, HONEST) as client:
                    for path in ("/", "/api/games"):
                        answer = await client.get(path)
                        if answer.status_code != 200:
                            raise RuntimeError(f"{path}: {answer.status_code}")

            try:
                await self.measure("visit", look())
            except Exception as failure:
                self.ended.append(f"visit: {type(failure).__name__}: {failure}"[:200])
            await asyncio.sleep(0.5)
