"""Random games at a real server, over its sockets: what was sent, and everything that the server answered."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from mchezo.core.words import LANGUAGES
from mchezo.local import following
from tests.local.games import OPTIONS, SEATS
from tests.server.serving import PATIENCE, Client, Live

LONGEST = 120  # decisions


@dataclass
class RecordedClient:
    """A client at a table: the script of what it did, and what the server said to each step."""

    client: Client
    live: Live
    table: str
    language: str
    steps: list[dict[str, Any]] = field(default_factory=list)
    said: list[list[str]] = field(default_factory=list)
    shown: dict[str, Any] = field(default_factory=dict)
    news: list[dict[str, Any]] = field(default_factory=list)  # to which facts have not been compared

    @property
    def script(self) -> dict[str, Any]:
        return {"table": self.table, "language": self.language, "steps": self.steps}

    def add(self, said: list[str], times: list[int], **step: Any) -> None:
        self.steps.append({**step, "times": times})
        self.said.append(said)

    def receive(self) -> tuple[str, dict[str, Any]]:
        """Return the next message that is about the table, as it was sent."""
        while True:
            text = str(self.live.socket.recv(timeout=PATIENCE))
            message = json.loads(text)
            if message["type"] in ("news", "tried", "done", "refused"):
                if message["type"] == "news":
                    self.shown = message["table"]
                return text, message

    def receive_facts(self) -> str:
        """Return the next facts, as they were sent."""
        while True:
            text = str(self.live.socket.recv(timeout=PATIENCE))
            if json.loads(text)["type"] == "facts":
                return text

    def ask(self, message: dict[str, Any]) -> list[str]:
        """Send a message; return its answer and the news that belong to it."""
        self.live.send(message)
        said, number = [], None
        while number is None or self.shown["number"] < number:
            text, answer = self.receive()
            said.append(text)
            if "id" in answer:
                number = answer.get("number", -1)
        return said

    def news_of(self, number: int) -> list[str]:
        """Return all news up to the event with this number."""
        said = []
        while self.shown["number"] < number:
            text, message = self.receive()
            said.append(text)
            self.news.append(message)
        return said


def stored(database: str, table: str, guest: str) -> list[str]:
    """Return the log of a table, with the browser's only guest in place of the server's."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT fact FROM facts WHERE table_id = ? ORDER BY number", (table,)).fetchall()
    return [fact.decode().replace(guest, "local") for (fact,) in rows]


def attempts(dice: random.Random, game: str, step: int, shown: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield trials: of nothing, with previews at times; of a legal move; of any text."""
    common = {"type": "try", "decision": shown["decision"]}
    yield {**common, "id": f"t{step}", "previews": step % 3 == 0}
    yield {**common, "id": f"u{step}", "moves": [dice.choice(shown["legal"])], "previews": step % 6 == 0}
    if step % 4 == 1:
        yield {**common, "id": f"v{step}", "moves": [dice.choice(["?", ".", "a1-a2", "T3", "Gc3", "=?", "h8xa1"])]}
    if step % 10 == 2:
        yield {**common, "id": f"w{step}", "decision": shown["decision"] - 1}


def plan(game: str, number: int) -> tuple[dict[str, Any], int]:
    """Return the options and the number of seats of a game."""
    return OPTIONS[game][number % len(OPTIONS[game])], SEATS[game][number % len(SEATS[game])]


def one_screen(client: Client, guest: str, database: str, game: str, number: int) -> RecordedClient:
    """Play a game in which one guest has all seats."""
    dice = random.Random(f"{game} {number} served")
    options, seats = plan(game, number)
    id = client.make(game, [{"kind": "you"}] * seats, options=options)["id"]
    language = LANGUAGES[number % len(LANGUAGES)]
    with client.live(id, f"?lang={language}") as live:
        told = RecordedClient(client, live, id, language)
        first, _ = told.receive()
        told.add([first], [0], do="open", facts=stored(database, id, guest))
        for step in range(LONGEST):
            if told.shown["status"] != "running":
                break
            for message in attempts(dice, game, step, told.shown):
                told.add(told.ask(message), [0], do="send", message=json.dumps(message))
            sent: list[dict[str, Any]] = [{"type": "move", "moves": [dice.choice(told.shown["legal"])]}]
            if step % 40 == 20:
                sent.append({"type": "ask", "what": "takeback"})
            for at, given in enumerate(sent):
                message = {"id": f"m{step}.{at}", **given}
                if given["type"] == "move":
                    message["decision"] = told.shown["decision"]
                known = told.shown["number"]
                said = told.ask(message)
                facts = stored(database, id, guest)[known + 1 :]
                times = [json.loads(facts[0])["at"]] if facts else [0]
                told.add(said + facts, times, do="send", message=json.dumps(message))
        for known in (-1, max(0, told.shown["number"] - 5)):
            with client.live(id, f"?lang={language}&after={known}") as again:
                text, _ = RecordedClient(client, again, id, language).receive()
            told.add([text], [0], do="again", known=known)
    return told


def apart(clients: list[Client], game: str, number: int) -> list[RecordedClient]:
    """Play a game in which every guest has a seat, and follow it for each of them."""
    dice = random.Random(f"{game} {number} apart")
    options, seats = plan(game, number)
    clients = clients[:seats]
    id = clients[0].make(game, [{"kind": "you"}, *[{"kind": "open"}] * (seats - 1)], options=options)["id"]
    for client in clients[1:]:
        client.do(id, "join")
    language = LANGUAGES[number % len(LANGUAGES)]
    with ExitStack() as stack:

        def watch(query: str) -> list[RecordedClient]:
            asked = f"?lang={language}{query}"
            return [
                RecordedClient(client, stack.enter_context(client.live(id, asked)), id, language) for client in clients
            ]

        players, listeners = watch(""), watch("&want=facts")
        for player in (*players, *listeners):
            follow(player, player.receive()[0], fresh=True)
        for step in range(LONGEST):
            shown = players[0].shown
            if shown["status"] != "running":
                break
            mover = players[shown["to_move"]]
            for message in attempts(dice, game, step, mover.shown):
                mover.add(mover.ask(message), [0], do="send", message=json.dumps(message))
            move = {"type": "move", "id": f"m{step}", "decision": mover.shown["decision"]}
            mover.live.send({**move, "moves": [dice.choice(mover.shown["legal"])]})
            while (answer := mover.receive())[1]["type"] != "done":
                follow(mover, answer[0])
                mover.news.append(answer[1])
            for player, listener in zip(players, listeners, strict=True):
                for text in player.news_of(answer[1]["number"]):
                    follow(player, text)
                hear(listener, player)
            if step % 7 == 3 and mover.shown["status"] == "running":
                made = dice.randrange(mover.shown["made"] + 1)
                moment = mover.client.http.get(f"/api/tables/{id}/moves/{made}").text
                mover.add([moment], [0], do="moment", made=made)
    return [*players, *listeners]


def follow(player: RecordedClient, news: str, *, fresh: bool = False) -> None:
    """Follow news of a running game."""
    if player.shown["status"] != "running":
        return
    step: dict[str, Any] = {"do": "follow", "news": news}
    if fresh:
        step["record"] = player.client.http.get(f"/api/tables/{player.table}/record").text
    player.add(["known"], [0], **step)


def hear(listener: RecordedClient, player: RecordedClient) -> None:
    """Follow facts of a running game, from which the player's news follow."""
    for news in player.news:
        if news["table"]["status"] == "running":
            facts, may, shown = listener.receive_facts(), listener.shown["may"], news["table"]
            said = {
                "events": news["events"],
                "views": news["views"],
                "table": {name: shown[name] for name in following.HeardTable.__struct_fields__},
            }
            listener.add([json.dumps(said, sort_keys=True)], [0], do="hear", facts=facts, may=may)
            listener.shown = shown
    player.news.clear()
