"""The bridge from an engine to a server: it joins tables as a bot, and plays what the engine decides.

It uses the public API (docs/api.md) and nothing else. Each table has a thread and an engine of its own. A lost
connection is opened again; a move has an id that follows from its decision, so that it is played once however often it
is sent.
"""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from mchezo.core.errors import UserError
from mchezo.core.record import Record
from mchezo.protocol.client import EngineError, EngineGames, Question
from mchezo.protocol.lines import WORDS, Go

LINK = re.compile(r"(?:.*/)?(?:t/)?(?P<table>[0-9A-Za-z]{12})/?|.*/join/(?P<open>[0-9A-Za-z]{12})/(?P<key>[^/]+)/?")
TIMEOUT = 60.0  # seconds for a request
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0  # seconds before the connection is opened again
LONGEST_MESSAGE = 16 << 20
CLOCK_RESERVE = 300  # milliseconds for the way to the server and back
ATTEMPTS = 2  # engines that are started for one decision before the bot gives up


class ServerError(UserError):
    """The server refused a request; `code` is its reason, as in docs/api.md."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__("server-refused", WORDS, reason=reason)
        self.code = code


class Unreachable(Exception):
    """The server does not answer; it may later."""


@dataclass(frozen=True)
class Plan:
    """What the bot plays with, and how."""

    server: str
    token: str
    command: str
    options: Mapping[str, str] = field(default_factory=dict)
    nodes: int | None = None
    seconds: float | None = None
    say: Callable[..., None] = lambda key, **values: None  # progress, as a key of the words and its values


def request(server: str, path: str, token: str | None = None, body: Any = None) -> bytes:
    """Send a request and return the answer; `body` makes it a POST."""
    headers = {"Content-Type": "application/json"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(server.rstrip("/") + path, data, headers)
    try:
        with urllib.request.urlopen(asked, timeout=TIMEOUT) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        if error.code >= 500:
            raise Unreachable(str(error)) from error
        raise server_error(error.read(), str(error)) from error
    except OSError as error:
        raise Unreachable(str(error)) from error


def server_error(answer: bytes, otherwise: str) -> ServerError:
    """Return why the server refused."""
    try:
        refused = json.loads(answer)
        return ServerError(str(refused["code"]), str(refused["words"]))
    except (ValueError, KeyError, TypeError):
        return ServerError("", otherwise)


def new_token(server: str, name: str) -> str:
    """Create a token for a bot of this name."""
    try:
        return str(json.loads(request(server, "/api/tokens", body={"name": name}))["token"])
    except Unreachable as error:
        raise UserError("server-unreachable", WORDS, server=server, reason=error) from error


def read_link(text: str) -> tuple[str, str | None]:
    """Return the table of a link, and the key of its seat if it is an invitation."""
    match = LINK.fullmatch(text.partition("?")[0])
    if match is None:
        raise UserError("not-a-table", WORDS, given=text)
    return match["table"] or match["open"], match["key"]


def run(plan: Plan, links: list[str], parallel: int, stopped: threading.Event, *, challenges: bool = False) -> bool:
    """Join these tables, play them and all others of the bot to their ends; return whether no game was given up.

    With `challenges` the bot then waits in the lobby and plays whoever challenges it, until it is stopped. `stopped`
    makes it leave its tables, to which it can come back.
    """
    from mchezo.protocol.challenges import wait_for_challenges  # it plays by this module

    tables = [read_link(link) for link in links]
    probe = EngineGames(plan.command, plan.options)
    probe.close()
    try:
        own = json.loads(request(plan.server, "/api/tables", plan.token))["yours"]
        joined = [join(plan, probe, *table) for table in tables]
        known = [game["name"] for game in json.loads(request(plan.server, "/api/games", plan.token))]
    except Unreachable as error:
        raise UserError("server-unreachable", WORDS, server=plan.server, reason=error) from error
    going_on = [table["id"] for table in own if table["status"] != "over"]
    if not going_on and not joined and not challenges:
        raise UserError("bot-idle", WORDS)
    with ThreadPoolExecutor(parallel) as pool:
        games = [pool.submit(play_series, plan, table, stopped) for table in dict.fromkeys([*going_on, *joined])]
        try:
            if challenges:
                wait_for_challenges(
                    plan,
                    [game for game in known if probe.introduction.plays(game)],
                    lambda: sum(not game.done() for game in games) < parallel,
                    lambda table: games.append(pool.submit(play_series, plan, table, stopped)),
                    stopped,
                )
            results = [game.result() for game in games]
        finally:
            stopped.set()
    return all(results)


def join(plan: Plan, engine: EngineGames, table: str, key: str | None) -> str:
    """Take a seat, unless the bot has one already; refuse a game that the engine does not play."""
    found = json.loads(request(plan.server, f"/api/tables/{table}", plan.token))
    engine.require_game(found["game"])
    if not found["you"]:
        command = {"type": "join", "id": f"join-{table}"} | ({} if key is None else {"key": key})
        request(plan.server, f"/api/tables/{table}/commands", plan.token, command)
    return table


def play_series(plan: Plan, table: str, stopped: threading.Event) -> bool:
    """Play a table and those that follow it; return whether no game was given up."""
    following: str | None = table
    well = True
    while following is not None and not stopped.is_set():
        seat = BotTable(plan, following, stopped)
        try:
            following = seat.run()
        except ServerError as error:
            plan.say("table-refused", table=following, reason=error)
            return False
        well = well and not seat.given_up
    return well


class BotTable:
    """A table at which the bot plays."""

    def __init__(self, plan: Plan, table: str, stopped: threading.Event) -> None:
        self.plan = plan
        self.table = table
        self.stopped = stopped
        self.engine: EngineGames | None = None
        self.given_up = False
        self.decision: int | None = None  # the one that is being thought about
        self.stop = threading.Event()  # ends that thought
        self.thought: Future[None] | None = None
        self.answered: set[str] = set()  # questions, by the number of the table at which they were answered
        self.thread = ThreadPoolExecutor(1)
        self.announced = False

    def run(self) -> str | None:
        """Play until the game is over and nobody wants another; return the next table, if there is one."""
        wait = FIRST_WAIT
        try:
            while not self.stopped.is_set():
                try:
                    with self.connect() as socket:
                        wait = FIRST_WAIT
                        return self.follow(socket)
                except (OSError, WebSocketException, Unreachable) as error:
                    self.plan.say("reconnecting", table=self.table, reason=error)
                    self.stopped.wait(wait)
                    wait = min(2 * wait, LONGEST_WAIT)
            return None
        finally:
            self.stop.set()
            self.thread.shutdown()
            if self.engine is not None:
                self.engine.close()

    def connect(self) -> ClientConnection:
        """Open the table's WebSocket."""
        server = urlsplit(self.plan.server)
        scheme = "wss" if server.scheme == "https" else "ws"
        address = f"{scheme}://{server.netloc}{server.path.rstrip('/')}/api/tables/{self.table}/live"
        headers = {"Authorization": f"Bearer {self.plan.token}"}
        return connect(address, additional_headers=headers, max_size=LONGEST_MESSAGE, open_timeout=TIMEOUT)

    def follow(self, socket: ClientConnection) -> str | None:
        """React to messages until the bot may leave; return the next table, if there is one."""
        self.decision = None  # what was thought about when the connection was lost is sent again
        latest: dict[str, Any] | None = None
        while not self.stopped.is_set():
            try:
                message = json.loads(socket.recv(timeout=1.0))
            except TimeoutError:
                continue
            kind = message["type"]
            if kind == "ping":
                send(socket, type="pong", at=message["at"])
            elif kind == "refused":
                self.refused(message)
                if self.given_up and latest is not None:
                    self.resign(socket, latest)
            elif kind == "news":
                latest = message["table"]
                if self.may_leave(socket, latest):
                    following: str | None = latest["next"]
                    return following
            elif kind == "presence" and latest is not None:
                for seat, here in zip(latest["seats"], message["here"], strict=False):
                    seat["here"] = here
                if self.may_leave(socket, latest):
                    return None
        return None

    def refused(self, message: Mapping[str, Any]) -> None:
        """Report a refusal; a move that came too late is nothing, and an illegal one is the engine's fault."""
        code = message["code"]
        if code in ("not-ready", "overloaded", "unavailable", "too-often"):
            raise Unreachable(message["words"])
        if message.get("id") is None:
            raise ServerError(code, message["words"])
        if code in ("illegal", "unreadable"):
            self.plan.say("engine-failed", table=self.table, reason=message["words"])
            self.given_up = True

    def may_leave(self, socket: ClientConnection, table: dict[str, Any]) -> bool:
        """Do what the table asks for; return whether the bot has nothing more to do here."""
        if table["status"] != "running" or table["decision"] != self.decision:
            self.stop.set()
        if table["status"] == "over":
            return self.is_done(socket, table)
        if not table["you"] and table["status"] == "running":
            return True  # somebody else has its seat
        if self.given_up:
            self.resign(socket, table)
            return False
        self.answer(socket, table)
        if table["legal"] and table["decision"] != self.decision:
            self.begin(socket, table)
        return False

    def is_done(self, socket: ClientConnection, table: dict[str, Any]) -> bool:
        """Say the result once; stay for a rematch while people are at the table."""
        if not self.announced:
            self.announced = True
            winners = table["result"]["winners"]
            won = any(seat in winners for seat in table["you"])
            self.plan.say("bot-won" if won else "bot-lost" if winners else "bot-drew", table=self.table)
        if table["next"] is not None or self.given_up:
            return True
        self.answer(socket, table)
        people = (
            seat["here"] and not seat["yours"] and (seat["player"] or {}).get("kind") == "person"
            for seat in table["seats"]
        )
        return not any(people)

    def answer(self, socket: ClientConnection, table: Mapping[str, Any]) -> None:
        """Answer questions: yes to takebacks and another game, no to draws."""
        for what in ("takeback", "rematch", "revenge", "draw"):
            asked = next((one for one in table["asked"] if one["what"] == what), None)
            if f"answer-{what}" in table["may"] and asked is not None:
                for seat in table["you"]:
                    name = f"answer-{what}-{seat}-{table['made']}"
                    if seat not in asked["agreed"] and name not in self.answered:
                        self.answered.add(name)
                        answer = {"what": what, "yes": what != "draw", "seat": seat}
                        send(socket, type="answer", id=f"{name}-{table['number']}", **answer)

    # Thinking

    def begin(self, socket: ClientConnection, table: dict[str, Any]) -> None:
        """Let the engine think about the open decision; the answer is sent from its thread."""
        if self.thought is not None:
            self.stop.set()
            self.thought.result()
        self.decision = table["decision"]
        self.stop = threading.Event()
        self.thought = self.thread.submit(self.decide, socket, table, self.stop)

    def decide(self, socket: ClientConnection, table: dict[str, Any], stop: threading.Event) -> None:
        """Ask the engine and send what it decides; an engine that fails is replaced, then the game is given up."""
        received = time.monotonic()
        for attempt in range(ATTEMPTS):
            try:
                moves = self.ask(table, stop, received)
            except EngineError as error:
                self.plan.say("engine-failed", table=self.table, reason=error)
                if self.engine is not None:
                    self.engine.close()
                    self.engine = None
                if attempt + 1 == ATTEMPTS:
                    self.given_up = True
                    self.resign(socket, table)
            except (OSError, Unreachable, ServerError):
                return  # the connection is about to be opened again
            else:
                if moves and not stop.is_set():
                    decision, seat = table["decision"], table["to_move"]
                    send(socket, type="move", id=f"move-{decision}", decision=decision, moves=moves, seat=seat)
                return

    def ask(self, table: Mapping[str, Any], stop: threading.Event, received: float) -> list[str]:
        """Return the engine's decisions; none if the table has moved on."""
        seat = table["to_move"]
        text = request(self.plan.server, f"/api/tables/{self.table}/record?seat={seat}", self.plan.token).decode()
        record = Record.parse(text)
        if len(record.moves) != table["made"]:
            return []
        if self.engine is None:
            self.engine = EngineGames(self.plan.command, self.plan.options)
        question = Question(record.game, record.options, seat, record.moves, table["legal"], table["view"])
        self.engine.require_game(record.game, record.rules)
        moves, _ = self.engine.ask(question, self.limits(table, received), stop.is_set)
        return moves

    def limits(self, table: Mapping[str, Any], received: float) -> Go:
        """Return the plan's budget and what the clocks leave."""
        seconds, clock = self.plan.seconds, table["clock"]
        movetime = None if seconds is None else max(1, round(1000 * seconds))
        if clock is None:
            return Go(nodes=self.plan.nodes, movetime=movetime)
        used = round(1000 * (time.monotonic() - received)) + CLOCK_RESERVE
        left = [
            None if time is None else max(1, time - used if seat == table["to_move"] else time)
            for seat, time in enumerate(clock["left"])
        ]
        return Go(self.plan.nodes, movetime, tuple(left), tuple(clock["increment"]))

    def resign(self, socket: ClientConnection, table: Mapping[str, Any]) -> None:
        """Resign, so that nobody waits for an engine that does not play."""
        for seat in table["you"]:
            if table["status"] == "running" and table["seats"][seat]["out"] is None:
                send(socket, type="resign", id=f"resign-{seat}", seat=seat)


def send(socket: ClientConnection, **message: Any) -> None:
    """Send a message; on a connection that is lost it is made up for when the connection is opened again."""
    with suppress(OSError, WebSocketException):
        socket.send(json.dumps(message))
