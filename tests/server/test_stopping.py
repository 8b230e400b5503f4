"""A server that is asked to stop does so, whatever it is doing, and keeps what it acknowledged."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from mchezo.core.position import Position
from mchezo.server.messages import LevelInfo
from mchezo.server.storage.store import Store
from tests.server import postgres
from tests.server.random_players import RandomOpponents, RandomPlayer
from tests.server.serving import PATIENCE, Client, Running, eventually

pytestmark = pytest.mark.rotating(shares=4)


class Ponderer(RandomPlayer):
    """Thinks until it is stopped."""

    def __init__(self, thinking: threading.Event, stopped: threading.Event) -> None:
        super().__init__(1)
        self.thinking, self.stopped = thinking, stopped

    def turn(self, position: Position, seconds: float | None = None, stop: Any = None) -> list[str]:
        self.thinking.set()
        while not stop():
            threading.Event().wait(0.01)
        self.stopped.set()
        return [position.legal_moves[0]]


class Ponderers(RandomOpponents):
    def __init__(self) -> None:
        self.thinking, self.stopped = threading.Event(), threading.Event()

    def levels(self, game: str) -> list[LevelInfo]:
        return [LevelInfo(1, "Ponderer", None)]

    def player(self, game: str, level: int) -> Ponderer:
        return Ponderer(self.thinking, self.stopped)


def test_a_thinking_computer_is_stopped_and_thinks_again_after_the_next_start(
    database: str, start: Callable[..., Running]
) -> None:
    opponents = Ponderers()
    server = start(database, opponents=opponents)
    ada = server.client("Ada")
    table = ada.make("kiwara", [{"kind": "computer", "level": 1}, {"kind": "you"}])["id"]
    assert opponents.thinking.wait(PATIENCE)
    server.stop()
    assert opponents.stopped.is_set()
    again = start(database)
    ada.move_to(again.address)
    assert eventually(lambda: ada.look(table)["legal"])


def test_open_sockets_are_closed_and_long_polls_are_answered(database: str, start: Callable[..., Running]) -> None:
    server = start(database)
    ada = server.client("Ada")
    table = ada.make()["id"]
    number = ada.look(table)["number"]
    answers: list[httpx.Response] = []
    service = server.service
    assert service is not None
    with ada.live(table) as live:
        live.wait_for("news")
        query = {"after": number, "wait": 25}
        path = f"/api/tables/{table}/news"
        waiting = threading.Thread(target=lambda: answers.append(ada.http.get(path, params=query)))
        waiting.start()
        eventually(lambda: len(service.sessions.sessions[table].watchers) == 2)
        server.stop()
        with pytest.raises(ConnectionClosed):
            live.wait_for("anything more")
    waiting.join(PATIENCE)
    assert [answer.status_code for answer in answers] == [200]
    assert answers[0].json()["table"]["number"] == number


def test_moves_acknowledged_while_it_stops_are_stored(database: str, start: Callable[..., Running]) -> None:
    server = start(database)
    ada = server.client("Ada")
    tables = [ada.make("katarenga", [{"kind": "you"}, {"kind": "you"}])["id"] for _ in range(10)]
    acknowledged: dict[str, int] = {}
    moving = threading.Event()

    def play(table: str) -> None:
        player = Client(server.address)
        player.http.cookies = ada.http.cookies
        try:
            while True:
                seen = player.look(table)
                done = player.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
                acknowledged[table] = done["number"]
                if len(acknowledged) == len(tables):
                    moving.set()
        except (httpx.HTTPError, AssertionError, KeyError):
            return  # it has stopped

    players = [threading.Thread(target=play, args=(table,)) for table in tables]
    for player in players:
        player.start()
    assert moving.wait(PATIENCE)
    server.stop()
    for player in players:
        player.join(PATIENCE)
    store = Store(database)
    numbers = store.tables.numbers(tables)
    store.close()
    assert all(numbers[table] >= acknowledged[table] for table in tables)


def test_it_stops_after_postgresql_has_failed() -> None:
    cluster = postgres.begin()
    try:
        server = Running(cluster.database())
        ada = server.client("Ada")
        table = ada.make("kiwara", [{"kind": "computer", "level": 1}, {"kind": "you"}])["id"]
        seen = eventually(lambda: next((t for t in [ada.look(table)] if t["legal"]), None))
        with ada.live(table) as live:
            live.wait_for("news")
            cluster.cut()
            body = {"type": "move", "id": "late", "decision": seen["decision"], "moves": [seen["legal"][0]]}
            answer = ada.http.post(f"/api/tables/{table}/commands", json=body)
            assert answer.status_code >= 500  # not acknowledged
            assert ada.http.get("/healthz").status_code == 503
            server.stop()
    finally:
        cluster.stop()
