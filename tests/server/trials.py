"""Many games at once while servers are killed: short in the tests, long in `make soak`."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import astuple, dataclass, field
from typing import Any, Literal

import httpx
import sqlalchemy as sa
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

import mchezo
from mchezo.server.domain import log
from mchezo.server.domain.log import AnyFact, MovePlayed
from mchezo.server.storage.database import create_engine, normalize_url
from mchezo.server.storage.schema import FACTS
from tests.server.serving import PATIENCE, Client, Process

PLAIN = "GZEL"  # animals after which the totem may move at once, as a rule


@dataclass
class Sent:
    """A submission, and its answer if its sender got one; None: the connection was lost before."""

    seat: int
    moves: list[str]
    answer: int | Literal["refused"] | None = None  # the number it was stored at


@dataclass
class Game:
    """A table, and what its players know about it."""

    id: str
    tokens: list[str | None]  # of the players, by seat; None: a computer
    sent: dict[str, Sent] = field(default_factory=dict)  # by idempotency key, in the order they were sent
    over: bool = False


@dataclass
class Findings:
    """Counts of what is wrong with the stored games; the server promises that all are 0."""

    lost: int = 0  # submissions acknowledged, but not stored at their number
    partial: int = 0  # submissions stored in part
    duplicated: int = 0  # submissions stored twice, or events sent twice
    unexpected: int = 0  # submissions stored though they were refused, or never sent
    reordered: int = 0  # games with gaps in their numbers, or with a player's submissions out of order
    unverified: int = 0  # games that do not replay, or do not follow from their seed
    unfinished: int = 0  # games that were not played to their end

    def __add__(self, other: Findings) -> Findings:
        return Findings(*map(sum, zip(astuple(self), astuple(other), strict=True)))


@dataclass
class Course:
    """What happened in a trial."""

    games: list[Game]
    pause: float = 0.0  # seconds at most before a move
    kills: int = 0
    running_at_last_kill: int = 0
    moves: int = 0
    seconds: float = 0.0
    findings: Findings = field(default_factory=Findings)

    @property
    def acknowledged(self) -> int:
        return sum(isinstance(sent.answer, int) for game in self.games for sent in game.sent.values())


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


async def play(game: Game, seat: int, addresses: list[str], stop: asyncio.Event, course: Course) -> None:
    """Play one seat, reconnecting after every lost connection, perhaps to another process."""
    rng = random.Random(f"{game.id} {seat}")
    last, turn = -1, 0
    seen: dict[str, Any] = {}
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
                        game.sent[message["id"]].answer = message["number"]
                    elif kind == "refused":
                        game.sent[message["id"]].answer = "refused"
                        if message["code"] == "illegal":
                            await send(socket, game, seat, seen, [rng.choice(seen["legal"])])
                    elif kind == "news":
                        numbers = [event["number"] for event in message["events"]]
                        assert message["fresh"] or numbers == list(range(last + 1, last + 1 + len(numbers)))
                        seen = message["table"]
                        last = seen["number"]
                        game.over = game.over or seen["status"] == "over"
                        if seen["legal"] and seen["decision"] != answered:
                            if course.pause:
                                await asyncio.sleep(course.pause * rng.random())
                            answered = seen["decision"]
                            await send(socket, game, seat, seen, plan(seen, rng))
        except (OSError, WebSocketException, TimeoutError):
            # A submission without an answer is not repeated: the next news show whether it was stored.
            answered = -1
            await asyncio.sleep(0.05)


def plan(table: dict[str, Any], rng: random.Random) -> list[str]:
    """Return a move, or two decisions in one submission: place, and move the totem."""
    move = rng.choice(table["legal"])
    return [move, "+1"] if move[0] in PLAIN and len(move) == 3 else [move]


async def send(socket: Any, game: Game, seat: int, table: dict[str, Any], moves: list[str]) -> None:
    id = f"{seat}-{len(game.sent)}"
    game.sent[id] = Sent(seat, moves)
    await socket.send(json.dumps({"type": "move", "id": id, "decision": table["decision"], "moves": moves}))


async def run(
    database: str, games: int, kills: int, between: float, processes: int = 1, computers: int = 0, pause: float = 0.2
) -> Course:
    """Play many games at once while server processes are killed again and again."""
    began = time.monotonic()
    servers = [await asyncio.to_thread(Process, database) for _ in range(processes)]
    addresses = [server.address for server in servers]
    course = Course(await asyncio.to_thread(make_games, addresses[0], games, computers, games // 2), pause)
    stop, before = asyncio.Event(), 0
    players = [
        asyncio.create_task(play(game, seat, addresses, stop, course))
        for game in course.games
        for seat, token in enumerate(game.tokens)
        if token
    ]
    try:
        for number in range(kills):
            await asyncio.sleep(between)
            victim = number % processes
            course.running_at_last_kill = sum(not game.over for game in course.games)
            await asyncio.to_thread(servers[victim].kill)
            course.kills, before = course.kills + 1, course.acknowledged
            servers[victim] = await asyncio.to_thread(Process, database, servers[victim].port)
        course.pause = min(pause, 1.0)
        # After the last kill every game is played to its end.
        await asyncio.wait_for(asyncio.gather(*players), PATIENCE)
        assert course.acknowledged > before, "all games were over before the last kill"
        course.findings = await asyncio.to_thread(check, course, database, addresses[-1])
    finally:
        stop.set()
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        for server in servers:
            server.kill() if kills else server.stop()
    course.seconds = time.monotonic() - began
    return course


def check(course: Course, database: str, address: str) -> Findings:
    """Compare every game, as stored and as sent by a server, with what its players know."""
    found, course.moves = Findings(), 0
    engine = create_engine(sa.make_url(normalize_url(database)))
    with engine.connect() as connection, httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as http:
        for game in course.games:
            stored = sa.select(FACTS.c.number, FACTS.c.fact).where(FACTS.c.table_id == game.id)
            facts = {number: log.decode(fact) for number, fact in connection.execute(stored.order_by(FACTS.c.number))}
            news = http.get(f"/api/tables/{game.id}/news", params={"after": -1}).json()
            record = http.get(f"/api/tables/{game.id}/record").text
            found += find(game.sent, facts, [event["number"] for event in news["events"]], record)
            found.unfinished += news["table"]["status"] != "over"
            course.moves += len(mchezo.Record.parse(record).moves)
    engine.dispose()
    return found


def find(sent: dict[str, Sent], facts: dict[int, AnyFact], numbers: list[int], record: str) -> Findings:
    """Return what is wrong with one game, from what was sent, the stored facts, the events' numbers and the record."""
    found = Findings()
    stored: dict[str, list[tuple[int, list[str]]]] = {}  # id -> number and moves of every copy
    for number, fact in facts.items():
        if isinstance(fact, MovePlayed) and fact.id is not None:
            stored.setdefault(fact.id, []).append((number, submission_at(facts, number)))
    for id, message in sent.items():
        there = stored.get(id, [])
        found.lost += isinstance(message.answer, int) and message.answer not in [number for number, _ in there]
        found.partial += any(moves != message.moves for _, moves in there)
        found.duplicated += max(0, len(there) - 1)
        found.unexpected += bool(there) and message.answer == "refused"
    found.unexpected += len(stored.keys() - sent.keys())
    found.duplicated += len(numbers) - len(set(numbers))
    for seat in {message.seat for message in sent.values()}:
        places = [
            message.answer for message in sent.values() if message.seat == seat and isinstance(message.answer, int)
        ]
        found.reordered += places != sorted(places)
    found.reordered += list(facts) != list(range(len(facts))) or sorted(set(numbers)) != list(facts)
    try:
        found.unverified += mchezo.Record.parse(record).verify() is None
    except mchezo.UserError:
        found.unverified += 1
    return found


def submission_at(facts: dict[int, AnyFact], number: int) -> list[str]:
    """Return the moves of the submission that begins at a number."""
    moves: list[str] = []
    while isinstance(fact := facts.get(number), MovePlayed) and (fact.first or moves) and not (fact.first and moves):
        moves.append(fact.move)
        number += 1
    return moves
