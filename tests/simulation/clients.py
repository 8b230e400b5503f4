"""The clients: players and spectators as state machines, who know only what they were sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec

from mchezo.server import messages
from mchezo.server.domain import log
from tests.simulation.network import Link, Network
from tests.simulation.oracle import UNDECIDED, Oracle, decode
from tests.simulation.process import Process
from tests.simulation.world import SECOND, World

SILENCE = 20 * SECOND  # after which a client reconnects
AUTO = -1
DURING: tuple[log.QuestionKind, ...] = ("draw", "takeback")  # what players ask for during a game, and after it
AGAIN: tuple[log.QuestionKind, ...] = ("rematch", "revenge")


def attacks(moves: list[str]) -> list[str]:
    """Return the moves of heroes, who draw hidden tokens when they attack; else all but passing; else all."""
    return [move for move in moves if "H" in move] or [move for move in moves if move != "."] or moves


class Client:
    """A guest at one table."""

    def __init__(
        self,
        world: World,
        network: Network,
        oracle: Oracle,
        servers: Callable[[], list[Process]],
        table: str,
        guest: str,
        token: str | None,
        *,
        wanted: int | None = AUTO,
        plays: bool = True,
        want: str = "view",
        patience: int = 40,
        script: Sequence[str] = (),
    ) -> None:
        self.world = world
        self.network = network
        self.oracle = oracle
        self.servers = servers
        self.table = table
        self.guest = guest
        self.token = token
        self.wanted = wanted
        self.plays = plays
        self.want = want
        self.patience = patience  # moves after which the player resigns
        self.script = script  # moves to follow while they are legal
        self.number = -1  # of the last event seen
        self.view: dict[str, Any] | None = None
        self.link: Link | None = None
        self.connecting = False
        self.last_heard = 0
        self.away_until = 0
        self.commands = 0
        self.pending: dict[str, bytes] = {}  # by idempotency key: not answered yet
        self.answered = -1  # the last decision for which a move was sent
        self.thinking = False
        self.calm = False  # faults have ceased: play on, without mischief
        self.said: set[str] = set()  # what was tried at the current number
        world.after(world.between(0, 0.5), self.tick)

    # The connection

    def tick(self) -> None:
        """Connect, reconnect after a silence, repeat what was not answered, and act."""
        self.world.after(self.world.between(1.0, 3.0), self.tick)
        if self.world.time < self.away_until:
            return
        if self.link is None and not self.connecting:
            self.connect()
        elif self.link is not None and self.world.time - self.last_heard > SILENCE:
            self.link.cut()
            self.link = None
            self.connect()
        for id, raw in list(self.pending.items()):
            self.world.note("again", self.guest, id)
            self.send(raw, by_http=self.world.chance(0.3))
        self.think()

    def connect(self) -> None:
        """Open a WebSocket, saying the last number seen."""
        servers = self.servers()
        if not servers:
            return
        process = self.world.pick(servers)
        link = Link(self.network, self, process)
        self.connecting = True

        def arrive() -> None:
            self.connecting = False
            if process.alive and process.started and self.world.time >= self.away_until:
                self.link, self.last_heard = link, self.world.time
                self.world.note("connect", self.guest, process.name, self.number)
                process.accept(link, self.table, self.number, self.wanted, self.want)

        self.world.after(self.network.latency(), arrive)

    def disconnected(self, link: Link) -> None:
        """Notice that a connection was cut."""
        if self.link is link:
            self.link = None
            self.world.after(self.world.between(0.05, 1.0), self.reconnect)

    def reconnect(self) -> None:
        """Connect again, unless that has happened."""
        if self.link is None and not self.connecting and self.world.time >= self.away_until:
            self.connect()

    def leave(self, until: int) -> None:
        """Go away for a while."""
        self.away_until = until
        if self.link is not None:
            self.link.cut()
            self.link = None

    # Receiving

    def receive(self, link: Link, raw: bytes) -> None:
        """Receive a message of the WebSocket."""
        if link is not self.link:
            return
        self.last_heard = self.world.time
        self.world.note("to", self.guest, raw.decode())
        message = decode(raw)
        match message["type"]:
            case "news":
                self.oracle.on_news(self, raw, message)
                if message["table"]["number"] != self.number:
                    self.said.clear()
                self.number, self.view = message["table"]["number"], message["table"]
                self.think()
            case "facts":
                self.oracle.on_news(self, raw, message)
                self.number = message["events"][-1]["number"]
            case "ping":
                link.to_server(messages.encode(messages.Pong(message["at"])))
            case "done" | "refused":
                self.answer(message)

    def answer(self, message: dict[str, Any]) -> None:
        """Receive the answer to a command."""
        id = message.get("id")
        if message["type"] == "refused":
            if message["code"] in UNDECIDED:
                return  # it is sent again
            self.answered = -1
        self.pending.pop(id or "", None)
        self.think()

    # Sending

    def key_of(self, raw: bytes) -> tuple[str, str, str] | None:
        """Return table, guest and idempotency key of a command."""
        id = msgspec.json.decode(raw).get("id")
        return None if id is None or id == "try" else (self.table, self.guest, id)

    def command(self, make: Callable[[str], messages.Commands], by_http: bool | None = None) -> None:
        """Send a new command."""
        self.commands += 1
        id = f"{self.guest}-{self.commands}"
        command = make(id)
        raw = messages.encode(command)
        self.oracle.sent[self.table, self.guest, id] = command
        self.pending[id] = raw
        self.send(raw, self.world.chance(0.15) if by_http is None else by_http)

    def send(self, raw: bytes, by_http: bool) -> None:
        """Send a command by WebSocket or HTTP."""
        if not by_http and self.link is not None and self.link.alive:
            self.link.to_server(raw)
            return
        servers = self.servers()
        if not servers:
            return
        copies = 1
        if self.world.chance(self.network.duplication):
            self.world.fault("request duplicated")
            copies = 2
        for _ in range(copies):
            if self.world.chance(self.network.loss):
                self.world.fault("request lost")
                continue
            self.world.after(self.network.latency(), self._post, self.world.pick(servers), raw)

    def _post(self, process: Process, raw: bytes) -> None:
        if not process.alive or not process.started or self.token is None:
            return
        id = msgspec.json.decode(raw)["id"]
        self.oracle.on_arrival(self, raw)

        def answer(answered: bytes | None) -> None:
            if answered is None:
                return
            message = msgspec.json.decode(answered)
            self.world.note("answer", self.guest, answered.decode())
            self.oracle.on_send(self, answered)
            if self.world.chance(self.network.loss):
                self.world.fault("answer lost")
                return
            self.world.after(self.network.latency(), self.answer, {**message, "id": id})

        process.post(self.table, raw, self.token, answer)

    # Playing

    def think(self) -> None:
        """Decide something after a while."""
        if self.plays and not self.thinking and self.view is not None:
            self.thinking = True
            self.world.after(self.world.between(0.02, 0.5), self.act)

    def act(self) -> None:
        """Do something that the table allows, or, at times, something that it does not."""
        self.thinking = False
        view, world = self.view, self.world
        if view is None or world.time < self.away_until:
            return
        if view["status"] == "open":
            if not view["you"]:
                self.once("join", lambda id: messages.Join(id, name=self.guest.title()))
            return
        if not view["you"]:
            return
        may: list[str] = view["may"]
        if view["status"] == "over":
            if not self.calm and world.chance(0.1):
                for again in AGAIN:
                    if f"answer-{again}" in may or f"ask-{again}" in may:
                        self.once("again", partial(messages.Ask, what=again))
            return
        if view["made"] >= self.patience:
            self.once("resign", lambda id: messages.Resign(id))
            return
        if not self.calm and world.chance(0.06):
            self.mischief(view)
        for what in DURING:
            if f"answer-{what}" in may:
                yes = world.chance(0.7 if what == "takeback" else 0.15)
                self.once(f"answer-{what}", partial(messages.Answer, what=what, yes=yes))
            elif f"ask-{what}" in may and not self.calm and world.chance(0.1 if what == "takeback" else 0.03):
                self.once(f"ask-{what}", partial(messages.Ask, what=what))
        for claim in may:
            if claim.startswith("claim-") and world.chance(0.3):
                self.once(claim, partial(messages.Claim, absent=int(claim[6:])))
        if view["legal"] and view["decision"] != self.answered:
            self.answered = view["decision"]
            moves = view["legal"]
            follow = [move for move in self.script[view["made"] : view["made"] + 1] if move in moves]
            self.move(view["decision"], world.pick(follow or (attacks(moves) if world.chance(0.8) else moves)))
            if not self.calm and world.chance(0.12):
                world.fault("two moves raced")
                self.move(view["decision"], world.pick(moves), by_http=True)

    def move(self, decision: int, move: str, by_http: bool | None = None) -> None:
        """Send a move."""
        self.command(lambda id: messages.Move(id, decision, [move]), by_http)

    def once(self, what: str, make: Callable[[str], messages.Commands]) -> None:
        """Send a command, once for every state of the table, and again later if it was refused."""
        if what not in self.said and not self.pending:
            self.said.add(what)
            self.command(make)

    def mischief(self, view: dict[str, Any]) -> None:
        """Send what will be refused, as a rule."""
        world, decision = self.world, view["decision"] or 0
        kind = world.pick(("stale", "illegal", "foreign", "turn", "resign", "claim", "try"))
        world.faults[f"wrong command: {kind}"] += 1
        match kind:
            case "stale":
                self.move(max(0, decision - 1), world.pick(view["legal"] or ["a1-a2"]))
            case "illegal":
                self.command(lambda id: messages.Move(id, decision, ["zz"]))
            case "foreign":
                foreign = next((seat for seat in range(len(view["seats"])) if seat not in view["you"]), 0)
                self.command(lambda id: messages.Move(id, decision, ["a1-a2"], seat=foreign))
            case "turn":
                self.command(lambda id: messages.Ask(id, "rematch"))
            case "resign":
                if world.chance(0.1):
                    self.command(lambda id: messages.Resign(id))
            case "claim":
                self.command(lambda id: messages.Claim(id, world.rng.randrange(4)))
            case "try":
                if self.link is not None and self.link.alive and view["legal"]:
                    self.link.to_server(messages.encode(messages.Try(decision, [world.pick(view["legal"])])))
