"""Analyses: thought out by the computers' threads, once for everybody, stored, gone on with after a stop."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import mchezo
from mchezo.server import analyses
from mchezo.server.store import Store
from tests.server.random_players import RandomOpponents
from tests.server.records import ONE_SCREEN, record_of, refusal, upload
from tests.server.serving import Client, Running, eventually


def finished(who: Client, id: str) -> dict[str, Any]:
    """The analysis once it is there."""
    path = f"/api/tables/{id}/analysis"
    found: dict[str, Any] = eventually(lambda: (seen := who.get(path))["status"] == "done" and seen)
    return found


def test_a_game_is_analysed_once_and_everybody_sees_the_same(ada: Client, ben: Client) -> None:
    text = record_of("katarenga")
    id = upload(ada, text)
    path = f"/api/tables/{id}/analysis"
    assert ben.get(path)["status"] == "none"
    asked = [who.post(path, {}) for who in (ada, ben)]
    assert {one["status"] for one in asked} <= {"waiting", "done"}
    found = finished(ben, id)
    assert found == finished(ada, id)
    moves = mchezo.Record.parse(text).moves
    assert found["done"] == found["total"] == len(found["moves"]) > 20
    for move in found["moves"]:
        assert move["move"] == moves[move["number"]]
        # This analyst thinks that every first legal move wins, and any other loses.
        good = move["move"] == move["best"][0]
        assert (move["mark"], move["why"] is None) == (("", True) if good else ("missed win", False))
        assert move["did"]
    assert ben.get(path, after=len(moves))["moves"] == []
    assert all(0 < share <= 1 for share in found["accuracy"])


def test_a_game_that_goes_on_is_not_analysed(ada: Client) -> None:
    table = ada.make(seats=ONE_SCREEN)["id"]
    assert refusal(ada.http.post(f"/api/tables/{table}/analysis", json={})) == (409, "not-over")
    assert refusal(ada.http.get(f"/api/tables/{table}/analysis")) == (409, "not-over")


def test_an_analysis_is_gone_on_with_where_it_was_interrupted(database: str, start: Callable[..., Running]) -> None:
    server = start(database, threads=0)
    ada = server.client("Ada")
    id = upload(ada, record_of("katarenga"))
    ada.post(f"/api/tables/{id}/analysis", {})
    assert server.service is not None
    store = server.service.store
    thinking = analyses.Analyses(store, RandomOpponents())
    left = iter([False] * 5)
    assert thinking.go_on("one", lambda: next(left, True))
    seen = ada.get(f"/api/tables/{id}/analysis")
    assert (seen["status"], seen["done"]) == ("waiting", 5)
    assert thinking.go_on("other", lambda: False)
    after = ada.get(f"/api/tables/{id}/analysis")
    assert after["status"] == "done"
    assert after["moves"][:5] == seen["moves"]
    assert not thinking.go_on("other", lambda: False)


def test_what_fails_can_be_asked_for_again_and_a_long_queue_is_refused(
    database: str, start: Callable[..., Running]
) -> None:
    server = start(database, threads=0)
    ada = server.client("Ada")
    id = upload(ada, record_of("katarenga", moves=6))
    path = f"/api/tables/{id}/analysis"
    ada.post(path, {})

    class Broken(RandomOpponents):
        def analyst(self, game: str) -> Any:
            raise RuntimeError("out of order")

    assert server.service is not None
    store: Store = server.service.store
    assert analyses.Analyses(store, Broken()).go_on("one", lambda: False)
    assert ada.get(path)["status"] == "failed"
    assert ada.post(path, {})["status"] == "waiting"
    for number in range(analyses.MOST_WAITING):
        store.ask_analysis(f"table{number:07}", number, 10_000).result()
    other = upload(ada, record_of("katarenga", moves=7))
    assert refusal(ada.http.post(f"/api/tables/{other}/analysis", json={})) == (503, "analyses-full")


def test_turns_of_computers_are_played_first() -> None:
    from mchezo.server.computers import Computers

    asked: list[str] = []

    class Turns:
        """A store where two tables wait for a computer."""

        def __init__(self) -> None:
            self.waiting = ["one", "two"]

        def now(self) -> int:
            return 0

        def lease(self, owner: str, now: int, milliseconds: int) -> Any:
            answer: Future[str | None] = Future()
            answer.set_result(self.waiting.pop(0) if self.waiting else None)
            return answer

    computers = Computers(Turns(), RandomOpponents(), 0)  # type: ignore[arg-type]  # no more is asked of it
    computers.play = lambda id, thread: asked.append(id)  # type: ignore[method-assign]  # watched
    assert computers.give_way(0) is False
    assert asked == ["one", "two"]
