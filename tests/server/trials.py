"""Many games at once against servers that are killed: short in the tests, long in `make soak`."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

import mchezo
from tests.server.serving import Client, Process

PLAIN = "GZEL"  # animals after which the totem may move at once, as a rule


@dataclass
class Sent:
    """A message of moves that was answered."""

    number: int
    moves: list[str]


@dataclass
class Game:
    """One table and what its players know of it."""

    id: str
    tokens: list[str | None]  # of the players, by seat; None: a computer
    acknowledged: list[Sent] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    over: bool = False


@dataclass
class Course:
    """What happened in a trial."""

    games: list[Game]
    kills: int = 0
    moves: int = 0
    seconds: float = 0.0

    @property
    def acknowledged(self) -> int:
        return sum(len(game.acknowledged) for game in self.games)


def make_games(address: str, number: int, computers: int = 0, clock: int = 0) -> list[Game]:
    """Tables of Kiwara: two bots each, in some a bot and a computer, in some with clocks."""
    bots = [Client(address, f"bot {n}", bot=True) for n in range(2)]
    games = []
    for index in range(number):
        given: dict[str, Any] = {"clock": {"milliseconds": 600_000, "increment": 1_000}} if index < clock else {}
        if index < computers:
            seats = [{"kind": "computer", "level": 1}, {"kind": "you"}]
            games.append(Game(bots[1].make("kiwara", seats, **given)["id"], [None, bots[1].token]))
        else:
            table = bots[0].make("kiwara", **given)["id"]
            bots[1].do(table, "join")
            games.append(Game(table, [bots[0].token, bots[1].token]))
    return games


async def play(game: Game, seat: int, addresses: list[str], stop: asyncio.Event, pause: float) -> None:
    """One player, who comes back after every cut, perhaps to another process."""
    dice = random.Random(f"{game.id} {seat}")
    last, turn = -1, 0
    seen: dict[str, Any] = {}
    pending: dict[str, list[str]] = {}  # sent and not answered yet
    answered = -1  # the last decision that was answered
    while not stop.is_set() and not game.over:
        address = addresses[(seat + turn) % len(addresses)]
        turn += 1
        try:
            url = f"ws://{address}/api/tables/{game.id}/live?after={last}&seat={seat}"
            headers = {"Authorization": f"Bearer {game.tokens[seat]}"}
            async with connect(url, additional_headers=headers, max_size=2**24, ping_interval=None) as socket:
                while not stop.is_set() and not game.over:
                    message = json.loads(await asyncio.wait_for(socket.recv(), 20))
                    kind = message["type"]
                    if kind == "ping":
                        await socket.send(json.dumps({"type": "pong", "at": message["at"]}))
                    elif kind == "done":
                        game.acknowledged.append(Sent(message["number"], pending.pop(message["id"])))
                    elif kind == "refused":
                        pending.pop(message["id"])
                        if message["code"] == "illegal":
                            await send(socket, seen, [dice.choice(seen["legal"])], dice, pending)
                        else:
                            game.refusals.append(message["code"])
                    elif kind == "news":
                        numbers = [event["number"] for event in message["events"]]
                        assert message["fresh"] or numbers == list(range(last + 1, last + 1 + len(numbers)))
                        seen = message["table"]
                        last = seen["number"]
                        game.over = game.over or seen["status"] == "over"
                        if seen["legal"] and seen["decision"] != answered:
                            if pause:
                                await asyncio.sleep(pause * dice.random())
                            answered = seen["decision"]
                            await send(socket, seen, plan(seen, dice), dice, pending)
        except (OSError, WebSocketException, TimeoutError):
            # Whether a message without an answer was stored is seen after coming back; it is not sent again.
            pending.clear()
            answered = -1
            await asyncio.sleep(0.05)


def plan(table: dict[str, Any], dice: random.Random) -> list[str]:
    """A move, or two decisions in one message: place, and move the totem."""
    move = dice.choice(table["legal"])
    return [move, "+1"] if move[0] in PLAIN and len(move) == 3 else [move]


async def send(
    socket: Any, table: dict[str, Any], moves: list[str], dice: random.Random, pending: dict[str, list[str]]
) -> None:
    id = f"{dice.getrandbits(64):x}"
    pending[id] = moves
    await socket.send(json.dumps({"type": "move", "id": id, "decision": table["decision"], "moves": moves}))


async def run(
    database: str, games: int, kills: int, between: float, processes: int = 1, computers: int = 0, pause: float = 0.2
) -> Course:
    """Play many games at once while server processes are killed again and again."""
    began = time.monotonic()
    servers = [await asyncio.to_thread(Process, database) for _ in range(processes)]
    addresses = [server.address for server in servers]
    course = Course(await asyncio.to_thread(make_games, addresses[0], games, computers, games // 2))
    stop = asyncio.Event()
    players = [
        asyncio.create_task(play(game, seat, addresses, stop, pause))
        for game in course.games
        for seat, token in enumerate(game.tokens)
        if token
    ]
    try:
        for number in range(kills):
            await asyncio.sleep(between)
            victim = number % processes
            await asyncio.to_thread(servers[victim].kill)
            course.kills += 1
            servers[victim] = await asyncio.to_thread(Process, database, servers[victim].port)
        before = course.acknowledged
        # After the last kill everything goes on: every game is played to its end.
        await asyncio.wait_for(asyncio.gather(*players), 600)
        assert course.acknowledged > before or processes > 1 or not kills
        await asyncio.to_thread(check, course, addresses[-1])
    finally:
        stop.set()
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        for server in servers:
            server.kill() if kills else server.stop()
    course.seconds = time.monotonic() - began
    return course


def check(course: Course, address: str) -> None:
    """Nothing acknowledged is lost, nothing is doubled, nothing is half there; every game replays."""
    with httpx.Client(base_url=f"http://{address}", timeout=30) as http:
        for game in course.games:
            news = http.get(f"/api/tables/{game.id}/news", params={"after": -1}).json()
            events = news["events"]
            assert [event["number"] for event in events] == list(range(len(events)))
            assert news["table"]["status"] == "over"
            numbers = [sent.number for sent in game.acknowledged]
            assert len(set(numbers)) == len(numbers), "two messages were given one place"
            for sent in game.acknowledged:
                told = [event.get("move") for event in events[sent.number : sent.number + len(sent.moves)]]
                assert told == sent.moves, f"{game.id}: {sent} was answered, but the log has {told}"
            record = mchezo.Record.parse(http.get(f"/api/tables/{game.id}/record").text)
            assert record.verify() is not None
            course.moves += len(record.moves)
